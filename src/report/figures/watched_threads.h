/*
 * watched_threads.h - what the threads of watched games took, by the function that they began with.
 *
 * Of all watches that the options choose, as watched.h; of a window, of the minutes that are within
 * it, since threads are added up each minute. Times are nanoseconds by the clock, and in no other
 * sum. Memory is in proportion to the functions.
 */
#pragma once

#include "report/figures/report.h"

struct watched_thread {
    uint32_t function; /* TREE_NONE: those that took little in a minute, together */
    uint64_t wakes;
    int64_t time_ns, longest_ns;
    uint64_t slow_count; /* slow ticks of which it took the most */
};

struct watched_threads {
    struct watched_thread *all; /* [count], with the most time first */
    size_t count;
    int64_t time_ns;
    uint64_t tick_count; /* of these minutes */
};

void watched_threads_init(struct watched_threads *threads, const struct profile *profile);
void watched_threads_release(struct watched_threads *threads);
