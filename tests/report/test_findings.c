#include "report/sentences/findings.h"

#include "base/mem.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tree_text sample;
static struct findings findings;
static struct tick ticks[400];
static struct tick_list list = {.limit_ns = 100000000};
static struct slow_sums slow;
static struct work_sums work;

static void tear_down(void)
{
    findings_release(&findings);
    tree_text_release(&sample);
}

TestSuite(findings, .fini = tear_down);

static void find_in_sample(void)
{
    struct selection selection = {0};
    struct recording recording = {.step_ns = 244000};
    struct rebuilt_recording run = {.is_there = true};
    struct profile profile = {
        .symbols = sample.symbols,
        .recordings = {.all = &recording, .count = 1},
        .rebuilt = &run,
        .ticks = list,
        .slow = slow,
        .work = work,
        .has_memory = true,
    };
    struct report report = {
        .profile = &profile,
        .selection = &selection,
        .tree = &sample.tree,
        .labels = &sample.labels,
    };
    report_count(&report);
    findings_find(&findings, &report);
    report_release(&report);
}

static void find(const char *text)
{
    tree_text_init(&sample, text);
    find_in_sample();
}

static const struct finding *finding_of(enum finding_kind kind)
{
    for (size_t i = 0; i < findings.count; i++)
        if (findings.all[i].kind == kind)
            return &findings.all[i];
    return NULL;
}

static void expect_text(enum finding_kind kind, const char *expected)
{
    const struct finding *finding = finding_of(kind);
    cr_assert_not_null(finding);
    char *text = mem_copy(finding->text.at, finding->text.length);
    cr_expect_str_eq(text, expected);
    free(text);
}

/* Ticks of 10 ms, and of 150 ms where `distance` divides their number. */
static void make_ticks(size_t count, int64_t distance)
{
    for (size_t i = 0; i < count; i++) {
        int64_t number = (int64_t)i + 1;
        ticks[i] = (struct tick){.number = number,
                                 .time_ns = number % distance == 0 ? 150000000 : 10000000,
                                 .over_ns = number % distance == 0 ? 50000000 : -90000000};
    }
    list = (struct tick_list){
        .ticks = ticks, .count = count, .capacity = count, .limit_ns = 100000000};
}

Test(findings, name_a_c_function_with_the_function_it_works_for)
{
    find(
        "A;next() 100000 500\nB;pcall();next() 100000 500\nC;next() 60000 300\nB;next() 40000 200\n"
        "next() 20000 1000\n");
    expect_text(FINDING_MANY_CALLS,
                "next() called by B and others is 100% of the time: 2,500 calls of 128 ns each");
}

Test(findings, do_not_say_for_what_the_engine_calls_a_c_function)
{
    find("next() 100000 1000\n");
    expect_text(FINDING_MANY_CALLS, "next() is 100% of the time: 1,000 calls of 100 ns each");
}

Test(findings, without_ticks_leave_few_calls_to_the_headline)
{
    find("A 100000 1\nA;B@7 400000 999\nA;C 25000000 1001\nA;D 110000000 2\n");
    cr_expect_eq(findings.count, 0);
}

/* In ticks of 0.5 s in all. */
static void find_in_ticks(const char *text)
{
    make_ticks(50, 100);
    find(text);
}

static void expect_many_calls(void (*find_what)(const char *text), const char *text, bool is_said)
{
    find_what(text);
    cr_expect_eq(finding_of(FINDING_MANY_CALLS) != NULL, is_said, "%s", text);
    tear_down();
}

Test(findings, name_calls_that_are_many_and_short_or_much_in_ticks)
{
    expect_many_calls(find, "A 20000000 1000\nB 90000000 0\n", true);
    expect_many_calls(find, "A 19980000 999\n", false);
    expect_many_calls(find, "A 20000001 1000\nB 90000000 0\n", false);
    expect_many_calls(find_in_ticks, "A 5000000 1\n", true);
    expect_many_calls(find_in_ticks, "A 4999999 1\n", false);
    expect_many_calls(find_in_ticks, "A 100000000 1\n", true);
    expect_many_calls(find_in_ticks, "A 100000001 1\n", false);
    expect_many_calls(find_in_ticks, "A 20000000 1\nB 20000000 1\nC 60000000 0\n", false);
    expect_many_calls(find_in_ticks, "A 20000001 1\nB 20000000 1\nC 60000000 0\n", true);
}

