#include "base/mem.h"
#include "rebuild/event_play.h"
#include "rebuild/recording_rebuild.h"
#include "rebuild/stacks/event_loop.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct event_play game;
static const struct rebuild_results *results; /* by play() */

static void set_up(void)
{
    event_play_init(&game);
    game.settings.kept_ticks = SIZE_MAX;
}

static void tear_down(void)
{
    event_play_release(&game);
}

TestSuite(tick_sums, .init = set_up, .fini = tear_down);

static void finish(void)
{
    rebuild_finish(game.rebuild);
    results = rebuild_results(game.rebuild);
}

static void play(const char *text)
{
    event_play_reset(&game);
    event_play_begin(&game, 0);
    event_play_text(&game, text);
    finish();
}

/* ------------------------------------------------------------- functions of ticks */

Test(tick_sums, ticks_have_what_was_counted_in_them)
{
    game.settings.kept_ticks = 0;
    game.begin.unit_ns = 1000;
    play("A50.#30AB100.10#31N7.1#32");
    const struct tick_list *list = &results->ticks;
    static const struct tick expected[] = {{.number = 30, .time_ns = 110000, .calls = 2},
                                           {.number = 31, .time_ns = 8000, .calls = 1},
                                           {.number = 32, .time_ns = 0, .calls = 0}};
    cr_assert_eq(list->count, 3);
    cr_expect_eq(list->limit_ns, 100000000);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(list->ticks[i].number, expected[i].number);
        cr_expect_eq(list->ticks[i].time_ns, expected[i].time_ns);
        cr_expect_eq(list->ticks[i].measured_ns, expected[i].time_ns);
        cr_expect_eq(list->ticks[i].over_ns, expected[i].time_ns - 100000000);
        cr_expect_eq(list->ticks[i].calls, expected[i].calls);
        cr_expect_null(list->ticks[i].functions);
    }
}

Test(tick_sums, ticks_leave_out_unattributed_time)
{
    play("#1A1000.5");
    cr_expect(results->ticks.ticks[0].time_ns == 5 && results->ticks.ticks[0].calls == 1);
    cr_expect_eq(results->ticks.ticks[0].function_count, 1);
}

Test(tick_sums, ticks_are_shorter_by_the_cost_of_their_calls)
{
    game.settings.costs =
        (struct call_costs){.is_known = true, .in_ns = {10, 1}, .out_ns = {100, 20}};
    play("#1AB9000N100.50.1000#2A1.40");
    const struct tick *tick = &results->ticks.ticks[0];
    cr_expect_eq(tick->measured_ns, 9000 + 100 + 50 + 1000 + 50 - 50);
    cr_expect_eq(tick->time_ns, 10150 - 2 * 10 - 100 - 20 - 1);
    cr_assert_eq(tick->function_count, 3);
    cr_expect(tick->functions[0].function == A && tick->functions[0].self_ns == 8890);
    cr_expect(tick->functions[1].function == B && tick->functions[1].self_ns == 1070);
    cr_expect(tick->functions[2].function == NEXT && tick->functions[2].self_ns == 49);
    cr_expect_eq(results->ticks.ticks[1].time_ns, 30);
}

Test(tick_sums, ticks_add_up_all_stacks_of_a_function)
{
    play("#1AB50.30.0R.15@1R.25");
    const struct tick *tick = &results->ticks.ticks[0];
    cr_assert_eq(tick->function_count, 2);
    cr_expect_eq(tick->functions[0].function, B);
    cr_expect_eq(tick->functions[0].self_ns, 70);
    cr_expect_eq(tick->functions[0].calls, 3);
    cr_expect(tick->functions[1].function == A && tick->functions[1].self_ns == 50);
}

Test(tick_sums, ticks_have_nothing_of_the_recorder)
{
    game.settings.keeps_costs = game.settings.keeps_all_ticks = true;
    play("#1A.5@3K10N20.30.40@0#2A.1");
    const struct tick *tick = &results->ticks.ticks[0];
    cr_expect_eq(tick->time_ns, 5);
    cr_expect_eq(tick->calls, 1);
    cr_assert_eq(tick->function_count, 1);
    cr_expect(tick->functions[0].function == A && tick->functions[0].self_ns == 5);
    cr_assert_eq(tick->all_count, 1);
    cr_expect_eq(tick->all[0].function, A);
    cr_expect_eq(results->slow.all.other_ns, 5 + 1);
}

