/*
 * stacks.h - one recording while it is rebuilt: its call tree, its threads, the running thread;
 * begin, wakes and end of threads.
 *
 * Other files apply the events to it:
 *
 *     event_loop.h     all events in order
 *     common_events.h  calls and returns that need only the cursor and nodes: nearly all events
 *     calls.h          all calls and returns; frames that wait; resumes
 *     whole_stacks.h   switches of threads; stacks that are found, forgotten or lost
 */
#pragma once

#include "read/events.h"
#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/durations.h"
#include "rebuild/stacks/entries.h"
#include "rebuild/stacks/lives.h"
#include "rebuild/stacks/nodes.h"
#include "rebuild/stacks/timeline_log.h"

/*
 * The call stack of a thread of a recording.
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
    /* The unattributed time and memory when the frame began to wait, and the tick of the recording.
     */
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
    /* Time and memory between that frame's last event and the root call, in that tick of the
     * recording.
     */
    int64_t units_before;
    uint64_t memory_kb_before;
    uint64_t tick;
};

/* All zero is a thread with an empty stack. */
struct thread {
    struct frame *frames; /* [depth] */
    size_t depth, frame_capacity;
    struct segment *segments; /* [segment_count] */
    size_t segment_count, segment_capacity;
    bool is_coroutine;
    bool is_busy;        /* it is in stacks->busy */
    bool is_waiting;     /* the last frame waits; see `waiting` */
    bool is_interrupted; /* it waits for a root that was pushed above it, not for a thread */
    bool is_new;         /* its stack has just been found: earlier time is not its own */
    bool is_root_closed; /* the last segment's root has returned; the next event decides */
    struct waiting waiting;
    struct waiting closed; /* clock and calls when that root returned */
    uint32_t *listed;      /* [listed_count] nodes of open segments, for nodes_move() */
    size_t listed_count, listed_capacity;
    struct life life;
    uint64_t log;    /* number of the last log of a time line that has its stack, and */
    uint32_t in_log; /* the thread's number there */
};

/* The number of frames below the last segment. */
static inline size_t thread_base(const struct thread *thread)
{
    return thread->segment_count > 0 ? thread->segments[thread->segment_count - 1].base : 0;
}

/* The end of the stack of the running thread: what nearly every event changes. */
struct cursor {
    struct frame *frames; /* [depth] of the thread; its own fields are not valid meanwhile */
    size_t depth, capacity;
    size_t base;    /* frames below the last segment; all when the last frame waits */
    uint32_t top;   /* node of the running frame, or NODES_UNATTRIBUTED */
    uint32_t calls; /* see struct waiting */
    int64_t clock;
    bool lists; /* the last segment is open: called nodes must be listed */
};

/*
 * When a frame turns out to have been running while it seemed to wait, it claims unattributed time,
 * which other waiting frames can then not claim. `unattributed` is the time that was left.
 */
struct claim {
    uint64_t number;
    int64_t unattributed;
    uint64_t unattributed_kb;
};

struct stacks {
    struct nodes nodes;
    struct entries entries; /* of the parts that have ended */
    struct durations durations;
    bool is_one_part;       /* ticks are not told apart, until it turns out to be sampled */
    uint32_t serial;        /* of the present part: see entries.h */
    uint64_t part_events;   /* of the present part, about */
    struct thread *threads; /* [thread_count] */
    size_t thread_count, thread_capacity;
    size_t current; /* the running thread; thread_count before the first */
    uint32_t *busy; /* [busy_count] other threads that have run since the last loss */
    size_t busy_count, busy_capacity;
    uint32_t *left; /* [left_count] coroutines that were left in this tick, not suspended */
    size_t left_count, left_capacity;
    bool forgets;     /* an EVENT_FORGET came; what comes next tells whether its frames failed */
    bool is_switched; /* the thread has changed, and no event with time has come since */
    struct cursor cursor;
    struct event_begin begin;
    uint64_t contradictions;
    /*
     * The node of the function that waited and returned last in this part, and the calls of that
     * node in it at the time.
     */
    uint32_t waited, waited_calls;

    /*
     * A claim is removed when a later one leaves the same or less: then only the later one matters.
     * If there are too many, the oldest are dropped.
     */
    struct claim *claims; /* [claim_count], `unattributed` rises */
    size_t claim_count, claim_capacity;
    uint64_t last_claim;

