#include "rebuild/stacks/nodes.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct nodes nodes;

/* Functions 0 (Lua), 1 (C), 2 (the calibrating one); sites 0 ... 99 call function 0. */
enum { SITE_COUNT = 100, SITE_OF_C = 100, SITE_OF_CALIBRATOR = 101 };

static void define(void)
{
    nodes_define_function(&nodes, 0, (struct event_function){.id = 7, .is_lua = true});
    nodes_define_function(&nodes, 1, (struct event_function){.id = 8});
    nodes_define_function(&nodes, 2,
                          (struct event_function){.id = 9, .is_lua = true, .calibrates = true});
    for (uint32_t site = 0; site < SITE_COUNT; site++)
        nodes_define_site(&nodes, site, (struct event_site){.function = 0, .line = 10});
    nodes_define_site(&nodes, SITE_OF_C, (struct event_site){.function = 1, .line = 10});
    nodes_define_site(&nodes, SITE_OF_CALIBRATOR, (struct event_site){.function = 2, .line = 10});
}

static void set_up(void)
{
    nodes_init(&nodes);
    define();
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

TestSuite(nodes, .init = set_up, .fini = tear_down);

/* Counts a call as rebuild.c does. */
static void call(uint32_t node, int64_t units)
{
    if (!nodes_is_touched(&nodes, node))
        nodes_touch(&nodes, node);
    nodes.at[node].calls++;
    nodes.at[node].self += units;
}

Test(nodes, begin_with_the_unattributed_node_and_the_parents_of_roots)
{
    cr_expect_eq(nodes.count, NODES_FIRST);
    for (uint32_t node = 0; node < NODES_FIRST; node++) {
        cr_expect_eq(nodes.at[node].self, 0);
        cr_expect_eq(nodes.at[node].calls, 0);
        cr_expect_eq(nodes.at[node].duration_max, -1);
    }
}

Test(nodes, find_a_child_again)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, 0);
    uint32_t b = nodes_child(&nodes, a, 1);
    uint32_t c = nodes_child(&nodes, a, 2);
    uint32_t d = nodes_child(&nodes, NODES_COROUTINE, 0);
    cr_expect(a >= NODES_FIRST && b > a && c > a && b != c && d != a);
    cr_expect_eq(nodes_child(&nodes, a, 1), b);
    cr_expect_eq(nodes_child(&nodes, a, 1), b);
    cr_expect_eq(nodes_child(&nodes, a, 2), c);
    cr_expect_eq(nodes_child(&nodes, NODES_MAIN, 0), a);
    cr_expect_eq(nodes_child(&nodes, NODES_COROUTINE, 0), d);
    cr_expect_eq(nodes_child(&nodes, a, 1 | 1u << SITE_OPEN_SHIFT) == b, false);
    cr_expect_eq(nodes_child(&nodes, a, 1), b);
    cr_expect_eq(nodes.at[c].parent, a);
    cr_expect_eq(nodes.at[c].site, 2);
}

/* The cost of the loop over events is that of lines of the cache. */
Test(nodes, are_each_in_one_line_of_the_cache)
{
    uint32_t last = NODES_MAIN;
    for (uint32_t i = 0; i < 5000; i++) {
        last = nodes_child(&nodes, last, i % SITE_COUNT);
        cr_assert_eq((uintptr_t)&nodes.at[last] % 64, 0);
        cr_assert_eq(nodes.at[last].site, i % SITE_COUNT);
    }
    for (uint32_t i = 5000; i-- > 0; last = nodes.at[last].parent)
        cr_assert_eq(nodes.at[last].site, i % SITE_COUNT);
    cr_assert_eq(last, NODES_MAIN);
}

static uint32_t guess(uint32_t parent, uint32_t site)
{
    bool is_watched = false;
    uint32_t child = nodes_guess_child(&nodes, parent, site, &is_watched);
    cr_expect_eq(is_watched, child != NODES_UNATTRIBUTED && nodes_is_watched(&nodes, child));
    return child;
}

Test(nodes, guess_a_child_only_where_it_is_one)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, 0);
    uint32_t other = nodes_child(&nodes, NODES_COROUTINE, 0);
    uint32_t of_a[3];
    for (uint32_t site = 0; site < 3; site++)
        of_a[site] = nodes_child(&nodes, a, site);
    uint32_t count = nodes.count;
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t site = i * i % 3;
        cr_expect_eq(guess(a, site), of_a[site]);
        /* The same sites of another node. */
        cr_expect_eq(guess(other, site), NODES_UNATTRIBUTED);
        cr_expect_eq(guess(a, 3), NODES_UNATTRIBUTED);
    }
    cr_expect_eq(guess(NODES_MAIN, 0), a);
    cr_expect_eq(guess(NODES_COROUTINE, 0), other);
    cr_expect_eq(nodes.count, count);
}

