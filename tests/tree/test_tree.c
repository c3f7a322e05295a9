#include "base/mem.h"
#include "tree/fold.h"
#include "tree/tree.h"
#include "tree/tree_builder.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { A, B, C, D };

/* Adds a stack of functions; each calls the next from `line`. */
static void add(struct tree_builder *builder, const uint32_t *functions, size_t depth, int32_t line,
                uint64_t calls, int64_t total_ns, uint8_t threads)
{
    struct stack_frame *frames = mem_zeroed(depth, sizeof *frames);
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
    struct stack_batch stacks = {.at = &stack, .count = 1, .frames = frames, .frame_count = depth};
    tree_builder_add_stacks(builder, &stacks);
    free(frames);
}

#define STACK(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4

static void make_abcb(struct tree *tree)
{
    struct tree_builder builder;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A, B, C, B), 7, 1, 1, NODE_MAIN);
    add(&builder, STACK(A, B, C), 7, 2, 2, NODE_MAIN);
    add(&builder, STACK(A, B), 7, 3, 3, NODE_MAIN);
    add(&builder, STACK(A), 7, 4, 4, NODE_MAIN);
    tree_builder_finish(&builder, tree);
}

Test(tree, knows_more_of_a_difference_than_of_two_times)
{
    struct call_details details = {
        .variance_ns2 = 9, .cost_error_ns = 5, .common_error_ns = 3 /* and 4 of its own */};
    struct call_details none = {0};
    struct call_details all_common = {.cost_error_ns = 5, .common_error_ns = 7};
    cr_expect_float_eq(call_details_difference_ns(&details, &none), sqrt(9 + 25), 1e-9);
    cr_expect_float_eq(call_details_difference_ns(&details, &details),
                       sqrt(2 * 9 + 2 * 16 * 0.3 + 2 * 9 * 0.5), 1e-9);
    cr_expect_float_eq(call_details_difference_ns(&all_common, &none), 5, 1e-9);
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
    for (uint32_t node = 1; node < tree.node_count; node++)
        cr_expect_eq(tree.self_ns[node], 1);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 4);
    cr_expect_eq(tree.self_ns[TREE_ROOT], 0);
    tree_release(&tree);
}

Test(tree, adds_up_lines_of_one_stack)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A), 7, 1, 6700000, NODE_MAIN);
    add(&builder, STACK(A), 8, 1, 11800000, NODE_COROUTINE);
    add(&builder, STACK(A), 9, 1, 18600000, NODE_MAIN);
    tree_builder_finish(&builder, &tree);
    cr_expect_eq(tree.node_count, 2);
    cr_expect_eq(tree.total_ns[1], 37100000);
    cr_expect_eq(tree.call_counts[1], 3);
    cr_expect_eq(tree.flags[1] & (NODE_MAIN | NODE_COROUTINE), NODE_MAIN | NODE_COROUTINE);
    tree_release(&tree);
}

Test(tree, keeps_calling_lines_apart_until_they_are_merged)
{
    struct tree_builder builder;
    struct tree tree, merged;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A, B), 1, 1, 10, NODE_MAIN);
    add(&builder, STACK(A, B), 2, 2, 20, NODE_COROUTINE);
    add(&builder, STACK(A), 2, 1, 50, NODE_MAIN);
    tree_builder_finish(&builder, &tree);
    cr_expect_eq(tree.node_count, 4);
    fold_lines(&merged, &tree);
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
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A, B, C), 7, 1, 5, NODE_COROUTINE);
    add(&builder, STACK(A, B, D), 7, 1, 6, NODE_COROUTINE);
    tree_builder_finish(&builder, &tree);
    cr_expect_eq(tree.total_ns[1], 11);
    cr_expect_eq(tree.self_ns[1], 0);
    cr_expect_eq(tree.call_counts[1], 0);
    cr_expect_eq(tree.flags[1] & NODE_COROUTINE, NODE_COROUTINE);
    cr_expect_eq(tree.flags[1] & NODE_SEEN, 0);
    tree_release(&tree);
}

