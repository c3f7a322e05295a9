#include "rebuild/ending/nodes_to_tree.h"

#include <criterion/criterion.h>

/* A chain of calls: function 0 calls function 1, and so on; node i has i + 1 calls and units. */
static struct nodes chain(uint32_t length, struct nodes *spare)
{
    struct nodes nodes;
    nodes_init(&nodes, spare);
    uint32_t node = NODES_MAIN;
    for (uint32_t i = 0; i < length; i++) {
        nodes_define_function(&nodes, i, (struct event_function){.id = i, .is_lua = true});
        nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 5});
        node = nodes_child(&nodes, node, i);
        nodes_touch(&nodes, node);
        nodes.at[node].calls = i + 1;
        nodes.at[node].self = i + 1;
    }
    return nodes;
}

static void expect_chain(const struct tree *tree, uint32_t length)
{
    cr_assert_eq(tree->node_count, length + 1);
    for (uint32_t i = 0; i < length; i++) {
        cr_expect_eq(tree->calls[i + 1].function, i);
        cr_expect_eq(tree->calls[i + 1].parent, i);
        cr_expect_eq(tree->call_counts[i + 1], i + 1);
        cr_expect_eq(tree->self_ns[i + 1], 10 * (i + 1));
        cr_expect_eq(tree->details[i + 1].errors, 0);
    }
}

Test(nodes_to_tree, trees_in_one_space_have_nothing_of_those_before)
{
    static const uint32_t lengths[] = {50, 3, 49, 200, 1};
    struct tree space = {0};
    struct nodes spare = {0};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct nodes nodes = chain(lengths[i], &spare);
        struct tree tree;
        nodes_end(&nodes);
        nodes_to_tree(&tree, &nodes, 10, NODE_MAIN | NODE_COROUTINE, NULL, NULL, &space);
        expect_chain(&tree, lengths[i]);
        nodes_recycle(&nodes, &spare);
    }
    nodes_release(&spare);
    tree_release(&space);
}

Test(nodes_to_tree, a_tree_of_its_own_has_totals)
{
    struct nodes spare = {0}, nodes = chain(3, &spare);
    struct tree tree;
    nodes_end(&nodes);
    nodes_to_tree(&tree, &nodes, 10, NODE_MAIN | NODE_COROUTINE, NULL, NULL, NULL);
    expect_chain(&tree, 3);
    cr_expect_eq(tree.total_ns[1], 60);
    cr_expect_eq(tree.total_ns[3], 30);
    tree_release(&tree);
    nodes_release(&nodes);
}
