#include "tree/fold.h"

#include "base/mem.h"
#include "tree/stacks.h"
#include "tree/tree_copy.h"

#include <stdlib.h>

void fold_recursion(struct tree *tree)
{
    struct tree folded;
    tree_copy_begin(&folded, tree);
    folded.folds_recursion = true;
    tree_add_tree(&folded, tree);
    tree_copy_end(tree, &folded);
}

void fold_deep(struct tree *tree, uint32_t depth_max)
{
    struct tree shallow;
    tree_copy_begin(&shallow, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint32_t *depth = mem_zeroed(tree->node_count, sizeof *depth);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t to = target[call->parent];
        depth[node] = depth[call->parent] + 1;
        if (depth[node] <= depth_max) {
            to = tree_child(&shallow, to, call->function, call->line);
            tree_copy_node(&shallow, to, tree, node);
        } else {
            tree_copy_time(&shallow, to, tree, node, TREE_NONE);
        }
        target[node] = to;
    }
    free(target);
    free(depth);
    tree_copy_end(tree, &shallow);
}

/* The node that a small one's time goes to: `to`, or a function of no caller, in both copies. */
static uint32_t node_for_time(struct tree *copies, size_t count, uint32_t to, uint32_t folded)
{
    uint32_t node = to;
    for (size_t i = 0; i < count && to == TREE_ROOT; i++)
        node = tree_child(&copies[i], TREE_ROOT, folded, LINE_UNKNOWN);
    return node;
}

void fold_small(struct tree *tree, struct tree *other, double percent, uint32_t folded)
{
    struct tree *trees[] = {tree, other};
    struct tree copies[2];
    size_t count = other != NULL ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        tree_copy_begin(&copies[i], trees[i]);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint8_t *is_small = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t to = target[call->parent];
        is_small[node] = 1;
        for (size_t i = 0; i < count; i++)
            is_small[node] &= (double)trees[i]->total_ns[node] <
                              (double)trees[i]->total_ns[TREE_ROOT] * percent / 100;
        is_small[node] |= is_small[call->parent];
        uint32_t time_node = is_small[node] ? node_for_time(copies, count, to, folded) : to;
        for (size_t i = 0; i < count; i++)
            if (is_small[node]) {
                tree_copy_time(&copies[i], time_node, trees[i], node, folded);
            } else {
                target[node] = tree_child(&copies[i], to, call->function, call->line);
                tree_copy_node(&copies[i], target[node], trees[i], node);
            }
        if (is_small[node])
            target[node] = to;
    }
    free(target);
    free(is_small);
    for (size_t i = 0; i < count; i++)
        tree_copy_end(trees[i], &copies[i]);
}
