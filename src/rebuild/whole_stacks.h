/*
 * whole_stacks.h - events that concern whole stacks: another thread runs; a stack is met in
 * the middle of its life, forgotten, lost with a line, or ends with the recording.
 */
#ifndef SUPPROF_WHOLE_STACKS_H
#define SUPPROF_WHOLE_STACKS_H

#include "rebuild/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes a thread the one that runs. */
void run_switch_thread(struct run *run, uint32_t thread);

/* The stack of the thread that runs is replaced by these frames, root first. */
void run_replace_stack(struct run *run, const struct event *frames, size_t count);

/* Errors have ended the stack of the thread that runs; or a whole stack follows, which replaces it.
 */
void run_forget(struct run *run, bool is_replaced);

/* Lines are missing: drops the stacks of all threads. */
void run_lose_stacks(struct run *run);

/* The recording ends, and all stacks with it. */
void run_end_stacks(struct run *run);

#endif