Test(nodes, find_a_hundred_thousand_children_again)
{
    enum { PARENTS = 1000 };
    uint32_t *found = calloc(PARENTS * SITE_COUNT, sizeof *found);
    uint32_t parent = NODES_MAIN;
    for (uint32_t i = 0; i < PARENTS; i++) {
        for (uint32_t site = 0; site < SITE_COUNT; site++)
            found[i * SITE_COUNT + site] = nodes_child(&nodes, parent, site);
        parent = found[i * SITE_COUNT + i % SITE_COUNT];
    }
    cr_assert_eq(nodes.count, NODES_FIRST + PARENTS * SITE_COUNT);
    parent = NODES_MAIN;
    for (uint32_t i = 0; i < PARENTS; i++) {
        for (uint32_t site = 0; site < SITE_COUNT; site++) {
            uint32_t child = found[i * SITE_COUNT + site];
            cr_assert_eq(nodes_child(&nodes, parent, site), child);
            cr_assert_eq(guess(parent, site), child);
            cr_assert_eq(nodes.at[child].parent, parent);
            cr_assert_lt(parent, child);
        }
        parent = found[i * SITE_COUNT + i % SITE_COUNT];
    }
    cr_expect_eq(nodes.count, NODES_FIRST + PARENTS * SITE_COUNT);
    free(found);
}

Test(nodes, know_their_function)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, 5);
    uint32_t b = nodes_child(&nodes, a, SITE_OF_C | 1u << SITE_OPEN_SHIFT);
    cr_expect_eq(nodes_function(&nodes, a)->id, 7);
    cr_expect_eq(nodes_function(&nodes, b)->id, 8);
    cr_expect_eq(nodes_kind(&nodes, a), CALL_OF_LUA);
    cr_expect_eq(nodes_kind(&nodes, b), CALL_OF_C);
}

Test(nodes, keep_the_shortest_and_the_longest_call)
{
    struct node node = {.duration_min = INT64_MAX, .duration_max = -1};
    node_add_duration(&node, 5, 1);
    node_add_duration(&node, 9, 4);
    node_add_duration(&node, 0, 2);
    node_add_duration(&node, 9, 7);
    cr_expect_eq(node.duration_sum, 23);
    cr_expect(node.duration_min == 0 && node.min_calls == 2);
    cr_expect(node.duration_max == 9 && node.max_calls == 4);
}

/* Takes the counts of all touched nodes, as the end of a part does. Returns their sum. */
static struct entry_counts take_part(void)
{
    struct entry_counts sum = {0};
    for (size_t i = 0; i < nodes.touched_count; i++) {
        struct entry_counts counts = nodes_take_counts(&nodes, nodes.touched[i]);
        sum.units += counts.units;
        sum.calls += counts.calls;
        sum.returned += counts.returned;
        sum.errors += counts.errors;
        sum.memory_kb += counts.memory_kb;
        sum.runs += counts.runs;
    }
    nodes.touched_count = 0;
    nodes.part++;
    return sum;
}

Test(nodes, list_what_was_touched_in_a_part)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, 0);
    uint32_t b = nodes_child(&nodes, a, 1);
    call(a, 10);
    call(b, 20);
    call(a, 30);
    cr_assert_eq(nodes.touched_count, 2);
    cr_expect_eq(nodes.touched[0], a);
    cr_expect_eq(nodes.touched[1], b);
    take_part();
    cr_expect_not(nodes_is_touched(&nodes, a) || nodes_is_touched(&nodes, b));
    call(b, 1);
    call(b, 1);
    cr_assert_eq(nodes.touched_count, 1);
    cr_expect_eq(nodes.touched[0], b);
}

Test(nodes, of_the_calibration_are_touched_at_every_event_and_listed_once)
{
    uint32_t calibrator = nodes_child(&nodes, NODES_MAIN, SITE_OF_CALIBRATOR);
    uint32_t child = nodes_child(&nodes, calibrator, SITE_OF_C);
    uint32_t below = nodes_child(&nodes, child, 0);
    for (int tick = 0; tick < 3; tick++) {
        call(child, 1);
        call(child, 1);
        call(calibrator, 1);
        call(below, 1);
        cr_expect(nodes_is_watched(&nodes, child));
        cr_expect(nodes_is_watched(&nodes, calibrator));
        cr_expect(!nodes_is_watched(&nodes, below));
        /* What is watched is never guessed without saying so. */
        for (int i = 0; i < 3; i++)
            cr_expect_eq(guess(calibrator, SITE_OF_C), child);
        cr_expect_eq(nodes.touched_count, 3);
        take_part();
    }
}

