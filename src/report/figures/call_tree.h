/*
 * call_tree.h - the most expensive part of a call tree: from callers to callees, or inverted.
 *
 * For the stacks A (1 ms self), A;B (2 ms) and C;B (4 ms):
 *
 *     total      inverted
 *     4  C       6  B         time in B itself
 *     4    B     4    C       that much of it while C had called B
 *     3  A       2    A
 *     2    B     1  A
 *
 * If functions are chosen, the tree has them at its top, with what they called; inverted, with
 * those that called them, and their total time instead of self time. Of several chosen functions in
 * a stack the first one is at the top; inverted, the first call of each.
 */
#pragma once

#include "report/figures/report.h"

struct call_tree_node {
    uint32_t function;
    uint32_t depth; /* 0 for those at the top */
    size_t parent;  /* index of `nodes` */
    uint64_t calls;
    int64_t ns; /* the time that the order depends on: see above */
    int64_t self_ns;
    size_t first, count, shown; /* its callees, or callers; the first [shown] are shown */
    /* Private. */
    int64_t key;
    size_t from, to;
};

struct call_tree {
    struct call_tree_node *nodes; /* [count]; the first is above those at the top */
    size_t count, capacity;
    size_t *rows; /* [row_count]: the nodes that are shown, depth first */
    size_t row_count;
    bool is_cut; /* `nodes_max` was reached, or stacks are too deep */
};

/*
 * Makes the call tree that the options ask for, with at most `limit` rows, and none with less time
 * than `ns_min`. After `nodes_max` nodes, an inverted tree gets no more: it could have one for each
 * frame of each stack.
 */
void call_tree_init(struct call_tree *calls, const struct report *report, size_t limit,
                    size_t nodes_max, int64_t ns_min);
void call_tree_release(struct call_tree *calls);
