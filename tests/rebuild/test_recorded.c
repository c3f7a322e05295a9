#include "rebuild/ending/tick_reader.h"

#include "base/number.h"
#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/ending/overhead.h"
#include "tree/line_runs.h"

#include <criterion/criterion.h>

enum { A, B, NEXT, CALIBRATE, FUNCTION_COUNT };

static const struct call_costs no_costs = {.in_ns = {100, 100}, .out_ns = {100, 100}};
static const struct call_costs costs = {
    .is_known = true,
    .in_ns = {[CALL_OF_LUA] = 10, [CALL_OF_C] = 5},
    .out_ns = {[CALL_OF_LUA] = 20, [CALL_OF_C] = 2},
};

static struct nodes nodes;
static struct entries entries;
static struct durations durations;
static double unit_ns;

static struct tree tree; /* this and what follows by make() */
static uint32_t *tree_nodes;
static uint8_t *flags;
static struct recorded recorded;

/* Site i calls function i. */
static void set_up(void)
{
    nodes_init(&nodes);
    unit_ns = 1;
    for (uint32_t i = 0; i < FUNCTION_COUNT; i++) {
        struct event_function function = {
            .id = i, .is_lua = i != NEXT, .calibrates = i == CALIBRATE};
        nodes_define_function(&nodes, i, function);
        nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 10 + (int32_t)i});
    }
}

static void release_made(void)
{
    tree_release(&tree);
    recorded_release(&recorded);
    MEM_FREE(tree_nodes, flags);
}

static void tear_down(void)
{
    nodes_release(&nodes);
    entries_release(&entries);
    release_made();
}

TestSuite(recorded, .init = set_up, .fini = tear_down);

static void count(uint32_t node, uint32_t calls, int64_t units)
{
    nodes_touch(&nodes, node);
    nodes.at[node].calls += calls;
    nodes.at[node].self += units;
}

static void end_tick(int64_t number)
{
    entries_end_part(&entries, &nodes, number, 0, 1);
}

/* As recording_rebuild.c does. `left_ns`, if it is not negative, is what is left of `node`. */
static void make_with(const struct call_costs *taken, uint32_t node, int64_t left_ns)
{
    struct overhead_sums sums;
    nodes_number_functions(&nodes);
    nodes_to_tree(&tree, &nodes, unit_ns, &tree_nodes, &flags);
    uint8_t *kinds = nodes_call_kinds(&nodes, &tree);
    int64_t *measured_ns = mem_zeroed(tree.node_count, sizeof *measured_ns);
    memcpy(measured_ns, tree.self_ns, tree.node_count * sizeof *measured_ns);
    overhead_remove(&tree, kinds, taken, &sums);
    if (left_ns >= 0)
        tree.self_ns[tree_nodes[node]] = left_ns;
    recorded_begin(&recorded, &entries, &durations, unit_ns, taken);
    recorded_make_places(&recorded, &nodes, &tree, tree_nodes, flags, kinds);
    recorded_join_durations(&recorded, &nodes);
    recorded_find_root_costs(&recorded, &tree, measured_ns);
    recorded_divide(&recorded, &tree, false);
    MEM_FREE(kinds, measured_ns);
}

static void make(const struct call_costs *taken)
{
    make_with(taken, 0, -1);
}

static bool is_of(const struct tick_entry *entry, uint32_t node)
{
    const struct place *place = &recorded.places[entry->place];
    return place->node == tree_nodes[node] &&
           place->is_coroutine == ((flags[node] & NODE_COROUTINE) != 0);
}

/* An entry of a tick, or zeros. */
static struct tick_entry entry_of(size_t tick, uint32_t node)
{
    struct tick_reader reader;
    struct tick_entry entry = {0};
    tick_reader_begin(&reader, &recorded, true);
    for (size_t i = 0; i <= tick; i++)
        cr_assert(tick_reader_next(&reader));
    for (size_t i = 0; i < reader.count; i++)
        if (is_of(&reader.entries[i], node))
            entry = reader.entries[i];
    tick_reader_end(&reader);
    return entry;
}

