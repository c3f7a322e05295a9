/*
 * run.h - one recording while it is rebuilt: its call tree, its threads, the running thread.
 *
 * Other files apply the events to it:
 *
 *     event_loop.h     all events in order
 *     common_events.h  calls and returns that need only the cursor and nodes: nearly all events
 *     waiting.h        a frame begins to wait, and continues
 *     segments.h       roots above other frames of their thread
 *     calls.h          calls, root calls
 *     returns.h        returns, tail returns, returns of lower frames, resume marks
 *     wakes.h          begin, wakes and end of threads
 *     whole_stacks.h   switches of threads; stacks that are found, forgotten or lost
 *     sampling.h       weights of bursts
 *
 */
#pragma once

#include "read/events.h"
#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/nodes.h"
#include "rebuild/stacks/sampling.h"
#include "rebuild/stacks/thread_stack.h"
#include "rebuild/stacks/timeline_log.h"
#include "rebuild/stacks/work.h"

/* The end of the stack of the running thread: what nearly every event changes. */
struct cursor {
    struct frame *frames; /* [depth] of the thread; its own fields are not valid meanwhile */
    size_t depth, capacity;
    struct work_frame *works; /* [depth], with room for `capacity`; NULL if no work is counted */
    size_t work_capacity;
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

struct run {
    struct nodes nodes;
    struct thread *threads; /* [thread_count] */
    size_t thread_count, thread_capacity;
    size_t current; /* the running thread; thread_count before the first */
    uint32_t *busy; /* [busy_count] other threads that have run since the last loss */
    size_t busy_count, busy_capacity;
    uint32_t *recent; /* [recent_count] those of them that have frames with a known start */
    size_t recent_count, recent_capacity;
    uint32_t *left; /* [left_count] coroutines that were left in a Lua function in this tick */
    size_t left_count, left_capacity;
    bool forgets;     /* an EVENT_FORGET came; what comes next tells whether its frames failed */
    bool is_switched; /* the thread has changed, and no event with time has come since */
    struct cursor cursor;
    struct event_begin begin;
    uint64_t contradictions;
    /*
     * The node of the function that waited and returned last, and the calls of that node at the
     * time.
     */
    uint32_t waited;
    uint64_t waited_calls;

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
    int64_t units_at_tick; /* all units that passed */
    int64_t unattributed_at_tick;
    uint64_t unattributed_kb_at_tick;

    struct timeline_log log; /* of the window, if a time line is requested */
    struct calibration calibration;
    struct wakes wakes; /* if they are requested */
    struct work work;
    struct sampling sampling;
};

/* Takes memory of an earlier run out of `spare`; see nodes_recycle(). */
void run_init(struct run *run, struct nodes *spare);
void run_release(struct run *run, struct nodes *spare);

/* Frees the memory of stacks that are empty, as at the end of a recording. */
void run_release_stacks(struct run *run);

/*
 * A tick begins, which may be left out (see nodes.h). Frames that begin in a tick that is left out,
 * or before it, have no known start; if they began after the last such tick, they are unfinished.
 */
void run_begin_tick(struct run *run, bool is_left_out);

/* Counts from 0 again: when a tick begins, or when the burst ends that is open then. */
void run_begin_part(struct run *run);

/* Returns the time since the run began, and the time that functions ran in this tick. */
int64_t run_units(const struct run *run);
int64_t run_tick_units(const struct run *run);

/* Returns the thread with that number; creates it if necessary. */
struct thread *run_add_thread(struct run *run, uint32_t thread);

/* Returns the running thread. */
struct thread *run_thread(struct run *run);

/* Writes the cursor back into the running thread. Returns that thread. */
struct thread *run_save(struct run *run);

/* Sets the cursor to `thread`, which must be the one with the number run->current. */
void run_load(struct run *run, const struct thread *thread);

/* Updates the cursor after the last segment of the running thread has changed. */
void run_enter_segment(struct run *run, const struct thread *thread);

/* Puts a frame on the stack. */
void run_put_frame(struct run *run, struct frame frame);

/*
 * The call of `frame`, which was the last frame and is no more, ended `units` after its begin. The
 * frame below called it, if `has_caller` is set.
 */
void run_end_work(struct run *run, const struct frame *frame, int64_t units, bool has_caller);

/* The parent node of a thread's roots. */
static inline uint32_t run_root_parent(const struct thread *thread)
{
    return thread->is_coroutine ? NODES_COROUTINE : NODES_MAIN;
}
