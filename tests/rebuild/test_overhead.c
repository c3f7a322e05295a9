#include "read/frames.h"
#include "rebuild/ending/overhead.h"
#include "tree/line_runs.h"
#include "tree/tree_builder.h"

#include <criterion/criterion.h>

enum { A, B, C, NEXT };

static const uint8_t kinds_of_functions[] = {
    [A] = CALL_OF_LUA, [B] = CALL_OF_LUA, [C] = CALL_OF_LUA, [NEXT] = CALL_OF_C};

static const struct call_costs costs = {
    .is_known = true,
    .in_ns = {[CALL_OF_LUA] = 10, [CALL_OF_C] = 5},
    .out_ns = {[CALL_OF_LUA] = 20, [CALL_OF_C] = 2},
    .in_error_ns = {[CALL_OF_LUA] = 1, [CALL_OF_C] = 0.5},
    .out_error_ns = {[CALL_OF_LUA] = 0.25, [CALL_OF_C] = 0.125},
};

static struct tree_builder builder; /* until finish() */
static struct tree tree;
static struct overhead_sums sums;

static void set_up(void)
{
    tree_builder_init(&builder, true);
}

static void tear_down(void)
{
    tree_release(&tree);
}

TestSuite(overhead, .init = set_up, .fini = tear_down);

static uint32_t add(uint32_t parent, uint32_t function, uint64_t calls, int64_t self_ns)
{
    uint32_t node = tree_builder_child(&builder, parent, function, LINE_UNKNOWN);
    struct node_values values = {
        .calls = calls, .self_ns = self_ns, .flags = NODE_SEEN | NODE_MAIN};
    tree_builder_add(&builder, node, values);
    return node;
}

static const uint8_t *kinds_of_nodes(void)
{
    static uint8_t kinds[1024];
    cr_assert_leq(tree.node_count, sizeof kinds);
    for (uint32_t node = 1; node < tree.node_count; node++)
        kinds[node] = kinds_of_functions[tree.calls[node].function];
    return kinds;
}

static void remove_costs(void)
{
    tree_builder_finish(&builder, &tree);
    overhead_remove(&tree, kinds_of_nodes(), &costs, &sums);
}

static void expect_times(uint32_t node, int64_t self_ns, int64_t total_ns)
{
    cr_expect_eq(tree.self_ns[node], self_ns, "node %u: self %ld", node, (long)tree.self_ns[node]);
    cr_expect_eq(tree.total_ns[node], total_ns, "node %u: total %ld", node,
                 (long)tree.total_ns[node]);
}

static void expect_sums(double measured_ns, double removed_ns, double clamped_ns)
{
    cr_expect_float_eq(sums.measured_ns, measured_ns, 1e-6, "%g", sums.measured_ns);
    cr_expect_float_eq(sums.removed_ns, removed_ns, 1e-6, "%g", sums.removed_ns);
    cr_expect_float_eq(sums.clamped_ns, clamped_ns, 1e-6, "%g", sums.clamped_ns);
}

/* A calls B ten times, which call next a hundred times. */
static void add_small_tree(void)
{
    uint32_t a = add(TREE_ROOT, A, 1, 1000);
    uint32_t b = add(a, B, 10, 500);
    add(b, NEXT, 100, 3000);
}

Test(overhead, is_taken_from_the_callee_and_from_its_caller)
{
    add_small_tree();
    remove_costs();
    expect_times(1, 1000 - 10 - 10 * 20, 3490);
    expect_times(2, 500 - 10 * 10 - 100 * 2, 2700);
    expect_times(3, 3000 - 100 * 5, 2500);
    expect_times(TREE_ROOT, 0, 3490);
    expect_sums(4500, 1010, 0);
}

Test(overhead, leaves_calls_as_they_are)
{
    add_small_tree();
    remove_costs();
    cr_expect_eq(tree.call_counts[1], 1);
    cr_expect_eq(tree.call_counts[2], 10);
    cr_expect_eq(tree.call_counts[3], 100);
}