/* All details of an entry added up. */
static struct entry_counts details_of(size_t tick, uint32_t node)
{
    struct tick_reader reader;
    struct entry_counts counts = entry_counts_none();
    tick_reader_begin(&reader, &recorded, true);
    for (size_t i = 0; i <= tick; i++)
        cr_assert(tick_reader_next(&reader));
    for (size_t i = 0; i < reader.detail_count; i++)
        if (is_of(&reader.entries[reader.details[i].entry], node))
            entry_counts_add(&counts, &reader.details[i].counts);
    tick_reader_end(&reader);
    return counts;
}

/* What recording a tick has cost. */
static void expect_cost(size_t tick, double wanted_ns)
{
    cr_expect_float_eq(recorded.ticks[tick].cost_ns, wanted_ns, 1e-9, "tick %zu: %g", tick,
                       recorded.ticks[tick].cost_ns);
}

/* `wanted`, [tick count]. */
static void expect_kept(uint32_t node, const int64_t *wanted)
{
    for (size_t tick = 0; tick < recorded.tick_count; tick++) {
        int64_t self_ns = entry_of(tick, node).self_ns;
        cr_expect_eq(self_ns, wanted[tick], "tick %zu: %ld", tick, (long)self_ns);
    }
}

/* ------------------------------------------------------------------------- the rule */

Test(recorded, entries_keep_their_time_less_the_cost_at_one_factor)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A);
    count(a, 1, 100); /* costs 10 */
    end_tick(1);
    count(a, 3, 10); /* costs 30: nothing is left, and 20 are lacking */
    end_tick(2);
    count(a, 2, 60); /* costs 20 */
    end_tick(3);
    make(&costs);
    /* 90 + 40 are 20 more than what is left: at 5/3 of the cost they keep 83.3 and 26.7. */
    cr_expect_eq(tree.self_ns[tree_nodes[a]], 170 - 60);
    cr_expect_float_eq(recorded.nodes[tree_nodes[a]].factor, 5.0 / 3, 1e-5);
    expect_kept(a, (const int64_t[]){83, 0, 27});
}

Test(recorded, an_entry_that_has_nothing_at_the_factor_leaves_the_rest_to_others)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A);
    count(a, 1, 100);
    end_tick(1);
    count(a, 1, 11);
    end_tick(2);
    count(a, 2, 0);
    end_tick(3);
    make(&costs);
    /* 90 + 1 are 20 too much: 80 + 0 at the factor of 2 are 9 too much; 71 at 2.9. */
    cr_expect_float_eq(recorded.nodes[tree_nodes[a]].factor, 2.9, 1e-5);
    expect_kept(a, (const int64_t[]){71, 0, 0});
}

/* A step from one that keeps time to the next, and a time, that do not fit in their usual bytes. */
Test(recorded, what_is_kept_is_found_behind_any_number_of_entries)
{
    enum { BETWEEN = 600 };
    const int64_t large = (int64_t)1 << 33;
    uint32_t first = nodes_child(&nodes, NODES_MAIN, A), node = first, last = first;
    for (int tick = 1; tick <= 2; tick++) {
        node = first;
        count(first, 0, 7);
        for (int i = 0; i < BETWEEN; i++) {
            node = nodes_child(&nodes, node, B);
            count(node, 1, tick == 1 ? 100 : 0);
        }
        last = nodes_child(&nodes, node, NEXT);
        count(last, 0, large + tick);
        end_tick(tick);
    }
    make(&costs);
    expect_kept(last, (const int64_t[]){large + 1, large + 2});
    expect_kept(node, (const int64_t[]){80, 0});
    cr_expect_eq(recorded.ticks[1].time_ns, large + 2);
}

/* Each step loses an entry: with a third they would be 961 and 123. */
Test(recorded, what_two_steps_leave_is_taken_in_proportion)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A);
    static const int64_t units[] = {1000, 200, 70, 24, 0};
    static const uint32_t calls[] = {1, 2, 2, 2, 14};
    for (int i = 0; i < 5; i++) {
        count(a, calls[i], units[i]);
        end_tick(i);
    }
    make(&costs);
    /*
     * 990 + 180 + 50 + 4 + 0 are 140 more than the 1084 that are left, and cost 70: at 3 there are
     * 970 + 140 + 10, 36 too much, which cost 50: at 3.72 there are 962.8 + 125.6, still 4.4 too
     * much.
     */
    cr_expect_float_eq(recorded.nodes[tree_nodes[a]].factor, 3.72, 1e-5);
    expect_kept(a, (const int64_t[]){959, 125, 0, 0, 0});
}

