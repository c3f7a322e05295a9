/*
 * tree_table.h - the most expensive part of a call tree: from callers to callees, or inverted.
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

#include "report/tables/table.h"

struct call_tree_node {
    uint32_t function;
    uint32_t depth; /* 0 for those at the top */
    size_t parent;  /* index of `nodes` */
    uint64_t calls;
    int64_t ns; /* the time that the order depends on: see below */
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

struct tree_table {
    const struct report *report;
    struct call_tree calls;
    struct table table;
};

/*
 * Makes the table that the options ask for, with at most `limit` rows, and none with less than a
 * thousandth of the time; SIZE_MAX: all of it. It must not move, and is to be released.
 */
void tree_table_init(struct tree_table *tree, const struct report *report, size_t limit,
                     enum table_reader reader);
void tree_table_release(struct tree_table *tree);
