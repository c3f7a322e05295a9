/*
 * thread.h - further threads, if the system has threads, and locks that they share.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How many processors this process may use: at least 1, and 1 where there are no threads. */
size_t thread_processor_count(void);

/* Returns to the first thread that calls it, which ends the process; any other waits for that. */
void thread_begin_end(void);

/* A thread with a lock, on which any threads can also wait for a change by another. */
struct worker;

/*
 * Calls run(context) on another thread, for which `*worker` is set already. Returns false, with a
 * `*worker` of NULL, if none can be started.
 */
bool worker_start(struct worker **worker, void (*run)(void *context), void *context);

/* With NULL, these three do nothing. Inside, worker_wake() wakes all threads that wait. */
void worker_enter(struct worker *worker);
void worker_leave(struct worker *worker);
void worker_wake(struct worker *worker);

/* Leaves, waits to be woken, and enters again. It may return early: check the condition again. */
void worker_wait(struct worker *worker);

/* Waits until run() has returned, and frees the worker, which may be NULL. */
void worker_join(struct worker *worker);
