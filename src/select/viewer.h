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
#include "profile/profile.h"
#include "tree/tree.h"

enum { VIEWER_DEPTH_MAX = 2000 };

struct viewer {
    struct tree tree;         /* finished, with details if the original has them */
    uint32_t *sizes;          /* [node_count]: of the node and all below it; see tree.h */
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

/*
 * Call stacks for formats that write each stack with all of its frames, with
 * their size in proportion to the log.
 *
 * A recursion of 50,000 calls is 50,000 stacks with 1.25 billion frames, but its recording
 * takes only 100 KB. So if all stacks together are too long, those that are deeper than a limit
 * get a frame "(folded)" in their middle:
 *
 *     A;B;C;D;E;F;G      with a limit of 5      A;B;C;(folded);G
 *     A;B;C;D;E                                 A;B;C;D;E
 *
 * They keep their times and calls; equal stacks are merged. The limit is as large as possible,
 * but never larger than viewers can show. Few logs need it.
 */

struct stack_list {
    const struct tree *tree, *old_tree; /* the trees to list; NULL for no old tree */
    uint32_t depth_max;                 /* the limit, UINT32_MAX for none */
    uint64_t folded_count;              /* stacks that were deeper */
    uint64_t whole_bytes;               /* estimated size of all stacks without a limit */
    bool is_too_long;                   /* that size is out of proportion to the log */

    /* Private. */
    struct tree folded, old_folded;
    uint32_t folded_function;
};

/* How many bytes stacks may take. */
struct list_limit {
    uint64_t input_bytes; /* of the logs */
    bool is_off;          /* no limit */
};

/*
 * `tree` and `old_tree`, which is NULL or has the same nodes, must outlive the stacks. `folded`
 * is the function of the frame in the middle.
 */
void stack_list_init(struct stack_list *stacks, const struct tree *tree,
                     const struct tree *old_tree, const struct labels *labels, uint32_t folded,
                     const struct list_limit *limit);

/* Folds another tree that has the nodes of `tree`, in the same way. */
void stack_list_fold(const struct stack_list *stacks, struct tree *tree);
void stack_list_release(struct stack_list *stacks);

/*
 * Call stacks of a log that has more of them than its size allows.
 *
 * A call can take one byte of a recording, and then a stack of its own takes some hundred bytes of
 * memory in each of the trees and lists that a report is made from. No game has such a log: it
 * takes functions that call themselves without end, or stacks of which no two are equal. In such a
 * log, stacks that are deeper than a limit get a frame "(folded)" in their middle, as in
 * viewer.h; functions keep their calls and self times, and the report says how many stacks
 * these are.
 */

/*
 * Folds stacks if the profile has more than `spare_count` and what the bytes of its logs allow, and
 * sets profile->folded. `folded` is the function of the frame in the middle.
 */
void deep_stacks_fold(struct profile *profile, uint32_t folded, uint64_t spare_count);
