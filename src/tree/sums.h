/*
 * sums.h - what nodes of a tree add up to: those of a function, a row of a table, an edge or a
 * limit.
 *
 * The total time is that of the stacks with such a node, each stack counted once: the total of a
 * node counts unless a node of the same sum is above it. For the stack A;B;C;B (1 ms self in each),
 * the sums of functions are
 *
 *     A  self 1  total 4
 *     B  self 2  total 3       not 3 + 1
 *     C  self 1  total 2
 */
#pragma once

#include "tree/tree.h"

#include <stddef.h>

/* All zero is the sum of no nodes, without details. */
struct sum {
    uint64_t calls;
    int64_t self_ns; /* can be negative in logs of delins' profiler */
    int64_t total_ns;
    uint8_t flags; /* or of its nodes' flags */
    bool has_details;
    struct call_details details; /* of its nodes, see tree.h; all zero if it has none */
};

/* The sum of no nodes, to which those of a tree with details, or without, can be added. */
struct sum sum_of_none(bool has_details);

/* `is_outermost`: no node of the same sum is above it. */
void sum_add_node(struct sum *sum, const struct tree *tree, uint32_t node, bool is_outermost);

/* To which sum each node of a tree belongs. */
struct sum_map {
    const uint32_t *of_nodes; /* indices of sums; TREE_NONE: to none. Not set for the root */
    const bool *outermost;    /* see tree_find_outermost(); NULL: all are */
    const uint32_t *nodes;    /* [node_count]: the index of each node in both; NULL: its id */
};

void sums_add_tree(struct sum *sums, const struct tree *tree, const struct sum_map *map);

/* Returns the sums of functions by their ids, [count]. The caller frees them. */
struct sum *sums_of_functions(const struct tree *tree, size_t count);

/*
 * How wrong times of exact recordings are. The costs of different functions are wrong in different
 * directions, those of one function everywhere in the same, and the computer is as quick for all.
 * So below a node, or below all nodes of a group, the errors of one function add up, and the
 * squares of these sums do.
 */
struct error_sum {
    double variance_ns2;
    double cost_error_ns;    /* if all were wrong in the same direction */
    double common_error_ns;  /* of that, what is */
    double cost_squares_ns2; /* of the sums of the functions; HUGE_VAL: not known */
};

/* The standard error of the cost. */
double error_sum_cost_ns(const struct error_sum *sum);

/*
 * Returns the errors of the total times of groups of nodes, [count]; the caller frees them.
 * `of_nodes`, [node_count]: the group of each node, or TREE_NONE; NULL: its id. Only `outermost`
 * nodes count; NULL: all do. The tree has details.
 */
struct error_sum *total_errors(const struct tree *tree, const uint32_t *of_nodes,
                               const bool *outermost, size_t count);

/*
 * Returns half of the 95% intervals of these times, in nanoseconds: of chosen ticks as samples.h
 * says, of others two standard errors. NULL: the tree has no details.
 */
double *total_half_widths(const struct tree *tree, const uint32_t *of_nodes, const bool *outermost,
                          size_t count);
