/*
 * queue.h - call stacks and events on their way from the thread that reads to the
 * one that builds the tree.
 *
 * A batch is filled, handed over whole, and used again when it has been emptied.
 */
#ifndef SUPPROF_QUEUE_H
#define SUPPROF_QUEUE_H

#include "events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stack_frame {
    uint32_t function;
    int32_t call_line; /* where it calls the next frame; see frames.h */
};

struct stack {
    size_t depth; /* frames, at least 1 */
    uint64_t calls;
    int64_t total_ns; /* of the last frame, with its callees */
    bool has_time;
    bool on_main, on_coroutine;
};

/* All zero is an empty batch. */
struct batch {
    struct stack *stacks; /* [stack_count] */
    size_t stack_count, stack_capacity;
    struct stack_frame *frames; /* [frame_count]: the stacks' frames, one after another */
    size_t frame_count, frame_capacity;
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
