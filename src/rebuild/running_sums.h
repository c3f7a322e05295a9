/*
 * running_sums.h - sums of recordings that are still being read: what each function took so far,
 * the ticks so far, and how long each recording is.
 *
 * The sums are as if the log ended here: they are made of all entries until now, in the same way.
 */
#pragma once

#include "rebuild/recording_costs.h"
#include "rebuild/results.h"
#include "rebuild/ticks/ticks.h"
#include "tree/function_sums.h"

struct recording_rebuild;

struct running_recording {
    int64_t elapsed_ns; /* game time of its ticks; without ticks, the recorder's clock */
    int64_t before_ns;  /* the same when the sums were made the time before */
    size_t tick_count;  /* ticks that have ended */
    size_t known_ticks; /* set by the caller: ticks after these are recent ones */
};

/* All zero is empty. */
struct running_sums {
    struct function_sums functions;
    struct tick_sums ticks, recent_ticks;
    struct running_recording *recordings; /* [recording_count] */
    size_t recording_count, recording_capacity;
    struct tick_length {
        uint32_t recording, joined; /* see struct tick */
        int64_t number, time_ns;
    } * lengths; /* [length_count] of all ticks; not copied by running_sums_copy() */
    size_t length_count, length_capacity;
    int64_t limit_ns; /* longer ticks are slow */
    double time_ns;   /* of all recordings, as far as it was added */
    int64_t clock_ns; /* a clock for all recordings: each time, it advances as far as the fastest
                         recording */
};

/* Sets all sums to 0. The recordings stay: their costs are used again for a while. */
void running_sums_begin(struct running_sums *sums, size_t recording_count);

/* Adds a recording that has ended, or goes on. */
void running_sums_add(struct running_sums *sums, struct recording_rebuild *rebuild,
                      bool is_running);

/* Call it after all recordings were added: advances the clock. */
void running_sums_end(struct running_sums *sums);

/* Sums up the ticks of each recording after its `known_ticks`. */
void running_sums_find_recent(struct running_sums *sums);

/* Replaces `to` with a copy of `from`. */
void running_sums_copy(struct running_sums *to, const struct running_sums *from);
void running_sums_release(struct running_sums *sums);
