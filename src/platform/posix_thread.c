#define _GNU_SOURCE
#include "platform/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct worker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    void (*run)(void *context);
    void *context;
};

void thread_begin_end(void)
{
    static atomic_flag has_begun = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&has_begun))
        sched_yield();
}

static void *run(void *argument)
{
    struct worker *worker = argument;
    worker->run(worker->context);
    return NULL;
}

static void release(struct worker *worker)
{
    pthread_mutex_destroy(&worker->mutex);
    pthread_cond_destroy(&worker->changed);
    free(worker);
}

bool worker_start(struct worker **worker, void (*run_it)(void *context), void *context)
{
    struct worker *new = *worker = malloc(sizeof *new);
    if (new == NULL)
        return false;
    *new = (struct worker){.run = run_it, .context = context};
    pthread_mutex_init(&new->mutex, NULL);
    pthread_cond_init(&new->changed, NULL);
    if (pthread_create(&new->thread, NULL, run, new) == 0)
        return true;
    release(new);
    *worker = NULL;
    return false;
}

void worker_enter(struct worker *worker)
{
    if (worker != NULL)
        pthread_mutex_lock(&worker->mutex);
}

void worker_leave(struct worker *worker)
{
    if (worker != NULL)
        pthread_mutex_unlock(&worker->mutex);
}

void worker_wait(struct worker *worker)
{
    pthread_cond_wait(&worker->changed, &worker->mutex);
}

void worker_wake(struct worker *worker)
{
    if (worker != NULL)
        pthread_cond_broadcast(&worker->changed);
}

void worker_join(struct worker *worker)
{
    if (worker == NULL)
        return;
    pthread_join(worker->thread, NULL);
    release(worker);
}