Test(recorded, a_call_costs_its_caller_in_the_tick_of_the_call)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), b = nodes_child(&nodes, a, B);
    uint32_t next = nodes_child(&nodes, b, NEXT);
    count(a, 1, 100);
    count(b, 2, 200);
    count(next, 3, 50);
    end_tick(1);
    count(a, 0, 30);
    count(b, 1, 30);
    end_tick(2);
    make(&costs);
    expect_cost(0, 10 + 2 * 20 + 2 * 10 + 3 * 2 + 3 * 5);
    expect_cost(1, 20 + 10);
    expect_kept(a, (const int64_t[]){50, 10});
    expect_kept(b, (const int64_t[]){174, 20});
    expect_kept(next, (const int64_t[]){35, 0});
}

/* On a coarse clock most callers have no time in a tick. */
Test(recorded, a_call_costs_its_caller_nothing_in_a_later_tick)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), b = nodes_child(&nodes, a, B);
    count(a, 1, 1000);
    end_tick(1);
    count(b, 5, 100);
    end_tick(2);
    count(a, 0, 1000);
    count(b, 1, 100);
    end_tick(3);
    make(&costs);
    cr_expect_eq(entry_of(1, a).units, 0);
    expect_cost(1, 5 * 10);
    expect_cost(2, 20 + 10);
    /* The 100 that tick 2 lacks are taken at one factor: 990 and 980 less 10 and 20 parts of it. */
    expect_kept(a, (const int64_t[]){957, 0, 913});
}

Test(recorded, all_is_kept_where_costs_are_not_known)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A);
    unit_ns = 0.7;
    for (int i = 0; i < 4; i++) {
        count(a, 100, 1);
        end_tick(i);
    }
    make(&no_costs);
    /* 2.8 are 3; 0.75, 1.5 and 2.25 are rounded, and the rest goes to the next. */
    expect_kept(a, (const int64_t[]){1, 1, 0, 1});
    expect_cost(0, 0);
}

Test(recorded, nothing_is_kept_of_what_the_costs_exceed_in_every_tick)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A);
    count(a, 5, 20);
    end_tick(1);
    count(a, 5, 50);
    end_tick(2);
    count(a, 1, 0);
    end_tick(3);
    make(&costs);
    expect_kept(a, (const int64_t[]){0, 0, 0});
}

Test(recorded, what_rounding_leaves_of_a_node_without_room_goes_to_its_first_entry)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), b = nodes_child(&nodes, NODES_MAIN, B);
    count(b, 1, 100);
    end_tick(1);
    count(a, 5, 20);
    end_tick(2);
    count(a, 5, 50);
    end_tick(3);
    make_with(&costs, a, 1);
    expect_kept(a, (const int64_t[]){0, 1, 0});
}

Test(recorded, events_of_lines_cost_what_calls_of_c_functions_do)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), line = nodes_line(&nodes, a, 1);
    count(a, 1, 40);
    count(line, 0, 60);
    for (int i = 0; i < 4; i++)
        nodes_count_run(&nodes, line, i == 0);
    end_tick(1);
    count(line, 0, 70);
    end_tick(2);
    make(&costs);
    cr_expect_eq(tree.self_ns[tree_nodes[a]], 170 - 10 - 4 * 5);
    expect_cost(0, 10 + 4 * 5);
    expect_kept(a, (const int64_t[]){70, 70});
}

/* ------------------------------------------------------------------------- places */

Test(recorded, places_are_in_the_order_of_a_walk_that_goes_deep_first)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A);
    uint32_t b = nodes_child(&nodes, a, B), next = nodes_child(&nodes, a, NEXT);
    uint32_t deep = nodes_child(&nodes, b, NEXT), other = nodes_child(&nodes, NODES_MAIN, B);
    const uint32_t order[] = {a, b, deep, next, other};
    static const uint32_t parents[] = {0, 1, 2, 1, 0};
    static const uint32_t roots[] = {1, 1, 1, 1, 5};
    static const int32_t lines[] = {LINE_UNKNOWN, 10 + B, 10 + NEXT, 10 + NEXT, LINE_UNKNOWN};
    for (int i = 0; i < 5; i++)
        count(order[i], 1, 1);
    end_tick(1);
    make(&no_costs);
    cr_assert_eq(recorded.place_count, 6);
    for (uint32_t i = 0; i < 5; i++) {
        const struct place *place = &recorded.places[i + 1];
        cr_expect_eq(place->node, tree_nodes[order[i]]);
        cr_expect_eq(place->function, nodes_function(&nodes, order[i])->id);
        cr_expect_eq(place->kind, nodes_kind(&nodes, order[i]));
        cr_expect_eq(place->line, lines[i]);
        cr_expect_eq(place->parent, parents[i]);
        cr_expect_eq(place->root, recorded.places[roots[i]].function);
        cr_expect_not(place->is_coroutine);
    }
}

