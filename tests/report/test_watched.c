#include "base/mem.h"
#include "report/figures/watched.h"
#include "report/figures/watched_trend.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define MS ((int64_t)1000000)
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Two watches of the sim, of 50 and 60 ms, one of the user interface, and an exact recording. */
static struct recording recordings[] = {
    {.run = 1, .is_sim = true, .is_watch = true, .slow_ns = 50 * MS},
    {.run = 2, .is_sim = true, .is_watch = true, .slow_ns = 60 * MS},
    {.run = 3, .is_watch = true, .slow_ns = 5 * MS},
    {.run = 4, .is_sim = true},
};

static struct profile profile_of(struct watches watches, uint32_t run)
{
    struct profile profile = {.only_run = run};
    profile.recordings.all = recordings;
    profile.recordings.count = COUNT_OF(recordings);
    profile.recordings.watches = watches;
    return profile;
}

Test(watched, counts_by_lengths_and_by_slow_ticks_where_these_know_more)
{
    /* 50.0 ms may have been rounded, and what comes after #104 has no length yet. */
    int64_t lengths[] = {0, 50 * MS, 50 * MS, 90 * MS, 1 * MS};
    struct watch_ticks ticks[] = {{0, 100, 0, 5}};
    struct watch_slow_tick slow[] = {
        {.recording = 0, .tick = 102, .time_ns = 50 * MS + 20000},
        {.recording = 0, .tick = 103, .time_ns = 90 * MS},
        {.recording = 0, .tick = 104, .time_ns = 1 * MS, .gaps = {.time_ns = 80 * MS}},
        {.recording = 0, .tick = 105, .time_ns = 70 * MS},
    };
    struct profile profile = profile_of((struct watches){.lengths = lengths,
                                                         .length_count = COUNT_OF(lengths),
                                                         .ticks = ticks,
                                                         .tick_count = COUNT_OF(ticks),
                                                         .slow_ticks = slow,
                                                         .slow_tick_count = COUNT_OF(slow)},
                                        1);
    SCOPED(watched) watched;
    watched_init(&watched, &profile);
    cr_expect_eq(watched.tick_count, 6);
    cr_expect_eq(watched.slow_count, 3);
    cr_expect_eq(watched.gap_count, 1);
    cr_expect_eq(watched.slow_ns, 50 * MS);
    cr_assert_eq(watched.slowest_count, 4);
    cr_expect_eq(watched.slowest[0].number, 103);
    cr_expect_eq(watched.slowest[1].number, 104);
    cr_expect_not(watched.slowest[1].is_slow);
    cr_expect_eq(watched.slowest[2].number, 105);
    cr_expect_eq(watched.slowest[3].number, 102);
}

/* A watch that began with #1001 has no lengths; of another, its last 600 ticks are believed. */
Test(watched, counts_the_ticks_before_the_last_slow_one)
{
    struct watch_slow_tick slow[] = {
        {.recording = 0, .tick = 1290, .time_ns = 70 * MS},
        {.recording = 0, .tick = 1010, .time_ns = 70 * MS},
        {.recording = 1, .tick = 10, .time_ns = 70 * MS},
        {.recording = 1, .tick = INT64_MAX / 2, .time_ns = 70 * MS},
    };
    struct profile profile =
        profile_of((struct watches){.slow_ticks = slow, .slow_tick_count = COUNT_OF(slow)}, 1);
    SCOPED(watched) first, second;
    recordings[0].begin_tick = 1001;
    watched_init(&first, &profile);
    recordings[0].begin_tick = 0;
    cr_expect_eq(first.tick_count, 290);
    cr_expect_eq(first.slow_count, 2);
    profile.only_run = 2;
    watched_init(&second, &profile);
    cr_expect_eq(second.tick_count, 600);
    cr_expect_eq(second.slow_count, 2);
}