Test(tick_sums, functions_of_one_time_are_in_order_of_their_ids)
{
    play("#1S.5R.5A.5");
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(results->ticks.ticks[0].functions[i].function, i);
}

Test(tick_sums, ticks_keep_their_most_expensive_functions_only)
{
    enum { COUNT = 40, FIRST = 50 };
    event_play_begin(&game, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        event_play_define_function(&game, FIRST + i);
        event_play_define_site(&game, FIRST + i, (struct event_site){FIRST + i, 5});
    }
    event_play_text(&game, "#1A");
    for (uint32_t i = 0; i < COUNT; i++) {
        struct event call = event_make(EVENT_CALL, FIRST + i, 0);
        cr_assert(event_make_leaf(&call, 1 + i * 7 % COUNT));
        events_put(&game.events, call);
    }
    event_play_text(&game, ".");
    finish();
    const struct tick *tick = &results->ticks.ticks[0];
    cr_assert_eq(tick->function_count, TICK_FUNCTIONS_MAX);
    for (size_t i = 0; i < TICK_FUNCTIONS_MAX; i++)
        cr_expect_eq(tick->functions[i].self_ns, (int64_t)(COUNT - i));
    /* All are kept where they are asked for. */
    cr_expect_null(tick->all);
    game.settings.kept_ticks = 0;
    game.settings.keeps_all_ticks = true;
    play("#1AB2.3.4");
    cr_expect_eq(results->ticks.ticks[0].all_count, 2);
}

/* The ticks that have functions, as digits, of ticks from 0 on. */
static void expect_kept(const char *text, size_t kept_max, const char *expected)
{
    char kept[16] = "";
    size_t length = 0;
    game.settings.kept_ticks = kept_max;
    play(text);
    for (size_t i = 0; i < results->ticks.count; i++) {
        const struct tick *tick = &results->ticks.ticks[i];
        if (tick->functions == NULL)
            continue;
        kept[length++] = (char)('0' + tick->number);
        cr_expect_eq(tick->functions[0].self_ns, tick->time_ns);
    }
    cr_expect_str_eq(kept, expected);
}

Test(tick_sums, the_longest_ticks_keep_their_functions)
{
    static const char mixed[] = "#0A.50#1A.10#2A.90#3A.70#4A.20#5A.80#6A.60#7A.30#8A.40";
    expect_kept(mixed, 0, "");
    expect_kept(mixed, 1, "2");
    expect_kept(mixed, 3, "235");
    expect_kept(mixed, SIZE_MAX, "012345678");
    expect_kept("#0A.5#1A.5#2A.9#3A.5#4A.5#5A.9#6A.5", 4, "0125");
}

Test(tick_sums, ticks_of_several_runs_are_in_one_list_by_run)
{
    event_play_begin(&game, 0);
    event_play_text(&game, "#7A.5");
    event_play_begin(&game, 1);
    event_play_text(&game, "#3A.9#4A.8");
    events_put(&game.events, event_make(EVENT_END, 0, 0));
    events_put(&game.events, event_make(EVENT_RECORDING, 0, 0));
    event_play_text(&game, "#8A.6");
    finish();
    static const struct tick wanted[] = {{.recording = 0, .number = 7, .time_ns = 5},
                                         {.recording = 0, .number = 8, .time_ns = 6},
                                         {.recording = 1, .number = 3, .time_ns = 9},
                                         {.recording = 1, .number = 4, .time_ns = 8}};
    cr_assert_eq(results->ticks.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct tick *tick = &results->ticks.ticks[i];
        cr_expect(tick->recording == wanted[i].recording && tick->number == wanted[i].number &&
                  tick->time_ns == wanted[i].time_ns);
        cr_assert_eq(tick->function_count, 1);
        cr_expect_eq(tick->functions[0].self_ns, wanted[i].time_ns);
    }
}

/* ----------------------------------------------------------------- disturbed ticks */

/* Usual ticks of 40; tick 8 has more calls, in tick 9 all calls take five times as long. */
static const char disturbed[] =
    "#1AB10.10N.20.#2AB10.10N.20.#3AB10.10N.20.#4AB10.10N.20.#5AB10.10N.20.#6AB10.10N.20."
    "#8AB10.10N.20.AB10.10N.20.AB10.10N.20.AB10.10N.20.AB10.10N.20.#9AB50.50N.100.";

