/*
 * waiting.h - frames that wait and go on, and whose the time is that passes meanwhile.
 *
 * A frame waits when another thread runs, when a root is pushed above it, or when its
 * function suspends the thread. Time that passes while no frame runs is unattributed. When a C
 * function goes on that has been running all the while, it takes the time that was unattributed
 * since it began to wait and has not been taken by another.
 */
#ifndef SUPPROF_WAITING_H
#define SUPPROF_WAITING_H

#include "rebuild/run.h"

#include <stdbool.h>
#include <stdint.h>

/* The last frame of the thread that runs, which was running until so many units ago, waits. */
void run_wait(struct run *run, struct thread *thread, uint32_t units_ago);

/* The last frame of the thread, which waits, goes on; or it was running all the while. */
void run_wake(struct run *run, struct thread *thread, bool was_running);

#endif