Test(tree, gives_a_stack_without_a_time_the_sum_of_its_children)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A, B), 7, 1, 5, NODE_MAIN);
    add(&builder, STACK(A), 7, 9, INT64_MIN, NODE_MAIN);
    tree_builder_finish(&builder, &tree);
    cr_expect_eq(tree.total_ns[1], 5);
    cr_expect_eq(tree.call_counts[1], 9);
    tree_release(&tree);
}

/* Stacks of numbers that repeat in no simple order: many nodes are new, and many are not. */
static void make_stacks(struct stack_batch *stacks, size_t count, size_t depth_max)
{
    uint32_t random = 1;
    *stacks = (struct stack_batch){.count = count};
    stacks->at = mem_zeroed(count, sizeof *stacks->at);
    stacks->frames = mem_zeroed(count * depth_max, sizeof *stacks->frames);
    for (size_t i = 0; i < count; i++) {
        size_t depth = 1 + i * 7 % depth_max;
        stacks->at[i] = (struct stack){depth, i, (int64_t)i, true, i % 2 == 0, i % 3 == 0};
        for (size_t k = 0; k < depth; k++) {
            random = random * 1664525 + 1013904223;
            stacks->frames[stacks->frame_count++] =
                (struct stack_frame){random >> 29, (int32_t)(random >> 27 & 1) + 1};
        }
    }
}

static void expect_same(const struct tree *tree, const struct tree *other)
{
    cr_assert_eq(tree->node_count, other->node_count);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node], *other_call = &other->calls[node];
        cr_expect_eq(call->parent, other_call->parent);
        cr_expect_eq(call->function, other_call->function);
        cr_expect_eq(call->line, other_call->line);
        cr_expect_eq(tree->call_counts[node], other->call_counts[node]);
        cr_expect_eq(tree->total_ns[node], other->total_ns[node]);
        cr_expect_eq(tree->self_ns[node], other->self_ns[node]);
        cr_expect_eq(tree->flags[node], other->flags[node]);
    }
}

Test(tree, of_a_batch_is_that_of_its_stacks_one_by_one)
{
    /* Around the numbers of stacks that are looked at ahead. */
    static const size_t counts[] = {1, 2, 7, 8, 9, 10, 15, 16, 17, 18, 24, 25, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct stack_batch stacks;
        make_stacks(&stacks, counts[i], 5);
        struct tree_builder builder;
        struct tree batch, one_by_one;
        tree_builder_init(&builder, false);
        tree_builder_add_stacks(&builder, &stacks);
        tree_builder_add_stacks(&builder, &stacks);
        tree_builder_finish(&builder, &batch);
        tree_builder_init(&builder, false);
        for (size_t k = 0, at = 0; k < 2 * counts[i]; k++) {
            at = k == counts[i] ? 0 : at;
            struct stack stack = stacks.at[k % counts[i]];
            struct stack_batch one = {
                .at = &stack, .count = 1, .frames = stacks.frames + at, .frame_count = stack.depth};
            tree_builder_add_stacks(&builder, &one);
            at += stack.depth;
        }
        tree_builder_finish(&builder, &one_by_one);
        expect_same(&batch, &one_by_one);
        tree_release(&batch);
        tree_release(&one_by_one);
        free(stacks.at);
        free(stacks.frames);
    }
}

Test(tree, keeps_negative_self_times)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A, B), 7, 1, 5, NODE_MAIN);
    add(&builder, STACK(A), 7, 1, 2, NODE_MAIN);
    tree_builder_finish(&builder, &tree);
    cr_expect_eq(tree.self_ns[1], -3);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 2);
    tree_release(&tree);
}

