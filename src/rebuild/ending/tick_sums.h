/*
 * tick_sums.h - what functions did in the chosen ticks of a recording, beside its tree: in slow
 * ticks and in others, over time, in its wakes; and prices, with which slow ticks are compared.
 */
#pragma once

#include "rebuild/ending/chosen_ticks.h"
#include "rebuild/ending/work_sums.h"

/* The self time of each function in the slow ticks of all recordings, and in all other ticks. Time
 * outside of ticks is in neither. */
struct slow_sum {
    int64_t slow_ns, other_ns;
    int64_t removed_ns; /* the cost of recording that was subtracted, of all ticks */
};

/* All zero is empty. The caller frees `at`. */
struct slow_sums {
    struct slow_sum *at; /* [count] by function id; functions without time may be missing */
    size_t count;
    struct slow_sum all; /* of all functions, without `removed_ns` */
};

/* One recording while it is added. */
struct tick_sums;

/*
 * Reads all ticks, half of them on another thread if `has_thread`.
 *
 *  - What the functions did in the chosen ticks is added to slow and other ticks, to `work`, and to
 *    prices; and ticks with `function_count` of 1 or more get their most expensive functions.
 *    `slow` and `work` are NULL where they are not wanted.
 *  - The time that the stacks of a root had in a tick is divided among its wakes there, in
 *    proportion to their times less the cost of their calls: that sets their `ns`.
 *
 * tick_sums_end() compares slow ticks with the prices, drops the wakes of ticks that are not
 * chosen, and frees the sums.
 */
struct tick_sums *tick_sums_read(struct slow_sums *slow, struct work_sums *work,
                                 const struct recorded *recorded, const struct chosen_ticks *chosen,
                                 struct wakes *wakes, bool has_thread);
void tick_sums_end(struct tick_sums *sums);
