#include "tree/tree.h"

#include "tree/stacks.h"
#include "tree/tree_builder.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/*
 * Each node's parent is one of the `reach` nodes before it: 1 makes a chain. The tree is finished
 * once with half of its nodes, and then extended.
 */
static void make_tree(struct tree *tree, uint32_t node_count, uint32_t reach,
                      uint32_t function_count)
{
    struct tree_builder builder;
    tree_builder_init(&builder, false);
    for (uint32_t node = 1; node < node_count; node++) {
        if (node == node_count / 2) {
            tree_builder_finish(&builder, tree);
            tree_builder_extend(&builder, tree);
        }
        uint32_t back = 1 + (uint32_t)rand() % reach;
        struct call call = {back > node ? TREE_ROOT : node - back,
                            (uint32_t)rand() % function_count, LINE_UNKNOWN};
        tree_builder_append(&builder, call);
    }
    tree_builder_finish(&builder, tree);
}

/* Looks at each node above a node. */
static bool is_outermost(const struct tree *tree, const uint32_t *groups, uint32_t node)
{
    for (uint32_t at = tree->calls[node].parent; at != TREE_ROOT; at = tree->calls[at].parent)
        if (groups[at] == groups[node])
            return false;
    return true;
}

static void expect_outermost(uint32_t node_count, uint32_t reach, uint32_t function_count)
{
    struct tree tree;
    make_tree(&tree, node_count, reach, function_count);
    uint32_t *groups = calloc(node_count, sizeof *groups);
    for (uint32_t node = 1; node < node_count; node++)
        groups[node] = tree.calls[node].function;
    bool *outermost = tree_find_outermost(&tree, groups, false);
    bool *of_functions = tree_find_outermost(&tree, groups, true);
    for (uint32_t node = 1; node < node_count; node++) {
        cr_assert_eq(outermost[node], is_outermost(&tree, groups, node));
        cr_assert_eq(of_functions[node], outermost[node]);
        cr_assert_eq(tree.outermost[node], outermost[node]);
    }
    free(groups);
    free(outermost);
    free(of_functions);
    tree_release(&tree);
}

Test(outermost, are_the_nodes_without_one_of_their_group_above_them)
{
    srand(1);
    for (uint32_t count = 2; count < 200; count++) {
        expect_outermost(count, count, 1 + count / 4);
        expect_outermost(count, 1 + count / 4, 3);
    }
}

/* Looking back from each node would take too long there, so that the tree is walked instead. */
Test(outermost, are_found_in_a_deep_recursion)
{
    expect_outermost(20000, 1, 400);
    expect_outermost(20000, 3, 7000);
}

Test(outermost, of_a_root_alone_are_none)
{
    struct tree tree;
    make_tree(&tree, 1, 1, 1);
    uint32_t groups[] = {0};
    free(tree_find_outermost(&tree, groups, true));
    tree_release(&tree);
}
