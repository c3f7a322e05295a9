#include "rebuild/ticks/tick_meter.h"
#include "rebuild/ticks/ticks.h"

#include <criterion/criterion.h>
#include <string.h>

static struct nodes nodes;
static struct tick_meter meter;
static struct tick_list list;
static struct tick_statistics statistics;

/* Functions: 0 and 1 are Lua, 2 is C; in symbols.h they are 10, 11, 12. */
enum { LUA_A, LUA_B, C_NEXT, FUNCTION_COUNT };
static int64_t tick_units;
static uint32_t node_a, node_b, node_next, node_b_root;

static const struct call_costs no_costs;
static const struct call_costs costs = {.is_known = true, .in_ns = {10, 1}, .out_ns = {100, 20}};

static void set_up(void)
{
    nodes_init(&nodes, &(struct nodes){0});
    list.limit_ns = 100000000;
    for (uint32_t i = 0; i < FUNCTION_COUNT; i++) {
        nodes_define_function(&nodes, i,
                              (struct event_function){.id = 10 + i, .is_lua = i != C_NEXT});
        nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 3});
    }
    node_a = nodes_child(&nodes, NODES_MAIN, LUA_A);
    node_b = nodes_child(&nodes, node_a, LUA_B);
    node_next = nodes_child(&nodes, node_b, C_NEXT);
    node_b_root = nodes_child(&nodes, NODES_COROUTINE, LUA_B);
}

static void tear_down(void)
{
    tick_statistics_release(&statistics);
    tick_meter_release(&meter);
    tick_list_release(&list);
    nodes_release(&nodes);
}

TestSuite(ticks, .init = set_up, .fini = tear_down);

static void count(uint32_t node, uint64_t calls, int64_t units)
{
    nodes_touch(&nodes, node);
    for (uint64_t i = 0; i < calls; i++)
        nodes_count_call(&nodes, node);
    nodes.at[node].self += units;
    tick_units += node >= NODES_FIRST ? units : 0;
}

static void end_tick(int64_t number, size_t kept_max)
{
    tick_meter_add(&meter, &nodes, number, tick_units, kept_max, false);
    tick_units = 0;
    nodes_begin_tick(&nodes, false);
}

/* A tick in which A ran so long. */
static void add_tick(int64_t number, int64_t units, size_t kept_max)
{
    count(node_a, 1, units);
    end_tick(number, kept_max);
}

Test(ticks, have_what_was_counted_in_them)
{
    count(node_a, 1, 100);
    count(node_b, 2, 10);
    end_tick(30, 0);
    count(node_a, 0, 7);
    count(node_next, 5, 1);
    end_tick(31, 0);
    end_tick(32, 0);
    tick_meter_finish(&meter, &list, 4, 1000, &no_costs, SIZE_MAX, INT64_MAX);
    cr_assert_eq(list.count, 3);
    static const struct tick expected[] = {
        {.number = 30, .time_ns = 110000, .calls = 3},
        {.number = 31, .time_ns = 8000, .calls = 5},
        {.number = 32, .time_ns = 0, .calls = 0},
    };
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(list.ticks[i].number, expected[i].number);
        cr_expect_eq(list.ticks[i].time_ns, expected[i].time_ns);
        cr_expect_eq(list.ticks[i].measured_ns, expected[i].time_ns);
        cr_expect_eq(list.ticks[i].calls, expected[i].calls);
        cr_expect_eq(list.ticks[i].recording, 4);
        cr_expect_null(list.ticks[i].functions);
    }
}

Test(ticks, leave_out_unattributed_time)
{
    count(NODES_UNATTRIBUTED, 0, 1000);
    count(node_a, 1, 5);
    end_tick(1, 10);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    cr_expect_eq(list.ticks[0].time_ns, 5);
    cr_expect_eq(list.ticks[0].calls, 1);
    cr_expect_eq(list.ticks[0].function_count, 1);
}

