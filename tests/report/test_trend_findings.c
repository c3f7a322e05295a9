/*
 * The thresholds of findings about what becomes more, and about threads: each on both sides, with
 * sums for which no recording has to be made.
 */
#include "base/mem.h"
#include "report/sentences/findings.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS_MAX = 16, LINES_MAX = 8, HEAPS_MAX = 40 };

static struct tree_text sample;
static struct findings findings;
static struct thread_sum threads[FUNCTIONS_MAX];
static struct function_work functions[FUNCTIONS_MAX];
static struct line_sum lines[LINES_MAX];
static struct heap_size heaps[HEAPS_MAX];
static struct work_sums work;
static size_t heap_count;
static uint8_t threads_wanted;

static void forget(void)
{
    findings_release(&findings);
    tree_text_release(&sample);
}

TestSuite(trend_findings, .fini = forget);

/* Finds, in a game of which the tests set the sums. */
static void look(void)
{
    struct selection selection = {0};
    struct recording recordings[2] = {{.has_memory = true}, {.has_memory = true}};
    struct rebuilt_recording runs[2] = {{.is_there = true}, {.is_there = true}};
    struct profile profile = {
        .symbols = sample.symbols,
        .recordings = {.all = recordings, .count = 2, .heaps = heaps, .heap_count = heap_count},
        .rebuild = {.threads = threads_wanted},
        .rebuilt = runs,
        .work = work,
        .threads = {.at = threads, .count = sample.symbols.function_count},
    };
    struct report report = {
        .profile = &profile,
        .selection = &selection,
        .tree = &sample.tree,
        .labels = &sample.labels,
    };
    report_count(&report);
    findings_release(&findings);
    findings_find(&findings, &report);
    report_release(&report);
}

/* A game of 120 ticks without anything to find; functions have their ids in the order of `text`. */
static void begin(const char *text)
{
    forget();
    memset(threads, 0, sizeof threads);
    memset(functions, 0, sizeof functions);
    memset(lines, 0, sizeof lines);
    heap_count = 0;
    threads_wanted = NODE_MAIN | NODE_COROUTINE;
    tree_text_init(&sample, text);
    work = (struct work_sums){.lines = lines,
                              .functions = functions,
                              .function_count = sample.symbols.function_count,
                              .tick_count = 120,
                              .recording_count = 1};
    for (size_t k = 0; k < WORK_STRETCHES; k++) {
        work.usual_ns[k] = 1000000;
        work.kept_fraction[k] = 1;
    }
    for (size_t i = 0; i < FUNCTIONS_MAX; i++)
        functions[i].usual_fraction = 1;
}

static const struct finding *found(enum finding_kind kind)
{
    look();
    for (size_t i = 0; i < findings.count; i++)
        if (findings.all[i].kind == kind)
            return &findings.all[i];
    return NULL;
}

static bool says(enum finding_kind kind, const char *expected)
{
    const struct finding *finding = found(kind);
    struct span text = finding != NULL ? text_span(&finding->text) : span_of("nothing");
    if (!span_is(text, expected))
        cr_log_error("it says %.*s", (int)text.length, text.at);
    return span_is(text, expected);
}

/* Threads and ticks --------------------------------------------------------------------------- */

enum { ROOT, OTHER };

/* Threads of Root are a tenth of the time, and become 36 instead of 25; ticks take 1.2 times. */
static void begin_threads(void)
{
    begin("Root 100000\nOther 900000\n");
    threads[ROOT] = (struct thread_sum){.threads = 40, .wakes = 400, .wakes_ns = 100000};
    for (uint32_t k = 0; k < WORK_STRETCHES; k++) {
        functions[ROOT].woke_in[k] = 22 + k;
        work.usual_ns[k] = 1100000 + 20000 * k;
    }
}

Test(trend_findings, say_which_threads_become_more)
{
    begin_threads();
    cr_expect(says(FINDING_TREND, "Ticks get longer: 1.1 ms at first, 1.3 ms at the end. 22 "
                                  "threads of Root at first, 33 at the end; none has ended"));
    threads[ROOT].ended = 1;
    cr_expect(says(FINDING_TREND, "Ticks get longer: 1.1 ms at first, 1.3 ms at the end. 22 "
                                  "threads of Root at first, 33 at the end; 1 of 40 have ended"));
}

Test(trend_findings, in_steady_ticks_mean_threads_that_hardly_end)
{
    begin_threads();
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        work.usual_ns[k] = 1000000;
    threads[ROOT].ended = 4;
    cr_expect(
        says(FINDING_TREND, "22 threads of Root at first, 33 at the end; 4 of 40 have ended"));
    threads[ROOT].ended = 5;
    cr_expect_null(found(FINDING_TREND), "more than a tenth");
}

