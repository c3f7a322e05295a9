/*
 * watched_threads.h - what the threads of watched games took, by the function that they began with.
 *
 * Of all watches that the options choose, as watched.h; of a window, of the minutes that are within
 * it, since threads are added up each minute. Times are nanoseconds by the clock, and in no other
 * sum. Memory is in proportion to the functions.
 */
#pragma once

#include "report/figures/report.h"

/* Whether a minute is of a watch that is shown, and in the window. */
bool watched_takes_minute(const struct profile *profile, const struct watch_threads *minute);

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

/* What a side took in a tick; 0 if none of its minutes is known. */
double watched_threads_tick_ns(const struct watched_threads *threads, int64_t ns);

/*
 * The same of two watched games, side by side. Games differ in length, so what changed is told for
 * a tick. Functions have the ids of the new profile.
 */
struct watched_change {
    uint32_t function;                      /* TREE_NONE: the others, see watched_threads.h */
    const struct watched_thread *now, *old; /* NULL: this side has none */
    double now_ns, old_ns;                  /* in a tick */
};

struct watched_changes {
    struct watched_threads now, old;
    struct watched_change *all; /* [count], with the largest difference first */
    size_t count;
};

/* Of a report that compares watches. */
void watched_changes_init(struct watched_changes *changes, const struct report *report);
void watched_changes_release(struct watched_changes *changes);

/* What a watched game has for a comparison of several, see select/repeated_values.h. The list is
 * its owner's. */
void watched_values_find(struct log_watch *watch, const struct profile *profile);