Test(tree, keeps_what_was_seen_on_a_thread_and_what_leads_there)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A), 7, 1, 10, NODE_MAIN);
    add(&builder, STACK(A, B), 7, 1, 6, NODE_COROUTINE);
    add(&builder, STACK(C), 7, 1, 20, NODE_MAIN);
    add(&builder, STACK(D), 7, 1, 30, NODE_MAIN | NODE_COROUTINE);
    tree_builder_finish(&builder, &tree);
    tree_keep_thread(&tree, NODE_COROUTINE);
    cr_assert_eq(tree.node_count, 4);
    cr_expect_eq(tree.call_counts[1], 0);
    cr_expect_eq(tree.self_ns[1], 0);
    cr_expect_eq(tree.total_ns[1], 6);
    cr_expect_eq(tree.calls[3].function, D);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 36);
    tree_release(&tree);
}

Test(tree, is_ordered_by_ranks_depth_first)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    add(&builder, STACK(B), 0, 1, 1, NODE_MAIN);
    add(&builder, STACK(A, C), 0, 1, 1, NODE_MAIN);
    add(&builder, STACK(A, B), 0, 1, 1, NODE_MAIN);
    tree_builder_finish(&builder, &tree);
    const uint32_t ranks[] = {[A] = 0, [B] = 1, [C] = 2};
    struct tree_order order;
    tree_order_init(&order, &tree, ranks);
    const uint32_t expected[] = {A, B, C, B};
    cr_assert_eq(tree.node_count, 5);
    for (uint32_t place = 1; place < tree.node_count; place++)
        cr_expect_eq(tree.calls[order.nodes[place]].function, expected[place - 1]);
    tree_order_release(&order);
    tree_release(&tree);
}

Test(tree, of_a_million_levels_is_finished_and_ordered)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    uint32_t *functions = mem_zeroed(1000000, sizeof *functions);
    add(&builder, functions, 1000000, 7, 1, 5, NODE_MAIN);
    free(functions);
    tree_builder_finish(&builder, &tree);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 5);
    struct tree_order order;
    tree_order_init(&order, &tree, NULL);
    cr_expect_eq(order.nodes[1000000], 1000000);
    cr_expect_eq(order.sizes[TREE_ROOT], 1000001);
    tree_order_release(&order);
    tree_release(&tree);
}

/* ------------------------------------------------------------------- recordings */

/* Adds a node with a self time, as nodes_to_tree.c does. */
static uint32_t add_self(struct tree_builder *builder, uint32_t parent, uint32_t function,
                         int32_t line, uint64_t calls, int64_t self_ns, uint8_t flags)
{
    uint32_t node = tree_builder_child(builder, parent, function, line);
    tree_builder_add(builder, node,
                     (struct node_values){.calls = calls, .self_ns = self_ns, .flags = flags});
    return node;
}

static struct call_details details_of_calls(uint64_t finished, int64_t min_ns, int64_t max_ns)
{
    return (struct call_details){.errors = 1,
                                 .finished = finished,
                                 .finished_ns = (int64_t)finished * max_ns,
                                 .min_ns = min_ns,
                                 .max_ns = max_ns,
                                 .memory_kb = 10,
                                 .variance_ns2 = 100,
                                 .cost_error_ns = 0.5};
}

static void expect_details(const struct call_details *details, uint64_t times, uint64_t finished,
                           int64_t finished_ns, int64_t min_ns, int64_t max_ns)
{
    cr_expect_eq(details->errors, times);
    cr_expect_eq(details->memory_kb, 10 * times);
    cr_expect_float_eq(details->variance_ns2, 100 * (double)times, 1e-9);
    cr_expect_float_eq(details->cost_error_ns, 0.5 * (double)times, 1e-9);
    cr_expect_eq(details->finished, finished);
    cr_expect_eq(details->finished_ns, finished_ns);
    cr_expect_eq(details->min_ns, min_ns);
    cr_expect_eq(details->max_ns, max_ns);
    if (finished > 0) {
    }
}