/* Threads of which more than a tenth end. */
static void begin_ending_threads(void)
{
    begin_threads();
    threads[ROOT].ended = 5;
}

Test(trend_findings, need_ticks_that_get_longer_for_threads_that_end)
{
    begin_ending_threads();
    work.tick_count = 119;
    cr_expect_null(found(FINDING_TREND));
    begin_ending_threads();
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        work.usual_ns[k] = 1101000 + 20000 * k;
    cr_expect_null(found(FINDING_TREND), "less than 1.2 times");
    begin_ending_threads();
    work.kept_fraction[WORK_STRETCHES - 1] = 1100000. / 1320000;
    cr_expect_null(found(FINDING_TREND), "only the recorder's part is more");
    work.kept_fraction[WORK_STRETCHES - 1] = 1100001. / 1320000;
    cr_expect_not_null(found(FINDING_TREND));
    work.kept_fraction[0] = 1.01;
    cr_expect_null(found(FINDING_TREND));
}

/* Numbers from 1 to 12 that rise, but for the first ones. */
static const double rising_2_4[] = {6, 5, 4, 3, 2, 1, 7, 8, 9, 10, 11, 12};
static const double rising_2_3[] = {6, 5, 4, 3, 2, 1, 8, 7, 9, 10, 11, 12};
static const uint32_t rising_3_1[] = {5, 4, 3, 2, 1, 6, 7, 8, 9, 10, 11, 12};
static const uint32_t rising_2_9[] = {5, 4, 3, 2, 1, 7, 6, 8, 9, 10, 11, 12};

Test(trend_findings, need_to_be_sure_that_numbers_rise)
{
    begin_ending_threads();
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        work.usual_ns[k] = 1000000 + 100000 * rising_2_4[k];
    cr_expect_not_null(found(FINDING_TREND), "ticks: 15 pairs of 66 fall");
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        work.usual_ns[k] = 1000000 + 100000 * rising_2_3[k];
    cr_expect_null(found(FINDING_TREND), "16 pairs");
    begin_threads();
    memcpy(functions[ROOT].woke_in, rising_3_1, sizeof rising_3_1);
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] *= 2;
    cr_expect_not_null(found(FINDING_TREND), "threads: 10 pairs of 66 fall");
    memcpy(functions[ROOT].woke_in, rising_2_9, sizeof rising_2_9);
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] *= 2;
    cr_expect_null(found(FINDING_TREND), "11 pairs");
}

Test(trend_findings, need_many_more_threads_and_their_time)
{
    begin_threads();
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] = 23 + k;
    cr_expect_null(found(FINDING_TREND), "34 are less than 1.5 times 23");
    begin_threads();
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] = 1 + k * 10 / 11;
    cr_expect_not_null(found(FINDING_TREND), "11 more");
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] = 1 + k * 9 / 11;
    cr_expect_null(found(FINDING_TREND), "9 more");
    begin_threads();
    threads[ROOT].wakes_ns = 99999;
    cr_expect_null(found(FINDING_TREND), "less than a tenth of the time");
    /* Of two, the one with more time; of equal ones, the first. */
    begin_threads();
    functions[OTHER] = functions[ROOT];
    threads[OTHER] = threads[ROOT];
    cr_expect_eq(found(FINDING_TREND)->function, ROOT);
    threads[OTHER].wakes_ns++;
    cr_expect_eq(found(FINDING_TREND)->function, OTHER);
}

/* Lines --------------------------------------------------------------------------------------- */

enum { LOOP, CALLEE, REST };

/* A line makes half the calls of Loop, more and more: 4.5 a run, then 10. */
static void begin_line(int64_t loop_ns, int64_t rest_ns)
{
    static char text[99];
    snprintf(text, sizeof text, "Loop %lld 4\nLoop;Callee@7 0 10\nRest %lld\n", (long long)loop_ns,
             (long long)rest_ns);
    begin(text);
    lines[0] = (struct line_sum){
        .caller = LOOP, .callee = CALLEE, .line = 7, .calls = 10, .invocations = 48, .time_ns = 10};
    lines[1] = (struct line_sum){.caller = LOOP, .callee = CALLEE, .line = 9, .calls = 10};
    work.line_count = 2;
    for (uint32_t k = 0; k < WORK_STRETCHES; k++) {
        lines[0].calls_in[k] = 18 + 2 * k;
        lines[0].invocations_in[k] = 4;
    }
}

