#include "profile/queue.h"

#include "base/mem.h"
#include "platform/thread.h"

/* So many that neither thread waits while the other is held up. */
enum { BATCH_COUNT = 32 };

struct queue {
    void (*consume)(void *context, const struct batch *batch);
    void *context;
    struct os_thread *thread; /* NULL if none could be started */
    struct monitor *monitor;
    /* Guarded by the monitor. Batches [emptied, filled) modulo BATCH_COUNT are the reader's. */
    size_t filled, emptied;
    bool is_finished;
    struct batch batches[BATCH_COUNT];
};

static void free_batch(struct batch *batch)
{
    MEM_FREE(batch->stacks.at, batch->stacks.frames, batch->events.at);
}

static void consume(struct queue *queue, struct batch *batch)
{
    queue->consume(queue->context, batch);
    batch->stacks.count = 0;
    batch->stacks.frame_count = 0;
    batch->events.count = 0;
}

static void run(void *context)
{
    struct queue *queue = context;
    monitor_enter(queue->monitor);
    for (;;) {
        while (queue->emptied == queue->filled && !queue->is_finished)
            monitor_wait(queue->monitor);
        if (queue->emptied == queue->filled)
            break;
        struct batch *batch = &queue->batches[queue->emptied % BATCH_COUNT];
        monitor_leave(queue->monitor);
        consume(queue, batch);
        monitor_enter(queue->monitor);
        queue->emptied++;
        /* Not for each batch: it costs processor time to wake a thread. */
        if (queue->filled - queue->emptied <= BATCH_COUNT / 2)
            monitor_wake(queue->monitor);
    }
    monitor_leave(queue->monitor);
}

struct queue *queue_start(void (*consume_batch)(void *context, const struct batch *batch),
                          void *context)
{
    struct queue *queue = mem_zeroed(1, sizeof *queue);
    queue->consume = consume_batch;
    queue->context = context;
    queue->monitor = monitor_new();
    queue->thread = queue->monitor != NULL ? thread_start(run, queue) : NULL;
    return queue;
}

struct batch *queue_batch(struct queue *queue)
{
    /* Only this thread changes `filled`, so it may read it without the monitor. */
    return &queue->batches[queue->filled % BATCH_COUNT];
}

void queue_push(struct queue *queue)
{
    if (queue->thread == NULL) {
        consume(queue, queue_batch(queue));
        return;
    }
    monitor_enter(queue->monitor);
    queue->filled++;
    monitor_wake(queue->monitor);
    /* The batch that is filled next must be empty. */
    while (queue->filled - queue->emptied == BATCH_COUNT)
        monitor_wait(queue->monitor);
    monitor_leave(queue->monitor);
}

void queue_finish(struct queue *queue)
{
    if (queue->thread != NULL) {
        monitor_enter(queue->monitor);
        queue->is_finished = true;
        monitor_wake(queue->monitor);
        monitor_leave(queue->monitor);
        thread_join(queue->thread);
    }
    monitor_free(queue->monitor);
    for (size_t i = 0; i < BATCH_COUNT; i++)
        free_batch(&queue->batches[i]);
    free(queue);
}
