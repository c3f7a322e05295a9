#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/stacks/entries.h"
#include "tree/line_runs.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct nodes nodes;
static struct entries entries;
static struct tree tree;
static uint32_t *tree_nodes;
static uint8_t *flags;

static void set_up(void)
{
    nodes_init(&nodes);
}

static void tear_down(void)
{
    nodes_release(&nodes);
    entries_release(&entries);
    tree_release(&tree);
    free(tree_nodes);
    free(flags);
}

TestSuite(nodes_to_tree, .init = set_up, .fini = tear_down);

/* Site i, on line 5 + i, calls function i. */
static void define(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        nodes_define_function(&nodes, i, (struct event_function){.id = i, .is_lua = true});
        nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 5 + (int32_t)i});
    }
}

static void count(uint32_t node, uint32_t calls, int64_t units)
{
    nodes_touch(&nodes, node);
    nodes.at[node].calls += calls;
    nodes.at[node].self += units;
}

static void end_part(void)
{
    entries_end_part(&entries, &nodes, 0, 0, 1);
}

static void make_tree(double unit_ns)
{
    nodes_number_functions(&nodes);
    nodes_to_tree(&tree, &nodes, unit_ns, &tree_nodes, &flags);
}

Test(nodes_to_tree, the_entries_of_all_parts_add_up_and_have_totals)
{
    enum { LENGTH = 50 };
    uint32_t chain[LENGTH];
    define(LENGTH);
    for (uint32_t i = 0; i < LENGTH; i++)
        chain[i] = nodes_child(&nodes, i == 0 ? NODES_MAIN : chain[i - 1], i);
    for (uint32_t part = 0; part < 3; part++) {
        for (uint32_t i = part; i < LENGTH; i++)
            count(chain[i], i, 1 + part);
        end_part();
    }
    make_tree(10);
    cr_assert_eq(tree.node_count, LENGTH + 1);
    int64_t total_ns = 0;
    for (uint32_t i = LENGTH; i-- > 0;) {
        uint32_t parts = i < 3 ? i + 1 : 3;
        cr_expect_eq(tree_nodes[chain[i]], i + 1);
        cr_expect_eq(tree.calls[i + 1].function, i);
        cr_expect_eq(tree.calls[i + 1].parent, i);
        cr_expect_eq(tree.calls[i + 1].line, i == 0 ? LINE_UNKNOWN : 5 + (int32_t)i);
        cr_expect_eq(tree.call_counts[i + 1], parts * i);
        cr_expect_eq(tree.self_ns[i + 1], 10 * parts * (parts + 1) / 2);
        total_ns += tree.self_ns[i + 1];
        cr_expect_eq(tree.total_ns[i + 1], total_ns);
    }
    cr_expect_eq(tree.total_ns[TREE_ROOT], total_ns);
    cr_expect_null(tree.details);
}

Test(nodes_to_tree, nodes_without_entries_in_or_below_them_are_left_out)
{
    define(4);
    uint32_t above = nodes_child(&nodes, NODES_MAIN, 0), empty = nodes_child(&nodes, above, 1);
    uint32_t used = nodes_child(&nodes, above, 2), below = nodes_child(&nodes, used, 3);
    count(used, 1, 7);
    end_part();
    make_tree(1);
    cr_expect_eq(tree.node_count, 3);
    cr_expect(tree_nodes[empty] == TREE_ROOT && tree_nodes[below] == TREE_ROOT);
    cr_expect_eq(tree.calls[tree_nodes[used]].parent, tree_nodes[above]);
    cr_expect_eq(tree.self_ns[tree_nodes[used]], 7);
    cr_expect_eq(tree.total_ns[tree_nodes[above]], 7);
}

Test(nodes_to_tree, each_node_is_rounded_once)
{
    define(1);
    uint32_t node = nodes_child(&nodes, NODES_MAIN, 0);
    for (int part = 0; part < 3; part++) {
        count(node, 1, 1);
        end_part();
    }
    make_tree(0.4);
    cr_expect_eq(tree.self_ns[1], 1, "and not 0 for each part");
}