Test(tree, of_self_times_keeps_them_and_sums_them_up)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    uint32_t a = add_self(&builder, TREE_ROOT, A, 0, 1, 5, NODE_SEEN | NODE_MAIN);
    uint32_t b = add_self(&builder, a, B, 3, 1, -7, NODE_SEEN | NODE_MAIN);
    uint32_t c = add_self(&builder, b, C, 4, 1, 100, NODE_SEEN | NODE_MAIN);
    uint32_t d = add_self(&builder, TREE_ROOT, D, 0, 0, 0, 0);
    tree_builder_finish(&builder, &tree);
    const int64_t self_ns[] = {0, 5, -7, 100, 0};
    const int64_t total_ns[] = {98, 98, 93, 100, 0};
    cr_assert(a == 1 && b == 2 && c == 3 && d == 4);
    for (uint32_t node = 0; node < tree.node_count; node++) {
        cr_expect_eq(tree.self_ns[node], self_ns[node]);
        cr_expect_eq(tree.total_ns[node], total_ns[node]);
    }
    tree.self_ns[b] = 0;
    tree_sum_totals(&tree);
    cr_expect_eq(tree.total_ns[a], 105);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 105);
    tree_release(&tree);
}

Test(tree, without_a_node_has_no_time)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    tree_builder_finish(&builder, &tree);
    cr_expect_eq(tree.node_count, 1);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 0);
    tree_release(&tree);
}

Test(tree, takes_up_another)
{
    struct tree_builder from_builder;
    struct tree_builder to_builder;
    struct tree to, from;
    tree_builder_init(&to_builder, true);
    uint32_t a = add_self(&to_builder, TREE_ROOT, A, 0, 1, 50, NODE_SEEN | NODE_MAIN);
    to_builder.tree.details[a] = details_of_calls(2, 5, 30);

    tree_builder_init(&from_builder, true);
    add_self(&from_builder, TREE_ROOT, D, 0, 9, 900, NODE_SEEN | NODE_MAIN);
    uint32_t from_a = add_self(&from_builder, TREE_ROOT, A, 0, 2, 20, NODE_SEEN | NODE_COROUTINE);
    uint32_t from_b = add_self(&from_builder, from_a, B, 7, 3, 30, NODE_SEEN | NODE_COROUTINE);
    from_builder.tree.details[from_a] = details_of_calls(3, 7, 40);
    from_builder.tree.details[from_b] = details_of_calls(1, 1, 2);
    tree_builder_finish(&from_builder, &from);
    cr_assert_eq(from.total_ns[from_a], 50);
    tree_builder_add_tree(&to_builder, &from);
    uint32_t b = tree_builder_child(&to_builder, a, B, 7),
             d = tree_builder_child(&to_builder, TREE_ROOT, D, 0);
    tree_builder_finish(&to_builder, &to);

    cr_expect_eq(to.node_count, 4);
    cr_expect_eq(to.call_counts[a], 3);
    cr_expect_eq(to.self_ns[a], 70);
    cr_expect_eq(to.total_ns[a], 100);
    cr_expect_eq(to.flags[a], NODE_SEEN | NODE_MAIN | NODE_COROUTINE);
    cr_expect_eq(to.call_counts[b], 3);
    cr_expect_eq(to.self_ns[d], 900);
    cr_expect_eq(to.total_ns[TREE_ROOT], 1000);
    expect_details(&to.details[a], 2, 5, 60 + 120, 5, 40);
    expect_details(&to.details[b], 1, 1, 2, 1, 2);
    expect_details(&to.details[d], 0, 0, 0, INT64_MAX, -1);
    for (uint32_t node = 1; node < to.node_count; node++)
        cr_expect_lt(to.calls[node].parent, node);
    tree_release(&to);
    tree_release(&from);
}

