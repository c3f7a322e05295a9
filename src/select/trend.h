/*
 * trend.h - whether a row of numbers rises: Mann and Kendall's test, and the line of Theil and Sen.
 * Both are by ranks or medians, so that one wrong number changes little.
 */
#pragma once

#include <stddef.h>

enum { TREND_NUMBERS_MAX = 12 };

struct trend {
    double z;           /* how sure it is that they rise, in standard deviations */
    double first, last; /* the ends of the line */
};

/* `numbers` is [count], at most TREND_NUMBERS_MAX. Fewer than 3 have no trend. */
struct trend trend_find(const double *numbers, size_t count);
