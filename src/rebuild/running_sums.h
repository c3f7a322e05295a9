/*
 * running_sums.h - sums of recordings that are still being read: what each function took so far,
 * the ticks so far, and how long each recording is.
 *
 * The sums are as if the log ended here: the recording overhead is subtracted. They are made again
 * each time from the nodes, the functions and the ticks, so the time for that does not depend on
 * the number of events.
 */
#pragma once

#include "rebuild/recording_costs.h"
#include "rebuild/results.h"
#include "rebuild/ticks/ticks.h"
#include "tree/function_sums.h"

struct windowed_recording;

struct running_recording {
    int64_t elapsed_ns; /* game time of its ticks; without ticks, the recorder's clock */
    int64_t before_ns;  /* the same when the sums were made the time before */
    size_t tick_count;  /* ticks that have ended */
    size_t known_ticks; /* set by the caller: ticks after these are recent ones */
    double
        unit_ns; /* 0 if the recording is longer than any game: see running_sums_add_recording() */
    struct known_costs costs;
};

/* All zero is empty. */
struct running_sums {
    struct function_sums functions;
    struct tick_sums ticks, recent_ticks;
    struct running_recording *recordings; /* [recording_count] */
    size_t recording_count, recording_capacity;
    double time_ns;   /* of all recordings, as far as it was added */
    int64_t clock_ns; /* a clock for all recordings: each time, it advances as far as the fastest
                         recording */
};

/* Sets all sums to 0. The recordings stay: their costs are used again for a while. */
void running_sums_begin(struct running_sums *sums, size_t recording_count);

/* Adds a recording that has not ended. */
void running_sums_add_recording(struct running_sums *sums,
                                const struct windowed_recording *windowed);

/* Adds what all recordings that have ended have made. */
void running_sums_add_results(struct running_sums *sums, const struct rebuild_results *results);

/* Call it after all recordings were added: advances the clock. */
void running_sums_end(struct running_sums *sums);

/* Adds ticks after the known ones to the recent ticks: of all recordings that have ended, and of
 * one that has not. */
void running_sums_add_recent_results(struct running_sums *sums,
                                     const struct rebuild_results *results);
void running_sums_add_recent(struct running_sums *sums, const struct windowed_recording *windowed);

/* Replaces `to` with a copy of `from`. */
void running_sums_copy(struct running_sums *to, const struct running_sums *from);
void running_sums_release(struct running_sums *sums);
