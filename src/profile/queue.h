/*
 * queue.h - a queue of call stacks and events from the thread that reads to the thread that builds
 * the tree.
 *
 * A batch is filled, handed over as a whole, and used again after it has been emptied.
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
 * Starts a thread that calls consume() with each batch in order and empties it afterwards. If no
 * thread can be started, the writer's thread does the work.
 */
struct queue *queue_start(void (*consume)(void *context, const struct batch *batch), void *context);

/*
 * Lets the thread, if there is one, also do a part of the writer's work. While few batches wait, it
 * calls help(), which returns whether it did something, and must not use the queue.
 */
void queue_begin_help(struct queue *queue, bool (*help)(void *context), void *context);

/* Says that help() may have something to do again. For the writer, after queue_begin_help(). */
void queue_ask_for_help(struct queue *queue);

/* After it, help() does not run. Call it before queue_drain() and queue_finish(). */
void queue_end_help(struct queue *queue);

/* Returns the empty batch to fill next. */
struct batch *queue_batch(struct queue *queue);

/* Hands that batch over. If all batches are full then, waits until half of them are empty. */
void queue_push(struct queue *queue);

/* Hands the batch over, and waits until all batches are consumed. */
void queue_drain(struct queue *queue);

/* Waits until all batches are consumed, ends the thread, and frees the queue. */
void queue_finish(struct queue *queue);

#endif
