/*
 * run.h - one recording while it is rebuilt: its call tree, its threads, which one runs.
 *
 * What events do to it is in other files:
 *
 *     event_loop.h     every event in its turn; those that only push or pop a frame
 *     waiting.h        a frame begins to wait, and goes on
 *     segments.h       roots above other frames of their thread
 *     calls.h          calls, root calls
 *     returns.h        returns, tail returns, returns of frames below, resume marks
 *     whole_stacks.h   another thread runs; stacks that are met, forgotten or lost
 *
 * What the commonest events need is in a struct cursor, of which event_loop.c keeps a
 * copy of its own. All others work on run->cursor and may change it.
 */
#ifndef SUPPROF_RUN_H
#define SUPPROF_RUN_H

#include "read/events.h"
#include "rebuild/calibration.h"
#include "rebuild/cursor.h"
#include "rebuild/nodes.h"
#include "rebuild/thread_stack.h"
#include "rebuild/timeline_log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Unattributed time that a frame took, since it had been running after all, is not
 * there for others that waited meanwhile. `unattributed` is the time that was left.
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
    size_t current; /* thread that runs; thread_count before the first */
    uint32_t *busy; /* [busy_count] other threads that have run since stacks were lost */
    size_t busy_count, busy_capacity;
    bool is_switched; /* the thread has changed, and no event that takes time has come since */
    struct cursor cursor;
    struct event_begin begin;
    uint64_t contradictions;
    /* The last return of a function that waited: its node, and the calls of that till then. */
    uint32_t settled;
    uint64_t settled_calls;

    /* Those after which nothing less was left; the oldest are given up. */
    struct claim *claims; /* [claim_count], `unattributed` rises */
    size_t claim_count, claim_capacity;
    uint64_t last_claim;

    struct timeline_log log; /* of the window, when a time line is wanted */
    struct calibration calibration;
};

void run_init(struct run *run);
void run_release(struct run *run);

/* Returns the thread with that number, made if need be. */
struct thread *run_add_thread(struct run *run, uint32_t thread);

/* Returns the thread that runs. */
struct thread *run_thread(struct run *run);

/* Writes what the cursor holds into the thread that runs, and returns that. */
struct thread *run_save(struct run *run);

/* Puts the cursor on a thread, the one with the number run->current. */
void run_load(struct run *run, const struct thread *thread);

/* Has the cursor know the last segment of the thread that runs: it is another now. */
void run_enter_segment(struct run *run, const struct thread *thread);

/* The node that is the parent of a thread's roots. */
static inline uint32_t run_root_parent(const struct thread *thread)
{
    return thread->is_coroutine ? NODES_COROUTINE : NODES_MAIN;
}

#endif