Test(trend_findings, say_which_line_calls_more_and_more)
{
    begin_line(100000, 900000);
    cr_expect(
        says(FINDING_TREND, "Loop, line 7, makes 5, then 10 calls of Callee each time it runs"));
    lines[0].line = 0;
    cr_expect(says(FINDING_TREND, "Loop makes 5, then 10 calls of Callee each time it runs"));
    /* Of a thread's first function, the invocations are wakes; its time is not all the line's. */
    threads[LOOP].wakes = 4;
    cr_expect(says(FINDING_TREND, "Loop makes 5, then 10 calls of Callee each time it runs"));
    threads[LOOP].wakes = 5;
    lines[0].time_ns = 100000;
    cr_expect(says(FINDING_TREND, "Loop makes 5, then 10 calls of Callee each time it wakes"));
    lines[0].time_ns = 99999;
    cr_expect_null(found(FINDING_TREND));
}

Test(trend_findings, need_many_calls_of_a_line)
{
    begin_line(100000, 900000);
    lines[0].calls = lines[1].calls = 9;
    cr_expect_null(found(FINDING_TREND), "9 calls");
    begin_line(100000, 900000);
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        lines[0].calls_in[k]--;
    cr_expect_null(found(FINDING_TREND), "less than 10 calls a run at the end");
    begin_line(100000, 900000);
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        lines[0].invocations_in[k] = k < 4 ? 2 : 3;
    cr_expect_not_null(found(FINDING_TREND), "8 stretches have 3 invocations");
    lines[0].invocations_in[4] = 2;
    cr_expect_null(found(FINDING_TREND), "7 stretches");
}

Test(trend_findings, count_the_time_of_the_caller_of_half_the_calls)
{
    begin_line(99999, 900001);
    cr_expect_null(found(FINDING_TREND), "less than a tenth of the time");
    begin_line(100000, 900000);
    lines[1].calls = 11;
    cr_expect_null(found(FINDING_TREND), "less than half of the calls");
    lines[0].time_ns = 100000;
    cr_expect_not_null(found(FINDING_TREND));
    /* Where ticks get longer, a twentieth of the time is enough. */
    begin_line(49999, 950001);
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        work.usual_ns[k] = 1100000 + 20000 * k;
    cr_expect_null(found(FINDING_TREND));
    begin_line(50000, 950000);
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        work.usual_ns[k] = 1100000 + 20000 * k;
    cr_expect_not_null(found(FINDING_TREND));
}

/* The heap ------------------------------------------------------------------------------------ */

/* Collections of garbage leave more and more. */
static void begin_heap(size_t count, double first_kb, double step_kb)
{
    begin("A 1\n");
    heap_count = count;
    for (size_t i = 0; i < count; i++)
        heaps[i] = (struct heap_size){.kb = first_kb + (double)i * step_kb};
}

Test(trend_findings, say_that_the_heap_grows)
{
    begin_heap(9, 20480, 512);
    cr_expect(says(FINDING_HEAP_TREND, "The heap grows: after collections of garbage (9), it was "
                                       "20 MB at first, 24 MB at the end"));
    begin_heap(8, 20480, 700);
    cr_expect_not_null(found(FINDING_HEAP_TREND));
    /* Of more collections than stretches, the least of each stretch. */
    begin_heap(36, 20480, 100);
    for (size_t i = 0; i < 36; i += 3)
        heaps[i].kb = heaps[i + 1].kb = 90000;
    cr_expect_null(found(FINDING_HEAP_TREND), "3,300 KB");
    begin_heap(36, 10240, 200);
    for (size_t i = 0; i < 36; i += 3)
        heaps[i].kb = heaps[i + 1].kb = 90000;
    cr_expect(says(FINDING_HEAP_TREND, "The heap grows: after collections of garbage (36), it was "
                                       "10 MB at first, 17 MB at the end"));
}

Test(trend_findings, say_nothing_of_a_heap_that_grows_little)
{
    begin_heap(7, 20480, 10240);
    cr_expect_null(found(FINDING_HEAP_TREND), "7 collections");
    begin_heap(9, 1024, 511);
    cr_expect_null(found(FINDING_HEAP_TREND), "less than 4 MB");
    begin_heap(9, 20488, 512);
    cr_expect_null(found(FINDING_HEAP_TREND), "less than 1.2 times");
    begin_heap(12, 1024, 0);
    for (size_t i = 0; i < 12; i++)
        heaps[i].kb = 1024 * rising_2_4[i];
    cr_expect_not_null(found(FINDING_HEAP_TREND), "15 pairs of 66 fall");
    for (size_t i = 0; i < 12; i++)
        heaps[i].kb = 1024 * rising_2_3[i];
    cr_expect_null(found(FINDING_HEAP_TREND), "16 pairs");
}

