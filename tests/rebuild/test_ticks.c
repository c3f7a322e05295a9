#include "rebuild/ticks/ticks.h"

#include "base/mem.h"

#include <criterion/criterion.h>

static struct tick_list list;
static struct tick_statistics statistics;

static void set_up(void)
{
    list.limit_ns = 100000000;
}

static void tear_down(void)
{
    tick_statistics_release(&statistics);
    tick_list_release(&list);
}

TestSuite(ticks, .init = set_up, .fini = tear_down);

static struct tick *add_tick(uint32_t recording, int64_t number, int64_t time_ns)
{
    struct tick tick = {.recording = recording,
                        .number = number,
                        .time_ns = time_ns,
                        .over_ns = time_ns - list.limit_ns,
                        .usual_ns = -1};
    MEM_APPEND(list.ticks, list.count, list.capacity, tick);
    return &list.ticks[list.count - 1];
}

static void add_times(const int64_t *times_ms, size_t time_count)
{
    for (size_t i = 0; i < time_count; i++)
        add_tick(0, (int64_t)i, times_ms[i] * 1000000);
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

Test(ticks, does_not_call_what_was_regular_for_less_than_half_of_the_time_regular)
{
    int ms[16] = {120, 1, 120, 1, 120, 1, 120};
    ms[12] = 120;
    cr_assert_eq(find_distance(ms, 16).ticks, 2);
    ms[12] = 1;
    ms[13] = 120;
    cr_assert_eq(find_distance(ms, 16).ticks, 0);
}

Test(ticks, does_not_call_ticks_that_are_all_slow_regular)
{
    const int ms[] = {120, 120, 120, 120, 120};
    cr_assert_eq(find_distance(ms, 5).ticks, 0);
}

Test(ticks, adds_up_the_time_of_all_ticks)
{
    add_times((const int64_t[]){50, 70, 70}, 3);
    cr_assert_eq(statistics.total_ns, 190000000);
    /* Of equal ticks, the first is named. */
    cr_expect_eq(statistics.largest, &list.ticks[1]);
}

Test(ticks, are_chosen_by_their_length)
{
    struct tick_choice choice = {.over_ns = 10, .up_to_ns = 20};
    static const struct {
        int64_t time_ns;
        bool is_between;
    } lengths[] = {{0, false}, {10, false}, {11, true}, {20, true}, {21, false}};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        choice.takes_others = false;
        cr_expect_eq(tick_choice_has(&choice, lengths[i].time_ns), lengths[i].is_between);
        choice.takes_others = true;
        cr_expect_neq(tick_choice_has(&choice, lengths[i].time_ns), lengths[i].is_between);
    }
}

Test(ticks, of_the_sim_collect_garbage_and_frames_may_not)
{
    cr_expect(tick_collects(&list, 0) && tick_collects(&list, 140));
    cr_expect_not(tick_collects(&list, 141));
    list.state = LUA_STATE_UI;
    cr_expect_not(tick_collects(&list, 140));
}
