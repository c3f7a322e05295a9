/*
 * results.h - what a rebuild makes: one tree, the ticks and time lines of all runs, and
 * what became of each run.
 */
#ifndef SUPPROF_RESULTS_H
#define SUPPROF_RESULTS_H

#include "rebuild/calibration.h"
#include "rebuild/ticks.h"
#include "rebuild/timeline.h"
#include "tree/tree_builder.h"

#include <stdbool.h>
#include <stdint.h>

/* Of all runs. */
struct rebuild_results {
    struct tree_builder builder; /* of the tree of all runs, by self times */
    struct tick_list ticks;
    struct timeline timeline;
    double time_ns; /* of all windows that have ended */
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

#endif