Test(overhead, that_a_node_lacks_is_taken_from_the_others_of_its_function)
{
    uint32_t a = add(TREE_ROOT, A, 1, 10000);
    uint32_t c = add(a, C, 1, 10000);
    uint32_t lucky = add(TREE_ROOT, B, 11, 700);
    uint32_t poor = add(a, B, 15, 60); /* lacks 90 */
    uint32_t other = add(c, B, 10, 400);
    remove_costs();
    /* 590 and 300 are left, and 90 is taken in that proportion. */
    expect_times(poor, 0, 0);
    cr_expect_eq(tree.self_ns[lucky] + tree.self_ns[other], 1160 - 360);
    cr_expect_float_eq((double)tree.self_ns[lucky], 590 - 90 * 590.0 / 890, 1);
    cr_expect_float_eq((double)tree.self_ns[other], 300 - 90 * 300.0 / 890, 1);
    expect_times(a, 10000 - 10 - 16 * 20, 10000 - 10 - 16 * 20 + tree.total_ns[c]);
    expect_times(c, 10000 - 10 - 10 * 20, 9790 + tree.self_ns[other]);
    cr_expect_float_eq(sums.clamped_ns, 0, 1e-6);
}

Test(overhead, takes_no_more_than_there_is)
{
    uint32_t a = add(TREE_ROOT, A, 1, 10000);
    add(TREE_ROOT, B, 1, 30); /* 20 are left */
    add(a, B, 15, 60);        /* 90 are lacking */
    remove_costs();
    expect_times(2, 0, 0);
    expect_times(3, 0, 0);
    expect_times(a, 10000 - 10 - 15 * 20, 9690);
    expect_sums(10090, 400, 70);
}

Test(overhead, takes_nothing_from_other_functions)
{
    uint32_t a = add(TREE_ROOT, A, 1, 5000);
    add(a, NEXT, 100, 0);
    add(a, B, 1, 1000);
    remove_costs();
    expect_times(2, 0, 0);
    expect_times(3, 990, 990);
    expect_times(a, 5000 - 10 - 200 - 20, 4770 + 990);
    expect_sums(6000, 240, 500);
}

Test(overhead, keeps_negative_self_times)
{
    /* As logs of delins' profiler have them: the cost is taken from the function's other nodes. */
    uint32_t a = add(TREE_ROOT, A, 1, 5000);
    uint32_t negative = add(a, B, 5, -100);
    uint32_t other = add(TREE_ROOT, B, 10, 1000);
    add(a, C, 3, -40);
    remove_costs();
    expect_times(negative, -100, -100);
    expect_times(other, 1000 - 100 - 50, 850);
    expect_times(4, -40, -40);
    expect_times(a, 5000 - 10 - 160, 4830 - 140);
    expect_times(TREE_ROOT, 0, 4690 + 850);
    expect_sums(5860, 320, 30);
}

Test(overhead, is_rounded_so_that_totals_are_sums)
{
    uint32_t parent = TREE_ROOT;
    for (uint32_t i = 0; i < 1000; i++) {
        parent = add(parent, i % 3, i % 7, i * 13 % 101);
        if (i % 10 == 0)
            parent = TREE_ROOT;
    }
    static const struct call_costs odd = {
        .is_known = true, .in_ns = {3.37, 1.49}, .out_ns = {2.51, 0.77}};
    tree_builder_finish(&builder, &tree);
    overhead_remove(&tree, kinds_of_nodes(), &odd, &sums);
    int64_t self_ns = 0;
    for (uint32_t node = 0; node < tree.node_count; node++) {
        cr_expect_geq(tree.self_ns[node], 0);
        self_ns += tree.self_ns[node];
    }
    cr_expect_eq(tree.total_ns[TREE_ROOT], self_ns);
    cr_expect_float_eq(sums.measured_ns - sums.removed_ns, (double)self_ns, 1e-6);
    cr_expect_gt(sums.clamped_ns, 0);
}

Test(overhead, that_is_not_known_is_nothing)
{
    add_small_tree();
    tree_builder_finish(&builder, &tree);
    const struct call_costs unknown = {.in_ns = {100, 100}};
    overhead_remove(&tree, kinds_of_nodes(), &unknown, &sums);
    expect_times(1, 1000, 4500);
    expect_times(2, 500, 3500);
    expect_times(3, 3000, 3000);
    expect_sums(4500, 0, 0);
}

Test(overhead, of_nothing_is_nothing)
{
    remove_costs();
    expect_times(TREE_ROOT, 0, 0);
    expect_sums(0, 0, 0);
}

Test(overhead, may_be_taken_from_a_tree_without_details)
{
    tree_builder_release(&builder);
    tree_builder_init(&builder, false);
    add_small_tree();
    remove_costs();
    expect_times(1, 790, 3490);
    cr_expect_null(tree.details);
}