Test(trend_findings, need_the_whole_of_one_recording_for_the_heap)
{
    begin_heap(9, 20480, 512);
    heaps[8].recording = 1;
    cr_expect_null(found(FINDING_HEAP_TREND));
    for (size_t i = 0; i < 9; i++)
        heaps[i].recording = 1;
    cr_expect_not_null(found(FINDING_HEAP_TREND));
    threads_wanted = NODE_MAIN;
    cr_expect_null(found(FINDING_HEAP_TREND));
}

/* Threads for one look ------------------------------------------------------------------------ */

enum { MANAGER, FORK, LOOK };

/* A line forks 1,200 threads of Look in 120 ticks, which take a tenth of the time. */
static void begin_forks(void)
{
    begin("Manager 1 2\nManager;ForkThread@5 0 1200\nLook 99999999\nOther 900000000\n");
    threads[LOOK] =
        (struct thread_sum){.threads = 1200, .wakes = 2400, .ended = 1080, .wakes_ns = 48000000};
    lines[0] = (struct line_sum){.caller = MANAGER,
                                 .callee = FORK,
                                 .line = 5,
                                 .calls = 1200,
                                 .invocations = 1200,
                                 .time_ns = 52000000};
    work.line_count = 1;
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[LOOK].first_in[k] = lines[0].calls_in[k] = 100;
}

Test(trend_findings, say_which_line_forks_threads_for_one_look)
{
    begin_forks();
    cr_expect(says(FINDING_FORKS, "Manager, line 5, forks 1,200 threads of Look that wait once and "
                                  "end: 0.83 ms a tick"));
    threads[LOOK].wakes = 1801;
    threads[LOOK].wakes_ns = 36000000;
    lines[0].time_ns = 64000000;
    cr_expect(says(FINDING_FORKS, "Manager, line 5, forks 1,200 threads of Look that wait once and "
                                  "end: 0.83 ms a tick"));
    threads[LOOK].wakes = 1800;
    cr_expect(says(FINDING_FORKS, "Manager, line 5, forks 1,200 threads of Look that run once: "
                                  "0.83 ms a tick"));
    lines[0].time_ns--;
    cr_expect_null(found(FINDING_FORKS), "less than a tenth of the time");
}

Test(trend_findings, need_many_short_threads_that_end)
{
    begin_forks();
    threads[LOOK].threads = 1199;
    threads[LOOK].wakes = 2398;
    threads[LOOK].wakes_ns = 47960000;
    lines[0].time_ns = 90000000;
    cr_expect_null(found(FINDING_FORKS), "less than 10 a tick");
    begin_forks();
    threads[LOOK].wakes = 2401;
    cr_expect_null(found(FINDING_FORKS), "more than 2 wakes each");
    begin_forks();
    threads[LOOK].ended = 1079;
    cr_expect_null(found(FINDING_FORKS), "less than 90 % have ended");
    begin_forks();
    threads[LOOK].wakes_ns++;
    cr_expect_null(found(FINDING_FORKS), "more than 20 us a wake");
}

Test(trend_findings, know_a_forking_line_by_its_threads_in_each_stretch)
{
    /* 1,100 threads after the first stretch: 2 a stretch and a twentieth may differ. */
    begin_forks();
    lines[0].calls_in[0] = 9;
    lines[0].calls_in[1] += 79;
    cr_expect_not_null(found(FINDING_FORKS));
    lines[0].calls_in[1] = 100;
    lines[0].calls_in[11] -= 79;
    cr_expect_not_null(found(FINDING_FORKS));
    lines[0].calls_in[11] -= 1;
    cr_expect_null(found(FINDING_FORKS), "80 differ");
    begin_forks();
    lines[1] = lines[0];
    lines[1].line = 6;
    work.line_count = 2;
    cr_expect_null(found(FINDING_FORKS), "two lines could be it");
    begin_forks();
    lines[0].callee = LOOK;
    cr_expect_null(found(FINDING_FORKS), "it calls another function");
    begin_forks();
    lines[0].caller = FORK;
    cr_expect_null(found(FINDING_FORKS), "it is in a function that only forks");
}

