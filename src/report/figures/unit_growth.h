/*
 * unit_growth.h - how ticks, and what threads took in a watch, grow with the number of units.
 *
 * Each 100 ticks a recording has the number of all armies' units. The ticks around such a line have
 * a median; a power of the units is fitted to the medians, by least squares of logarithms. What
 * threads took is known by minutes. Nothing is here unless there are some points, of numbers that
 * differ enough, to which the power fits. It says what goes together, not why. Times are
 * nanoseconds; memory is in proportion to the ticks and functions.
 */
#pragma once

#include "report/figures/report.h"

enum { GROWTH_FUNCTIONS = 3 };

struct unit_growth {
    bool is_known;
    double exponent; /* of the median tick */
    struct unit_median {
        uint64_t units;
        int64_t median_ns;
    } few, many; /* where the fewest units were, and the most */
    /* Those that threads began with, with the most time first. */
    struct growing_function {
        uint32_t function;
        double exponent;
    } functions[GROWTH_FUNCTIONS];
    size_t function_count;
};

/* The mean number of units in the ticks of recordings: that of the line in the same log which is
 * next to each, also of a watch. 0: some tick has none. */
double unit_growth_mean(const struct profile *profile);

void unit_growth_find(struct unit_growth *growth, const struct report *report);
