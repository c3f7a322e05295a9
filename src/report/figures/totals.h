/*
 * totals.h - the figures of a summary of a whole profile.
 */
#pragma once

#include "tree/symbols.h"
#include "tree/tree.h"

/* The figures of a summary, from the tree with calling lines. */
struct report_totals {
    uint64_t stacks; /* for which a log line was read */
    uint64_t functions, calls;
    int64_t main_ns, coroutine_ns,
        both_ns;             /* self times by the thread on which the stack was seen */
    int64_t c_ns;            /* self times of C functions */
    uint64_t negative_count; /* stacks with a self time below 0 that rounding does not explain */
    int64_t negative_ns;     /* the sum of those */
};

struct report_totals totals_sum_up(const struct tree *tree, const struct symbols *symbols);