Test(tick_sums, slow_ticks_are_compared_with_what_their_calls_usually_take)
{
    game.settings.kept_ticks = 0;
    game.settings.limit_ns = 100;
    play(disturbed);
    const struct tick *ticks = results->ticks.ticks;
    cr_assert_eq(results->ticks.count, 8);
    cr_expect_eq(ticks[0].usual_ns, -1);
    cr_expect(ticks[6].time_ns == 200 && ticks[6].usual_ns == 200 && !ticks[6].is_disturbed);
    cr_expect(ticks[7].time_ns == 200 && ticks[7].usual_ns == 40 && ticks[7].is_disturbed);
    cr_expect_eq(ticks[7].all_count, 3);
    cr_expect_null(ticks[0].all);
}

Test(tick_sums, a_tick_that_took_less_than_three_times_as_long_is_not_disturbed)
{
    game.settings.limit_ns = 100;
    play("#1AB10.10N.20.#2AB10.10N.20.#3AB10.10N.20.#4AB28.28N.56.#5AB32.32N.64.");
    const struct tick *ticks = results->ticks.ticks;
    cr_expect(ticks[3].time_ns == 112 && ticks[3].usual_ns == 40 && !ticks[3].is_disturbed);
    cr_expect(ticks[4].time_ns == 128 && ticks[4].usual_ns == 40 && ticks[4].is_disturbed);
}

/* It may have had more to do. */
Test(tick_sums, a_tick_in_which_one_function_took_longer_is_not_disturbed)
{
    game.settings.limit_ns = 100;
    play("#1AB10.10N.20.#2AB10.10N.20.#3AB10.10N.20.#4AB10.10N.320.");
    cr_expect_eq(results->ticks.ticks[3].usual_ns, 40);
    cr_expect_not(results->ticks.ticks[3].is_disturbed);
}

Test(tick_sums, the_usual_time_of_a_tick_is_without_costs)
{
    game.settings.limit_ns = 100;
    game.settings.costs = (struct call_costs){.is_known = true, .in_ns = {2, 2}, .out_ns = {1, 1}};
    play(disturbed);
    cr_expect_eq(results->ticks.ticks[7].time_ns, 200 - 3 * 2 - 2);
    cr_expect_eq(results->ticks.ticks[7].usual_ns, 40 - 3 * 2 - 2);
}

/* Usual ticks of 100, of which recording has cost 98. */
Test(tick_sums, what_is_left_of_much_cost_is_no_usual_time)
{
    game.settings.limit_ns = 50;
    game.settings.costs =
        (struct call_costs){.is_known = true, .in_ns = {24, 24}, .out_ns = {25, 25}};
    play("#1AB40.30N30.#2AB40.30N30.#3AB40.30N30.#4AB40.30N30.#5AB90.80N80.");
    cr_expect(results->ticks.ticks[4].time_ns > 50);
    cr_expect_eq(results->ticks.ticks[4].usual_ns, -1);
    cr_expect_not(results->ticks.ticks[4].is_disturbed);
}

/* ---------------------------------------------------------------- lines that call */

static const struct line_sum *line_of(uint32_t caller, uint32_t callee, int32_t line)
{
    for (size_t i = 0; i < results->work.line_count; i++) {
        const struct line_sum *sum = &results->work.lines[i];
        if (sum->caller == caller && sum->callee == callee && sum->line == line)
            return sum;
    }
    return NULL;
}

Test(tick_sums, lines_have_their_calls_for_each_run_over_time)
{
    event_play_begin(&game, 0);
    /* Twice as many stretches as ticks: B, from line 10, 8 times in tick 7 alone, else 4 times. */
    for (int tick = 1; tick <= 2 * WORK_STRETCHES; tick++) {
        char text[128];
        snprintf(text, sizeof text, "#%dAB.B.B.B.%sU.U.U.", tick, tick == 7 ? "B.B.B.B." : "");
        event_play_text(&game, text);
        event_play_text(&game, ".");
    }
    finish();
    const struct line_sum *line = line_of(A, B, 10);
    cr_assert_not_null(line);
    cr_expect_eq(line->invocations, 2 * WORK_STRETCHES);
    cr_expect_eq(line->calls, 4 * 2 * WORK_STRETCHES + 4);
    for (size_t i = 0; i < WORK_STRETCHES; i++) {
        cr_expect_eq(line->invocations_in[i], 2);
        cr_expect_eq(line->calls_in[i], i == 3 ? 12 : 8);
    }
}

