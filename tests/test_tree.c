#include "frames.h"
#include "tree.h"

#include <criterion/criterion.h>

enum { A, B, C, D };

/* Adds a stack of functions; each calls the next from `line`. */
static void add(struct tree *tree, const uint32_t *functions, size_t depth, int32_t line,
                uint64_t calls, int64_t total_ns, uint8_t threads)
{
    struct stack_frame frames[16];
    for (size_t i = 0; i < depth; i++)
        frames[i] = (struct stack_frame){functions[i], line};
    struct stack stack = {depth,
                          calls,
                          total_ns,
                          total_ns != INT64_MIN,
                          (threads & NODE_MAIN) != 0,
                          (threads & NODE_COROUTINE) != 0};
    if (total_ns == INT64_MIN)
        stack.total_ns = 0;
    struct batch batch = {
        .stacks = &stack, .stack_count = 1, .frames = frames, .frame_count = depth};
    tree_add(tree, &batch);
}

#define STACK(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4

static void make_abcb(struct tree *tree)
{
    tree_init(tree);
    add(tree, STACK(A, B, C, B), 7, 1, 1, NODE_MAIN);
    add(tree, STACK(A, B, C), 7, 2, 2, NODE_MAIN);
    add(tree, STACK(A, B), 7, 3, 3, NODE_MAIN);
    add(tree, STACK(A), 7, 4, 4, NODE_MAIN);
}

Test(tree, gives_children_larger_ids)
{
    struct tree tree;
    make_abcb(&tree);
    cr_assert_eq(tree.node_count, 5);
    for (uint32_t node = 1; node < tree.node_count; node++)
        cr_expect_lt(tree.calls[node].parent, node);
    tree_release(&tree);
}

Test(tree, takes_children_from_the_total_for_self_times)
{
    struct tree tree;
    make_abcb(&tree);
    tree_settle(&tree);
    for (uint32_t node = 1; node < tree.node_count; node++)
        cr_expect_eq(tree.self_ns[node], 1);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 4);
    cr_expect_eq(tree.self_ns[TREE_ROOT], 0);
    tree_release(&tree);
}

Test(tree, adds_up_lines_of_one_stack)
{
    struct tree tree;
    tree_init(&tree);
    add(&tree, STACK(A), 7, 1, 6700000, NODE_MAIN);
    add(&tree, STACK(A), 8, 1, 11800000, NODE_COROUTINE);
    add(&tree, STACK(A), 9, 1, 18600000, NODE_MAIN);
    tree_settle(&tree);
    cr_expect_eq(tree.node_count, 2);
    cr_expect_eq(tree.total_ns[1], 37100000);
    cr_expect_eq(tree.call_counts[1], 3);
    cr_expect_eq(tree.flags[1] & (NODE_MAIN | NODE_COROUTINE), NODE_MAIN | NODE_COROUTINE);
    tree_release(&tree);
}

Test(tree, keeps_calling_lines_apart_until_they_are_merged)
{
    struct tree tree, merged;
    tree_init(&tree);
    add(&tree, STACK(A, B), 1, 1, 10, NODE_MAIN);
    add(&tree, STACK(A, B), 2, 2, 20, NODE_COROUTINE);
    add(&tree, STACK(A), 2, 1, 50, NODE_MAIN);
    tree_settle(&tree);
    cr_expect_eq(tree.node_count, 4);
    tree_without_lines(&merged, &tree);
    cr_expect_eq(merged.node_count, 3);
    cr_expect_eq(merged.call_counts[2], 3);
    cr_expect_eq(merged.total_ns[2], 30);
    cr_expect_eq(merged.self_ns[1], 20);
    cr_expect_eq(merged.total_ns[TREE_ROOT], 50);
    tree_release(&tree);
    tree_release(&merged);
}

