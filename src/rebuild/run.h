/*
 * run.h - one recording while it is rebuilt: its threads, its nodes, and the rules
 * for all events but those that only push and pop. Private to rebuild.c.
 *
 * What the commonest events need is in a struct cursor, of which rebuild.c keeps a
 * copy in registers. The functions here work on run->cursor and may change it.
 */
#ifndef SUPPROF_RUN_H
#define SUPPROF_RUN_H

#include "read/events.h"
#include "rebuild/calibration.h"
#include "rebuild/nodes.h"
#include "rebuild/threads.h"
#include "rebuild/ticks.h"
#include "rebuild/timeline_log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the thread that runs is. */
struct cursor {
    struct frame *frames; /* [depth], of the thread */
    size_t depth, capacity;
    size_t base;    /* frames below the last segment; all when the last frame waits */
    uint32_t top;   /* node of the frame that runs, or NODES_NOBODY */
    uint32_t calls; /* see struct waiting */
    int64_t clock;
    bool lists; /* the last segment is open: nodes that are called are to be listed */
};

/*
 * What was nobody's, and was taken by a frame that had been running after all, is not
 * there for others that waited meanwhile. `nobody` is what was left.
 */
struct claim {
    uint64_t number;
    int64_t nobody;
    uint64_t nobody_kb;
};

struct run {
    struct nodes nodes;
    struct thread *threads; /* [thread_count] */
    size_t thread_count, thread_capacity;
    size_t current; /* thread that runs; thread_count before the first */
    struct cursor cursor;
    struct event_begin begin;
    uint64_t contradictions;
    /* The last return of a function that waited: its node, and the calls of that till then. */
    uint32_t settled;
    uint64_t settled_calls;

    /* Those behind which nothing less was left; the oldest are given up. */
    struct claim *claims; /* [claim_count], `nobody` rises */
    size_t claim_count, claim_capacity;
    uint64_t last_claim;

    struct timeline_log log; /* of the window, when a time line is wanted */

    struct calibration calibration;
    struct {
        uint32_t last; /* node that was called last by the calibrating function, or 0 */
        bool is_repeated;
        struct calibration_group group;
    } calibrating;
};

void run_init(struct run *run);
void run_release(struct run *run);

/* Makes a thread the one that runs. */
void run_switch_thread(struct run *run, uint32_t thread);
void run_mark_coroutine(struct run *run, uint32_t thread);

/* Before a call whose caller does not run: it waits, or is not known. */
void run_wake_for_call(struct run *run);

/*
 * A root call; `units` and `memory_kb` were counted for run->cursor.top. Returns the
 * parent of its node; `*site` may get SITE_IS_OPEN.
 */
uint32_t run_begin_root(struct run *run, uint32_t *site, uint32_t units, uint32_t memory_kb);

/*
 * Pops the last frame, which has returned; it may wait, or be a root, or not be
 * there. A mark that would follow may be hidden, since the next event is not there yet.
 */
void run_return(struct run *run, bool is_followed_by_mark, bool is_mark_hidden);
void run_tail_return(struct run *run, uint32_t units, uint32_t memory_kb);
void run_return_of(struct run *run, uint32_t function, bool is_followed_by_mark,
                   bool is_mark_hidden);
/* `units` were those of the return before it. */
void run_mark(struct run *run, uint32_t units);

/* Behind a call of a function that suspends its thread: it waits, unless it returns first. */
void run_suspend(struct run *run);

/*
 * Drops the stack of the thread: errors have ended it, or it is another now, and
 * follows; or lines are missing.
 */
void run_forget(struct run *run, bool is_replaced);
void run_lose_stacks(struct run *run);

/* Begins a stack that was there before; then its frames, root first. */
void run_begin_stack(struct run *run);
void run_put_frame(struct run *run, uint32_t site);
void run_end_stack(struct run *run, bool is_after_switch);

/* Ends all threads. */
void run_end(struct run *run);

/* All frames that are there now were there before the window. */
void run_begin_window(struct run *run);

/*
 * Begins the log of a time line with what is on the stacks. Its times are those since
 * the run's begin, of which what is counted in nodes has passed.
 */
void run_begin_log(struct run *run, int64_t now);

/* Returns the units that are counted in all nodes: what has passed since then. */
int64_t run_counted_units(const struct run *run);

/* All frames that are there now will not have returned in it. */
void run_end_window(struct run *run);

/* To be called for a node that is called from, or returned to, and is watched. */
void run_sample_call(struct run *run, uint32_t node, uint32_t units);
void run_sample_return(struct run *run, uint32_t node, uint32_t units);

#endif
