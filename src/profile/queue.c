#include "profile/queue.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

enum { BATCH_COUNT = 4 };

struct queue {
    void (*consume)(void *context, const struct batch *batch);
    void *context;
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Guarded by the mutex. Batches [emptied, filled) modulo BATCH_COUNT are the reader's. */
    size_t filled, emptied;
    bool is_finished;
    struct batch batches[BATCH_COUNT];
};

static void free_batch(struct batch *batch)
{
    free(batch->stacks.at);
    free(batch->stacks.frames);
    free(batch->events.at);
}

static void consume(struct queue *queue, struct batch *batch)
{
    queue->consume(queue->context, batch);
    batch->stacks.count = 0;
    batch->stacks.frame_count = 0;
    batch->events.count = 0;
}

static void *run(void *argument)
{
    struct queue *queue = argument;
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (queue->emptied == queue->filled && !queue->is_finished)
            pthread_cond_wait(&queue->changed, &queue->mutex);
        if (queue->emptied == queue->filled)
            break;
        struct batch *batch = &queue->batches[queue->emptied % BATCH_COUNT];
        pthread_mutex_unlock(&queue->mutex);
        consume(queue, batch);
        pthread_mutex_lock(&queue->mutex);
        queue->emptied++;
        pthread_cond_signal(&queue->changed);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

struct queue *queue_start(void (*consume_batch)(void *context, const struct batch *batch),
                          void *context)
{
    struct queue *queue = mem_zeroed(1, sizeof *queue);
    queue->consume = consume_batch;
    queue->context = context;
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue->has_thread = pthread_create(&queue->thread, NULL, run, queue) == 0;
    return queue;
}

struct batch *queue_batch(struct queue *queue)
{
    /* Only this thread changes `filled`, so it may read it without the mutex. */
    return &queue->batches[queue->filled % BATCH_COUNT];
}

void queue_push(struct queue *queue)
{
    if (!queue->has_thread) {
        consume(queue, queue_batch(queue));
        return;
    }
    pthread_mutex_lock(&queue->mutex);
    queue->filled++;
    pthread_cond_signal(&queue->changed);
    /* The batch that is filled next must be empty. */
    while (queue->filled - queue->emptied == BATCH_COUNT)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
}

void queue_finish(struct queue *queue)
{
    if (queue->has_thread) {
        pthread_mutex_lock(&queue->mutex);
        queue->is_finished = true;
        pthread_cond_signal(&queue->changed);
        pthread_mutex_unlock(&queue->mutex);
        pthread_join(queue->thread, NULL);
    }
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->changed);
    for (size_t i = 0; i < BATCH_COUNT; i++)
        free_batch(&queue->batches[i]);
    free(queue);
}
