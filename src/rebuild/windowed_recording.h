/*
 * windowed_recording.h - a recording and its window: finds where the window begins and ends,
 * measures its ticks, and adds the recording to the results when it ends.
 */
#pragma once

#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/recording_costs.h"
#include "rebuild/results.h"
#include "rebuild/settings.h"
#include "rebuild/stacks/stacks.h"
#include "rebuild/ticks/tick_meter.h"

enum window_state { BEFORE_WINDOW, IN_WINDOW, AFTER_WINDOW };

/* All zero has no events yet. */
struct windowed_recording {
    struct stacks *stacks;                   /* NULL before its first event and after its end */
    uint32_t number;                         /* from 0, in the order of the beginnings */
    const struct rebuild_settings *settings; /* not owned; neither are the results */
    struct rebuild_results *results;
    struct rebuilt_recording result;
    struct tick_meter meter;
    struct tick_changes changes;
    struct slow_ticks slow;
    struct known_costs costs; /* used before the end */
    int64_t tick;             /* -1 before the first tick mark */
    enum window_state window;
    size_t tick_index; /* index of the present tick among those in the window */
    bool was_inside;   /* a part of it was in the window */
};

/* Call it once, before the first event of the recording. `spare` is memory of an earlier recording,
 * or zero. */
void windowed_recording_begin(struct windowed_recording *windowed, uint32_t number,
                              const struct rebuild_settings *settings,
                              struct rebuild_results *results, struct nodes *spare);

/* `is_switch_next`: the next event is another thread. */
void windowed_recording_begin_tick(struct windowed_recording *windowed, int64_t tick,
                                   bool is_switch_next);

/* Returns the recording with all of its memory. Only its number stays. */
struct windowed_recording windowed_recording_take(struct windowed_recording *windowed);

/* Adds the recording to the results, at its end. The tree may be made in `space`. */
void windowed_recording_end(struct windowed_recording *windowed, struct tree *space);

/* The memory of the nodes may be kept in `spare`. */
void windowed_recording_release(struct windowed_recording *windowed, struct nodes *spare);
