/*
 * fold.h - trees made smaller: recursion, calling lines, depth, what is not worth a frame.
 *
 * Recursion. A step from a function X to a function Y occurs at most once on a path from
 * the root; where it comes again, it goes to the Y that it led to the first time. So a
 * tree is bounded by the program, not by how deep it recursed. Times and calls stay what
 * they were, for each function and for each pair of caller and callee; which of several
 * repetitions called what is lost. The rule and the examples are those of the notes on
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
#ifndef SUPPROF_FOLD_H
#define SUPPROF_FOLD_H

#include "tree/tree.h"

#include <stdint.h>

/* The root's total stays what it was, whatever is folded. */

void fold_recursion(struct tree *tree);

/*
 * Makes a tree in which nodes that differ only in calling lines are one: a node is a path of
 * functions. All lines are LINE_UNKNOWN.
 */
void fold_lines(struct tree *merged, const struct tree *tree);

/*
 * Leaves no path longer than `depth_max` frames, which is at least 1: what is deeper is
 * time of the last frame that is left, and its calls are no longer counted.
 */
void fold_deep(struct tree *tree, uint32_t depth_max);

/*
 * Makes a tree in which no path is longer than `depth_max` frames, which is at least 3. A longer
 * one keeps its last frame and those that come first; between them is one call of the function
 * `folded`. Returns how many nodes with calls or time that are. Trees with the same nodes get the
 * same nodes.
 */
uint64_t fold_middle(struct tree *shallow, const struct tree *tree, uint32_t depth_max,
                     uint32_t folded);

/*
 * Takes away each node whose total is less than so much of the tree's, with what is
 * below it: its time is its parent's, or that of the function `folded` where there is
 * none. Its calls are no longer counted. `other`, or NULL, is a tree with the same nodes,
 * in which it has to be small as well; both then have the same nodes again.
 */
void fold_small(struct tree *tree, struct tree *other, double percent, uint32_t folded);

#endif
