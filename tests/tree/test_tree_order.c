#include "tree/tree.h"

#include "tree/stacks.h"
#include "tree/tree_builder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTION_COUNT = 5 };

/* Each node's parent is one of the `reach` nodes before it: 1 makes a chain. */
static void make_tree(struct tree *tree, uint32_t node_count, uint32_t reach, bool has_details)
{
    struct tree_builder builder;
    tree_builder_init(&builder, has_details);
    for (uint32_t node = 1; node < node_count; node++) {
        uint32_t back = 1 + (uint32_t)rand() % reach;
        struct call call = {back > node ? TREE_ROOT : node - back,
                            (uint32_t)rand() % FUNCTION_COUNT, rand() % 9 - 4};
        struct call_details details = call_details_none();
        details.errors = node % 3;
        details.memory_kb = node;
        tree_builder_append(&builder, call);
        tree_builder_add(&builder, node,
                         (struct node_values){.calls = node % 4,
                                              .self_ns = (int64_t)node - 10,
                                              .flags = (uint8_t)(node % 8),
                                              .details = &details});
    }
    tree_builder_finish(&builder, tree);
}

/* What siblings are sorted by: their ranks, lines and ids; without ranks their ids alone. */
struct sibling {
    uint32_t rank, node;
    int32_t line;
};

static int compare_siblings(const void *left, const void *right)
{
    const struct sibling *a = left;
    const struct sibling *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

/*
 * The order is that of a walk with a stack of nodes to be visited: a node's children are pushed,
 * the last one first, when it is taken.
 */
static void expect_order_of_walk(const struct tree *tree, const struct tree_order *order,
                                 const uint32_t *rank)
{
    struct sibling *siblings = calloc(tree->node_count, sizeof *siblings);
    uint32_t *first_child = calloc(tree->node_count, sizeof *first_child);
    uint32_t *next_sibling = calloc(tree->node_count, sizeof *next_sibling);
    uint32_t *stack = calloc(tree->node_count, sizeof *stack);
    for (uint32_t node = 1; node < tree->node_count; node++)
        siblings[node - 1] = (struct sibling){rank == NULL ? 0 : rank[tree->calls[node].function],
                                              node, rank == NULL ? 0 : tree->calls[node].line};
    qsort(siblings, tree->node_count - 1, sizeof *siblings, compare_siblings);
    /* The last one becomes the first of the list, so that it is pushed first. */
    for (uint32_t i = 0; i + 1 < tree->node_count; i++) {
        uint32_t node = siblings[i].node, parent = tree->calls[node].parent;
        next_sibling[node] = first_child[parent];
        first_child[parent] = node;
    }
    size_t depth = 1;
    for (uint32_t place = 0; place < tree->node_count; place++) {
        cr_assert_gt(depth, 0);
        uint32_t node = stack[--depth];
        cr_assert_eq(order->nodes[place], node);
        for (uint32_t child = first_child[node]; child != 0; child = next_sibling[child])
            stack[depth++] = child;
    }
    cr_assert_eq(depth, 0);
    free(siblings);
    free(first_child);
    free(next_sibling);
    free(stack);
}

/* The nodes after a node that are below it. */
static void expect_sizes(const struct tree *tree, const struct tree_order *order)
{
    uint32_t *sizes = calloc(tree->node_count, sizeof *sizes);
    for (uint32_t place = tree->node_count; place-- > 0;) {
        uint32_t node = order->nodes[place];
        cr_assert_eq(order->sizes[place], ++sizes[node]);
        if (node != TREE_ROOT)
            sizes[tree->calls[node].parent] += sizes[node];
    }
    free(sizes);
}

static void expect_copy(const struct tree *tree, const struct tree_order *order)
{
    struct tree copy;
    tree_copy_in_order(&copy, tree, order);
    cr_assert_eq(copy.node_count, tree->node_count);
    cr_assert_eq(copy.total_ns[TREE_ROOT], tree->total_ns[TREE_ROOT]);
    cr_assert_eq(copy.calls[TREE_ROOT].parent, TREE_NONE);
    for (uint32_t place = 1; place < copy.node_count; place++) {
        uint32_t node = order->nodes[place];
        cr_assert_eq(order->nodes[copy.calls[place].parent], tree->calls[node].parent);
        cr_assert_eq(copy.calls[place].function, tree->calls[node].function);
        cr_assert_eq(copy.calls[place].line, tree->calls[node].line);
        cr_assert_eq(copy.call_counts[place], tree->call_counts[node]);
        cr_assert_eq(copy.self_ns[place], tree->self_ns[node]);
        cr_assert_eq(copy.total_ns[place], tree->total_ns[node]);
        cr_assert_eq(copy.flags[place], tree->flags[node]);
        cr_assert_eq(copy.details != NULL, tree->details != NULL);
        if (copy.details != NULL)
            cr_assert_eq(copy.details[place].memory_kb, tree->details[node].memory_kb);
    }
    tree_release(&copy);
}

static void expect_orders(uint32_t node_count, uint32_t reach, bool has_details)
{
    static const uint32_t rank[FUNCTION_COUNT] = {3, 0, UINT32_MAX, 1, 70000};
    const uint32_t *const ranks[] = {NULL, rank};
    struct tree tree;
    make_tree(&tree, node_count, reach, has_details);
    for (size_t i = 0; i < 2; i++) {
        struct tree_order order;
        tree_order_init(&order, &tree, ranks[i]);
        expect_order_of_walk(&tree, &order, ranks[i]);
        expect_sizes(&tree, &order);
        expect_copy(&tree, &order);
        tree_order_release(&order);
    }
    tree_release(&tree);
}

Test(tree_order, is_that_of_a_walk)
{
    srand(1);
    for (uint32_t count = 2; count < 300; count++) {
        expect_orders(count, 1 + count / 4, count % 2 == 0);
        expect_orders(count, count, false);
    }
    expect_orders(20000, 20000, true);
}

/* Fewer nodes than are asked for ahead, too. */
Test(tree_order, of_a_root_alone_is_the_root)
{
    expect_orders(1, 1, false);
    expect_orders(1, 1, true);
}

Test(tree_order, takes_no_longer_for_a_chain)
{
    expect_orders(300000, 1, false);
}
