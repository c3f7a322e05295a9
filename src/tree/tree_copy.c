#include "tree/tree_copy.h"

#include "tree/stacks.h"

void tree_copy_begin(struct tree *copy, const struct tree *tree)
{
    tree_init(copy);
    if (tree->details != NULL)
        tree_keep_details(copy);
}

void tree_copy_node(struct tree *copy, uint32_t to, const struct tree *tree, uint32_t node)
{
    copy->call_counts[to] += tree->call_counts[node];
    copy->total_ns[to] += tree->self_ns[node];
    copy->flags[to] |= tree->flags[node];
    if (tree->details != NULL)
        call_details_add(&copy->details[to], &tree->details[node]);
}

static bool has_time(const struct tree *tree, uint32_t node)
{
    return tree->self_ns[node] != 0 || (tree->details != NULL && tree->details[node].memory_kb > 0);
}

void tree_copy_time(struct tree *copy, uint32_t to, const struct tree *tree, uint32_t node,
                    uint32_t folded)
{
    if (!has_time(tree, node))
        return;
    if (to == TREE_ROOT)
        to = tree_child(copy, TREE_ROOT, folded, LINE_UNKNOWN);
    copy->total_ns[to] += tree->self_ns[node];
    copy->flags[to] |= tree->flags[node];
    if (tree->details == NULL)
        return;
    copy->details[to].memory_kb += tree->details[node].memory_kb;
    copy->details[to].variance_ns2 += tree->details[node].variance_ns2;
    copy->details[to].cost_error_ns += tree->details[node].cost_error_ns;
}

void tree_copy_end(struct tree *tree, struct tree *copy)
{
    tree_settle_self(copy);
    tree_release(tree);
    *tree = *copy;
    *copy = (struct tree){0};
}
