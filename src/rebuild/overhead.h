/*
 * overhead.h - what recording cost is taken out of the times.
 *
 * A call adds so much to the callee's self time, and so much to its caller's (see
 * calibration.h). Both are means, and a time is a sum of steps of a coarse clock, so
 * the cost of a node may be more than the node has. A self time is never taken below
 * 0 by this; but then what is left of a function would be too much, since only its
 * lucky nodes were cut. So what one node of a function lacks is taken from the others
 * of that function, in proportion: a function is left with its time less its cost, or
 * with nothing.
 */
#ifndef SUPPROF_OVERHEAD_H
#define SUPPROF_OVERHEAD_H

#include "rebuild/calibration.h"
#include "tree/tree.h"

#include <stdint.h>

struct overhead_sums {
    double measured_ns; /* self times before */
    double removed_ns;
    double clamped_ns; /* more should have been removed, and there was nothing left */
};

/*
 * Takes the costs out of a tree: out of self times, totals, and durations
 * in details. `kinds` is an enum call_kind for each function of the tree. Costs that
 * are not known leave the tree as it is. Negative self times (of existing logs) stay.
 */
void overhead_remove(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     struct overhead_sums *sums);

#endif
