/*
 * computer.h - which slow ticks are the computer's doing: one rule for all sentences.
 *
 * A slow tick is the computer's if it would not be slow at the usual times of its calls (prices.h),
 * and if the computer is known to have been slow: either in this tick, of which most functions took
 * longer than usual, or in all of the recording. That is so if at least half of the slow ticks are
 * known to be such ticks, or if interruptions of calls in ten functions or more (long_calls.h) are
 * over a tenth of all time. Where most ticks are slow, nothing is usual, and none is the
 * computer's.
 */
#pragma once

#include "rebuild/ticks/ticks.h"
#include "select/long_calls.h"

struct computer_ticks {
    size_t count;             /* of the slow ticks that are listed */
    bool is_doubtful;         /* of some of these, usual times are not known */
    int64_t most_usual_ns;    /* the most that one of them usually takes */
    int64_t time_ns, over_ns; /* they took, and beyond their usual times */
    const struct tick *lead;  /* the longest slow tick that is not the computer's, or just the
                                 longest tick; NULL without ticks */
};

/* Sets which slow ticks are: `is_disturbed` of the list, and their count in the statistics of it.
 */
struct computer_ticks computer_ticks_find(struct tick_statistics *ticks,
                                          const struct tick_list *list,
                                          const struct long_calls *long_calls, int64_t all_ns);