Test(recorded, a_root_of_both_kinds_of_threads_has_two_places_that_share_what_is_left)
{
    uint32_t main = nodes_child(&nodes, NODES_MAIN, A);
    uint32_t coroutine = nodes_child(&nodes, NODES_COROUTINE, A);
    uint32_t below = nodes_child(&nodes, coroutine, B);
    count(main, 1, 100);
    count(coroutine, 1, 50);
    count(below, 1, 500);
    end_tick(1);
    count(coroutine, 1, 5);
    end_tick(2);
    make(&costs);
    cr_assert_eq(recorded.place_count, 4);
    cr_expect_eq(tree_nodes[main], tree_nodes[coroutine]);
    cr_expect_not(recorded.places[1].is_coroutine);
    cr_expect(recorded.places[2].is_coroutine && recorded.places[3].is_coroutine);
    cr_expect(recorded.places[1].root == A && recorded.places[3].root == A);
    /* 155 less 30 for three calls, and 20 for that of B; 5 are lacking in tick 2. */
    cr_expect_eq(tree.self_ns[tree_nodes[main]], 105);
    expect_cost(0, 10 + 30 + 10);
    expect_kept(main, (const int64_t[]){89, 0});
    expect_kept(coroutine, (const int64_t[]){16, 0});
}

Test(recorded, roots_know_what_a_call_below_them_has_cost)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), b = nodes_child(&nodes, a, B);
    uint32_t next = nodes_child(&nodes, NODES_COROUTINE, NEXT);
    count(a, 1, 1000);
    count(b, 3, 1000);
    count(next, 2, 2);
    end_tick(1);
    make(&costs);
    cr_expect_float_eq(recorded.root_costs_ns[A], (10 + 3 * 30) / 4.0, 1e-9);
    cr_expect_float_eq(recorded.root_costs_ns[NEXT], 1, 1e-9, "no more than there was");
    cr_expect_eq(recorded.root_costs_ns[B], 0);
}

/* -------------------------------------------------------------------------- ticks */

Test(recorded, ticks_are_sums_of_their_entries)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), b = nodes_child(&nodes, a, B);
    count(a, 1, 3);
    entries_end_part(&entries, &nodes, -1, 0, 1);
    count(a, 0, 100);
    count(b, 2, 50);
    end_tick(7);
    end_tick(8);
    unit_ns = 2;
    make(&costs);
    cr_assert_eq(recorded.tick_count, 3);
    static const int64_t numbers[] = {-1, 7, 8}, measured_ns[] = {6, 300, 0};
    static const uint64_t calls[] = {1, 2, 0};
    int64_t sum_ns = 0;
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(recorded.ticks[i].number, numbers[i]);
        cr_expect_eq(recorded.ticks[i].measured_ns, measured_ns[i]);
        cr_expect_eq(recorded.ticks[i].calls, calls[i]);
        cr_expect_eq(recorded.ticks[i].time_ns,
                     entry_of((size_t)i, a).self_ns + entry_of((size_t)i, b).self_ns);
        sum_ns += recorded.ticks[i].time_ns;
    }
    /* The 4 that the first lacks are taken from the second. */
    cr_expect_eq(recorded.ticks[0].time_ns, 0);
    cr_expect_eq(recorded.ticks[1].time_ns, 206 - 10 - 40 + 100 - 20);
    cr_expect_eq(sum_ns, tree.total_ns[TREE_ROOT]);
}