Test(ticks, are_shorter_by_the_cost_of_their_calls)
{
    count(node_a, 1, 10000);
    count(node_b, 4, 1000);
    count(node_next, 10, 500);
    end_tick(1, 10);
    count(node_a, 5, 40);
    end_tick(2, 10);
    tick_meter_finish(&meter, &list, 0, 1, &costs, SIZE_MAX, INT64_MAX);
    cr_expect_eq(list.ticks[0].measured_ns, 11500);
    cr_expect_eq(list.ticks[0].time_ns, 11500 - 5 * 10 - 4 * 100 - 10 * 21);
    /* Costs are means: what there is too little of is 0. */
    cr_expect_eq(list.ticks[1].measured_ns, 40);
    cr_expect_eq(list.ticks[1].time_ns, 0);

    const struct tick *tick = &list.ticks[0];
    cr_assert_eq(tick->function_count, 3);
    cr_expect_eq(tick->functions[0].function, 10 + LUA_A);
    cr_expect_eq(tick->functions[0].self_ns, 10000 - 1 * 10 - 4 * 100);
    cr_expect_eq(tick->functions[1].function, 10 + LUA_B);
    cr_expect_eq(tick->functions[1].self_ns, 1000 - 4 * 10 - 10 * 20);
    cr_expect_eq(tick->functions[1].calls, 4);
    cr_expect_eq(tick->functions[2].function, 10 + C_NEXT);
    cr_expect_eq(tick->functions[2].self_ns, 500 - 10 * 1);
}

/* What a function had too little of is missing from the others. */
Test(ticks, are_no_shorter_than_their_functions)
{
    count(node_a, 0, 1000);
    count(node_b, 5, 100);
    count(node_next, 10, 500);
    end_tick(1, 10);
    tick_meter_finish(&meter, &list, 0, 1, &costs, SIZE_MAX, INT64_MAX);
    const struct tick *tick = &list.ticks[0];
    cr_expect_eq(tick->time_ns, 1600 - 5 * 110 - 10 * 21);
    cr_assert_eq(tick->function_count, 3);
    /* Cut at 0 they are 500, 490 and 0. */
    cr_expect_eq(tick->functions[0].self_ns, 500 * 840 / 990);
    cr_expect_eq(tick->functions[1].self_ns, 490 * 840 / 990);
    cr_expect_eq(tick->functions[2].self_ns, 0);
}

Test(ticks, are_never_longer_because_a_root_turned_out_to_have_no_caller)
{
    uint32_t open = nodes_child(&nodes, node_a, 1 | 1u << SITE_OPEN_SHIFT);
    count(node_a, 1, 1000);
    count(open, 1, 200);
    end_tick(1, 10);
    nodes_move(&nodes, &open, 1, nodes_child(&nodes, NODES_MAIN, 1), false);
    count(node_a, 0, 50);
    end_tick(2, 10);
    tick_meter_finish(&meter, &list, 0, 1, &costs, SIZE_MAX, INT64_MAX);
    cr_expect_eq(list.ticks[0].time_ns, 1200 - 2 * 10);
    cr_expect_eq(list.ticks[1].measured_ns, 50);
    cr_expect_eq(list.ticks[1].time_ns, 50);
}

Test(ticks, count_calls_for_the_caller_that_turned_out_to_have_made_them)
{
    uint32_t open = nodes_child(&nodes, node_a, 1 | 1u << SITE_OPEN_SHIFT);
    count(node_a, 1, 1000);
    count(open, 1, 200);
    nodes_move(&nodes, &open, 1, nodes_child(&nodes, node_a, 1), false);
    end_tick(1, 10);
    tick_meter_finish(&meter, &list, 0, 1, &costs, SIZE_MAX, INT64_MAX);
    cr_expect_eq(list.ticks[0].time_ns, 1200 - 2 * 10 - 100);
}

