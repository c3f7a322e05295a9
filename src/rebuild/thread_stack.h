/*
 * thread_stack.h - the call stack of a thread of a recording.
 *
 * It is cut into segments: one for each root that was pushed above
 * frames that were there already (a callback of the engine inside a C function, a
 * callback after one that failed, a plain coroutine). The first segment needs no
 * struct: it begins at frame 0.
 *
 *     frames    [ OnTick | CreateUnit | OnCreate | next ]
 *     segments                          ^ base 2
 *
 * Only the last frame of the last segment can be running. The one below a segment
 * waits, and so does the last frame of a thread that is not running.
 */
#ifndef SUPPROF_THREAD_STACK_H
#define SUPPROF_THREAD_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame {
    int64_t start;        /* on the thread's clock, or START_UNKNOWN */
    uint32_t node;        /* see nodes.h */
    uint32_t calls_start; /* the thread's calls then */
};

/* Of frames that were there before the recording, or its window, began. */
#define START_UNKNOWN INT64_MIN

/* What a frame that waits will need to go on. */
struct waiting {
    int64_t clock;  /* of the thread: the units that its frames ran */
    uint32_t calls; /* that the thread made; differences count, so it may overflow */
    /* Unattributed when the frame began to wait. */
    int64_t unattributed;
    uint64_t unattributed_kb;
    uint64_t claim; /* the last struct claim then */
    size_t gap;     /* the one that began then, in timeline_log.h; 0: before the log */
};

struct segment {
    size_t base;          /* frames below */
    struct waiting below; /* of the frame below */
    bool is_open;         /* its root may turn out to be the callee of that frame */
    size_t open_count;    /* segments up to and with the last open one, 0 for none */
    uint32_t caller;      /* if so: node of that frame */
    size_t listed_from;   /* and the nodes of the root are thread->listed[listed_from ...] */
    int64_t units_before; /* between that frame's last event and the root's call */
    uint64_t memory_kb_before;
};

/* All zero is a thread with an empty stack. */
struct thread {
    struct frame *frames; /* [depth] */
    size_t depth, frame_capacity;
    struct segment *segments; /* [segment_count] */
    size_t segment_count, segment_capacity;
    bool is_coroutine;
    bool is_busy;        /* it is in the run's list of those */
    bool is_waiting;     /* the last frame does; `waiting` is what for */
    bool is_interrupted; /* it waits since a root was pushed above it, not for another thread */
    bool is_new;         /* its stack was met a moment ago: nothing before that is its */
    bool is_root_closed; /* the root of the last segment has returned; the next event decides */
    struct waiting waiting;
    struct waiting closed; /* clock and calls where that root returned */
    uint32_t *listed;      /* [listed_count] nodes of open segments, for nodes_move() */
    size_t listed_count, listed_capacity;
};

/* The number of frames below the last segment. */
static inline size_t thread_base(const struct thread *thread)
{
    return thread->segment_count > 0 ? thread->segments[thread->segment_count - 1].base : 0;
}

#endif