Test(watched, finds_a_distance_where_all_slow_ticks_are_in_the_log)
{
    int64_t lengths[] = {90 * MS, 1 * MS, 90 * MS};
    struct watch_ticks ticks[] = {{0, 10, 0, 1}};
    struct watch_slow_tick slow[] = {
        {.recording = 0, .tick = 40, .time_ns = 90 * MS},
        {.recording = 0, .tick = 10, .time_ns = 90 * MS},
        {.recording = 0, .tick = 15, .time_ns = 1 * MS, .gaps = {.time_ns = 80 * MS}},
        {.recording = 0, .tick = 30, .time_ns = 80 * MS},
        {.recording = 0, .tick = 20, .time_ns = 70 * MS},
    };
    struct profile profile = profile_of((struct watches){.lengths = lengths,
                                                         .length_count = 1,
                                                         .ticks = ticks,
                                                         .tick_count = COUNT_OF(ticks),
                                                         .slow_ticks = slow,
                                                         .slow_tick_count = COUNT_OF(slow)},
                                        1);
    struct watched watched;
    watched_init(&watched, &profile);
    cr_expect_eq(watched.slow_count, 4);
    cr_expect_eq(watched.distance.ticks, 10);
    watched_release(&watched);
    /* Of #12, there is only the length. */
    profile.recordings.watches.length_count = ticks[0].count = COUNT_OF(lengths);
    watched_init(&watched, &profile);
    cr_expect_eq(watched.slow_count, 5);
    cr_expect_eq(watched.distance.ticks, 0);
    watched_release(&watched);
}

Test(watched, explains_a_tick_with_its_own_run_or_the_next_or_the_one_before)
{
    struct watch_sum sums[] = {{7, 1, 90 * MS, 90 * MS}};
    struct watch_slow_tick slow[5];
    /* One that was quick, two of which only both together were not, and one of another function. */
    struct exact_wake wakes[] = {
        {.recording = 0, .function = 7, .tick = 11, .time_ns = 49 * MS},
        {.recording = 0, .function = 7, .tick = 30, .time_ns = 25 * MS},
        {.recording = 0, .function = 7, .tick = 30, .time_ns = 26 * MS},
        {.recording = 0, .function = 8, .tick = 40, .time_ns = 90 * MS},
        {.recording = 0, .function = 7, .tick = 20, .time_ns = 51 * MS},
    };
    for (int i = 0; i < 4; i++)
        slow[i] = (struct watch_slow_tick){
            .recording = 0, .tick = 10 + 10 * i, .time_ns = (95 - i) * MS, .count = 1};
    slow[4] = (struct watch_slow_tick){.recording = 1, .tick = 1, .time_ns = 70 * MS, .count = 1};
    struct profile profile = profile_of((struct watches){.sums = sums,
                                                         .sum_count = COUNT_OF(sums),
                                                         .slow_ticks = slow,
                                                         .slow_tick_count = COUNT_OF(slow)},
                                        0);
    profile.exact_wakes.all = wakes;
    profile.exact_wakes.count = COUNT_OF(wakes);
    SCOPED(watched) watched;
    watched_init(&watched, &profile);
    cr_assert_eq(watched.slowest_count, 5);
    const struct watched_tick *ticks = watched.slowest;
    cr_expect(ticks[0].exact == &wakes[4] && ticks[0].exact_of == EXACT_LATER);
    cr_expect(ticks[1].exact == &wakes[4] && ticks[1].exact_of == EXACT_OWN);
    cr_expect(ticks[2].exact == &wakes[2] && ticks[2].exact_of == EXACT_OWN);
    cr_expect(ticks[3].exact == &wakes[2] && ticks[3].exact_of == EXACT_EARLIER);
    cr_expect(ticks[4].exact == &wakes[2] && ticks[4].exact_of == EXACT_EARLIER);
}