Test(tick_sums, each_stretch_has_the_usual_time_of_its_ticks)
{
    event_play_begin(&game, 0);
    for (int tick = 0; tick < 2 * WORK_STRETCHES; tick++) {
        char text[64];
        snprintf(text, sizeof text, "#%dA.%d", tick + 1, 10 * (tick / 2 + 1));
        event_play_text(&game, text);
    }
    finish();
    for (size_t i = 0; i < WORK_STRETCHES; i++) {
        cr_expect_float_eq(results->work.usual_ns[i], 10 * (double)(i + 1), 1e-9);
        cr_expect_float_eq(results->work.kept_fraction[i], 1, 1e-9);
    }
}

/* More entries than one thread reads alone. */
static void play_many_ticks(bool has_threads)
{
    event_play_reset(&game);
    game.settings.has_threads = has_threads;
    event_play_begin(&game, 0);
    for (int tick = 0; tick < RECORDED_FEW_ENTRIES; tick++) {
        char text[64];
        snprintf(text, sizeof text, "#%dA%dB%d..", tick + 1, 50 + tick % 7, 60 + tick % 97);
        event_play_text(&game, text);
    }
    finish();
}

Test(tick_sums, two_threads_add_up_what_one_does)
{
    game.settings.kept_ticks = 0;
    game.settings.limit_ns = 140;
    game.settings.costs =
        (struct call_costs){.is_known = true, .in_ns = {10, 10}, .out_ns = {5, 5}};
    play_many_ticks(false);
    struct slow_sum one[16] = {0}, all = results->slow.all;
    size_t count = results->slow.count;
    cr_assert_leq(count, 16);
    memcpy(one, results->slow.at, count * sizeof *one);
    play_many_ticks(true);
    int64_t removed_ns = 0;
    cr_assert_eq(results->slow.count, count);
    for (size_t i = 0; i < count; i++) {
        removed_ns += one[i].removed_ns;
        cr_expect_eq(results->slow.at[i].slow_ns, one[i].slow_ns);
        cr_expect_eq(results->slow.at[i].other_ns, one[i].other_ns);
        cr_expect_eq(results->slow.at[i].removed_ns, one[i].removed_ns);
    }
    cr_expect_gt(removed_ns, 0);
    cr_expect_gt(all.slow_ns, 0);
    cr_expect_eq(results->slow.all.slow_ns, all.slow_ns);
    cr_expect_eq(results->slow.all.other_ns, all.other_ns);
}

Test(tick_sums, lines_are_of_all_stacks_of_their_function_and_no_roots)
{
    play("#1AB..@1AB.B.B.B.B.B.B..@0R.R.R.R.R.R.R.R.R.R.");
    cr_assert_eq(results->work.line_count, 1);
    const struct line_sum *line = line_of(A, B, 10);
    cr_assert_not_null(line);
    cr_expect(line->invocations == 2 && line->calls == 8);
}

/* A loop calls them at each turn. */
Test(tick_sums, calls_of_iterators_are_not_counted)
{
    const struct event_function iterator = {.id = NEXT, .is_iterator = true};
    enum { NEW = 50 };
    event_play_begin(&game, 0);
    events_put(&game.events, event_make(EVENT_FUNCTION, NEW, 0));
    events_put_payload(&game.events, &iterator, sizeof iterator);
    event_play_define_site(&game, NEW, (struct event_site){NEW, 30});
    event_play_text(&game, "#1A");
    for (int i = 0; i < 20; i++) {
        events_put(&game.events, event_make(EVENT_CALL, NEW, 1));
        events_put(&game.events, event_make(EVENT_RETURN, 0, 1));
    }
    event_play_text(&game, ".");
    finish();
    cr_expect_eq(results->ticks.ticks[0].calls, 21);
    cr_expect_eq(results->work.line_count, 0);
}

Test(tick_sums, calls_of_several_recordings_are_not_counted_together)
{
    for (uint32_t run = 0; run < 2; run++) {
        event_play_begin(&game, run);
        event_play_text(&game, "#1AB.B.B.B.B..");
    }
    finish();
    cr_expect_eq(results->work.recording_count, 2);
    cr_expect(results->work.line_count == 0 && results->work.function_count == 0);
}