Test(nodes_to_tree, a_function_that_is_a_root_of_both_kinds_of_threads_is_one_node)
{
    define(2);
    uint32_t roots[] = {nodes_child(&nodes, NODES_MAIN, 0),
                        nodes_child(&nodes, NODES_COROUTINE, 0)};
    uint32_t child = nodes_child(&nodes, roots[1], 1);
    count(roots[0], 1, 10);
    count(roots[1], 2, 20);
    count(child, 4, 40);
    end_part();
    make_tree(1);
    cr_assert_eq(tree.node_count, 3);
    cr_expect_eq(tree_nodes[roots[0]], tree_nodes[roots[1]]);
    uint32_t root = tree_nodes[roots[0]], below = tree_nodes[child];
    cr_expect(tree.call_counts[root] == 3 && tree.self_ns[root] == 30 && tree.total_ns[root] == 70);
    cr_expect_eq(tree.flags[root], NODE_MAIN | NODE_COROUTINE);
    cr_expect_eq(tree.flags[below], NODE_COROUTINE);
    cr_expect_eq(flags[roots[0]], NODE_MAIN);
    cr_expect_eq(flags[roots[1]], NODE_COROUTINE);
}

/* Functions 2 and 3 are one of the symbols. A call without a line is a tail call if it is Lua's; a
 * C function has no lines, so that 0 is as good as none. */
Test(nodes_to_tree, calls_of_the_same_function_from_the_same_line_are_one_node)
{
    static const struct event_site sites[] = {{0, NO_CALLER}, {1, 20}, {1, 21},      {1, 20},
                                              {2, 20},        {3, 20}, {1, NO_LINE}, {1, NO_CALLER},
                                              {1, 0},         {4, 11}};
    static const struct {
        uint32_t above, a, b;
        bool is_one;
    } pairs[] = {{0, 1, 2, false}, {0, 1, 4, false}, {0, 1, 6, false}, {0, 1, 3, true},
                 {0, 4, 5, true},  {0, 6, 7, true},  {0, 6, 8, false}, {9, 6, 8, true}};
    for (uint32_t i = 0; i < 5; i++)
        nodes_define_function(&nodes, i,
                              (struct event_function){.id = i == 3 ? 2 : i, .is_lua = i != 4});
    for (uint32_t i = 0; i < sizeof sites / sizeof sites[0]; i++)
        nodes_define_site(&nodes, i, sites[i]);
    uint32_t nodes_of[sizeof pairs / sizeof pairs[0]][2];
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint32_t root = nodes_child(&nodes, NODES_MAIN, 0);
        uint32_t above = pairs[i].above == 0 ? root : nodes_child(&nodes, root, pairs[i].above);
        nodes_of[i][0] = nodes_child(&nodes, above, pairs[i].a);
        nodes_of[i][1] = nodes_child(&nodes, above, pairs[i].b);
        count(nodes_of[i][0], 1, 1);
        count(nodes_of[i][1], 1, 1);
    }
    end_part();
    make_tree(1);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        cr_expect_eq(tree_nodes[nodes_of[i][0]] == tree_nodes[nodes_of[i][1]], pairs[i].is_one,
                     "pair %zu", i);
}

Test(nodes_to_tree, a_line_is_part_of_its_call)
{
    define(3);
    uint32_t node = nodes_child(&nodes, NODES_MAIN, 0), line = nodes_line(&nodes, node, 1);
    uint32_t child = nodes_child(&nodes, line, 2);
    count(node, 1, 5);
    count(line, 0, 30);
    nodes_count_run(&nodes, line, true);
    count(child, 1, 100);
    end_part();
    make_tree(1);
    cr_assert_eq(tree.node_count, 3);
    cr_expect_eq(tree_nodes[line], tree_nodes[node]);
    cr_expect_eq(tree.calls[tree_nodes[child]].parent, tree_nodes[node]);
    cr_expect(tree.self_ns[1] == 35 && tree.call_counts[1] == 1 && tree.total_ns[1] == 135);
    /* Its events have a cost. */
    const struct line_run *runs = line_runs_find(tree.lines, 1, 0);
    cr_assert_not_null(runs);
    cr_expect_eq(runs->runs, 1);
}

Test(nodes_to_tree, what_moved_counts_where_it_was_moved_to)
{
    define(3);
    uint32_t caller = nodes_child(&nodes, NODES_MAIN, 0);
    uint32_t open = nodes_child(&nodes, caller, 1 | 1u << SITE_OPEN_SHIFT);
    count(caller, 1, 1);
    count(open, 1, 10);
    end_part();
    count(open, 1, 20);
    uint32_t target = nodes_child(&nodes, caller, 1);
    nodes_move(&nodes, &(uint32_t){open}, 1, target);
    end_part();
    make_tree(1);
    cr_assert_eq(tree.node_count, 3);
    cr_expect_eq(tree_nodes[open], TREE_ROOT);
    cr_expect_eq(tree.call_counts[tree_nodes[target]], 2);
    cr_expect_eq(tree.self_ns[tree_nodes[target]], 30);
}