Test(ticks, add_up_all_nodes_of_a_function)
{
    count(node_b, 1, 30);
    count(node_a, 1, 50);
    count(node_b_root, 2, 40);
    end_tick(1, 1);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    const struct tick *tick = &list.ticks[0];
    cr_assert_eq(tick->function_count, 2);
    cr_expect_eq(tick->functions[0].function, 10 + LUA_B);
    cr_expect_eq(tick->functions[0].self_ns, 70);
    cr_expect_eq(tick->functions[0].calls, 3);
    cr_expect_eq(tick->functions[1].function, 10 + LUA_A);
}

Test(ticks, order_functions_of_one_time_by_id)
{
    count(node_next, 1, 5);
    count(node_b, 1, 5);
    count(node_a, 1, 5);
    end_tick(1, 1);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(list.ticks[0].functions[i].function, 10 + i);
}

Test(ticks, keep_the_most_expensive_functions_only)
{
    enum { COUNT = 40 };
    for (uint32_t i = 0; i < COUNT; i++) {
        nodes_define_function(&nodes, 3 + i, (struct event_function){.id = 100 + i});
        nodes_define_site(&nodes, 3 + i, (struct event_site){.function = 3 + i, .line = 3});
        count(nodes_child(&nodes, node_a, 3 + i), 1, 1 + i * 7 % COUNT);
    }
    end_tick(1, 1);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    const struct tick *tick = &list.ticks[0];
    cr_assert_eq(tick->function_count, TICK_FUNCTIONS_MAX);
    for (size_t i = 0; i < TICK_FUNCTIONS_MAX; i++)
        cr_expect_eq(tick->functions[i].self_ns, (int64_t)(COUNT - i));
}

/* 32 functions, as many as their arrays have room for; 17 of them after the first tick. */
Test(ticks, have_functions_that_are_defined_between_them)
{
    enum { FIRST_COUNT = 15, COUNT = 32 };
    uint32_t children[COUNT];
    for (uint32_t i = FUNCTION_COUNT; i < COUNT; i++) {
        nodes_define_function(&nodes, i, (struct event_function){.id = 10 + i});
        nodes_define_site(&nodes, i, (struct event_site){.function = i, .line = 3});
        children[i] = nodes_child(&nodes, node_a, i);
        if (i + 1 != FIRST_COUNT && i + 1 != COUNT)
            continue;
        count(node_a, 1, 1);
        count(node_b, 1, 1);
        count(node_next, 1, 1);
        for (uint32_t k = FUNCTION_COUNT; k <= i; k++)
            count(children[k], 1, 1000 + k);
        /* A second node of a function, after all functions are found. */
        count(node_b_root, 1, 5000);
        end_tick(i + 1, 2);
    }
    cr_assert_eq(nodes.function_capacity, COUNT);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    for (size_t tick = 0; tick < 2; tick++) {
        const struct tick_function *functions = list.ticks[tick].functions;
        cr_assert_eq(list.ticks[tick].function_count, tick == 0 ? FIRST_COUNT : TICK_FUNCTIONS_MAX);
        cr_expect_eq(functions[0].function, 10 + LUA_B);
        cr_expect_eq(functions[0].self_ns, 5001);
        cr_expect_eq(functions[0].calls, 2);
        cr_expect_eq(functions[1].function, 10 + (tick == 0 ? FIRST_COUNT : COUNT) - 1);
    }
}

/* Which ticks have functions, as digits of their numbers in the order of the list. */
static void expect_kept(const char *expected)
{
    char kept[64] = "";
    size_t length = 0;
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    for (size_t i = 0; i < list.count; i++) {
        if (list.ticks[i].functions == NULL)
            continue;
        kept[length++] = (char)('0' + list.ticks[i].number);
        cr_expect_eq(list.ticks[i].functions[0].self_ns, list.ticks[i].time_ns);
    }
    cr_expect_str_eq(kept, expected);
}

