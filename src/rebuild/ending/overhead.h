/*
 * overhead.h - subtracts the recording overhead from the times.
 *
 * A recorded call adds one cost to the callee's self time and another to its caller's (see
 * calibration.h). Both costs are means, and a time is a sum of steps of a coarse clock, so the cost
 * of a node may be larger than its self time. Such a self time becomes 0, not negative. The rest of
 * its cost is subtracted from the other nodes of the same function, in proportion: otherwise the
 * function would keep too much time. So each function keeps its time less its cost, or 0.
 *
 * So the cost that a node loses depends on the other nodes of its function. For the parts of a
 * recording (ticks, windows, kinds of threads) to add up to the recording, the costs are subtracted
 * from the whole recording, and each tick of a node gets its share of the rest: see recorded.h.
 */
#pragma once

#include "rebuild/stacks/calibration.h"
#include "tree/tree.h"

#include <stddef.h>

/* What a node keeps of its self time at least, if the costs say so. */
#define OVERHEAD_LEAST_FRACTION 0.1

/*
 * How wrong times may be in the same direction in all calls, as parts of two standard errors: of
 * the cost that was subtracted, since an event costs more in one function than in another; of the
 * time that is shown, since the computer is quicker at one time than at another (2.5 times what
 * unrecorded wakes have changed by, at least OVERHEAD_LEAST_TIME_BIAS; OVERHEAD_TIME_BIAS where
 * that is not known); and of what recording has added beside the calibrated costs
 * (call_costs.excess), since no event says in which function. These are independent. Without timed
 * wakes, all events cost more than is subtracted, and a part of the time is the recorder's
 * (call_costs.untimed_bias), which adds to them: of a node at most OVERHEAD_MOST_EXCESS times its
 * cost. Measured (tests/bench/shares.py, 36 other programs, and FAF's Lua), so that 95 of 100
 * functions of 2 % and more are within two standard errors.
 */
#define OVERHEAD_EVENT_BIAS 0.07
#define OVERHEAD_TIME_BIAS 0.2
#define OVERHEAD_LEAST_TIME_BIAS 0.1

/* In times of the calibrated cost, that an event makes the code around it slower, at most. */
#define OVERHEAD_MOST_EXCESS 3

struct overhead_sums {
    double measured_ns; /* sum of the self times before */
    double removed_ns;
    double clamped_ns; /* cost that could not be removed: no time was left */
};

/*
 * Subtracts the costs from a tree: from self times and total times; details stay.
 * `kinds`, [node_count], has an enum call_kind for each node. If the costs are unknown, the tree
 * does not change. Negative self times (from logs of delins' profiler) stay.
 */
void overhead_remove(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     struct overhead_sums *sums);

/* Returns the cost in the self time of each node, [node_count]; the caller frees it. */
double *overhead_costs(const struct tree *tree, const uint8_t *kinds,
                       const struct call_costs *costs);

/*
 * Returns about what overhead_remove() leaves of each node, [node_count], if a fraction of
 * `cost_ns` is its cost, and each keeps a fraction; the caller frees it.
 */
double *overhead_left(const struct tree *tree, const double *cost_ns, double fraction);

/*
 * Returns what the costs of each node are to be multiplied with at least, at most 1, so that its
 * entries have room for what is left of it where each keeps a fraction (see recorded.h).
 * `measured_ns` are the self times before. [node_count] both; the caller frees them.
 */
float *overhead_first_factors(const struct tree *tree, const uint8_t *kinds,
                              const struct call_costs *costs, const int64_t *measured_ns);

/*
 * Finishes a tree whose self times are what is left of a part of a recording, with the counts of
 * that part, while durations have the recorder's cost: takes it out of these and of lines, says how
 * uncertain the costs are, and sums up. `measured_ns` is the sum of the self times before;
 * `scales`, [node_count] or NULL, are those of reference.h.
 */
void overhead_finish(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     const float *scales, double measured_ns, struct overhead_sums *sums);
