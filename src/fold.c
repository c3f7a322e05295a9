#include "fold.h"

#include "mem.h"
#include "tree_copy.h"

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

void fold_small(struct tree *tree, double percent, uint32_t folded)
{
    double limit_ns = (double)tree->total_ns[TREE_ROOT] * percent / 100;
    struct tree large;
    tree_copy_begin(&large, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint8_t *is_small = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t to = target[call->parent];
        is_small[node] = is_small[call->parent] || (double)tree->total_ns[node] < limit_ns;
        if (!is_small[node]) {
            to = tree_child(&large, to, call->function, call->line);
            tree_copy_node(&large, to, tree, node);
        } else {
            tree_copy_time(&large, to, tree, node, folded);
        }
        target[node] = to;
    }
    free(target);
    free(is_small);
    tree_copy_end(tree, &large);
}
