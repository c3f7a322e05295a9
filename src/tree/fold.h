/*
 * fold.h - makes trees smaller: folds recursion, calling lines, deep and small nodes; leaves out
 * nodes.
 *
 * Recursion. A step from a function X to a function Y occurs at most once on a path from
 * the root; when it occurs again, it goes to the same Y as the first time. So the size of a
 * tree depends on the program, not on how deep it recursed. Times and calls of each
 * function, and of each pair of caller and callee, do not change; which repetition made
 * which call is lost. The rule and the examples are from the notes on
 * the fble profiler (Richard Uhler, public repository ruhler/fable, thoughts/fble-0.4/
 * profiling.txt):
 *
 *     a 1 -> b 1 -> b 1 -> b 1 -> c 1     becomes   a 1 -> b 1 -> b 2 -> c 1
 *     a -> b -> a -> b -> c               becomes   a -> b -> a
 *                                                       \-> c
 *     a -> b -> c, e -> b -> c -> d       stay: these are two paths
 *
 * In a tree with calling lines each line keeps a node of its own, below the same X.
 */
#pragma once

#include "tree/tree.h"

/* Folding never changes the root's total. */

void fold_recursion(struct tree *tree);

/*
 * Makes a tree in which nodes that differ only in calling lines are merged: a node is a path
 * of functions. All lines are LINE_UNKNOWN. Its nodes are in depth-first order, in which most
 * reports are written: so they read memory in order.
 */
void fold_lines(struct tree *merged, const struct tree *tree);

/*
 * The same, in the order of `tree`. Returns the node of each node, [tree->node_count], which the
 * caller frees.
 */
uint32_t *fold_paths(struct tree *merged, const struct tree *tree);

/*
 * Leaves nodes, [node_count], out: their time and memory go to their callers, and to the function
 * `folded` where there is none. What they call becomes a call of their callers, from the line of
 * the first call that is left out. `keeps_empty`: nodes without a caller make the node of `folded`
 * even if they have no time.
 */
void fold_hidden(struct tree *tree, const uint8_t *is_hidden, uint32_t folded, bool keeps_empty);

/*
 * Cuts each path to `depth_max` frames, at least 1. The time of deeper nodes is added to
 * the last frame that remains; their calls are no longer counted.
 */
void fold_deep(struct tree *tree, uint32_t depth_max);

/*
 * Makes a tree in which no path is longer than `depth_max` frames, at least 3. A longer path
 * keeps its first frames and its last one; between them is one call of the function `folded`.
 * Returns how many nodes with calls or time were shortened. Trees with the same nodes get the
 * same nodes.
 */
uint64_t fold_middle(struct tree *shallow, const struct tree *tree, uint32_t depth_max,
                     uint32_t folded);

/*
 * Removes each node whose total is less than `percent` of the tree's total, with all nodes
 * below it. Its time is added to its parent, or to the function `folded` if it
 * has no parent. Its calls are no longer counted. `other`, or NULL, is a tree with the same
 * nodes; a node must be small there too, and both trees have the same nodes afterwards.
 */
void fold_small(struct tree *tree, struct tree *other, double percent, uint32_t folded);

/*
 * Keeps the nodes with `is_kept`, [node_count]. Their ancestors
 * stay too, without calls and self time if they are not kept.
 */
void tree_keep(struct tree *tree, const uint8_t *is_kept);

/*
 * Keeps the nodes that were seen on a thread: `flags` is NODE_MAIN or
 * NODE_COROUTINE. Nodes seen on both stay, because their time cannot be divided.
 */
void tree_keep_thread(struct tree *tree, uint8_t flags);
