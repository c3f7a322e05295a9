/*
 * thread_stack.h - the call stack of a thread of a recording.
 *
 * It is cut into segments: one for each root that was pushed above existing frames (a callback of
 * the engine inside a C function, a callback after one that failed, a plain coroutine). The first
 * segment needs no struct: it begins at frame 0.
 *
 *     frames    [ OnTick | CreateUnit | OnCreate | next ]
 *     segments                          ^ base 2
 *
 * Only the last frame of the last segment can be running. The frame below a segment waits, and the
 * last frame of a thread that is not running waits too.
 */
#pragma once

#include "rebuild/stacks/lives.h"

struct frame {
    int64_t start;        /* on the thread's clock; see START_UNKNOWN */
    uint32_t node;        /* see nodes.h */
    uint32_t calls_start; /* calls of the thread at `start` */
};

/* The start of frames that existed before the recording, or its window, began. */
#define START_UNKNOWN INT64_MIN

/* What a waiting frame needs in order to continue. */
struct waiting {
    int64_t clock;  /* the units that frames of the thread have run */
    uint32_t calls; /* made by the thread; only differences are used: may overflow */
    /* The unattributed time and memory when the frame began to wait, and the tick of the run. */
    int64_t unattributed;
    uint64_t unattributed_kb;
    uint64_t tick;
    uint64_t claim; /* number of the last struct claim at that time */
    size_t gap;     /* the gap that began then, see timeline_log.h; 0: before the log */
};

struct segment {
    size_t base;          /* frames below */
    struct waiting below; /* of the frame below */
    bool is_open;         /* its root may turn out to be the callee of that frame */
    size_t open_count;    /* number of segments up to the last open one, 0 for none */
    uint32_t caller;      /* if open: node of that frame */
    size_t listed_from;   /* if open: thread->listed[listed_from ...] are the root's nodes */
    /* Time and memory between that frame's last event and the root call, in that tick of the run.
     */
    int64_t units_before;
    uint64_t memory_kb_before;
    uint64_t tick;
};

/* All zero is a thread with an empty stack. */
struct thread {
    struct frame *frames; /* [depth] */
    size_t depth, frame_capacity;
    struct work_frame *works; /* see struct cursor */
    size_t work_capacity;
    struct segment *segments; /* [segment_count] */
    size_t segment_count, segment_capacity;
    bool is_coroutine;
    bool is_busy;        /* it is in run->busy */
    bool is_recent;      /* it is in run->recent */
    bool is_waiting;     /* the last frame waits; see `waiting` */
    bool is_interrupted; /* it waits for a root that was pushed above it, not for a thread */
    bool is_new;         /* its stack has just been found: earlier time is not its own */
    bool is_root_closed; /* the last segment's root has returned; the next event decides */
    struct waiting waiting;
    struct waiting closed; /* clock and calls when that root returned */
    uint32_t *listed;      /* [listed_count] nodes of open segments, for nodes_move() */
    size_t listed_count, listed_capacity;
    struct life life; /* see wakes.h */
};

/* The number of frames below the last segment. */
static inline size_t thread_base(const struct thread *thread)
{
    return thread->segment_count > 0 ? thread->segments[thread->segment_count - 1].base : 0;
}
