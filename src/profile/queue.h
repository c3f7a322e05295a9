/*
 * queue.h - call stacks and events on their way from the thread that reads to the
 * one that builds the tree.
 *
 * A batch is filled, handed over whole, and used again when it has been emptied.
 */
#ifndef SUPPROF_QUEUE_H
#define SUPPROF_QUEUE_H

#include "read/events.h"
#include "tree/stacks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty batch. */
struct batch {
    struct stacks stacks;
    struct events events; /* of recordings */
};

/* A queue of batches between one writer and one reader. */
struct queue;

/*
 * Starts a thread that calls consume() with each batch in order and empties it
 * afterwards. Where no thread can be had, the writer's own does the work.
 */
struct queue *queue_start(void (*consume)(void *context, const struct batch *batch), void *context);

/* Returns the empty batch to fill next. */
struct batch *queue_batch(struct queue *queue);

/* Hands that batch over. Waits while the reader is several batches behind. */
void queue_push(struct queue *queue);

/* Waits until all is consumed, ends the thread, and frees the queue. */
void queue_finish(struct queue *queue);

#endif