Test(findings, name_what_is_most_expensive_by_few_calls)
{
    find_in_ticks("A 60000000 1\nA;B@7 80000000 300\nA;C@8 40000000 900\n");
    expect_text(FINDING_MANY_CALLS,
                "B is 44% of the time: 300 calls of 266.7 us each; all are made by A, "
                "line 7");
    findings_release(&findings);
    tree_text_release(&sample);
    find_in_ticks("A 60000000 1\nB 70000000 1\n");
    expect_text(FINDING_MANY_CALLS, "B is 54% of the time: 1 call of 70.0 ms");
}

Test(findings, say_nothing_of_few_calls_that_take_little)
{
    find_in_ticks("A 19000000 1\nB 19000000 1\nC 19000000 1\nD 19000000 1\nE 19000000 1\n"
                  "F 19000000 1\n");
    cr_expect_null(finding_of(FINDING_MANY_CALLS), "none is a fifth");
    findings_release(&findings);
    tree_text_release(&sample);
    find_in_ticks("A 4000000 1\nB 4900000 1\n");
    cr_expect_null(finding_of(FINDING_MANY_CALLS), "less than 5 ms");
    findings_release(&findings);
    tree_text_release(&sample);
    find_in_ticks("A 190000000 1\nB 10000000 1\n");
    cr_expect_null(finding_of(FINDING_MANY_CALLS), "a call of a slow tick");
}

Test(findings, name_the_place_of_two_fifths_of_the_calls)
{
    find_in_ticks("A;B@7 80000000 40\nC;B@8 10000000 30\nD;B@9 10000000 30\n");
    expect_text(
        FINDING_MANY_CALLS,
        "B is 100% of the time: 100 calls of 1.0 ms each; 40% of them are made by A, line 7");
    tear_down();
    find_in_ticks("A;B@7 80000000 39\nC;B@8 10000000 31\nD;B@9 10000000 30\n");
    expect_text(FINDING_MANY_CALLS, "B is 100% of the time: 100 calls of 1.0 ms each");
}

Test(findings, name_the_caller_outside_of_a_recursion)
{
    find("M 1 1\nM;N@3 1 1\nM;N@3;Copy@5 1000000 400\nM;N@3;Copy@5;Copy@9 1000000 400\n"
         "M;N@3;Copy@5;Copy@9;Copy@9 1000000 400\nM;Copy@4 1000000 200\n");
    expect_text(FINDING_MANY_CALLS,
                "Copy is 100% of the time: 1,400 calls of 2.9 us each; it calls itself, and 86% "
                "of them are made below N, line 5");
    findings_release(&findings);
    tree_text_release(&sample);
    find("M 1 1\nM;Each@3 1 900\nM;Each@3;Copy@7 1000000 900\nM;Each@3;Copy@7;Each@9 1 900\n"
         "M;Each@3;Copy@7;Each@9;Copy@7 1000000 900\n");
    expect_text(FINDING_MANY_CALLS,
                "Copy is 100% of the time: 1,800 calls of 1.1 us each; it calls itself, and "
                "all are made below M, line 3");
}

Test(findings, know_the_distance_of_garbage_collections)
{
    SCOPED(text) text = {0};
    make_ticks(350, 70);
    struct tick_distance distance = tick_distance_find(&list);
    finding_put_distance(&text, LUA_STATE_SIM, &distance);
    cr_expect(span_is(text_span(&text), "Slow ticks come every 70 ticks (7.0 s), and so does the "
                                        "collection of garbage"));
    /* Without threads, there is none to name. */
    find("A 1\n");
    cr_expect_null(finding_of(FINDING_DISTANCE));
}

/* Times of A and B in the slow ticks, and in the others. */
static void sum_up(struct slow_sum a, struct slow_sum b)
{
    static struct slow_sum sums[16];
    sums[sample.tree.calls[1].function] = a;
    sums[sample.tree.calls[2].function] = b;
    slow = (struct slow_sums){.at = sums, .count = sample.symbols.function_count};
    slow.all = (struct slow_sum){a.slow_ns + b.slow_ns, a.other_ns + b.other_ns, 0};
}

Test(findings, say_nothing_of_slow_ticks_that_no_function_makes_slow)
{
    make_ticks(10, 5);
    tree_text_init(&sample, "A 170000000\nB 90000000\nC 1\n");
    sum_up((struct slow_sum){80000000, 0, 0}, (struct slow_sum){80000000, 0, 0});
    slow.all.slow_ns = 300000000;
    find_in_sample();
    cr_expect_null(finding_of(FINDING_SLOW_TICKS), "27 %% of their time is not most of it");
    findings_release(&findings);
    slow.all.slow_ns = 260000000;
    find_in_sample();
    cr_expect_not_null(finding_of(FINDING_SLOW_TICKS));
    findings_release(&findings);
    ticks[4].time_ns = ticks[9].time_ns = 100000000;
    ticks[4].over_ns = ticks[9].over_ns = 0;
    find_in_sample();
    cr_expect_null(finding_of(FINDING_SLOW_TICKS), "none is over the limit");
}