    /*
     * When the tick began: frames claim only unattributed time and memory of the present tick, so
     * that a tick does not depend on later ones.
     */
    uint64_t tick_count;
    int64_t tick;          /* number of the game; -1 before the first */
    int64_t units_at_part; /* all units that passed before it */
    uint32_t sample;       /* the last EVENT_SAMPLE; SAMPLE_NOTHING in a recording without any */
    bool is_sampled;       /* there was one */
    uint32_t weight;       /* of the present part, see entries.h */
    double weighted_units; /* of all parts that have ended */
    int64_t unattributed_at_tick;
    uint64_t unattributed_kb_at_tick;

    struct timeline_log log; /* of the window, if a time line is requested */
    struct calibration calibration;
    struct wakes wakes;
};

void stacks_init(struct stacks *stacks);
void stacks_release(struct stacks *stacks);

/* Frees the memory of stacks that are empty, as at the end of a recording. */
void stacks_release_threads(struct stacks *stacks);

/* From now on ticks are chosen. What came before, if no line said so, counts for nothing. */
void stacks_begin_sampling(struct stacks *stacks);

/* Ends the present part (see entries.h) and begins another; or the next tick begins. */
void stacks_end_part(struct stacks *stacks);
void stacks_begin_tick(struct stacks *stacks, int64_t tick);

/* From now on, ticks are told apart. */
void stacks_end_one_part(struct stacks *stacks);

/* Returns the time since the recording began. */
static inline int64_t stacks_units(const struct stacks *stacks)
{
    return stacks->units_at_part + stacks->nodes.units;
}

/* Returns the thread with that number; creates it if necessary. */
struct thread *stacks_add_thread(struct stacks *stacks, uint32_t thread);

/* Returns the running thread. */
struct thread *stacks_thread(struct stacks *stacks);

/* Writes the cursor back into the running thread. Returns that thread. */
struct thread *stacks_save(struct stacks *stacks);

/* Sets the cursor to `thread`, which must be the one with the number stacks->current. */
void stacks_load(struct stacks *stacks, const struct thread *thread);

/* Updates the cursor after the last segment of the running thread has changed. */
void stacks_enter_segment(struct stacks *stacks, const struct thread *thread);

/* Begins the log of a time line with the present stacks. */
void stacks_begin_log(struct stacks *stacks);

/* The steps of the log after this are of that thread, whose stack was saved. */
void stacks_log_thread(struct stacks *stacks, uint32_t number);

/* Puts a frame on the stack. */
void stacks_put_frame(struct stacks *stacks, struct frame frame);

/* Counts the duration of a call of a node that has just returned. */
void stacks_add_duration(struct stacks *stacks, uint32_t node, int64_t units, uint32_t inside);

/* The same for a frame that was taken off the stack; and takes its duration back. */
void stacks_add_return(struct stacks *stacks, const struct frame *frame);
void stacks_take_return_back(struct stacks *stacks, const struct frame *frame);

/* The parent node of a thread's roots. */
static inline uint32_t stacks_root_parent(const struct thread *thread)
{
    return thread->is_coroutine ? NODES_COROUTINE : NODES_MAIN;
}

/*
 * When the threads of a recording began, woke and ended.
 *
 * A wake of a coroutine is what it does from its begin, or from a resume, until it is resumed
 * again or ends. Where the log has no resumes, the return of a function that suspends its thread
 * takes the place of the resume. The time of a wake is that of the thread's first function with all
 * that it called; callbacks of the engine on the same thread are not in it.
 *
 *     event            thread 7
 *     root call A      begins, and with it its first wake
 *     call WaitTicks
 *     return, resume   the second wake
 *     return of A      the thread ends
 *
 * A thread that the recorder met in the middle of its life has its first wake at its first resume.
 */

/* All of these are about the running thread; of the main thread they keep nothing. */

/* It begins: the root of `site` will be pushed. */
void stacks_begin_life(struct stacks *stacks, uint32_t site);

/* It was met in the middle of its life: its stack is known now. */
void stacks_meet_life(struct stacks *stacks);

/* It was resumed. */
void stacks_begin_wake(struct stacks *stacks);

/* Its stack is empty. Without an error, and without a return of its root, its life goes on. */
void stacks_end_wake(struct stacks *stacks, bool has_returned, bool has_failed);

/* The recording has ended: makes the list of lives. */
void stacks_finish_lives(struct stacks *stacks);