Test(tick_sums, functions_have_the_usual_price_of_their_calls)
{
    game.settings.limit_ns = 100;
    play("A.7#1AB10.10.#2AB10.10.#3AB10.10B.10.#4AB10.91.");
    const struct function_work *work = &results->work.functions[B];
    cr_assert(results->work.function_count > B);
    /* Not of those in the slow tick. */
    cr_expect_float_eq(work->measured_ns, 10 + 10 + 20 + 91, 1e-9);
    cr_expect_float_eq(work->price_ns, 10, 1e-9);
    cr_expect_float_eq(work->tick_calls, 4 / 3.0, 1e-9);
    cr_expect_float_eq(work->usual_fraction, 50 / 131.0, 1e-9);
    cr_expect_float_eq(results->work.functions[A].usual_fraction, 1, 1e-9);
}

/* ------------------------------------------------------------------------- changes */

static void expect_changes_of_the_tree(const char *text)
{
    game.settings.keeps_changes = true;
    play(text);
    const struct tick_changes *changes = &results->changes;
    const struct tree *tree = &results->tree;
    int64_t *self_ns = mem_zeroed(tree->node_count, sizeof *self_ns);
    int64_t *calls = mem_zeroed(tree->node_count, sizeof *calls);
    cr_assert_eq(changes->node_count, tree->node_count, "%s", text);
    cr_assert_eq(changes->tick_count, results->ticks.count);
    size_t at = 0;
    for (size_t tick = 0; tick < changes->tick_count; tick++) {
        int64_t tick_ns = 0;
        for (; at < changes->ends[tick]; at++) {
            const struct tick_change *change = &changes->all[at];
            self_ns[change->node] += change->self_ns;
            calls[change->node] += change->calls;
            tick_ns += change->self_ns;
        }
        cr_expect_eq(tick_ns, results->ticks.ticks[tick].time_ns);
    }
    cr_expect_eq(at, changes->count);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        cr_expect_eq(self_ns[node], tree->self_ns[node], "%s, node %u", text, node);
        cr_expect_eq((uint64_t)calls[node], tree->call_counts[node], "%s, node %u", text, node);
        int64_t longest_ns = tree->details[node].max_ns > 0 ? tree->details[node].max_ns : 0;
        cr_expect_eq(changes->longest[node].ns, longest_ns);
    }
    MEM_FREE(self_ns, calls);
}

Test(tick_sums, changes_of_all_ticks_are_the_tree)
{
    expect_changes_of_the_tree("#1AB10.20.30#2@1AB1.2.W@0#3@1.!B7.9.#4AB5");
    /* A frame that was met did nothing but come to a line, in no time. */
    expect_changes_of_the_tree("#1~(S):c.R1.2B3.4.5#2AB10.20.30");
}

Test(tick_sums, changes_know_the_tick_of_the_longest_call_of_each_node)
{
    game.settings.keeps_changes = true;
    play("#1A.10A.20#2A.30A.5#3A.30R.1");
    cr_expect_eq(results->changes.longest[1].ns, 30);
    cr_expect_eq(results->changes.longest[1].tick, 2);
    cr_expect_eq(results->changes.longest[2].tick, 3);
}

Test(tick_sums, there_are_no_changes_of_several_recordings)
{
    game.settings.keeps_changes = true;
    for (uint32_t run = 0; run < 2; run++) {
        event_play_begin(&game, run);
        event_play_text(&game, "#1AB.5.");
    }
    finish();
    cr_expect(results->changes.tick_count == 0 && results->changes.longest == NULL);
}

/* ----------------------------------------------------------------------- outside of ticks */

static struct recording_rebuild recording;
static struct rebuild_results recording_results;

static void begin_recording(const struct events *definitions, double unit_ns)
{
    static const struct rebuild_settings settings = {.threads = NODE_MAIN | NODE_COROUTINE};
    recording_rebuild_begin(&recording, 0, &settings, &recording_results);
    recording.stacks->begin.unit_ns = unit_ns;
    stacks_do_events(recording.stacks, definitions->at, definitions->at,
                     definitions->at + definitions->count);
}

/* Events without definitions. */
static void play_events(const struct event *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (event_kind(all[i]) == EVENT_TICK)
            recording_rebuild_begin_tick(&recording, all[i].units, false);
        else
            stacks_do_events(recording.stacks, all + i, all + i, all + i + 1);
    recording_rebuild_end(&recording, false);
}

/* Plays events of A, which is site 0 without a caller, to a recording of its own. */
static void play_outside(const struct event *calls, size_t count)
{
    const struct event_function function = {.id = A, .is_lua = true};
    const struct event_site site = {0, NO_CALLER};
    struct events events = {0};
    events_put(&events, event_make(EVENT_FUNCTION, 0, 0));
    events_put_payload(&events, &function, sizeof function);
    events_put(&events, event_make(EVENT_SITE, 0, 0));
    events_put_payload(&events, &site, sizeof site);
    begin_recording(&events, 1e6);
    play_events(calls, count);
    free(events.at);
}

