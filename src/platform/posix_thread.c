#define _GNU_SOURCE
#include "platform/thread.h"

#include <pthread.h>
#include <stdlib.h>

struct monitor {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

struct monitor *monitor_new(void)
{
    struct monitor *monitor = malloc(sizeof *monitor);
    if (monitor == NULL)
        return NULL;
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_cond_init(&monitor->changed, NULL);
    return monitor;
}

void monitor_free(struct monitor *monitor)
{
    if (monitor == NULL)
        return;
    pthread_mutex_destroy(&monitor->mutex);
    pthread_cond_destroy(&monitor->changed);
    free(monitor);
}

void monitor_enter(struct monitor *monitor)
{
    pthread_mutex_lock(&monitor->mutex);
}

void monitor_leave(struct monitor *monitor)
{
    pthread_mutex_unlock(&monitor->mutex);
}

void monitor_wait(struct monitor *monitor)
{
    pthread_cond_wait(&monitor->changed, &monitor->mutex);
}

void monitor_wake(struct monitor *monitor)
{
    pthread_cond_signal(&monitor->changed);
}

struct os_thread {
    pthread_t id;
    void (*run)(void *context);
    void *context;
};

static void *run(void *argument)
{
    struct os_thread *thread = argument;
    thread->run(thread->context);
    return NULL;
}

struct os_thread *thread_start(void (*run_it)(void *context), void *context)
{
    struct os_thread *thread = malloc(sizeof *thread);
    if (thread == NULL)
        return NULL;
    thread->run = run_it;
    thread->context = context;
    if (pthread_create(&thread->id, NULL, run, thread) == 0)
        return thread;
    free(thread);
    return NULL;
}

void thread_join(struct os_thread *thread)
{
    pthread_join(thread->id, NULL);
    free(thread);
}
