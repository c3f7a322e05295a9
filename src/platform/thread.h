/*
 * thread.h - a second thread, where the system has threads, and what two of them share.
 */
#ifndef SUPPROF_THREAD_H
#define SUPPROF_THREAD_H

/* A lock with a place to wait for what another thread changes under it. */
struct monitor;

/* Returns NULL where there are no threads, or no memory. */
struct monitor *monitor_new(void);
void monitor_free(struct monitor *monitor);

void monitor_enter(struct monitor *monitor);
void monitor_leave(struct monitor *monitor);

/* Leaves, waits to be woken, and enters again. It may return early: look at the condition again. */
void monitor_wait(struct monitor *monitor);

/* Wakes one thread that waits; to be called inside. */
void monitor_wake(struct monitor *monitor);

struct thread;

/* Calls run(context) on another thread. Returns NULL where none can be had. */
struct thread *thread_start(void (*run)(void *context), void *context);

/* Waits until run() has returned, and frees the thread. */
void thread_join(struct thread *thread);

#endif
