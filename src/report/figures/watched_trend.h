/*
 * watched_trend.h - whether what threads take in a tick grows in a watched game, and whose it is.
 *
 * A watch adds threads up each minute. Up to twelve stretches of whole minutes must rise, by the
 * test of trend_find(), and end well above where they began; the same of a function, which must
 * have a part of it. Nothing is known of games of fewer than six minutes, and of several games.
 * Times are nanoseconds in a tick; memory is in proportion to the functions.
 */
#pragma once

#include "report/figures/report.h"

enum { TREND_FUNCTIONS = 3, TREND_MINUTES_MIN = 6 };

/* In a tick of the first stretch, and of the last. */
struct watched_growth {
    uint32_t function;              /* that threads began with; TREE_NONE: all */
    double first_ns, last_ns;       /* what they took */
    double first_wakes, last_wakes; /* of their threads */
};

struct watched_trend {
    bool is_known;
    struct watched_growth all;
    struct watched_growth functions[TREND_FUNCTIONS]; /* [function_count], which grow most first */
    size_t function_count;
};

void watched_trend_find(struct watched_trend *trend, const struct report *report);
