/*
 * waiting.h - frames that wait and continue, and the owner of the time in between.
 *
 * A frame waits when another thread runs, when a root is pushed above it, or when its function
 * suspends the thread. Time that passes while no frame runs is unattributed. When a C function
 * continues and turns out to have been running all the time, it claims the unattributed time since
 * it began to wait, less the part that other frames have claimed.
 */
#pragma once

#include "rebuild/stacks/run.h"

/* The last frame of the running thread begins to wait. It was running until `units_ago`. */
void run_wait(struct run *run, struct thread *thread, uint32_t units_ago);

/* Units and memory that were counted for the running frame are unattributed after all. */
void run_leave_unattributed(struct run *run, uint32_t units, uint32_t memory_kb);

/* The last frame of the thread, which waits, continues. `was_running`: it ran all the time. */
void run_wake(struct run *run, struct thread *thread, bool was_running);
