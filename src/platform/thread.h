/*
 * thread.h - a second thread, if the system has threads, and a lock that both share.
 */
#pragma once

#include <stdbool.h>

/* A thread with a lock, on which one of the two can also wait for a change by the other. */
struct worker;

/*
 * Calls run(context) on another thread, for which `*worker` is set already. Returns false, with a
 * `*worker` of NULL, if none can be started.
 */
bool worker_start(struct worker **worker, void (*run)(void *context), void *context);

/* With NULL, these three do nothing. Inside, worker_wake() wakes the thread that waits. */
void worker_enter(struct worker *worker);
void worker_leave(struct worker *worker);
void worker_wake(struct worker *worker);

/* Leaves, waits to be woken, and enters again. It may return early: check the condition again. */
void worker_wait(struct worker *worker);

/* Waits until run() has returned, and frees the worker, which may be NULL. */
void worker_join(struct worker *worker);