Test(nodes, give_what_they_counted_in_a_part_once)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, 0);
    uint32_t line = nodes_line(&nodes, a, 1);
    call(a, 10);
    call(a, 20);
    node_add_duration(&nodes.at[a], 7, 2);
    node_add_duration(&nodes.at[a], 9, 3);
    nodes_count_error(&nodes, a);
    nodes_count_memory(&nodes, a, 5);
    nodes_touch(&nodes, line);
    nodes_count_run(&nodes, line, true);
    nodes_count_run(&nodes, line, false);
    struct entry_counts counts = nodes_take_counts(&nodes, a);
    cr_expect(counts.calls == 2 && counts.units == 30);
    cr_expect(counts.returned == 2 && counts.duration_sum == 16);
    cr_expect(counts.shortest == 7 && counts.shortest_calls == 2);
    cr_expect(counts.longest == 9 && counts.longest_calls == 3);
    cr_expect(counts.errors == 1 && counts.memory_kb == 5 && counts.runs == 0);
    counts = nodes_take_counts(&nodes, line);
    cr_expect(counts.calls == 0 && counts.runs == 2 && counts.begins == 1);

    const uint32_t taken[] = {a, line};
    for (int i = 0; i < 2; i++) {
        counts = nodes_take_counts(&nodes, taken[i]);
        cr_expect(counts.calls == 0 && counts.units == 0 && counts.returned == 0);
        cr_expect(counts.duration_sum == 0 && counts.shortest == INT64_MAX && counts.longest == -1);
        cr_expect(counts.errors == 0 && counts.memory_kb == 0);
        cr_expect(counts.runs == 0 && counts.begins == 0);
    }
}

/* Frames that waited claim it: it is that of the whole recording. */
Test(nodes, keep_what_passes_without_a_frame)
{
    nodes_touch(&nodes, NODES_UNATTRIBUTED);
    nodes.at[NODES_UNATTRIBUTED].self += 7;
    nodes_count_memory(&nodes, NODES_UNATTRIBUTED, 6);
    take_part();
    cr_expect_eq(nodes.at[NODES_UNATTRIBUTED].self, 7);
    cr_expect_eq(nodes_known_origin(&nodes, NODES_UNATTRIBUTED)->memory_kb, 6);
}

/* A root that was counted below the frame that may have called it: see SITE_IS_OPEN. */
struct open_root {
    uint32_t caller, root, child, grandchild;
    uint32_t list[3];
};

static struct open_root add_open_root(void)
{
    struct open_root open;
    open.caller = nodes_child(&nodes, NODES_MAIN, 0);
    open.root = nodes_child(&nodes, open.caller, 1 | 1u << SITE_OPEN_SHIFT);
    open.child = nodes_child(&nodes, open.root, 2);
    open.grandchild = nodes_child(&nodes, open.child, SITE_OF_C);
    open.list[0] = open.root;
    open.list[1] = open.child;
    open.list[2] = open.grandchild;
    for (int i = 0; i < 3; i++) {
        nodes_origin(&nodes, open.list[i])->is_listed = true;
        call(open.list[i], 10 << i);
        node_add_duration(&nodes.at[open.list[i]], 100 << i, (uint32_t)i);
    }
    nodes_origin(&nodes, open.child)->errors = 3;
    nodes_origin(&nodes, open.grandchild)->memory_kb = 6;
    return open;
}

Test(nodes, are_moved_with_all_that_was_counted)
{
    struct open_root open = add_open_root();
    uint32_t target = nodes_child(&nodes, NODES_MAIN, 1);
    nodes_move(&nodes, open.list, 3, target);
    uint32_t child = nodes_child(&nodes, target, 2);
    uint32_t grandchild = nodes_child(&nodes, child, SITE_OF_C);
    const uint32_t moved[] = {target, child, grandchild};
    const uint32_t before[] = {open.root, open.child, open.grandchild};
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(open.list[i], moved[i]);
        cr_expect_eq(nodes.at[moved[i]].calls, 1);
        cr_expect_eq(nodes.at[moved[i]].self, 10 << i);
        cr_expect_eq(nodes.at[moved[i]].duration_sum, (uint64_t)100 << i);
        cr_expect_eq(nodes.at[moved[i]].duration_min, 100 << i);
        cr_expect_eq(nodes.at[moved[i]].max_calls, (uint32_t)i);
        cr_expect_not(nodes_known_origin(&nodes, moved[i])->is_listed);
        cr_expect_not(nodes_known_origin(&nodes, before[i])->is_listed);
        cr_expect_eq(nodes.at[before[i]].calls, 0);
        cr_expect_eq(nodes.at[before[i]].self, 0);
        cr_expect_eq(nodes.at[before[i]].duration_max, -1);
    }
    cr_expect_eq(nodes_known_origin(&nodes, child)->errors, 3);
    cr_expect_eq(nodes_known_origin(&nodes, grandchild)->memory_kb, 6);
    cr_expect_eq(nodes_known_origin(&nodes, open.child)->errors, 0);
    cr_expect_eq(nodes_known_origin(&nodes, open.grandchild)->memory_kb, 0);
    cr_expect_lt(child, grandchild);
}