/* A call of A after so many milliseconds, which took so long. */
#define CALL(pause_ms, ms) event_make(EVENT_ROOT_CALL, 0, pause_ms), event_make(EVENT_RETURN, 0, ms)

static void expect_ticks(const struct recorded_tick *wanted, size_t count)
{
    cr_assert_eq(recording.recorded.entries.part_count, count);
    for (size_t i = 0; i < count; i++) {
        const struct recorded_tick *tick = &recording.recorded.ticks[i];
        cr_expect_eq(tick->number, wanted[i].number, "%zu", i);
        cr_expect_eq(tick->time_ns, wanted[i].time_ns, "%zu: %ld", i, (long)tick->time_ns);
        cr_expect_eq(tick->calls, wanted[i].calls, "%zu", i);
    }
    recording_rebuild_release(&recording);
}

Test(tick_sums, time_outside_of_ticks_is_in_pieces_of_100_ms)
{
    /* A piece ends with the first root or change of thread after it. */
    const struct event calls[] = {CALL(0, 60), CALL(30, 9),  CALL(0, 30), CALL(0, 10),
                                  CALL(90, 1), CALL(0, 250), CALL(0, 5),  CALL(0, 6)};
    play_outside(calls, sizeof calls / sizeof calls[0]);
    const struct recorded_tick wanted[] = {{.number = -1, .time_ns = 99000000, .calls = 3},
                                           {.number = -1, .time_ns = 10000000, .calls = 1},
                                           {.number = -1, .time_ns = 251000000, .calls = 2},
                                           {.number = -1, .time_ns = 11000000, .calls = 2}};
    expect_ticks(wanted, 4);
}

Test(tick_sums, ticks_are_not_cut_into_pieces)
{
    const struct event calls[] = {CALL(0, 99),  event_make(EVENT_TICK, 0, 5), CALL(0, 250),
                                  CALL(0, 250), event_make(EVENT_TICK, 0, 6), CALL(0, 1)};
    play_outside(calls, sizeof calls / sizeof calls[0]);
    const struct recorded_tick wanted[] = {{.number = -1, .time_ns = 99000000, .calls = 1},
                                           {.number = 5, .time_ns = 500000000, .calls = 2},
                                           {.number = 6, .time_ns = 1000000, .calls = 1}};
    expect_ticks(wanted, 3);
}

/* ---------------------------------------------------------- memory for each byte of a log */

/* What the entries of `count` ticks take that have these events, for each byte of the events. */
static double entry_bytes(const char *tick, int count)
{
    SCOPED(text) text = {0};
    for (int i = 1; i <= count; i++)
        text_printf(&text, "#%d%s", i, tick);
    game.events.count = 0;
    event_play_define(&game);
    begin_recording(&game.events, 1);
    game.events.count = 0;
    event_play_put_text(&game, text.at, text.length);
    play_events(game.events.at, game.events.count);
    const struct entries *entries = &recording.recorded.entries;
    size_t bytes = byte_blocks_place(&entries->packed) + byte_blocks_place(&entries->details) +
                   entries->part_count * sizeof entries->parts[0];
    recording_rebuild_release(&recording);
    return (double)bytes / (double)text.length;
}

/* Calls of one byte each, all of which end late: the most that a byte of events can make. */
static const char *deep_stack(struct text *text, size_t depth)
{
    text_cut(text, 0);
    for (size_t i = 0; i < depth; i++)
        text_put_string(text, i == 0 ? "A" : "L");
    text_put_string(text, "99999999");
    for (size_t i = 0; i < depth; i++)
        text_put_string(text, ".");
    return text_string(text);
}

Test(tick_sums, entries_take_memory_in_proportion_to_events)
{
    SCOPED(text) deep = {0};
    const char *ticks[] = {"", "A.", "AB.C.N.L.U.E..R.S.", "@1AB.@2AB.@3AB.@0AB",
                           deep_stack(&deep, 300)};
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
        double once = entry_bytes(ticks[i], 500), twice = entry_bytes(ticks[i], 1000);
        cr_expect(once <= 12 && twice <= 1.05 * once, "%.20s: %g, %g", ticks[i], once, twice);
    }
}
