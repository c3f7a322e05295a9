/*
 * rebuild.h - events in, call stacks and times out.
 *
 * supprof-log(5) has the rules, case by case, under "How call stacks are rebuilt";
 * this is where they are applied. In short:
 *
 *   call f, return f       f is pushed, and popped
 *   call, caller unknown   below a Lua frame: that has made a tail call
 *   tail return            pops the frame that made a tail call
 *   return of another      what is above that function was ended by an error
 *   root call              a thread or a callback begins; above a stack that is not
 *                          empty, a tail call of the root there, if a tail return
 *                          follows later; else the frames there wait or have failed
 *   thread                 the running frame waits; what passes until the next
 *                          event is nobody's
 *   return or call of a C  it was running all the while, unless a resume mark
 *   function that waited   says that it had suspended its thread
 *   lost lines             all stacks of the run are dropped
 *
 * Times stay in the run's own units until the run ends; then they become
 * nanoseconds, the cost of recording is taken out, and the run's tree is added to
 * that of all runs.
 */
#ifndef SUPPROF_REBUILD_H
#define SUPPROF_REBUILD_H

#include "read/events.h"
#include "rebuild/calibration.h"
#include "rebuild/ticks.h"
#include "rebuild/timeline.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum window_kind { WINDOW_OPEN, WINDOW_TICK, WINDOW_SECONDS };

/* A border of the window; `value` belongs to it where it is the first one. */
struct window_border {
    enum window_kind kind;
    double value; /* a tick, or seconds of game time */
};

struct rebuild_settings {
    struct window_border from, to;
    uint8_t threads;         /* or of NODE_MAIN and NODE_COROUTINE */
    bool keeps_costs;        /* leaves the cost of recording in the times */
    struct call_costs costs; /* to take out; where they are not known, those of calibration */
    bool folds_recursion;    /* see fold.h */
    size_t kept_ticks;       /* of so many of a run's worst ticks, the functions are kept */
    bool has_timeline;       /* makes one, of unfolded stacks; that takes time and memory */
};

/* What became of a run. */
struct rebuilt_run {
    bool is_there;                 /* it had events */
    bool has_ticks;                /* some event said which tick it is */
    bool is_outside;               /* nothing of it was in the window */
    int64_t first_tick, last_tick; /* in the window */
    int64_t all_first_tick, all_last_tick;
    double zero_seconds;     /* game time at tick 0, reckoned back */
    double measured_ns;      /* of all frames, before anything is taken out */
    struct call_costs costs; /* what was taken out; not known: nothing was */
    double removed_ns;       /* so much was taken out */
    double clamped_ns;       /* so much more should have been, and there was nothing left */
    uint64_t contradictions; /* returns of functions that were not on the stack */
};

struct rebuild;

/* The settings are copied. */
struct rebuild *rebuild_new(const struct rebuild_settings *settings);
void rebuild_free(struct rebuild *rebuild);

void rebuild_add(struct rebuild *rebuild, const struct event *events, size_t count);

/* To be called behind the last events: ends the runs that have not ended. */
void rebuild_finish(struct rebuild *rebuild);

/*
 * After that, and still owned by `rebuild`: the tree of all runs, not settled, with
 * self times in total_ns; see tree_settle_self().
 */
struct tree *rebuild_tree(struct rebuild *rebuild);
struct tick_list *rebuild_ticks(struct rebuild *rebuild);
struct timeline *rebuild_timeline(struct rebuild *rebuild);

/* Returns what became of the run that was the how manieth (from 0) to begin. */
struct rebuilt_run rebuild_run(const struct rebuild *rebuild, uint32_t run);

#endif