static void add_ticks(const int64_t *units, size_t tick_count, size_t kept_max)
{
    for (size_t i = 0; i < tick_count; i++)
        add_tick((int64_t)i, units[i], kept_max);
}

static const int64_t mixed[] = {50, 10, 90, 70, 20, 80, 60, 30, 40};
enum { MIXED_COUNT = sizeof mixed / sizeof mixed[0] };

Test(ticks, keep_the_functions_of_the_worst_one)
{
    add_ticks(mixed, MIXED_COUNT, 1);
    expect_kept("2");
}

Test(ticks, keep_the_functions_of_the_worst_three)
{
    add_ticks(mixed, MIXED_COUNT, 3);
    expect_kept("235");
}

Test(ticks, keep_the_functions_of_all_when_there_are_not_so_many)
{
    add_ticks(mixed, MIXED_COUNT, SIZE_MAX);
    expect_kept("012345678");
}

Test(ticks, keep_no_functions_when_none_are_wanted)
{
    add_ticks(mixed, MIXED_COUNT, 0);
    expect_kept("");
}

Test(ticks, keep_as_many_as_are_wanted_of_equal_ones)
{
    static const int64_t equal[] = {5, 5, 9, 5, 5, 9, 5};
    add_ticks(equal, 7, 4);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++)
        kept += list.ticks[i].functions != NULL;
    cr_expect_eq(kept, 4);
    cr_expect_not_null(list.ticks[2].functions);
    cr_expect_not_null(list.ticks[5].functions);
}

Test(ticks, of_several_runs_are_in_one_list)
{
    add_tick(7, 5, 1);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    tick_meter_release(&meter);
    add_tick(3, 9, 1);
    add_tick(4, 8, 1);
    tick_meter_finish(&meter, &list, 1, 1, &no_costs, SIZE_MAX, INT64_MAX);
    cr_assert_eq(list.count, 3);
    cr_expect(list.ticks[0].number == 7 && list.ticks[0].recording == 0);
    cr_expect(list.ticks[1].number == 3 && list.ticks[1].recording == 1);
    cr_expect(list.ticks[2].number == 4 && list.ticks[2].recording == 1);
    cr_expect_not_null(list.ticks[0].functions);
}

/* ------------------------------------------------------------------- statistics */

static void add_times(const int64_t *times_ms, size_t time_count)
{
    for (size_t i = 0; i < time_count; i++)
        add_tick((int64_t)i, times_ms[i] * 1000, 0);
    tick_meter_finish(&meter, &list, 0, 1000, &no_costs, SIZE_MAX, INT64_MAX);
    tick_statistics_init(&statistics, &list);
    cr_assert_eq(statistics.count, time_count);
}

static void expect_percentiles(int64_t median_ms, int64_t ms_95, int64_t ms_99, int64_t longest_ms)
{
    cr_expect_eq(statistics.median_ns, median_ms * 1000000);
    cr_expect_eq(statistics.percentile_95_ns, ms_95 * 1000000);
    cr_expect_eq(statistics.percentile_99_ns, ms_99 * 1000000);
    cr_expect_eq(statistics.longest_ns, longest_ms * 1000000);
}

Test(ticks, of_none_have_no_statistics)
{
    add_times(NULL, 0);
    expect_percentiles(0, 0, 0, 0);
    cr_expect_eq(statistics.over_count, 0);
}

Test(ticks, have_the_percentiles_of_the_nearest_rank)
{
    add_times((const int64_t[]){30}, 1);
    expect_percentiles(30, 30, 30, 30);
}

Test(ticks, have_the_lower_of_two_as_their_median)
{
    add_times((const int64_t[]){40, 30}, 2);
    expect_percentiles(30, 40, 40, 40);
}

Test(ticks, have_the_middle_of_five_as_their_median)
{
    add_times((const int64_t[]){5, 4, 1, 2, 3}, 5);
    expect_percentiles(3, 5, 5, 5);
}

