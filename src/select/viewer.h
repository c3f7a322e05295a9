/*
 * viewer.h - a call tree that viewers of flame graphs and profiles can read.
 *
 * - No self time is below 0: some viewers drop such a stack silently, others refuse the
 *   file. A negative time becomes 0, totals are computed again, and the clamped time is
 *   counted. Nodes that differ only in calling lines are balanced first, so that formats
 *   with and without lines show the same times: if A;B is called from two lines, with -3
 *   and 5 ns, the second keeps 2; with -3 and 1 both are 0, and 2 ns were clamped.
 * - No call stack has more frames than a limit: the viewers recurse. Deeper nodes are added
 *   up, with their calls, in one frame "(truncated)" below the last allowed one.
 * - The order of siblings depends only on their labels and lines. Nodes are numbered depth first in
 *   this order, so that a report reads memory in order: a large one is written in half the time.
 *
 * Source of the limits: speedscope opened stacks of 3,000 frames, but never one of 8,000;
 * and it, like pprof, refuses a file with one negative value.
 */
#pragma once

#include "names/labels.h"
#include "tree/tree.h"

enum { VIEWER_DEPTH_MAX = 2000 };

struct viewer {
    struct tree tree;         /* finished, with details if the original has them */
    uint32_t *sizes;          /* [node_count]: of the node and all below it; see tree_order.h */
    uint32_t truncated;       /* function id of "(truncated)": one more than those with labels */
    int64_t clamped_ns;       /* sum of all clamped times, as a positive number */
    uint64_t truncated_count; /* nodes that were deeper than allowed */
};

/*
 * Makes it from a finished tree. `function_count` is the number of functions with labels;
 * stacks have at most `depth_max` frames, and a "(truncated)" below them.
 */
void viewer_init(struct viewer *viewer, const struct tree *tree, const struct labels *labels,
                 uint32_t function_count, uint32_t depth_max);
void viewer_release(struct viewer *viewer);

/* The label of a function of viewer->tree. */
struct span viewer_label(const struct viewer *viewer, const struct labels *labels,
                         uint32_t function);
