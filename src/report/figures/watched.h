/*
 * watched.h - what watches say of whole games: how many ticks were slow, the slowest of them, and
 * why they were.
 *
 * Of all watches that the options about runs, states and windows choose, and whose limit is known.
 * A watch has no calls, and its times are those of the clock: so they are never added to any row,
 * tick or sum of the others. See read/watch.h. Times are nanoseconds; memory is in proportion to
 * the lines of the watches and the wakes that they have recorded.
 */
#pragma once

#include "report/figures/report.h"

/* Which wakes a tick is explained with: none, its own, or of another tick, by its function. */
enum watched_exact { EXACT_UNKNOWN, EXACT_OWN, EXACT_LATER, EXACT_EARLIER };

/* A tick over the limit of its watch, or one in which as much passed in no thread. */
struct watched_tick {
    uint32_t recording; /* index in recordings.all */
    int64_t number, time_ns;
    bool is_slow;        /* else it is here for its gaps */
    uint32_t function;   /* of the threads that took the most of it; TREE_NONE: not known */
    int64_t function_ns; /* what these threads took */
    const struct watch_slow_tick *line;
    const struct watch_wake *wake; /* the longest one of that function; NULL: not known */
    const struct exact_wake *exact;
    enum watched_exact exact_of;
};

struct watched {
    uint64_t tick_count;           /* of all watches, up to the last that a line names */
    uint64_t slow_count;           /* of these */
    int64_t slow_ns;               /* more than this is slow; 0: the watches have several limits */
    struct watched_tick *slowest;  /* [slowest_count], the longest first; also those with gaps */
    size_t slowest_count;          /* fewer slow ones than slow_count if the log lacks some */
    size_t gap_count;              /* of these, those that are here for their gaps */
    struct tick_distance distance; /* of the slow ones; none if the log lacks some */
};

void watched_init(struct watched *watched, const struct profile *profile);
void watched_release(struct watched *watched);
