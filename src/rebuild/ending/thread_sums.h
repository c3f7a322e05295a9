/*
 * thread_sums.h - the threads of all recordings, by the function that they began with: how many
 * there were, how often they woke, how long each wake took, and what became of them.
 *
 * The wakes of a root share its time of each tick: see tick_sums_read().
 *
 * A poll is a wake with the number of calls, of those up to 12, that most wakes of its root made. A
 * root has polls if at least half of its wakes are such, of at least 200. What they did, and
 * whether that was of use, is not known.
 */
#pragma once

#include "rebuild/stacks/lives.h"
#include "tree/tree.h"

struct thread_sum {
    uint64_t threads, wakes;
    uint64_t ended, failed; /* threads whose end was seen; of those, by an error */
    uint64_t once;          /* threads that ended in their first wake */
    int64_t median_ns, percentile_99_ns, longest_ns; /* of a wake, nearest rank; -1: no wake */
    int64_t wakes_ns;                                /* of all wakes */
    int64_t life_ticks; /* median of the threads whose begin and end were seen; -1: none */
    uint64_t polls;     /* 0: it has none */
    int64_t poll_ns;    /* of these wakes */
    int poll_calls;     /* of each */
};

/* All zero is empty. The caller frees the arrays. */
struct thread_sums {
    struct thread_sum *at; /* [count] by function id, by thread_sums_finish(); may lack some */
    size_t count;
    struct wake *wakes; /* [wake_count], with their `ns`; by function at last */
    size_t wake_count, wake_capacity;
    struct ended_life *lives; /* [life_count] */
    size_t life_count, life_capacity;
};

/* Adds the wakes of a recording, which have their `ns` and may be taken over. */
void thread_sums_add(struct thread_sums *sums, struct wakes *wakes);

/* Call it once, after the last recording. */
void thread_sums_finish(struct thread_sums *sums);

/* The sum of a function; NULL: no thread began with it. */
const struct thread_sum *thread_sums_of(const struct thread_sums *sums, uint32_t function);