static void add_rising_times(int64_t time_count)
{
    int64_t times_ms[256];
    /* 7 is prime to all the counts below, so all times from 1 on come once. */
    for (int64_t i = 0; i < time_count; i++)
        times_ms[i] = 1 + i * 7 % time_count;
    add_times(times_ms, (size_t)time_count);
}

Test(ticks, have_the_19th_of_20_as_95th_percentile)
{
    add_rising_times(20);
    expect_percentiles(10, 19, 20, 20);
}

Test(ticks, have_the_99th_of_100_as_99th_percentile)
{
    add_rising_times(100);
    expect_percentiles(50, 95, 99, 100);
}

Test(ticks, have_the_next_rank_where_a_percentile_lies_between_two)
{
    add_rising_times(101);
    expect_percentiles(51, 96, 100, 101);
}

Test(ticks, are_over_their_budget_when_they_are_longer)
{
    add_times((const int64_t[]){100, 101, 99, 250, 0}, 5);
    cr_expect_eq(statistics.over_count, 2);
    cr_expect_eq(statistics.over_ns, 151000000);
}

Test(ticks, are_ordered_by_time_and_then_by_run_and_number)
{
    static struct tick some[] = {
        {.recording = 1, .number = 5, .time_ns = 7}, {.recording = 0, .number = 9, .time_ns = 7},
        {.recording = 0, .number = 8, .time_ns = 7}, {.recording = 2, .number = 1, .time_ns = 9},
        {.recording = 0, .number = 9, .time_ns = 7}, {.recording = 0, .number = 2, .time_ns = 1},
    };
    const struct tick_list of_some = {.ticks = some, .count = sizeof some / sizeof some[0]};
    static const size_t order[] = {3, 2, 1, 4, 0, 5};
    tick_statistics_init(&statistics, &of_some);
    for (size_t i = 0; i < of_some.count; i++)
        cr_expect_eq(statistics.worst[i], &some[order[i]], "place %zu", i);
}

/* A list of ticks that take so many milliseconds, from tick 1 on. */
static struct tick_distance find_distance(const int *ms, size_t count)
{
    static struct tick ticks[16];
    for (size_t i = 0; i < count; i++)
        ticks[i] =
            (struct tick){.number = (int64_t)i + 1, .over_ns = (ms[i] - 100) * (int64_t)1000000};
    return tick_distance_find(&(struct tick_list){.ticks = ticks, .count = count});
}

Test(ticks, finds_that_every_third_tick_is_slow)
{
    const int ms[] = {1, 1, 120, 1, 1, 120, 100, 1, 101, 1, 1, 300};
    struct tick_distance distance = find_distance(ms, sizeof ms / sizeof ms[0]);
    cr_assert_eq(distance.ticks, 3);
    cr_assert_eq(distance.slow_count, 4);
    cr_assert_not(distance.is_collection);
}

Test(ticks, does_not_call_three_slow_ticks_or_irregular_ones_regular)
{
    const int few[] = {120, 1, 120, 1, 120};
    const int irregular[] = {120, 1, 120, 1, 1, 120, 1, 1, 1, 120};
    cr_assert_eq(find_distance(few, 5).ticks, 0);
    cr_assert_eq(find_distance(irregular, 10).ticks, 0);
}

Test(ticks, does_not_call_ticks_that_are_all_slow_regular)
{
    const int ms[] = {120, 120, 120, 120, 120};
    cr_assert_eq(find_distance(ms, 5).ticks, 0);
}

Test(ticks, adds_up_the_time_of_all_ticks)
{
    add_tick(1, 50, 0);
    add_tick(2, 70, 0);
    tick_meter_finish(&meter, &list, 0, 1, &no_costs, SIZE_MAX, INT64_MAX);
    tick_statistics_init(&statistics, &list);
    cr_assert_eq(statistics.total_ns, 120);
}
