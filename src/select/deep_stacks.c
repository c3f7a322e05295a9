#include "select/deep_stacks.h"

#include "tree/fold.h"

enum { DEPTH_MIN = 3, BYTES_A_STACK = 3 };

/* Returns how many nodes are at each depth, [*deepest + 1]. */
static uint32_t *count_depths(const struct tree *tree, uint32_t *deepest)
{
    uint32_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    uint32_t *counts = mem_zeroed(tree->node_count, sizeof *counts);
    *deepest = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t depth = depths[node] = depths[tree->calls[node].parent] + 1;
        counts[depth]++;
        *deepest = depth > *deepest ? depth : *deepest;
    }
    free(depths);
    return counts;
}

static uint64_t count_functions(const struct tree *tree)
{
    bool *is_there = mem_zeroed(tree_count_functions(tree), sizeof *is_there);
    uint64_t count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        bool *is_known = &is_there[tree->calls[node].function];
        count += !*is_known;
        *is_known = true;
    }
    free(is_there);
    return count;
}

/*
 * Returns the largest depth that leaves at most `node_max` nodes: those above that depth, and below
 * each of the last of them at most one for each function.
 */
static uint32_t find_depth_max(const struct tree *tree, uint64_t node_max)
{
    uint32_t deepest, depth_max = DEPTH_MIN;
    uint32_t *counts = count_depths(tree, &deepest);
    uint64_t functions = count_functions(tree), above = 0;
    for (uint32_t depth = 1; depth <= deepest && above <= node_max; depth++) {
        above += counts[depth];
        uint64_t below = tree->node_count - above;
        uint64_t folded = depth > 2 ? counts[depth - 2] * (functions + 1) : below;
        if (depth > DEPTH_MIN && above + (folded < below ? folded : below) <= node_max)
            depth_max = depth;
    }
    free(counts);
    return depth_max;
}

void deep_stacks_fold(struct profile *profile, uint32_t folded, uint64_t spare_count)
{
    struct tree *tree = &profile->tree, shallow;
    uint64_t node_max = spare_count + profile->counts.bytes / BYTES_A_STACK;
    if (tree->node_count <= node_max)
        return;
    profile->folded.depth_max = find_depth_max(tree, node_max);
    profile->folded.count = fold_middle(&shallow, tree, profile->folded.depth_max, folded);
    tree_release(tree);
    *tree = shallow;
    /* The changes belong to the nodes before the folding. */
    tick_changes_release(&profile->changes);
}
