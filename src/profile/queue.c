#include "profile/queue.h"

#include "base/mem.h"
#include "platform/process.h"
#include "platform/thread.h"

/* So many that neither thread waits while the other is held up. */
enum { BATCH_COUNT = 32 };

struct queue {
    void (*consume)(void *context, const struct batch *batch);
    void *context;
    struct worker *worker; /* NULL if none could be started */
    /* Guarded by its lock. Batches [emptied, filled) modulo BATCH_COUNT are the reader's. */
    size_t filled, emptied;
    bool is_finished;
    bool is_ending; /* nothing is filled until all are empty */
    struct batch batches[BATCH_COUNT];
};

static void free_batch(struct batch *batch)
{
    MEM_FREE(batch->stacks.at, batch->stacks.frames, batch->events.at);
    *batch = (struct batch){0};
}

static void consume(struct queue *queue, struct batch *batch)
{
    queue->consume(queue->context, batch);
    batch->stacks.count = 0;
    batch->stacks.frame_count = 0;
    batch->events.count = 0;
}

/* Only the last batch is left. It has the end of a recording, which needs more memory than all
 * before. */
static void free_empty(struct queue *queue)
{
    for (size_t i = 0; i < BATCH_COUNT; i++)
        if (i != queue->emptied % BATCH_COUNT)
            free_batch(&queue->batches[i]);
}

static void run(void *context)
{
    struct queue *queue = context;
    worker_enter(queue->worker);
    for (;;) {
        while (queue->emptied == queue->filled && !queue->is_finished)
            worker_wait(queue->worker);
        if (queue->emptied == queue->filled)
            break;
        struct batch *batch = &queue->batches[queue->emptied % BATCH_COUNT];
        worker_leave(queue->worker);
        consume(queue, batch);
        worker_enter(queue->worker);
        queue->emptied++;
        /* Not for each batch: it costs processor time to wake a thread. */
        if (queue->filled - queue->emptied <= BATCH_COUNT / 2)
            worker_wake(queue->worker);
        if (queue->is_ending && queue->filled - queue->emptied == 1)
            free_empty(queue);
    }
    worker_leave(queue->worker);
}

struct queue *queue_start(void (*consume_batch)(void *context, const struct batch *batch),
                          void *context, bool has_thread)
{
    struct queue *queue = mem_zeroed(1, sizeof *queue);
    queue->consume = consume_batch;
    queue->context = context;
    if (has_thread)
        worker_start(&queue->worker, run, queue);
    return queue;
}

struct batch *queue_batch(struct queue *queue)
{
    /* Only this thread changes `filled`, so it may read it without the lock. */
    return &queue->batches[queue->filled % BATCH_COUNT];
}

void queue_push(struct queue *queue)
{
    if (queue->worker == NULL) {
        consume(queue, queue_batch(queue));
        return;
    }
    worker_enter(queue->worker);
    queue->filled++;
    worker_wake(queue->worker);
    /* The batch that is filled next must be empty. */
    while (queue->filled - queue->emptied == BATCH_COUNT)
        worker_wait(queue->worker);
    worker_leave(queue->worker);
}

void queue_drain(struct queue *queue)
{
    queue_push(queue);
    worker_enter(queue->worker);
    queue->is_ending = true;
    while (queue->filled != queue->emptied)
        worker_wait(queue->worker);
    queue->is_ending = false;
    worker_leave(queue->worker);
}

void queue_finish(struct queue *queue)
{
    worker_enter(queue->worker);
    queue->is_finished = queue->is_ending = true;
    worker_wake(queue->worker);
    worker_leave(queue->worker);
    worker_join(queue->worker);
    for (size_t i = 0; i < BATCH_COUNT; i++)
        free_batch(&queue->batches[i]);
    free(queue);
}
