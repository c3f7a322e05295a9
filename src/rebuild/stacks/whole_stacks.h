/*
 * whole_stacks.h - events that concern whole stacks: another thread runs; a stack is first seen in
 * the middle of its life, is forgotten, is lost with a line, or ends with the recording.
 */
#pragma once

#include "rebuild/stacks/stacks.h"

/* Makes a thread the running thread. */
void stacks_switch_thread(struct stacks *stacks, uint32_t thread);

/* Replaces the stack of the running thread by these frames, [count], root first. */
void stacks_replace(struct stacks *stacks, const struct event *frames, size_t count);

/*
 * If stacks->forgets is set: errors have ended the stack of the running thread. `is_replaced`: a
 * whole stack follows, which replaces it.
 */
void stacks_forget_pending(struct stacks *stacks, bool is_replaced);

/*
 * A tick ends. Only some C functions suspend a thread. So if a coroutine was left while another
 * function was on top of its stack, an error has ended it. A C function below could have caught the
 * error, but only within the same tick: now all its frames count as errors.
 * `is_switch_next`: the running thread was left in that tick, too.
 */
void stacks_fail_left(struct stacks *stacks, bool is_switch_next);

/* Lines are missing: drops the stacks of all threads. */
void stacks_lose(struct stacks *stacks);

/* Ends all stacks at the end of the recording. */
void stacks_end(struct stacks *stacks);
