/*
 * windowed_run.h - a run and its window: finds where the window begins and ends, measures its
 * ticks, and adds the run to the results when it ends.
 */
#pragma once

#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/results.h"
#include "rebuild/run_costs.h"
#include "rebuild/settings.h"
#include "rebuild/stacks/run.h"
#include "rebuild/ticks/tick_meter.h"

enum window_state { BEFORE_WINDOW, IN_WINDOW, AFTER_WINDOW };

/* All zero has no events yet. */
struct windowed_run {
    struct run *run;                         /* NULL before its first event and after its end */
    uint32_t number;                         /* from 0, in the order of the beginnings */
    const struct rebuild_settings *settings; /* not owned; neither are the results */
    struct rebuild_results *results;
    struct rebuilt_run result;
    struct tick_meter meter;
    struct tick_changes changes;
    struct slow_ticks slow;
    struct known_costs costs; /* used before the end */
    int64_t units_before;     /* of a sampled run, before the present tick */
    int64_t tick;             /* -1 before the first tick mark */
    enum window_state window;
    size_t tick_index; /* index of the present tick among those in the window */
    bool was_inside;   /* a part of it was in the window */
};

/* Call it once, before the first event of the run. `spare` is memory of an earlier run, or zero. */
void windowed_run_begin(struct windowed_run *windowed, uint32_t number,
                        const struct rebuild_settings *settings, struct rebuild_results *results,
                        struct nodes *spare);

/* `is_switch_next`: the next event is another thread. */
void windowed_run_begin_tick(struct windowed_run *windowed, int64_t tick, bool is_switch_next);

/* Returns the run with all of its memory. Only its number stays. */
struct windowed_run windowed_run_take(struct windowed_run *windowed);

/* Adds the run to the results, at its end. The tree may be made in `space`. */
void windowed_run_end(struct windowed_run *windowed, struct tree *space);

/* The memory of the nodes may be kept in `spare`. */
void windowed_run_release(struct windowed_run *windowed, struct nodes *spare);
