/*
 * listed_stacks.h - call stacks for formats that write each stack with all of its frames, with
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
#pragma once

#include "names/labels.h"
#include "tree/tree.h"

struct listed_stacks {
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
void listed_stacks_init(struct listed_stacks *stacks, const struct tree *tree,
                        const struct tree *old_tree, const struct labels *labels, uint32_t folded,
                        const struct list_limit *limit);

/* Folds another tree that has the nodes of `tree`, in the same way. */
void listed_stacks_fold(const struct listed_stacks *stacks, struct tree *tree);

void listed_stacks_release(struct listed_stacks *stacks);
