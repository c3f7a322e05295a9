/*
 * watched.h - what watches say of whole games: how many ticks were slow, and the slowest of them.
 *
 * Of all watches that the options about runs and states choose, and whose limit is known. A watch
 * has no calls, and its times are those of the clock: so they are never added to any row, tick or
 * sum of the others. See read/watch.h. Times are nanoseconds; memory is in proportion to the slow
 * ticks.
 */
#pragma once

#include "report/figures/report.h"

/* A tick over the limit of its watch. */
struct watched_tick {
    uint32_t recording; /* index in recordings.all */
    int64_t number, time_ns;
    uint32_t function;   /* of the threads that took the most of it; TREE_NONE: not known */
    int64_t function_ns; /* what these threads took */
};

struct watched {
    uint64_t tick_count;          /* of all watches, as far as their lines go */
    uint64_t slow_count;          /* of these */
    int64_t slow_ns;              /* more than this is slow; 0: the watches have several limits */
    struct watched_tick *slowest; /* [slowest_count], the longest first */
    size_t slowest_count;         /* fewer than slow_count if the log does not have all of them */
};

void watched_init(struct watched *watched, const struct profile *profile);
void watched_release(struct watched *watched);