/* Four slow ticks of A: in some of them, its calls took more than twice as long as usual. */
static void find_unusual(size_t count)
{
    static struct tick_self all[40];
    static struct slow_sum sums[16];
    tree_text_init(&sample, "A 960000000 40\n");
    slow = (struct slow_sums){.at = sums, .count = sample.symbols.function_count};
    make_ticks(40, 10);
    for (size_t i = 0; i < 40; i++) {
        all[i] = (struct tick_self){.function = sample.tree.calls[1].function,
                                    .self_ns = ticks[i].time_ns};
        ticks[i].all = &all[i];
        ticks[i].all_count = 1;
        ticks[i].usual_ns = (i + 1) / 10 <= count ? 74999999 : 75000000;
    }
    find_in_sample();
}

Test(findings, promise_nothing_of_ticks_whose_calls_usually_take_half)
{
    find_unusual(2);
    expect_text(FINDING_WHAT_IF, "Half the self time of A would leave none of 4 slow ticks");
    tear_down();
    find_unusual(3);
    cr_expect_null(finding_of(FINDING_WHAT_IF), "more than half of them");
}

static void set_memory(uint64_t memory_kb)
{
    tree_text_init(&sample, "A 1\nB 1\n");
    sample.tree.details = mem_zeroed(sample.tree.node_count, sizeof *sample.tree.details);
    sample.tree.details[1].memory_kb = memory_kb;
    sample.tree.details[2].memory_kb = 1000;
    find_in_sample();
}

Test(findings, say_where_memory_comes_from)
{
    set_memory(3000);
    expect_text(FINDING_HEAP, "A makes 75% of the growth of the memory in use (3,000 KB)");
}

Test(findings, say_nothing_of_a_little_memory)
{
    set_memory(1023);
    cr_expect_eq(findings.count, 0);
}

/* A function whose calls take most of the time, and how many of them an error ended. */
static void find_calls_that_fail(uint64_t calls, uint64_t errors)
{
    char text[64];
    snprintf(text, sizeof text, "A 100000000 %d\n", (int)calls);
    tree_text_init(&sample, text);
    sample.tree.details = mem_zeroed(sample.tree.node_count, sizeof *sample.tree.details);
    sample.tree.details[1].errors = errors;
    make_ticks(50, 100);
    find_in_sample();
}

Test(findings, say_how_many_calls_an_error_ended_if_a_tenth)
{
    find_calls_that_fail(20, 2);
    expect_text(FINDING_MANY_CALLS,
                "A is 100% of the time: 20 calls of 5.0 ms each, 2 ended by an error");
    tear_down();
    find_calls_that_fail(20, 1);
    expect_text(FINDING_MANY_CALLS, "A is 100% of the time: 20 calls of 5.0 ms each");
    tear_down();
    find_calls_that_fail(20, 20);
    expect_text(FINDING_MANY_CALLS,
                "A is 100% of the time: 20 calls of 5.0 ms each, all ended by an error");
    tear_down();
    find_calls_that_fail(1, 1);
    expect_text(FINDING_MANY_CALLS,
                "A is 100% of the time: 1 call of 100.0 ms, 1 ended by an error");
}

/* A and the function that it calls end with errors, and B with more, but not on a coroutine. */
static void find_ended_threads(uint64_t threads)
{
    tree_text_init(&sample, "A 1\nA;C 1\nB 1\n");
    sample.tree.details = mem_zeroed(sample.tree.node_count, sizeof *sample.tree.details);
    for (uint32_t node = TREE_ROOT + 1; node < sample.tree.node_count; node++) {
        bool is_of_thread = sample.tree.calls[node].function != 2;
        sample.tree.flags[node] |= is_of_thread ? NODE_COROUTINE : NODE_MAIN;
        sample.tree.details[node].errors = is_of_thread ? threads : 500;
    }
    find_in_sample();
}

Test(findings, say_which_threads_an_error_ended)
{
    find_ended_threads(10);
    expect_text(FINDING_ENDED_THREADS,
                "10 threads that began in A ended with an error that nothing caught");
    tear_down();
    find_ended_threads(9);
    cr_expect_eq(findings.count, 0);
}
