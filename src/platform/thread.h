/*
 * thread.h - a second thread, if the system has threads, and a lock that both share.
 */
#pragma once

/* A lock, on which a thread can also wait for a change by another thread. */
struct monitor;

/* Returns NULL if there are no threads or there is no memory. */
struct monitor *monitor_new(void);
void monitor_free(struct monitor *monitor);

void monitor_enter(struct monitor *monitor);
void monitor_leave(struct monitor *monitor);

/* Leaves, waits to be woken, and enters again. It may return early: check the condition again. */
void monitor_wait(struct monitor *monitor);

/* Wakes one waiting thread; call it inside. */
void monitor_wake(struct monitor *monitor);

struct os_thread;

/* Calls run(context) on another thread. Returns NULL if none can be started. */
struct os_thread *thread_start(void (*run)(void *context), void *context);

/* Waits until run() has returned, and frees the thread. */
void thread_join(struct os_thread *thread);