/* A record may say 10^15 calls; the sanitizers watch. */
Test(overhead, takes_out_costs_that_cannot_be_counted)
{
    enum { NODES = 100 };
    uint32_t first = add(TREE_ROOT, A, UINT64_C(1000000000000000000), INT64_MAX / 4);
    for (int i = 0; i < NODES; i++)
        add(i == 0 ? first : first + (uint32_t)i, B, UINT64_C(1000000000000000000),
            i % 2 == 0 ? INT64_MAX / 400 : -INT64_MAX / 400);
    remove_costs();
    expect_times(first, 0, tree.total_ns[first]);
    expect_times(first + 1, 0, tree.total_ns[first + 1]);
    expect_times(first + 2, -INT64_MAX / 400, tree.total_ns[first + 2]);
}

/* The sum of these costs has no number; a function without any keeps its time. */
Test(overhead, takes_all_there_is_for_more_calls_than_can_be)
{
    const struct call_costs most = {.is_known = true, .in_ns = {1e6, 1e6}, .out_ns = {1e6, 1e6}};
    const uint64_t calls = 4 * (uint64_t)1000000000000;
    uint32_t b[3], above = TREE_ROOT;
    for (int i = 0; i < 2; i++)
        b[i] = above = add(above, B, calls, 70);
    uint32_t a = add(TREE_ROOT, A, 0, 20);
    b[2] = add(a, B, 0, 100);
    uint32_t c = add(TREE_ROOT, C, 0, 30);
    add(c, NEXT, UINT64_MAX / 2, 0);
    tree_builder_finish(&builder, &tree);
    overhead_remove(&tree, kinds_of_nodes(), &most, &sums);
    for (int i = 0; i < 3; i++)
        expect_times(b[i], 0, 0);
    expect_times(c, 0, 0);
    expect_times(a, 20, 20);
    expect_sums(290, 270, sums.clamped_ns);
    cr_expect(sums.clamped_ns > 0);
}

/* ------------------------------------------------- of a tree of what is left of a part */

static void describe(double measured_ns)
{
    tree_builder_finish(&builder, &tree);
    overhead_finish(&tree, kinds_of_nodes(), &costs, NULL, measured_ns, &sums);
}

/* The longest and the shortest are without costs, their sum is not. */
static void set_durations(uint32_t node, uint64_t finished, int64_t finished_ns, int64_t min_ns,
                          int64_t max_ns)
{
    struct call_details *details = &builder.tree.details[node];
    *details = call_details_none();
    details->finished = finished;
    details->finished_ns = finished_ns;
    details->min_ns = min_ns;
    details->max_ns = max_ns;
}

static void expect_durations(uint32_t node, int64_t finished_ns, int64_t min_ns, int64_t max_ns)
{
    const struct call_details *details = &tree.details[node];
    cr_expect_eq(details->finished_ns, finished_ns, "node %u: %ld", node,
                 (long)details->finished_ns);
    cr_expect_eq(details->min_ns, min_ns, "node %u: %ld", node, (long)details->min_ns);
    cr_expect_eq(details->max_ns, max_ns, "node %u: %ld", node, (long)details->max_ns);
}

Test(overhead, of_a_part_is_what_is_missing_and_leaves_the_times)
{
    add_small_tree();
    describe(5000);
    expect_times(1, 1000, 4500);
    expect_times(2, 500, 3500);
    /* All calls of the part cost 1010. */
    expect_sums(5000, 500, 510);
}

Test(overhead, of_a_part_is_nothing_where_rounding_leaves_more_than_was_measured)
{
    add_small_tree();
    describe(4499);
    expect_sums(4500, 0, 1010);
    /* And where there is none, all of the difference is rounding. */
    const struct call_costs unknown = {0};
    overhead_finish(&tree, kinds_of_nodes(), &unknown, NULL, 4502, &sums);
    expect_sums(4500, 0, 0);
}

Test(overhead, of_all_calls_inside_is_taken_from_the_sum_of_durations)
{
    add_small_tree();
    set_durations(1, 1, 4500, 3490, 3490);
    set_durations(2, 10, 3500, 76, 750);
    set_durations(3, 100, 3000, 5, 95);
    describe(4500);
    /* As long as its longest. */
    expect_durations(1, 3490, 3490, 3490);
    /* A call of next costs 7 in all. */
    expect_durations(2, 3500 - 10 * 10 - 100 * 7, 76, 750);
    expect_durations(3, 2500, 5, 95);
}