Test(nodes, are_added_to_what_the_target_has)
{
    struct open_root open = add_open_root();
    uint32_t target = nodes_child(&nodes, NODES_MAIN, 1);
    uint32_t child = nodes_child(&nodes, target, 2);
    call(target, 1);
    call(child, 1);
    node_add_duration(&nodes.at[target], 1, 55);
    node_add_duration(&nodes.at[child], 999, 66);
    nodes_move(&nodes, open.list, 3, target);
    cr_expect_eq(nodes.at[target].calls, 2);
    cr_expect_eq(nodes.at[target].self, 11);
    cr_expect(nodes.at[target].duration_min == 1 && nodes.at[target].min_calls == 55);
    cr_expect(nodes.at[target].duration_max == 100 && nodes.at[target].max_calls == 0);
    cr_expect(nodes.at[child].duration_min == 200 && nodes.at[child].min_calls == 1);
    cr_expect(nodes.at[child].duration_max == 999 && nodes.at[child].max_calls == 66);
    cr_expect_eq(nodes.at[child].duration_sum, 1199);
}

Test(nodes, are_moved_with_the_runs_of_their_lines)
{
    uint32_t open =
        nodes_child(&nodes, nodes_child(&nodes, NODES_MAIN, 0), 1 | 1u << SITE_OPEN_SHIFT);
    uint32_t target = nodes_child(&nodes, NODES_MAIN, 1);
    uint32_t list[] = {open, nodes_line(&nodes, open, 2)};
    nodes_count_run(&nodes, list[1], true);
    nodes_count_run(&nodes, list[1], false);
    nodes_move(&nodes, list, 2, target);
    cr_expect_eq(list[1], nodes_line(&nodes, target, 2));
    cr_expect_eq(nodes_take_counts(&nodes, nodes_line(&nodes, open, 2)).runs, 0);
    struct entry_counts counts = nodes_take_counts(&nodes, list[1]);
    cr_expect(counts.runs == 2 && counts.begins == 1);
}

Test(nodes, that_moved_leave_the_sums_of_a_part_as_they_were)
{
    struct open_root open = add_open_root();
    cr_expect_eq(take_part().calls, 3);
    call(open.child, 5);
    nodes_count_error(&nodes, open.child);
    nodes_count_memory(&nodes, open.child, 9);
    nodes_move(&nodes, open.list, 3, nodes_child(&nodes, NODES_MAIN, 1));
    cr_expect_eq(nodes.touched_count, 6);
    struct entry_counts sum = take_part();
    cr_expect(sum.units == 5 && sum.calls == 1 && sum.returned == 0);
    cr_expect(sum.errors == 1 && sum.memory_kb == 9);
}

Test(nodes, that_moved_say_in_which_part)
{
    struct open_root open = add_open_root();
    take_part();
    take_part();
    const uint32_t from[] = {open.root, open.child, open.grandchild};
    nodes_move(&nodes, open.list, 3, nodes_child(&nodes, NODES_MAIN, 1));
    cr_assert_eq(nodes.move_count, 3);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(nodes.moves[i].part, 2);
        cr_expect_eq(nodes.moves[i].from, from[i]);
        cr_expect_eq(nodes.moves[i].to, open.list[i]);
    }
}

Test(nodes, that_moved_may_be_used_again)
{
    struct open_root open = add_open_root();
    uint32_t target = nodes_child(&nodes, NODES_MAIN, 1);
    nodes_move(&nodes, open.list, 3, target);
    struct open_root again = add_open_root();
    cr_expect_eq(again.grandchild, open.grandchild);
    nodes_move(&nodes, again.list, 3, target);
    cr_expect_eq(nodes.at[target].calls, 2);
    cr_expect_eq(nodes.at[again.list[2]].self, 80);
}

Test(nodes, a_function_that_is_defined_again_has_its_first_number)
{
    nodes_define_function(&nodes, 3, (struct event_function){.id = 8});
    nodes_define_function(&nodes, 4, (struct event_function){.id = 0});
    nodes_number_functions(&nodes);
    cr_expect_eq(nodes.first_numbers[3], 1);
    cr_expect_eq(nodes.first_numbers[4], 4);
    cr_expect_eq(nodes_find_function(&nodes, 8), 1);
    cr_expect_eq(nodes_find_function(&nodes, 0), 4);
    cr_expect_eq(nodes_find_function(&nodes, 6), UINT32_MAX);
}