Test(tree, takes_up_one_without_details)
{
    struct tree_builder from_builder;
    struct tree_builder to_builder;
    struct tree to, from;
    tree_builder_init(&to_builder, true);
    uint32_t a = add_self(&to_builder, TREE_ROOT, A, 0, 1, 50, NODE_SEEN);
    to_builder.tree.details[a] = details_of_calls(2, 5, 30);
    tree_builder_init(&from_builder, false);
    /* Lines of delins' profiler: totals, of which self times are differences. */
    add(&from_builder, STACK(A, B), 7, 4, 30, NODE_MAIN);
    add(&from_builder, STACK(A), 7, 2, 20, NODE_MAIN);
    tree_builder_finish(&from_builder, &from);
    tree_builder_add_tree(&to_builder, &from);
    tree_builder_finish(&to_builder, &to);
    cr_expect_eq(to.node_count, 3);
    cr_expect_eq(to.self_ns[a], 50 - 10);
    cr_expect_eq(to.total_ns[a], 70);
    cr_expect_eq(to.call_counts[a], 3);
    cr_expect_eq(to.total_ns[TREE_ROOT], 70);
    expect_details(&to.details[a], 1, 2, 60, 5, 30);
    expect_details(&to.details[2], 0, 0, 0, INT64_MAX, -1);
    tree_release(&to);
    tree_release(&from);
}

Test(tree, without_details_takes_up_one_that_has_them)
{
    struct tree_builder from_builder;
    struct tree_builder to_builder;
    struct tree to, from;
    tree_builder_init(&to_builder, false);
    tree_builder_init(&from_builder, true);
    add_self(&from_builder, TREE_ROOT, A, 0, 1, 50, NODE_SEEN);
    tree_builder_finish(&from_builder, &from);
    tree_builder_add_tree(&to_builder, &from);
    tree_builder_finish(&to_builder, &to);
    cr_expect_null(to.details);
    cr_expect_eq(to.total_ns[TREE_ROOT], 50);
    tree_release(&to);
    tree_release(&from);
}

Test(tree, adds_up_details_of_calls_from_different_lines)
{
    struct tree_builder builder;
    struct tree tree, merged;
    tree_builder_init(&builder, true);
    uint32_t a = add_self(&builder, TREE_ROOT, A, 0, 1, 50, NODE_SEEN | NODE_MAIN);
    uint32_t first = add_self(&builder, a, B, 3, 2, 20, NODE_SEEN | NODE_MAIN);
    uint32_t second = add_self(&builder, a, B, 4, 3, 30, NODE_SEEN | NODE_MAIN);
    uint32_t below = add_self(&builder, second, C, 9, 1, 1, NODE_SEEN | NODE_MAIN);
    builder.tree.details[first] = details_of_calls(2, 5, 30);
    builder.tree.details[second] = details_of_calls(3, 4, 20);
    builder.tree.details[below] = details_of_calls(1, 1, 1);
    tree_builder_finish(&builder, &tree);
    fold_lines(&merged, &tree);
    cr_assert_eq(merged.node_count, 4);
    cr_assert_not_null(merged.details);
    expect_details(&merged.details[1], 0, 0, 0, INT64_MAX, -1);
    expect_details(&merged.details[2], 2, 5, 60 + 60, 4, 30);
    expect_details(&merged.details[3], 1, 1, 1, 1, 1);
    cr_expect_eq(merged.self_ns[1], 50);
    cr_expect_eq(merged.self_ns[2], 50);
    cr_expect_eq(merged.total_ns[2], 51);
    cr_expect_eq(merged.total_ns[TREE_ROOT], 101);
    tree_release(&tree);
    tree_release(&merged);
}