Test(overhead, is_taken_from_durations_as_far_as_calls_finished)
{
    add_small_tree();
    set_durations(2, 5, 2000, 220, 420);
    describe(4500);
    expect_durations(2, 2000 - 5 * 10 - 100 * 7 / 2, 220, 420);
    /* None did. */
    expect_durations(1, 0, INT64_MAX, -1);
    expect_durations(3, 0, INT64_MAX, -1);
}

Test(overhead, leaves_the_mean_duration_between_the_shortest_and_the_longest)
{
    add_small_tree();
    set_durations(2, 10, 300, 0, 150);
    set_durations(3, 100, 400, 2, 4);
    describe(4500);
    expect_durations(2, 0, 0, 150);
    expect_durations(3, 2 * 100, 2, 4);
}

Test(overhead, leaves_the_mean_duration_no_longer_than_the_longest)
{
    add_small_tree();
    set_durations(3, 100, 9000, 2, 4);
    describe(4500);
    expect_durations(3, 4 * 100, 2, 4);
}

Test(overhead, leaves_the_mean_duration_where_all_calls_returned_as_the_total_by_them)
{
    add_small_tree();
    set_durations(2, 10, 7000, 76, 300);
    set_durations(3, 100, 6000, 40, 95);
    builder.tree.details[2].measured_ns = 1000;
    builder.tree.details[3].measured_ns = 6000;
    describe(4500);
    /* 3,500 by 10 calls, which the longest cannot be below; 3,000 by 100, nor the shortest above.
     */
    expect_durations(2, 3500, 76, 350);
    expect_durations(3, 3000, 30, 95);
}

Test(overhead, leaves_the_mean_duration_to_calls_that_returned_where_another_took_time)
{
    add_small_tree();
    set_durations(3, 100, 3000, 5, 95);
    builder.tree.details[3].measured_ns = 6000;
    describe(4500);
    expect_durations(3, 2500, 5, 95);
}

/* B is called from line 7. The lines begin with what was measured. */
Test(overhead, of_its_events_and_calls_is_taken_from_a_line)
{
    uint32_t a = add(TREE_ROOT, A, 2, 100);
    uint32_t b = tree_builder_child(&builder, a, B, 7);
    tree_builder_add(&builder, b, (struct node_values){.calls = 3, .self_ns = 50});
    tree_builder_finish(&builder, &tree);
    line_runs_add(
        &tree.lines,
        (struct line_run){
            .node = a, .line = 6, .runs = 4, .begins = 2, .self_ns = 40 + 4 * 5 + 2 * 10});
    line_runs_add(
        &tree.lines,
        (struct line_run){.node = a, .line = 7, .runs = 3, .self_ns = 60 + 3 * 5 + 3 * 20});
    overhead_finish(&tree, kinds_of_nodes(), &costs, NULL, 160, &sums);
    cr_expect_eq(line_runs_find(tree.lines, a, 6)->self_ns, 40);
    cr_expect_eq(line_runs_find(tree.lines, a, 7)->self_ns, 60);
    /* 7 events of lines cost 35, 2 calls of A 20, 3 of B 30 and, in A, 60. */
    expect_sums(160, 10, 145 - 10);
    cr_expect_eq(line_runs_find(tree.lines, a, 6)->begins, 0);
}

Test(overhead, of_lines_leaves_them_with_all_of_the_self_time)
{
    uint32_t a = add(TREE_ROOT, A, 0, 101);
    tree_builder_finish(&builder, &tree);
    for (int32_t line = 1; line <= 3; line++)
        line_runs_add(
            &tree.lines,
            (struct line_run){.node = a, .line = line, .runs = 1, .self_ns = 5 + 10 * line});
    overhead_finish(&tree, kinds_of_nodes(), &costs, NULL, 1000, &sums);
    int64_t sum_ns = 0;
    for (int32_t line = 1; line <= 3; line++) {
        int64_t self_ns = line_runs_find(tree.lines, a, line)->self_ns;
        cr_expect_float_eq((double)self_ns, 101 * line / 6.0, 1);
        sum_ns += self_ns;
    }
    cr_expect_eq(sum_ns, 101);
}

Test(overhead, has_the_error_that_the_calls_have)
{
    add_small_tree();
    describe(4500);
    cr_expect_float_eq(tree.details[1].cost_error_ns, 1 * 1 + 10 * 0.25, 1e-9);
    cr_expect_float_eq(tree.details[2].cost_error_ns, 10 * 1 + 100 * 0.125, 1e-9);
    cr_expect_float_eq(tree.details[3].cost_error_ns, 100 * 0.5, 1e-9);
}
