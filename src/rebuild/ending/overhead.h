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

struct overhead_sums {
    double measured_ns; /* sum of the self times before */
    double removed_ns;
    double clamped_ns; /* cost that could not be removed: no time was left */
};

/*
 * Subtracts the costs from a tree: from self times and total times; durations in details stay.
 * `kinds`, [node_count], has an enum call_kind for each node. If the costs are unknown, the tree
 * does not change. Negative self times (from logs of delins' profiler) stay.
 */
void overhead_remove(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     struct overhead_sums *sums);

/*
 * Finishes a tree whose self times are what is left of a part of a recording, with the counts of
 * that part, while durations have the recorder's cost: takes it out of these and of lines, says how
 * uncertain the costs are, and sums up. `measured_ns` is the sum of the self times before.
 */
void overhead_describe(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                       double measured_ns, struct overhead_sums *sums);
