/*
 * recording_rebuild.h - one recording: its events in, and when it has ended, its call tree and what
 * each tick did in it.
 */
#pragma once

#include "rebuild/ending/exact_wakes.h"
#include "rebuild/ending/recorded.h"
#include "rebuild/ending/reference.h"
#include "rebuild/recording_costs.h"
#include "rebuild/results.h"
#include "rebuild/settings.h"
#include "rebuild/stacks/stacks.h"
#include "rebuild/timeline/slow_timelines.h"

enum window_state { BEFORE_WINDOW, IN_WINDOW, AFTER_WINDOW };

/* All zero has no events yet. */
struct recording_rebuild {
    struct stacks *stacks;                   /* NULL before its first event and after its end */
    uint32_t number;                         /* from 0, in the order of the beginnings */
    const struct rebuild_settings *settings; /* not owned; neither are the results */
    struct rebuild_results *results;
    struct rebuilt_recording result;
    enum window_state window; /* of the time line; everything else is of the whole recording */
    int64_t timeline_first_tick, timeline_last_tick;
    size_t timeline_first_part;       /* see entries.h */
    size_t order_steps, order_frames; /* see log_tick() */
    bool is_watch;                    /* its ticks are wakes, which count in no sum */
    struct wake_start *exact_starts;  /* [exact_start_count]: the wakes without missing events */
    size_t exact_start_count, exact_start_capacity;
    size_t wake_part; /* 1 + the first part of the wake that is recorded; 0: none is */

    /* Of the whole recording, once it has ended. */
    struct tree tree;
    struct recorded recorded;
    struct wakes wakes;
    struct reference reference; /* until it has ended */
    bool is_over;               /* its events have ended */
    struct slow_timelines slowest;
    uint8_t *kinds; /* enum call_kind by node of the tree */
};

/* Call it once, before the first event of the recording. */
void recording_rebuild_begin(struct recording_rebuild *rebuild, uint32_t number,
                             const struct rebuild_settings *settings,
                             struct rebuild_results *results);

/* `is_switch_next`: the next event is another thread. */
void recording_rebuild_begin_tick(struct recording_rebuild *rebuild, int64_t tick,
                                  bool is_switch_next);

/*
 * A sample begins, or what is between two of them: see enum tick_sampling. A tick that was chosen
 * by chance is all of its sample, also where the number of the next tick comes in it: the recorder
 * looks once in each tick, and not at its beginning.
 */
void recording_rebuild_sample(struct recording_rebuild *rebuild, uint32_t sample, int64_t tick);

/* Adds wakes of threads that were timed while nothing was recorded, before or after it. */
void recording_rebuild_add_reference(struct recording_rebuild *rebuild,
                                     const struct event_reference *timed);

/* `has_thread`: another thread may help. */
void recording_rebuild_end(struct recording_rebuild *rebuild, bool has_thread);

/*
 * Takes a recording that has ended over to another rebuild, where it has another number and its
 * functions other ids: `functions` has them by the old ones.
 */
void recording_rebuild_move(struct recording_rebuild *rebuild, uint32_t number,
                            const struct rebuild_settings *settings,
                            struct rebuild_results *results, const uint32_t *functions);

void recording_rebuild_release(struct recording_rebuild *rebuild);

/*
 * Whether a tick is in the window of the settings, in a recording whose tick 0 is at
 * `zero_seconds` of the game; -1 is the time before the first tick.
 */
bool window_has(const struct rebuild_settings *settings, double zero_seconds, int64_t tick);
bool recording_rebuild_has(const struct recording_rebuild *rebuild, int64_t tick);

/* Notes in the result if a border of the window is within such a tick. */
void recording_rebuild_find_moved(struct recording_rebuild *rebuild, int64_t tick);