Test(watched, takes_a_run_that_was_cut_for_as_long_as_its_wake)
{
    struct watch_sum sums[] = {{7, 1, 90 * MS, 90 * MS}};
    struct watch_slow_tick slow[] = {{.recording = 0, .tick = 5, .time_ns = 90 * MS, .count = 1}};
    struct watch_wake wakes[] = {{.recording = 0, .tick = 6, .time_ns = 45 * MS, .function = 7},
                                 {.recording = 0, .tick = 7, .time_ns = 55 * MS, .function = 7}};
    struct exact_wake exact[] = {
        {.recording = 0, .function = 7, .tick = 6, .time_ns = 9 * MS, .is_cut = true},
        {.recording = 0, .function = 7, .tick = 7, .time_ns = 8 * MS, .is_cut = true},
    };
    struct profile profile = profile_of((struct watches){.sums = sums,
                                                         .sum_count = COUNT_OF(sums),
                                                         .slow_ticks = slow,
                                                         .slow_tick_count = COUNT_OF(slow),
                                                         .wakes = wakes,
                                                         .wake_count = COUNT_OF(wakes)},
                                        0);
    profile.exact_wakes.all = exact;
    profile.exact_wakes.count = COUNT_OF(exact);
    SCOPED(watched) watched;
    watched_init(&watched, &profile);
    cr_assert_eq(watched.slowest_count, 1);
    cr_expect_eq(watched.slowest[0].exact, &exact[1]);
    cr_expect_eq(watched.slowest[0].exact_of, EXACT_LATER);
}

Test(watched, knows_where_the_longest_run_of_a_tick_waits)
{
    struct watch_sum sums[] = {{7, 2, 90 * MS, 80 * MS}};
    struct watch_slow_tick slow[] = {{.recording = 0, .tick = 5, .time_ns = 90 * MS, .count = 1}};
    struct watch_wake wakes[] = {{.recording = 0, .tick = 5, .time_ns = 10 * MS, .function = 7},
                                 {.recording = 0, .tick = 6, .time_ns = 99 * MS, .function = 7},
                                 {.recording = 0, .tick = 5, .time_ns = 80 * MS, .function = 7},
                                 {.recording = 0, .tick = 5, .time_ns = 85 * MS, .function = 8}};
    struct profile profile = profile_of((struct watches){.sums = sums,
                                                         .sum_count = COUNT_OF(sums),
                                                         .slow_ticks = slow,
                                                         .slow_tick_count = COUNT_OF(slow),
                                                         .wakes = wakes,
                                                         .wake_count = COUNT_OF(wakes)},
                                        0);
    SCOPED(watched) watched;
    watched_init(&watched, &profile);
    cr_assert_eq(watched.slowest_count, 1);
    cr_expect_eq(watched.slowest[0].wake, &wakes[2]);
}

Test(watched, names_the_function_with_most_time_of_those_that_are_known)
{
    struct watch_sum sums[] = {{WATCH_UNKNOWN, 1, 40 * MS, 40 * MS},
                               {7, 1, 10 * MS, 10 * MS},
                               {9, 3, 20 * MS, 9 * MS},
                               {WATCH_OTHERS, 1, 30 * MS, 30 * MS}};
    struct watch_slow_tick slow[] = {
        {.recording = 0, .tick = 1, .time_ns = 100 * MS, .from = 0, .count = 4},
        {.recording = 0, .tick = 2, .time_ns = 80 * MS, .from = 0, .count = 1}};
    struct profile profile = profile_of(
        (struct watches){
            .sums = sums, .sum_count = COUNT_OF(sums), .slow_ticks = slow, .slow_tick_count = 2},
        0);
    SCOPED(watched) watched;
    watched_init(&watched, &profile);
    cr_assert_eq(watched.slowest_count, 2);
    cr_expect_eq(watched.slowest[0].function, 9);
    cr_expect_eq(watched.slowest[0].function_ns, 20 * MS);
    cr_expect_eq(watched.slowest[1].function, TREE_NONE);
}