Test(nodes_to_tree, the_recorder_s_calls_are_left_out_with_what_is_below_them)
{
    define(3);
    nodes_define_function(&nodes, 3,
                          (struct event_function){.id = 3, .is_lua = true, .calibrates = true});
    nodes_define_site(&nodes, 3, (struct event_site){.function = 3, .line = 9});
    uint32_t thread = nodes_child(&nodes, NODES_COROUTINE, 0);
    uint32_t calibrator = nodes_child(&nodes, thread, 3);
    uint32_t called = nodes_child(&nodes, calibrator, 1);
    uint32_t other = nodes_child(&nodes, NODES_MAIN, 2);
    const uint32_t all[] = {thread, calibrator, called, other};
    for (int i = 0; i < 4; i++)
        count(all[i], 1, 1);
    end_part();
    make_tree(1);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(tree_nodes[all[i]], TREE_ROOT);
    cr_expect_neq(tree_nodes[other], TREE_ROOT);
    cr_expect_eq(tree.node_count, 2);
}

/* Recorders before whole ticks had a function between their thread and the calibrating one. */
Test(nodes_to_tree, a_thread_of_the_recorder_s_file_is_left_out_over_one_more_function)
{
    for (int is_beside = 0; is_beside < 2; is_beside++) {
        define(1);
        for (uint32_t i = 1; i < 4; i++) {
            nodes_define_function(&nodes, i,
                                  (struct event_function){.id = i,
                                                          .is_lua = true,
                                                          .calibrates = i == 3,
                                                          .is_beside = i != 1 || is_beside == 1});
            nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 9});
        }
        uint32_t thread = nodes_child(&nodes, NODES_COROUTINE, 1);
        uint32_t calibrator = nodes_child(&nodes, nodes_child(&nodes, thread, 2), 3);
        count(thread, 1, 1);
        count(calibrator, 1, 1);
        end_part();
        make_tree(1);
        cr_expect_eq(tree_nodes[thread] == TREE_ROOT, is_beside == 1);
        cr_expect_eq(tree_nodes[calibrator], TREE_ROOT);
        tear_down();
        set_up();
    }
}

/* The recorder starts and stops itself in a thread of its own; people do it from chunks of theirs.
 */
Test(nodes_to_tree, what_starts_the_recorder_is_left_out_and_what_people_call_it_from_is_not)
{
    define(2);
    nodes_define_function(&nodes, 2, (struct event_function){.id = 2, .is_beside = true});
    nodes_define_function(&nodes, 3,
                          (struct event_function){.id = 3, .is_beside = true, .is_command = true});
    for (uint32_t i = 2; i < 4; i++)
        nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 9});
    uint32_t timer = nodes_child(&nodes, NODES_COROUTINE, 2);
    uint32_t waits = nodes_child(&nodes, timer, 1);
    uint32_t chunk = nodes_child(&nodes, NODES_MAIN, 0);
    const uint32_t all[] = {timer, waits, nodes_child(&nodes, timer, 3),
                            nodes_child(&nodes, chunk, 3), chunk};
    for (int i = 0; i < 5; i++)
        count(all[i], 1, 1);
    end_part();
    make_tree(1);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(tree_nodes[all[i]], TREE_ROOT);
    cr_expect_neq(tree_nodes[chunk], TREE_ROOT);
}

/* 1, a C function, is called by 0, and calls 2, which calls itself and 1. */
Test(nodes_to_tree, calls_by_c_are_of_another_kind)
{
    static const uint8_t kinds[] = {CALL_OF_LUA, CALL_OF_C, CALL_OF_LUA_BY_C, CALL_OF_LUA,
                                    CALL_OF_C};
    static const uint32_t functions[] = {0, 1, 2, 2, 1};
    define(3);
    nodes_define_function(&nodes, 1, (struct event_function){.id = 1});
    uint32_t chain[5];
    for (int i = 0; i < 5; i++) {
        chain[i] = nodes_child(&nodes, i == 0 ? NODES_MAIN : chain[i - 1], functions[i]);
        count(chain[i], 1, 1);
    }
    end_part();
    make_tree(1);
    uint8_t *found = nodes_call_kinds(&nodes, &tree);
    for (int i = 0; i < 5; i++)
        cr_expect_eq(found[tree_nodes[chain[i]]], kinds[i], "node %d", i);
    free(found);
}

Test(nodes_to_tree, of_no_entries_is_an_empty_tree)
{
    define(1);
    nodes_child(&nodes, NODES_MAIN, 0);
    make_tree(1);
    cr_expect_eq(tree.node_count, 1);
    cr_expect_eq(tree.total_ns[TREE_ROOT], 0);
}
