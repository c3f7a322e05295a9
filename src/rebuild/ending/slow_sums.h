/*
 * slow_sums.h - the self time of each function in the slow ticks of all recordings (ticks.h), and
 * in all other ticks, with the recording overhead subtracted. Time outside of ticks is in neither.
 */
#pragma once

#include "tree/tree.h"

#include <stddef.h>

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
    bool is_wrong;       /* the sums of some recording cannot be used: see slow_ticks.h */
};

/*
 * Adds the tree of a run, with the recording overhead subtracted. `parts`, [tree->node_count], are
 * in units; NULL: all zero. `measured_ns`, [tree->node_count], are the self times before.
 */
void slow_sums_add(struct slow_sums *sums, const struct tree *tree, const int64_t *measured_ns,
                   const struct node_part *parts, double unit_ns);

void slow_sums_release(struct slow_sums *sums);