Test(watched, takes_the_watches_that_the_options_choose)
{
    struct watch_slow_tick slow[] = {{.recording = 0, .tick = 1, .time_ns = 55 * MS},
                                     {.recording = 1, .tick = 1, .time_ns = 65 * MS},
                                     {.recording = 2, .tick = 1, .time_ns = 70 * MS}};
    struct watches watches = {.slow_ticks = slow, .slow_tick_count = COUNT_OF(slow)};
    struct profile all = profile_of(watches, 0), second = profile_of(watches, 2),
                   exact = profile_of(watches, 4), ui = profile_of(watches, 0);
    ui.rebuild.state = LUA_STATE_UI;
    cr_expect(profile_has_watch(&all) && profile_has_watch(&second) && profile_has_watch(&ui));
    cr_expect(!profile_has_watch(&exact));
    SCOPED(watched) watched, of_second, of_ui;
    watched_init(&watched, &all);
    watched_init(&of_second, &second);
    watched_init(&of_ui, &ui);
    cr_expect_eq(watched.slow_count, 2);
    cr_expect_eq(watched.slow_ns, 0);
    cr_expect_eq(of_second.slow_count, 1);
    cr_expect_eq(of_second.slow_ns, 60 * MS);
    cr_expect_eq(of_ui.slow_count, 1);
    cr_expect_eq(of_ui.slow_ns, 5 * MS);
}

/* What threads of functions 1 and 2 take in a tick of each minute, in tenths of milliseconds. */
static struct watched_trend trend_of(const int (*tenths)[2], size_t count, int64_t again)
{
    static int64_t lengths[] = {MS};
    static struct watch_ticks ticks[] = {{0, 1, 0, 1}};
    struct watch_sum sums[32];
    struct watch_threads threads[16];
    for (size_t i = 0; i < count; i++) {
        int64_t first = 1 + 600 * ((int64_t)i % again);
        threads[i] = (struct watch_threads){0, first, first + 599, 2 * i, 2};
        for (size_t k = 0; k < 2; k++)
            sums[2 * i + k] =
                (struct watch_sum){(int64_t)k + 1, 600 + 60 * i, tenths[i][k] * 600 * MS / 10, MS};
    }
    struct profile profile = profile_of((struct watches){.lengths = lengths,
                                                         .length_count = 1,
                                                         .ticks = ticks,
                                                         .tick_count = 1,
                                                         .sums = sums,
                                                         .sum_count = 2 * count,
                                                         .threads = threads,
                                                         .thread_count = count},
                                        1);
    profile.symbols.function_count = 3;
    struct report report = {.profile = &profile, .shows_watch = true};
    struct watched_trend trend;
    watched_trend_find(&trend, &report);
    return trend;
}

static const int rising[][2] = {{50, 10}, {51, 13}, {49, 18}, {50, 20},
                                {52, 26}, {50, 31}, {49, 35}, {51, 41}};

Test(watched_trend, names_the_function_that_rises)
{
    struct watched_trend trend = trend_of(rising, COUNT_OF(rising), 100);
    cr_assert(trend.is_known);
    cr_expect_float_eq(trend.all.first_ns, 6 * MS, 1);
    cr_expect_float_eq(trend.all.last_ns, 9.2 * MS, 1);
    cr_assert_eq(trend.function_count, 1);
    cr_expect_eq(trend.functions[0].function, 2);
    cr_expect_float_eq(trend.functions[0].last_ns, 4.1 * MS, 1);
    cr_expect_float_eq(trend.functions[0].last_wakes, 1.7, 1e-9);
}

Test(watched_trend, is_not_known_of_few_minutes_one_slow_one_or_two_games)
{
    static const int slow[][2] = {{50, 10}, {51, 9}, {49, 10}, {50, 11}, {52, 10}, {50, 90}};
    cr_expect_not(trend_of(slow, COUNT_OF(slow), 100).is_known);
    cr_expect_not(trend_of(rising, 5, 100).is_known);
    cr_expect_not(trend_of(rising, COUNT_OF(rising), 4).is_known);
}