Test(trend_findings, say_who_forks_the_threads_that_become_more)
{
    begin("Manager 1\nManager;ForkThread@5 0 10\nRoot 100000\nOther 899999\n");
    threads[LOOK] = (struct thread_sum){.threads = 40, .wakes = 400, .wakes_ns = 100000};
    lines[0] = (struct line_sum){.caller = MANAGER, .callee = FORK, .line = 5, .calls = 10};
    work.line_count = 1;
    for (uint32_t k = 0; k < WORK_STRETCHES; k++) {
        functions[LOOK].woke_in[k] = 22 + k;
        work.usual_ns[k] = 1100000 + 20000 * k;
    }
    functions[LOOK].first_in[1] = lines[0].calls_in[1] = 10;
    cr_expect(says(FINDING_TREND,
                   "Ticks get longer: 1.1 ms at first, 1.3 ms at the end. 22 threads of Root at "
                   "first, 33 at the end, forked by Manager, line 5; none has ended"));
    functions[LOOK].first_in[1] = lines[0].calls_in[1] = 9;
    cr_expect_eq(found(FINDING_TREND)->caller, TREE_NONE, "9 threads are too few");
}

/* Threads of as many functions fork each other. */
static void begin_ring(uint32_t count)
{
    begin("A 50000000\nB 50000000\nC 50000000\nD 50000000\nE 50000000\nF 50000000\n"
          "A;ForkThread@8 1 1200\n");
    work.line_count = count;
    for (uint32_t i = 0; i < count; i++) {
        threads[i] = (struct thread_sum){
            .threads = 1200, .wakes = 2400, .ended = 1200, .wakes_ns = 40000000};
        lines[i] = (struct line_sum){
            .caller = i, .callee = 6, .line = 8 + (int32_t)i, .calls = 1200, .invocations = 1200};
        for (uint32_t k = 0; k < WORK_STRETCHES; k++)
            functions[i].first_in[k] = lines[i].calls_in[k] = 100;
    }
}

Test(trend_findings, say_which_threads_fork_each_other)
{
    begin_ring(2);
    cr_expect(says(FINDING_FORKS, "B, line 9, forks 1,200 threads, and as many begin with A, which "
                                  "forks as many in turn: 0.67 ms a tick"));
    begin_ring(5);
    cr_expect(says(FINDING_FORKS, "B, line 9, forks 1,200 threads, and as many begin with A and "
                                  "with C and with D and with E, which fork as many in turn: "
                                  "1.7 ms a tick"));
    begin_ring(6);
    cr_expect_null(found(FINDING_FORKS), "6 are none");
    begin_ring(3);
    lines[2].caller = 1;
    cr_expect_null(found(FINDING_FORKS), "one function forks twice");
    begin_ring(3);
    threads[2].ended = 0;
    cr_expect_null(found(FINDING_FORKS), "threads of C go on");
}

/* Threads that always wake --------------------------------------------------------------------- */

/* 60 threads wake in nine of ten ticks, in a tenth of the time. */
static void begin_wakes(void)
{
    begin("Poll 100000\nOther 900000\n");
    threads[ROOT] = (struct thread_sum){.threads = 60, .wakes = 6480, .wakes_ns = 100000};
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] = 60;
}

Test(trend_findings, say_which_threads_wake_in_each_tick)
{
    begin_wakes();
    cr_expect(says(FINDING_WAKES, "60 threads of Poll wake in each tick: 6,480 wakes, with what "
                                  "they call 10% of the time"));
    threads[ROOT].wakes--;
    cr_expect_null(found(FINDING_WAKES), "less than nine of ten");
    begin_wakes();
    threads[ROOT].wakes_ns--;
    cr_expect_null(found(FINDING_WAKES), "less than a tenth of the time");
    begin_wakes();
    work.tick_count = 12;
    threads[ROOT].wakes = 720;
    cr_expect_not_null(found(FINDING_WAKES));
    work.tick_count = 11;
    cr_expect_null(found(FINDING_WAKES), "11 ticks");
    /* 50 threads in the mean of the stretches. */
    begin_wakes();
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] = k < 6 ? 48 : 54;
    cr_expect(says(FINDING_WAKES, "51 threads of Poll wake in each tick: 6,480 wakes, with what "
                                  "they call 10% of the time"));
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] = k < 6 ? 48 : 51;
    cr_expect_null(found(FINDING_WAKES), "49.5 threads");
}

Test(trend_findings, say_once_that_threads_become_more)
{
    begin_threads();
    for (uint32_t k = 0; k < WORK_STRETCHES; k++)
        functions[ROOT].woke_in[k] = 55 + 5 * k;
    threads[ROOT].wakes = 120 * 110;
    cr_expect_not_null(found(FINDING_TREND));
    cr_expect_null(found(FINDING_WAKES));
    work.tick_count = 119;
    cr_expect_null(found(FINDING_TREND));
    cr_expect_not_null(found(FINDING_WAKES));
}
