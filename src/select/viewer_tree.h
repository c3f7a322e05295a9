/*
 * viewer_tree.h - a call tree that viewers of flame graphs and profiles can read.
 *
 * - No self time is below 0: some viewers drop such a stack silently, others refuse the
 *   file. A negative time becomes 0, totals are computed again, and the clamped time is
 *   counted. Nodes that differ only in calling lines are balanced first, so that formats
 *   with and without lines show the same times: if A;B is called from two lines, with -3
 *   and 5 ns, the second keeps 2; with -3 and 1 both are 0, and 2 ns were clamped.
 * - The order of siblings depends only on their labels and lines. Nodes are numbered depth first in
 *   this order, so that a report reads memory in order.
 *
 * Source of the limits: speedscope opened stacks of 3,000 frames, but never one of 8,000; and it,
 * like pprof, refuses a file with one negative value.
 */
#pragma once

#include "names/labels.h"
#include "profile/profile.h"
#include "tree/tree.h"

enum { VIEWER_DEPTH_MAX = 2000 };

struct viewer_tree {
    struct tree tree;   /* finished, with details if the original has them */
    uint32_t *sizes;    /* [node_count]: of the node and all below it; see tree.h */
    int64_t clamped_ns; /* sum of all clamped times, as a positive number */
};

/* Makes it from a finished tree. */
void viewer_tree_init(struct viewer_tree *viewer, const struct tree *tree,
                      const struct labels *labels);

void viewer_tree_release(struct viewer_tree *viewer);

/*
 * Folds call stacks that no game has, so that memory and each output are in proportion to the log.
 *
 * A call can take one byte of a recording, and then a stack of its own takes some hundred bytes of
 * memory in each of the trees and lists that a report is made from; a recursion of 50,000 calls is
 * 50,000 stacks with 1.25 billion frames. It takes functions that call themselves without end, or
 * stacks of which no two are equal. In such a log, stacks that are deeper than a limit get a frame
 * "(folded)" in their middle:
 *
 *     A;B;C;D;E;F;G      with a limit of 5      A;B;C;(folded);G
 *     A;B;C;D;E                                 A;B;C;D;E
 *
 * Equal stacks are merged; functions keep their calls and self times, and the report says how many
 * stacks these are. The limit is as large as possible, but never larger than viewers can show.
 *
 * Sets profile->folded. A profile may have `spare_count` stacks whatever the size of its logs is;
 * `folded` is the function of the frame in the middle.
 */
void deep_stacks_fold(struct profile *profile, const struct labels *labels, uint32_t folded,
                      uint64_t spare_count);