Test(recorded, parts_of_one_number_and_serial_are_one_tick)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), b = nodes_child(&nodes, a, B);
    static const struct {
        int64_t number;
        uint32_t serial, tick;
    } parts[] = {{-1, 0, 0}, {-1, 0, 0}, {-1, 1, 1}, {5, 1, 2}, {5, 1, 2}, {5, 1, 2}, {6, 1, 3}};
    enum { PART_COUNT = sizeof parts / sizeof parts[0] };
    for (int i = 0; i < PART_COUNT; i++) {
        /* In another order each time. */
        count(i % 2 == 0 ? a : b, 1, 1);
        count(i % 2 == 0 ? b : a, 1, 10 << i);
        node_add_duration(&nodes.at[a], 5 + i, 0);
        entries_end_part(&entries, &nodes, parts[i].number, parts[i].serial, 1);
    }
    make(&no_costs);
    cr_assert_eq(recorded.tick_count, 4);
    for (int i = 0; i < PART_COUNT; i++)
        cr_expect_eq(recorded.tick_of_part[i], parts[i].tick);
    cr_expect_eq(recorded.ticks[2].number, 5);
    cr_expect_eq(recorded.ticks[2].calls, 6);
    cr_expect_eq(entry_of(2, a).units, 80 + 1 + 320);
    struct entry_counts counts = details_of(2, a);
    cr_expect(counts.returned == 3 && counts.shortest == 8 && counts.longest == 10);
}

/* -------------------------------------------------------------------------- lines */

Test(recorded, lines_have_their_runs_and_measured_times_in_each_tick)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A);
    uint32_t lines[] = {nodes_line(&nodes, a, A), nodes_line(&nodes, a, B)};
    count(a, 1, 3);
    count(lines[1], 0, 20);
    nodes_count_run(&nodes, lines[1], true);
    end_tick(1);
    count(lines[0], 0, 5);
    count(lines[1], 0, 7);
    nodes_count_run(&nodes, lines[1], false);
    nodes_count_run(&nodes, lines[1], false);
    nodes_count_run(&nodes, lines[0], false);
    end_tick(2);
    make(&costs);
    cr_assert_eq(recorded.line_row_count, 3);
    static const int32_t numbers[] = {0, 10 + A, 10 + B};
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(recorded.line_rows[i].node, tree_nodes[a]);
        cr_expect_eq(recorded.line_rows[i].line, numbers[i]);
    }
    /* By tick and row: at no line, lines A and B. */
    static const struct {
        int64_t units;
        uint64_t runs, begins;
    } wanted[2][3] = {{{3, 0, 0}, {0}, {20, 1, 1}}, {{0}, {5, 1, 0}, {7, 2, 0}}};
    struct tick_reader reader;
    tick_reader_begin(&reader, &recorded, true);
    for (size_t tick = 0; tick < 2; tick++) {
        cr_assert(tick_reader_next(&reader));
        cr_assert_eq(reader.line_count, 2);
        for (size_t i = 0; i < 2; i++) {
            const struct tick_line *line = &reader.lines[i];
            cr_assert_lt(line->row, 3);
            cr_expect_eq(line->units, wanted[tick][line->row].units);
            cr_expect_eq(line->runs, wanted[tick][line->row].runs);
            cr_expect_eq(line->begins, wanted[tick][line->row].begins);
        }
    }
    tick_reader_end(&reader);
    cr_expect_eq(entry_of(0, a).units, 23);
    cr_expect_eq(entry_of(1, a).units, 12);
}

/* ---------------------------------------------------------------------- durations */

Test(recorded, durations_are_without_the_cost_of_the_call_and_of_those_inside)
{
    uint32_t a = nodes_child(&nodes, NODES_MAIN, A), b = nodes_child(&nodes, a, B);
    uint32_t next = nodes_child(&nodes, b, NEXT);
    count(a, 2, 5000);
    count(b, 4, 100);
    count(next, 2, 20);
    node_add_duration(&nodes.at[a], 3000, 6);
    node_add_duration(&nodes.at[a], 12, 3);
    end_tick(1);
    make(&costs);
    /* The mean of four calls of B, 30 each, and two of next, 7 each. */
    double mean_ns = (4 * 30 + 2 * 7) / 6.0;
    uint32_t place = 1; /* of A */
    cr_expect_eq(recorded_duration_ns(&recorded, place, 3000, 6),
                 number_nearest(3000 - 10 - 6 * mean_ns));
    cr_expect_eq(recorded_duration_ns(&recorded, place, 12, 3), 0);
}

/* ------------------------------------------------------------------------ any ticks */

static uint64_t next_random(void)
{
    static uint64_t random = 1;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return random >> 33;
}

enum { TICKS = 40 };