Test(tree, gives_a_stack_without_a_line_the_sum_of_its_children)
{
    struct tree tree;
    tree_init(&tree);
    add(&tree, STACK(A, B, C), 7, 1, 5, NODE_COROUTINE);
    add(&tree, STACK(A, B, D), 7, 1, 6, NODE_COROUTINE);
    tree_settle(&tree);
    cr_expect_eq(tree.total_ns[1], 11);
    cr_expect_eq(tree.self_ns[1], 0);
    cr_expect_eq(tree.call_counts[1], 0);
    cr_expect_eq(tree.flags[1] & NODE_COROUTINE, NODE_COROUTINE);
    cr_expect_eq(tree.flags[1] & NODE_SEEN, 0);
    tree_release(&tree);
}

Test(tree, gives_a_stack_without_a_time_the_sum_of_its_children)
{
    struct tree tree;
    tree_init(&tree);
    add(&tree, STACK(A, B), 7, 1, 5, NODE_MAIN);
    add(&tree, STACK(A), 7, 9, INT64_MIN, NODE_MAIN);
    tree_settle(&tree);
    cr_expect_eq(tree.total_ns[1], 5);
    cr_expect_eq(tree.call_counts[1], 9);
    tree_release(&tree);
}

Test(tree, keeps_negative_self_times)
{
    struct tree tree;
    tree_init(&tree);
    add(&tree, STACK(A, B), 7, 1, 5, NODE_MAIN);
    add(&tree, STACK(A), 7, 1, 2, NODE_MAIN);
    tree_settle(&tree);
    cr_expect_eq(tree.self_ns[1], -3);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 2);
    tree_release(&tree);
}

Test(tree, keeps_what_was_seen_on_a_thread_and_what_leads_there)
{
    struct tree tree;
    tree_init(&tree);
    add(&tree, STACK(A), 7, 1, 10, NODE_MAIN);
    add(&tree, STACK(A, B), 7, 1, 6, NODE_COROUTINE);
    add(&tree, STACK(C), 7, 1, 20, NODE_MAIN);
    add(&tree, STACK(D), 7, 1, 30, NODE_MAIN | NODE_COROUTINE);
    tree_settle(&tree);
    tree_keep_thread(&tree, NODE_COROUTINE);
    cr_assert_eq(tree.node_count, 4);
    cr_expect_eq(tree.call_counts[1], 0);
    cr_expect_eq(tree.self_ns[1], 0);
    cr_expect_eq(tree.total_ns[1], 6);
    cr_expect_eq(tree.calls[3].function, D);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 36);
    tree_release(&tree);
}

static void count_leave(void *context, uint32_t node)
{
    (void)node;
    ++*(size_t *)context;
}

Test(tree, is_walked_in_the_order_of_ranks)
{
    struct tree tree;
    tree_init(&tree);
    add(&tree, STACK(B), 0, 1, 1, NODE_MAIN);
    add(&tree, STACK(A, C), 0, 1, 1, NODE_MAIN);
    add(&tree, STACK(A, B), 0, 1, 1, NODE_MAIN);
    tree_settle(&tree);
    const uint32_t ranks[] = {[A] = 0, [B] = 1, [C] = 2};
    struct tree_links links;
    tree_link(&links, &tree, ranks);
    const uint32_t expected[] = {A, B, C, B};
    size_t count = 0, left = 0;
    for (uint32_t node = TREE_ROOT;
         (node = tree_next(&tree, &links, node, count_leave, &left)) != TREE_NONE; count++)
        cr_expect_eq(tree.calls[node].function, expected[count]);
    cr_expect_eq(count, 4);
    cr_expect_eq(left, 4);
    tree_links_release(&links);
    tree_release(&tree);
}

Test(tree, of_a_million_levels_is_settled_and_walked)
{
    struct tree tree;
    tree_init(&tree);
    uint32_t node = TREE_ROOT;
    for (int i = 0; i < 1000000; i++)
        node = tree_child(&tree, node, A, LINE_UNKNOWN);
    tree.flags[node] = NODE_SEEN | NODE_TIMED | NODE_MAIN;
    tree.total_ns[node] = 5;
    tree_settle(&tree);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 5);
    struct tree_links links;
    tree_link(&links, &tree, NULL);
    size_t left = 0;
    for (node = TREE_ROOT;
         (node = tree_next(&tree, &links, node, count_leave, &left)) != TREE_NONE;)
        ;
    cr_expect_eq(left, 1000000);
    tree_links_release(&links);
    tree_release(&tree);
}
