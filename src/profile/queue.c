#include "profile/queue.h"

#include "base/mem.h"
#include "platform/process.h"
#include "platform/thread.h"

/* So many that neither thread waits while the other is held up. */
enum { BATCH_COUNT = 16 };

struct queue {
    struct queue_work work;
    struct worker *worker; /* NULL if none could be started */
    struct batch *next;    /* the writer's */
    /* Guarded by its lock. The reader's are full[emptied] to full[filled - 1], in turns. */
    size_t filled, emptied;
    bool is_finished;
    bool is_ending; /* what was filled last ends a log: nothing is filled until all are empty */
    struct batch *full[BATCH_COUNT];
    /* The last one is filled next: its memory may still be in a cache. */
    struct batch *empty[BATCH_COUNT];
    size_t empty_count;
    struct batch batches[BATCH_COUNT];
};

static void free_batch(struct batch *batch)
{
    MEM_FREE(batch->stacks.at, batch->stacks.frames, batch->events.at);
    *batch = (struct batch){0};
}

static void consume(struct queue *queue, struct batch *batch)
{
    queue->work.consume(queue->work.context, batch);
    batch->stacks.count = 0;
    batch->stacks.frame_count = 0;
    batch->events.count = 0;
}

static void run(void *context)
{
    struct queue *queue = context;
    worker_enter(queue->worker);
    for (;;) {
        while (queue->emptied == queue->filled && !queue->is_finished)
            if (!queue->work.help(queue->work.context))
                worker_wait(queue->worker);
        if (queue->emptied == queue->filled)
            break;
        struct batch *batch = queue->full[queue->emptied % BATCH_COUNT];
        /* The last one has the end of a recording, which needs more memory than all before. */
        bool is_last = queue->is_ending && queue->filled - queue->emptied == 1;
        for (size_t i = 0; i < BATCH_COUNT && is_last; i++)
            if (&queue->batches[i] != batch)
                free_batch(&queue->batches[i]);
        worker_leave(queue->worker);
        consume(queue, batch);
        worker_enter(queue->worker);
        queue->emptied++;
        queue->empty[queue->empty_count++] = batch;
        /* Not for each batch: it costs processor time to wake a thread. */
        if (queue->filled - queue->emptied <= BATCH_COUNT / 2)
            worker_wake(queue->worker);
    }
    worker_leave(queue->worker);
}

struct queue *queue_start(struct queue_work work, bool has_thread)
{
    struct queue *queue = mem_zeroed(1, sizeof *queue);
    queue->work = work;
    queue->next = &queue->batches[0];
    for (size_t i = BATCH_COUNT; --i > 0;)
        queue->empty[queue->empty_count++] = &queue->batches[i];
    if (has_thread)
        worker_start(&queue->worker, run, queue);
    return queue;
}

struct worker *queue_worker(const struct queue *queue)
{
    return queue->worker;
}

struct batch *queue_batch(struct queue *queue)
{
    return queue->next;
}

static void push(struct queue *queue, bool is_ending)
{
    if (queue->worker == NULL) {
        consume(queue, queue->next);
        return;
    }
    worker_enter(queue->worker);
    queue->full[queue->filled++ % BATCH_COUNT] = queue->next;
    queue->is_ending = is_ending;
    worker_wake(queue->worker);
    while (is_ending ? queue->filled != queue->emptied : queue->empty_count == 0)
        if (!queue->work.help(queue->work.context))
            worker_wait(queue->worker);
    queue->is_ending = false;
    queue->next = queue->empty[--queue->empty_count];
    worker_leave(queue->worker);
}

void queue_push(struct queue *queue)
{
    push(queue, false);
}

void queue_drain(struct queue *queue)
{
    push(queue, true);
}

void queue_finish(struct queue *queue)
{
    worker_enter(queue->worker);
    queue->is_finished = true;
    worker_wake(queue->worker);
    worker_leave(queue->worker);
    worker_join(queue->worker);
    for (size_t i = 0; i < BATCH_COUNT; i++)
        free_batch(&queue->batches[i]);
    free(queue);
}
