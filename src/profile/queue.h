/*
 * queue.h - a queue of call stacks and events from the thread that reads to the thread that builds
 * the tree.
 *
 * A batch is filled, handed over as a whole, and used again after it has been emptied.
 */
#pragma once

#include "read/events.h"
#include "tree/stacks.h"

/* All zero is an empty batch. */
struct batch {
    struct stack_batch stacks;
    struct events events; /* of recordings */
};

/* A queue of batches between one writer and one reader. */
struct queue;

/* What the thread of a queue does. */
struct queue_work {
    void (*consume)(void *context, const struct batch *batch);
    /* Called inside of the thread's lock when there is no batch; it may leave the lock. Returns
       false if there was nothing to do. */
    bool (*help)(void *context);
    void *context;
};

/*
 * Starts a thread that calls consume() with each batch in order and empties it afterwards. Without
 * `has_thread`, and if no thread can be started, the writer's thread does the work, but for help().
 */
struct queue *queue_start(struct queue_work work, bool has_thread);

/* The thread; NULL if there is none. */
struct worker *queue_worker(const struct queue *queue);

/* Returns the empty batch to fill next. */
struct batch *queue_batch(struct queue *queue);

/* Hands that batch over. If all batches are full then, helps and waits until half are empty. */
void queue_push(struct queue *queue);

/* Hands that batch over, too, and waits until all batches are consumed, and most are freed. */
void queue_drain(struct queue *queue);

/* Waits until all batches are consumed, ends the thread, and frees the queue. */
void queue_finish(struct queue *queue);
