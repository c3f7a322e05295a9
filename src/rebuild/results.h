/*
 * results.h - the results of a rebuild: one tree, the ticks and time lines of all recordings, and a
 * summary of each recording.
 */
#pragma once

#include "rebuild/ending/call_durations.h"
#include "rebuild/ending/exact_wakes.h"
#include "rebuild/ending/thread_sums.h"
#include "rebuild/ending/tick_sums.h"
#include "rebuild/ending/tree_sums.h"
#include "rebuild/stacks/calibration.h"
#include "rebuild/ticks/ticks.h"
#include "rebuild/timeline/slow_timelines.h"
#include "rebuild/timeline/timeline.h"

/* Of all recordings. */
struct rebuild_results {
    struct tree tree; /* of all recordings, of the chosen ticks; by rebuild_finish() */
    struct tick_list ticks;
    struct slow_sums slow;
    struct thread_sums threads;
    struct work_sums work;
    struct call_durations durations;
    struct timeline timeline;
    struct slow_timelines slowest; /* of the only recording, if it keeps changes */
    struct tick_changes changes;   /* of the only recording; empty if there are several */
    struct tick_choice choice;     /* what --ticks-over has found */
    struct exact_wakes wakes;      /* of watches, which are in nothing else */
    double time_ns;                /* of all recordings that have ended */
};

/* The summary of a recording. */
struct rebuilt_recording {
    bool is_there;          /* it had events */
    bool has_any_ticks;     /* some event gave the number of a tick */
    bool has_ticks;         /* so it is in the window */
    bool is_sampled;        /* whole ticks, chosen by chance */
    uint64_t sampled_ticks; /* in the window; 0 also if the sums are of single ticks: exact ones */
    double weighted_ticks;  /* of the game, that those stand for */
    bool is_outside;        /* no part of it was in the window */
    int64_t first_tick, last_tick; /* in the window */
    int64_t all_first_tick, all_last_tick;
    int64_t moved_from, moved_to; /* 1 + the tick that a border of the window was within, and to
                                     whose beginning it has moved; 0: none */
    double zero_seconds;          /* game time at tick 0, calculated */
    double measured_ns;           /* of all frames, before the overhead is subtracted */
    struct call_costs costs;      /* the subtracted costs; unknown: none was */
    double recorder_ns;           /* of the recorder's own calls, which are in no other sum */
    double removed_ns;            /* overhead that was subtracted */
    double clamped_ns;            /* overhead that could not be: no time was left */
    double reference_ratio;       /* of shown times of threads to those of unrecorded runs, before
                                     they were made alike; 0: no reference */
    double reference_rest;        /* of them after that: above 1 where they have too few events */
    double reference_covered;     /* fraction of the time that is of such threads */
    double reference_change;      /* unrecorded runs took so many times as long after it as before;
                                     0: not known */
    uint32_t unlike_count;        /* functions whose unrecorded runs differed too much before and
                                     after it to be a reference */
    double cost_fraction;         /* of the calibrated costs, that was subtracted; 1 without one */
    double coldness;              /* of its code, 0 to 1: see reference.h */
    bool has_reference_before, has_reference_after;
    /* Of what threads were timed between chosen ticks: the part of those that are in no recorded
       stack, and of those of them that began with the function that took most; its id of
       symbols.h. */
    double unseen_fraction, most_unseen_fraction;
    uint32_t most_unseen;
    uint64_t contradictions; /* returns of functions that were not on the stack */
    bool is_untimed; /* with those before it, it takes longer than any game: its times are 0 */
};

/* The game time at which a tick began, calculated. */
static inline double recording_seconds(const struct rebuilt_recording *recording, int64_t tick)
{
    return recording->zero_seconds + (double)tick / TICKS_A_SECOND;
}