static void count_any_ticks(void)
{
    uint32_t all[12] = {nodes_child(&nodes, NODES_MAIN, A),
                        nodes_child(&nodes, NODES_COROUTINE, A)};
    for (uint32_t i = 2; i < 12; i++) {
        uint32_t above = all[next_random() % i];
        all[i] = nodes_child(&nodes, above, (uint32_t)(next_random() % (NEXT + 1)));
    }
    for (int tick = 0; tick < TICKS; tick++) {
        for (uint64_t events = next_random() % 30; events > 0; events--) {
            bool is_spike = next_random() % 10 == 0;
            count(all[next_random() % 12], (uint32_t)(next_random() % 4),
                  (int64_t)(next_random() % (is_spike ? 10000 : 60)));
        }
        end_tick(tick);
    }
}

/* What recording the events of an entry has cost. */
static double cost_of(const struct tick_reader *reader, const struct tick_entry *entry)
{
    double cost_ns =
        (double)entry->calls * recorded.costs.in_ns[recorded.places[entry->place].kind];
    for (size_t i = 0; i < reader->count; i++) {
        const struct place *place = &recorded.places[reader->entries[i].place];
        if (place->parent == entry->place)
            cost_ns += (double)reader->entries[i].calls * recorded.costs.out_ns[place->kind];
    }
    return cost_ns;
}

/* What a tick of a node keeps follows from its factor. */
static void expect_rule(const struct tick_entry *entry, double cost_ns,
                        const struct divided_node *node)
{
    double time_ns = (double)entry->units * unit_ns;
    double room = time_ns - node->factor * cost_ns;
    room = room > 0 ? room : 0;
    double kept = room > 0 ? (double)node->left_ns * room / node->room : 0;
    cr_expect_geq(entry->self_ns, 0);
    cr_expect_float_eq((double)entry->self_ns, kept, 1.001);
    cr_expect(room > 0 || entry->self_ns == 0 || node->room == 0);
    cr_expect(node->factor >= 1);
    /* And all of them together are no more than what is left, but for the rest in proportion. */
    cr_expect(node->room >= (double)node->left_ns - 1);
}

static void expect_ticks_of_the_tree(void)
{
    int64_t *kept_ns = mem_zeroed(tree.node_count, sizeof *kept_ns);
    uint64_t *calls = mem_zeroed(tree.node_count, sizeof *calls);
    int64_t all_ns = 0;
    struct tick_reader reader;
    tick_reader_begin(&reader, &recorded, true);
    while (tick_reader_next(&reader)) {
        int64_t tick_ns = 0;
        for (size_t i = 0; i < reader.count; i++) {
            const struct tick_entry *entry = &reader.entries[i];
            uint32_t node = recorded.places[entry->place].node;
            expect_rule(entry, cost_of(&reader, entry), &recorded.nodes[node]);
            kept_ns[node] += entry->self_ns;
            calls[node] += entry->calls;
            tick_ns += entry->self_ns;
        }
        cr_expect_eq(recorded.ticks[reader.tick].time_ns, tick_ns);
        all_ns += tick_ns;
    }
    tick_reader_end(&reader);
    for (uint32_t node = 0; node < tree.node_count; node++) {
        cr_expect_eq(kept_ns[node], tree.self_ns[node], "node %u", node);
        cr_expect_eq(calls[node], tree.call_counts[node], "node %u", node);
    }
    cr_expect_eq(all_ns, tree.total_ns[TREE_ROOT]);
    MEM_FREE(kept_ns, calls);
}

Test(recorded, entries_add_up_to_what_is_left_of_each_node_whatever_they_are)
{
    static const struct call_costs odd = {
        .is_known = true, .in_ns = {3.37, 1.49}, .out_ns = {21.51, 0.77}};
    static const struct call_costs *const all[] = {&no_costs, &costs, &odd};
    static const double units_ns[] = {1, 0.37, 122.07};
    for (int round = 0; round < 300; round++) {
        tear_down();
        set_up();
        unit_ns = units_ns[round % 3];
        count_any_ticks();
        make(all[round / 3 % 3]);
        expect_ticks_of_the_tree();
    }
}

Test(recorded, of_no_entries_has_no_ticks)
{
    make(&costs);
    cr_expect_eq(recorded.tick_count, 0);
    struct tick_reader reader;
    tick_reader_begin(&reader, &recorded, true);
    cr_expect_not(tick_reader_next(&reader));
    tick_reader_end(&reader);
}