Test(tree, keeps_the_details_of_what_stays_on_a_thread)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, true);
    uint32_t a = add_self(&builder, TREE_ROOT, A, 0, 1, 50, NODE_SEEN | NODE_MAIN);
    uint32_t b = add_self(&builder, a, B, 3, 2, 20, NODE_SEEN | NODE_MAIN);
    uint32_t c = add_self(&builder, a, C, 3, 2, 20, NODE_SEEN | NODE_COROUTINE);
    uint32_t d = add_self(&builder, c, D, 3, 4, 40, NODE_SEEN | NODE_COROUTINE | NODE_MAIN);
    for (uint32_t node = a; node <= d; node++)
        builder.tree.details[node] = details_of_calls(node, node, 10 * (int64_t)node);
    cr_assert(a == 1 && b == 2 && c == 3 && d == 4);
    tree_builder_finish(&builder, &tree);
    tree_keep_thread(&tree, NODE_COROUTINE);
    cr_assert_eq(tree.node_count, 4);
    /* A leads to what stays; B is gone. */
    expect_details(&tree.details[1], 0, 0, 0, INT64_MAX, -1);
    expect_details(&tree.details[2], 1, c, 30 * c, c, 10 * c);
    expect_details(&tree.details[3], 1, d, 40 * d, d, 10 * d);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 60);
    cr_expect_eq(tree.self_ns[1], 0);
    tree_release(&tree);
}

Test(tree, keeps_details_of_many_nodes)
{
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, true);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t node = tree_builder_child(&builder, TREE_ROOT, i, 1);
        cr_expect_eq(builder.tree.details[node].max_ns, -1);
        builder.tree.details[node].errors = i;
    }
    tree_builder_finish(&builder, &tree);
    for (uint32_t node = 1; node < tree.node_count; node++)
        cr_expect_eq(tree.details[node].errors, tree.calls[node].function);
    tree_release(&tree);
}

static void extend(bool is_last)
{
    struct tree_builder builder;
    struct tree tree, later;
    tree_builder_init(&builder, false);
    add(&builder, STACK(A, C), 7, 1, 1, NODE_MAIN);
    add(&builder, STACK(B), 7, 1, 2, NODE_MAIN);
    add(&builder, STACK(A, B), 7, 3, 3, NODE_MAIN);
    add(&builder, STACK(B, A, B), 7, 1, 2, NODE_MAIN);
    tree_builder_finish(&builder, &later);
    make_abcb(&tree);
    tree_builder_extend(&builder, &tree);
    uint32_t *nodes = tree_builder_add_calls(&builder, later.calls, later.node_count,
                                             is_last ? later.outermost : NULL);
    /* Those that were added without a search are found when it goes on. */
    tree_builder_lend(&builder, &tree);
    cr_expect_null(tree.total_ns);
    tree_builder_extend(&builder, &tree);
    uint32_t *again = tree_builder_add_calls(&builder, later.calls, later.node_count, NULL);
    cr_expect_arr_eq(nodes, again, later.node_count * sizeof *nodes);
    free(again);
    tree_builder_finish(&builder, &tree);

    cr_assert_eq(tree.node_count, 9);
    const uint32_t expected[] = {TREE_ROOT, 1, 5, 6, 2, 7, 8};
    cr_expect_arr_eq(nodes, expected, sizeof expected);
    cr_expect(tree.outermost[7]);
    cr_expect_not(tree.outermost[8]);
    for (uint32_t node = 1; node < later.node_count; node++) {
        cr_expect_eq(tree.calls[nodes[node]].function, later.calls[node].function);
        cr_expect_eq(tree.calls[nodes[node]].parent, nodes[later.calls[node].parent]);
    }
    cr_expect_eq(tree.total_ns[TREE_ROOT], 4);
    cr_expect_eq(tree.call_counts[2], 3);
    cr_expect_eq(tree.call_counts[5], 0);
    cr_expect_eq(tree.total_ns[5], 0);
    free(nodes);
    tree_release(&tree);
    tree_release(&later);
}

Test(tree, that_is_extended_knows_its_calls)
{
    extend(false);
    extend(true);
}
