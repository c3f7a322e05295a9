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
 * recording (windows, kinds of threads) to add up to the recording, the costs are subtracted from
 * the whole recording, and each part of a node gets its share of the rest.
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
 * Subtracts the costs from a tree: from self times, total times, and durations in details. `kinds`
 * has an enum call_kind for each function of the tree. If the costs are unknown, the tree does not
 * change. Negative self times (from logs of delins' profiler) stay. A tree without totals gets
 * none.
 */
void overhead_remove(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     struct overhead_sums *sums);

/* Returns the share of a part of a self time that was `whole_ns` and of which `left_ns` is left. */
int64_t overhead_share(int64_t part_ns, int64_t whole_ns, int64_t left_ns);

/*
 * Subtracts the costs from `whole`, and from `part` its share of them. `whole_of`,
 * [part->node_count], has the node of `whole` for each node of `part`. The sums are those of the
 * part.
 */
void overhead_remove_part(struct tree *part, const uint32_t *whole_of, struct tree *whole,
                          const uint8_t *kinds, const struct call_costs *costs,
                          struct overhead_sums *sums);

/*
 * The self time of each function in the slow ticks of all recordings (ticks.h), and
 * in all other ticks, with the recording overhead subtracted. Time outside of ticks is in neither.
 */

struct node_part;

struct slow_sum {
    int64_t slow_ns, other_ns;
    int64_t removed_ns; /* the cost of recording that was subtracted, of all ticks */
};

/* All zero is empty. */
struct slow_sums {
    struct slow_sum *at; /* [count] by function id; functions without time may be missing */
    size_t count;
    struct slow_sum all; /* of all functions */
    bool is_wrong;       /* the sums of some recording cannot be used: see tick_meter.h */
};

/*
 * Adds the tree of a recording, with the recording overhead subtracted. `parts`,
 * [tree->node_count], are in units; NULL: all zero. `measured_ns`, [tree->node_count], are the self
 * times before.
 */
void slow_sums_add(struct slow_sums *sums, const struct tree *tree, const int64_t *measured_ns,
                   const struct node_part *parts, double unit_ns);

void slow_sums_release(struct slow_sums *sums);
