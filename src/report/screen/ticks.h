/*
 * ticks.h - the ticks of a profile, worst first.
 */
#pragma once

#include "rebuild/ticks/ticks.h"

/*
 * How many ticks took how long, in bins of the same width.
 */

enum { TICK_BINS_MAX = 12 };

struct tick_histogram {
    int64_t width_ns;             /* of a bin: 2, 5, 10, 20 ... us; bin i begins at i times that */
    size_t bin_count;             /* up to that of the longest tick; at least 1 */
    size_t counts[TICK_BINS_MAX]; /* [bin_count] */
    size_t old_counts[TICK_BINS_MAX]; /* [bin_count], of the old ticks */
    size_t largest;                   /* of `counts` */
};

/* Makes the narrowest bins of which `bin_max` hold all ticks; `old` may be NULL. */
struct tick_histogram tick_histogram_make(const struct tick_list *now, const struct tick_list *old,
                                          size_t bin_max);
