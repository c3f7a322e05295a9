#include "select/long_calls.h"

#include "base/mem.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>

enum { CALLS_MAX = 400 };

static struct tree_text sample;
static struct long_calls calls;
static struct long_call all[CALLS_MAX];
static uint64_t steps[64];
static struct call_histogram histograms[2];
static struct call_durations durations;

/* The text's functions are 0 and 1. Most of their calls took 256 ns. */
static void set_up(void)
{
    steps[duration_step(256)] = 1000;
    histograms[0] = histograms[1] =
        (struct call_histogram){.calls = steps, .returned = 1000, .inside = 0};
    histograms[0].count = histograms[1].count = duration_step(256) + 1;
    durations = (struct call_durations){.of = histograms, .count = 2, .long_calls = all};
}

static void tear_down(void)
{
    MEM_FREE(calls.of, calls.interrupted);
    tree_text_release(&sample);
}

TestSuite(long_calls, .init = set_up, .fini = tear_down);

static struct long_call *add(uint32_t function, int64_t tick, int64_t ns)
{
    struct long_call *call = &all[durations.long_count++];
    *call = (struct long_call){.function = function, .tick = tick, .ns = ns, .is_chosen = true};
    return call;
}

static void find(const char *text)
{
    tree_text_init(&sample, text);
    struct profile profile = {
        .symbols = sample.symbols, .tree = sample.tree, .durations = durations};
    long_calls_find(&calls, &profile);
}

Test(long_calls, are_two_kinds_if_five_are_three_percent)
{
    for (int i = 0; i < 5; i++)
        add(0, i * i, 2000000);
    find("A 20000000 166\n");
    cr_expect(calls.of[0].has_two_kinds);
    cr_expect_eq(calls.of[0].count, 5);
    cr_expect_eq(calls.of[0].distance, 0);
    cr_expect_eq(calls.count, 0, "none of them is an interruption");
    tear_down();
    find("A 20000000 167\n");
    cr_expect_not(calls.of[0].has_two_kinds);
    cr_expect_eq(calls.count, 0, "they are more than 1 %% of the calls");
    tear_down();
    find("A 20000000 500\n");
    cr_expect_eq(calls.count, 5);
    tear_down();
    find("A 4900000 500\n");
    cr_expect_eq(calls.count, 0, "callees took that time");
    tear_down();
    durations.long_count = 4;
    find("A 20000000 10\n");
    cr_expect_not(calls.of[0].has_two_kinds);
}

Test(long_calls, are_two_kinds_if_most_distances_are_equal)
{
    const int64_t ticks[] = {7, 10, 20, 30, 40, 50};
    for (size_t i = 0; i < 6; i++)
        add(0, ticks[i], 2000000);
    find("A 20000000 100000\n");
    cr_expect(calls.of[0].has_two_kinds, "4 of 5 are");
    cr_expect_eq(calls.of[0].distance, 10);
    tear_down();
    all[3].tick = 31;
    find("A 20000000 100000\n");
    cr_expect_not(calls.of[0].has_two_kinds);
    cr_expect_eq(calls.of[0].distance, 0);
}

Test(long_calls, are_two_kinds_if_chance_hits_others)
{
    const char *text = "A 20000000 1000\nB 80000000 1000\n";
    for (int i = 0; i < 3; i++)
        add(1, 10 + i * i, 2000000);
    find(text);
    cr_expect_not(calls.of[1].has_two_kinds, "B has most of the time");
    cr_expect_eq(calls.count, 3);
    tear_down();
    for (size_t i = 0; i < 3; i++)
        all[i].function = 0;
    durations.long_count = 2;
    find(text);
    cr_expect_not(calls.of[0].has_two_kinds, "two may be chance");
    tear_down();
    for (int i = 0; i < 4; i++)
        add(0, 40 + i * i, 2000000);
    find(text);
    cr_expect(calls.of[0].has_two_kinds);
    cr_expect_eq(calls.count, 0);
    tear_down();
    for (size_t i = 0; i < 6; i++)
        all[i].tick = 10;
    find(text);
    cr_expect_not(calls.of[0].has_two_kinds, "of one tick");
}

Test(long_calls, are_most_of_the_time_if_callees_do_not_explain_it)
{
    add(0, 1, 20000000);
    find("A 30000000 1000\nB 20000000 1000\n");
    cr_expect(long_calls_are_most(&calls, 0));
    cr_expect_not(long_calls_are_most(&calls, 1));
    tear_down();
    find("A 30000000 1000\nA;B 6000000 1000\n");
    cr_expect_not(long_calls_are_most(&calls, 0), "B may have 6 of the 20 ms");
    tear_down();
    find("A 30000000 19\n");
    cr_expect_not(long_calls_are_most(&calls, 0), "one of 19 is not few");
}

Test(long_calls, are_a_hundred_times_as_long_as_usual)
{
    steps[duration_step(256)] = 0;
    histograms[0].calls = mem_zeroed(64, sizeof *histograms[0].calls);
    histograms[0].calls[duration_step(8192)] = 1000;
    histograms[0].count = 64;
    add(0, 1, 1000000);
    add(0, 2, 500000);
    add(0, 3, 910000);
    find("A 20000000 100000\n");
    cr_expect_eq(calls.count, 1, "half a step above 8,192 is 9,216");
    cr_expect_eq(calls.over_ns, 1000000 - 9216);
    cr_expect_eq(calls.worst_tick, 1);
    free(histograms[0].calls);
}

Test(long_calls, are_the_innermost)
{
    add(1, 1, 30000000)->outer = 2;
    add(0, 1, 40000000);
    find("A 40000000 1000\nA;B() 30000000 1000\n");
    cr_expect_eq(calls.count, 1);
    cr_expect_eq(calls.worst, 1);
    cr_expect(long_calls_have(&calls, 1));
    cr_expect_not(long_calls_have(&calls, 0));
    tear_down();
    all[0].is_usual_here = true;
    find("A 40000000 1000\nA;B() 30000000 1000\n");
    cr_expect_eq(calls.worst, 0, "A decides when B has much to do");
}

Test(long_calls, that_make_many_calls_are_no_interruptions)
{
    add(0, 1, 40000000)->inside = 11;
    find("A 40000000 1000\n");
    cr_expect_eq(calls.count, 0);
    tear_down();
    all[0].inside = 10;
    find("A 40000000 1000\n");
    cr_expect_eq(calls.count, 1);
}

Test(long_calls, are_not_known_where_nothing_is_left_of_usual_ones)
{
    add(0, 1, 40000000);
    steps[0] = 1001;
    histograms[0].inside = 9990;
    find("A 40000000 1000\n");
    cr_expect_eq(calls.count, 0);
}
