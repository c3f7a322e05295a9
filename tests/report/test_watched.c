#include "base/mem.h"
#include "report/figures/watched.h"

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
    cr_expect_eq(watched.slow_ns, 50 * MS);
    cr_assert_eq(watched.slowest_count, 3);
    cr_expect_eq(watched.slowest[0].number, 103);
    cr_expect_eq(watched.slowest[1].number, 105);
    cr_expect_eq(watched.slowest[2].number, 102);
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
