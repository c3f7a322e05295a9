/*
 * wakes.h - when the threads of a run began, woke and ended.
 *
 * A wake of a coroutine is what it does from its begin, or from a resume mark, until it is resumed
 * again or ends. Where the log has no marks, the return of a function that suspends its thread
 * takes the place of the mark. The time of a wake is that of the thread's first function with all
 * that it called; callbacks of the engine on the same thread are not in it.
 *
 *     event            thread 7
 *     root call A      begins, and with it its first wake
 *     call WaitTicks
 *     return, mark     the second wake
 *     return of A      the thread ends
 *
 * A thread that the recorder met in the middle of its life has its first wake at its first mark.
 */
#pragma once

#include "rebuild/stacks/run.h"

/* All of these are about the running thread; of the main thread they keep nothing. */

/* It begins: the root of `site` will be pushed. */
void run_begin_life(struct run *run, uint32_t site);

/* It was met in the middle of its life: its stack is known now. */
void run_meet_life(struct run *run);

/* It was resumed. */
void run_begin_wake(struct run *run);

/* Its stack is empty. Without an error, and without a return of its root, its life goes on. */
void run_end_wake(struct run *run, bool has_returned, bool has_failed);

/* The part of the run that counts has ended: makes the list of lives. */
void run_finish_lives(struct run *run);
