#include "rebuild/event_play.h"
#include "rebuild/timeline_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct event_play game;

static void set_up(void)
{
    event_play_init(&game);
    game.settings.has_timeline = true;
}

static void tear_down(void)
{
    event_play_release(&game);
}

TestSuite(timeline, .init = set_up, .fini = tear_down);

static const struct timeline *play(const char *text)
{
    event_play_reset(&game);
    event_play_begin(&game, 0);
    event_play_text(&game, text);
    rebuild_finish(game.rebuild);
    const struct timeline *timeline = &rebuild_results(game.rebuild)->timeline;
    timeline_check(timeline);
    return timeline;
}

static void expect(const char *text, const char *expected)
{
    char *found = timeline_describe(play(text));
    cr_expect_str_eq(found, expected, "%s\n  became   %s\n  and not  %s", text, found, expected);
    free(found);
}

/* ------------------------------------------------------------ calls and returns */

Test(timeline, has_a_slice_for_each_call)
{
    expect("", "");
    expect("A1B2C3.4.5.6", "main: A1-21 .B3-15 ..C6-10");
    expect("AB1.2B3.4.5", "main: A0-15 .B1-3 .B6-10");
    expect("AL1L2.3.4.5", "main: A0-15 .A1-10 ..A3-6");
}

Test(timeline, has_slices_for_calls_without_length)
{
    expect("AB.B..", "main: A0-0 .B0-0 .B0-0");
    expect("A3BC...", "main: A3-3 .B3-3 ..C3-3");
}

Test(timeline, leaves_the_time_between_callbacks_empty)
{
    expect("A1.2A100.3", "main: A1-3 A103-106");
}

Test(timeline, keeps_a_frame_that_made_a_tail_call_until_its_tail_return)
{
    expect("AT1.2,3", "main: A0-6 .B~1-3");
    expect("AR1.2,3", "main: A0-6 .B~1-3");
    expect("AR1C2.3.4,5", "main: A0-15 .B~1-10 ..C3-6");
    expect("@1AR1.2.3", "thread 1: A0-6 .B~1-3");
}

Test(timeline, begins_another_callback_where_a_root_is_no_tail_call)
{
    expect("AR1.2A3.4", "main: A0-0>! B1-3 A6-10");
}

Test(timeline, nests_what_a_c_function_calls_back)
{
    expect("AN1T2.3.4.5", "main: A0-15 .n1-10 ..B3-6");
    /* The root is unattributed callee, but the C function runs in between. */
    expect("AN1R2.3R4.5.6.7", "main: A0-28 .n1-21 ..B3-6 ..B10-15");
    expect("AN1R2N3S4.5.6.7.8.9", "main: A0-45 .n1-36 ..B3-28 ...n6-21 ....C10-15");
}

Test(timeline, does_not_nest_a_root_above_a_c_function_that_an_error_ended)
{
    expect("AN1R2.3", "main: A0-1>! .n1-1>! B3-6");
}

Test(timeline, marks_calls_that_errors_ended)
{
    expect("ABC1^0.2", "main: A0-3 .B0-3! ..C1-3!");
    expect("AB1~A2.3", "main: A0-1! .B1-1! A3-6");
}

Test(timeline, forgets_what_lost_lines_leave_open)
{
    expect("AB1?|C2.3", "main: A0-1> .B1-1> C3-6");
}

/* ---------------------------------------------------------------------- threads */

Test(timeline, cuts_calls_where_their_thread_waits)
{
    expect("A1@1R2@0B3.4.5", "main: A1-1> A6-15< .B6-10 thread 1: B3-3>!");
    expect("A1B@1R2.3@0.4.5", "main: A1-1> .B1-1> A10-15< thread 1: B3-6");
}

Test(timeline, gives_a_frame_that_wakes_only_to_return_no_slice)
{
    expect("@1A1W2@2R3.4@1.5!6.7", "thread 1: A1-3> .w3-3> A15-28< thread 2: B6-10");
}

Test(timeline, shows_a_function_that_turns_out_to_have_run_all_the_while)
{
    /* On another track it is in pieces. */
    expect("@1AN1@0R2.3@1.4.5", "main: B3-6 thread 1: A0-3> .n1-3> A6-15< .n6-10<");
    /* Also while nothing ran that had been forgotten. */
    expect("@1AN1@0R2~A3.4@1.5", "main: B3-3! A6-10 thread 1: A0-3> .n1-3> A3-6<> .n3-6<> "
                                 "A10-15<> .n10-15<");
    /* Known to suspend, but no mark follows. */
    expect("AW1@1S5.2@0.3.4", "main: A0-6> .w1-6> A8-15< .w8-11< thread 1: C6-8");
}

Test(timeline, shows_no_function_that_turns_out_to_have_slept)
{
    expect("AN1.90!2.3", "main: A0-1> .n1-1> A91-96<");
    /* What it called back meanwhile is not on it, and does not matter for what comes. */
    expect("@1AN1R2.3.4!5B6C7.8.9.1", "thread 1: A0-1> .n1-1> B3-6 A10-46< .B21-45 ..C28-36");
}

Test(timeline, takes_whole_stacks_for_calls_that_began_before)
{
    expect("~(ABC).1.2.3", "main: A0-6< .B0-3< ..C0-1<");
    expect("@1(AW).1!2.3", "thread 1: A1-6<");
}

Test(timeline, has_only_the_threads_that_are_wanted)
{
    game.settings.threads = NODE_COROUTINE;
    expect("A1@1R2.3@0B3.4.5", "thread 1: B3-6");
    game.settings.threads = NODE_MAIN;
    expect("A1@1R2.3@0B3.4.5", "main: A1-1> A9-18< .B9-13");
}

/* ---------------------------------------------------------------------- windows */

Test(timeline, has_ticks_up_to_the_next_one)
{
    expect("A1#5B2.3#6.4", "#5:1-6 #6:6-10 main: A1-10 .B3-6");
}

Test(timeline, cuts_calls_at_the_borders_of_the_window)
{
    game.settings.from = (struct window_border){WINDOW_TICK, 6, false};
    game.settings.to = (struct window_border){WINDOW_TICK, 7, false};
    expect("#5A1B2#6C3.4.5.6R7#7.8", "#6:3-28 main: A3-21< .B3-15< ..C6-10 B28-28>");
    expect("#5A1B2#6#7.8", "#6:3-3");
}

Test(timeline, counts_the_calls_of_a_window_that_ends_before_the_run)
{
    game.settings.to = (struct window_border){WINDOW_TICK, 6, false};
    cr_expect_eq(play("#5A1B2.#6B1.B1.#7.8")->calls, 2);
    cr_expect_eq(play("#5A1B2.B1.")->calls, 3);
}

Test(timeline, knows_at_the_windows_begin_what_waits)
{
    game.settings.from = (struct window_border){WINDOW_TICK, 6, false};
    /* The C function on thread 1 runs on, from the window's begin. */
    expect("#5@1AN1@0R2#6.3@1.4.5", "#6:3-15 main: B3-6< thread 1: A6-15< .n6-10<");
    /* A callback on a C function of the same thread. */
    expect("#5AN1R2#6.3.4.5", "#6:3-15 main: A3-15< .n3-10< ..B3-6<");
    /* A root that turns out to be a callee. */
    expect("#5AR1#6.2,3.4", "#6:1-10 main: B1-3< A3-6<");
}

Test(timeline, keeps_runs_apart)
{
    event_play_begin(&game, 0);
    event_play_text(&game, "#1A1B2");
    game.begin.unit_ns = 10;
    event_play_begin(&game, 1);
    event_play_text(&game, "#7A1.3");
    events_put(&game.events, event_make(EVENT_END, 0, 0));
    events_put(&game.events, event_make(EVENT_RECORDING, 0, 0));
    event_play_text(&game, ".3.4");
    rebuild_finish(game.rebuild);
    const struct timeline *timeline = &rebuild_results(game.rebuild)->timeline;
    timeline_check(timeline);
    /* The second has ended first. */
    cr_assert_eq(timeline->track_count, 2);
    cr_expect_eq(timeline->tracks[0].recording, 0);
    cr_expect_eq(timeline->tracks[0].slices, 2);
    cr_expect_eq(timeline->tracks[1].recording, 1);
    cr_expect_eq(timeline->slices[2].begin_ns, 10);
    cr_expect_eq(timeline->slices[2].end_ns, 40);
    cr_expect_eq(timeline->window_count, 2);
    cr_expect_eq(timeline->windows[1].end_ns, 40);
}

/* ----------------------------------------------------------------------- limits */

Test(timeline, ends_where_stacks_are_too_deep_for_viewers)
{
    enum { DEPTH = TIMELINE_DEPTH_MAX + 10 };
    event_play_begin(&game, 0);
    event_play_text(&game, "A");
    for (int i = 1; i < DEPTH; i++)
        event_play_text(&game, "L1");
    for (int i = 0; i < DEPTH; i++)
        event_play_text(&game, ".1");
    rebuild_finish(game.rebuild);
    const struct timeline *timeline = &rebuild_results(game.rebuild)->timeline;
    timeline_check(timeline);
    cr_expect_eq(timeline->slice_count, TIMELINE_DEPTH_MAX + 1);
    cr_expect_eq(timeline->truncated_count, DEPTH - TIMELINE_DEPTH_MAX);
    const struct slice *last = &timeline->slices[TIMELINE_DEPTH_MAX];
    cr_expect_eq(last->function, TIMELINE_TRUNCATED);
    cr_expect_eq(last->begin_ns, TIMELINE_DEPTH_MAX);
    cr_expect_eq(last->end_ns, DEPTH - 1 + DEPTH - TIMELINE_DEPTH_MAX);
}

static void play_times(const char *text, int times)
{
    for (int i = 0; i < times; i++)
        event_play_text(&game, text);
}

Test(timeline, is_none_where_there_are_too_many_calls)
{
    enum { ROUNDS = TIMELINE_SLICES_MAX / 10 };
    event_play_begin(&game, 0);
    event_play_text(&game, "#1A");
    play_times("B1.B1.B1.B1.B1.B1.B1.B1.B1.B1.", ROUNDS);
    event_play_text(&game, ".");
    rebuild_finish(game.rebuild);
    const struct timeline *timeline = &rebuild_results(game.rebuild)->timeline;
    cr_expect(timeline->is_too_long);
    cr_expect_eq(timeline->calls, TIMELINE_SLICES_MAX + 1);
    cr_expect_eq(timeline->window_ticks, 1);
    cr_expect(timeline->slice_count == 0 && timeline->track_count == 0);
}

Test(timeline, is_none_where_there_are_too_many_steps)
{
    event_play_begin(&game, 0);
    play_times("@1@0@1@0@1@0@1@0", TIMELINE_STEPS_MAX / 8 + 1);
    event_play_text(&game, "A1.");
    rebuild_finish(game.rebuild);
    cr_expect(rebuild_results(game.rebuild)->timeline.is_too_long);
    cr_expect_eq(rebuild_results(game.rebuild)->timeline.calls, 1);
}

Test(timeline, takes_times_for_nothing_that_no_game_can_have_measured)
{
    game.begin.unit_ns = 1e9;
    expect("A1.4294967295B1.4294967295", "main: A0-0 B0-0");
}

Test(timeline, is_not_made_unless_it_is_asked_for)
{
    game.settings.has_timeline = false;
    cr_expect_eq(play("#1AB1.2.3")->slice_count, 0);
    cr_expect_eq(rebuild_results(game.rebuild)->timeline.window_count, 0);
}

/* ------------------------------------------------------------ the slowest ticks */

/* A tick with its slices, in the order of time, each after the number of its thread. */
static void put_tick(char *text, size_t size, const struct timeline *timeline)
{
    snprintf(text, size, "#%d", (int)timeline->ticks[0].number);
    for (size_t i = 0; i < timeline->slice_count; i++) {
        const struct slice *slice = &timeline->slices[i];
        size_t length = strlen(text);
        snprintf(text + length, size - length, " %d%.*s%c%d-%d%s",
                 (int)timeline->tracks[slice->track].thread, (int)slice->depth, "....",
                 event_play_name(slice->function), (int)slice->begin_ns, (int)slice->end_ns,
                 slice->flags & SLICE_CONTINUED ? "<" : "");
    }
}

/* The slowest ticks, by their numbers. */
static void expect_slowest(const char *text, const char *expected)
{
    char found[512] = "";
    game.settings.has_timeline = false;
    game.settings.keeps_order = game.settings.keeps_changes = true;
    play(text);
    const struct slow_timelines *slowest = &rebuild_results(game.rebuild)->slowest;
    for (int64_t tick = 0; tick < 10; tick++)
        for (size_t i = 0; i < slowest->count; i++) {
            size_t length = strlen(found);
            const struct timeline *timeline = &slowest->at[i].timeline;
            if (timeline->ticks[0].number == tick)
                put_tick(found + length, sizeof found - length, timeline);
        }
    cr_expect_str_eq(found, expected, "%s\n  became   %s\n  and not  %s", text, found, expected);
}

Test(timeline, knows_the_five_slowest_ticks)
{
    expect_slowest("#1A1.7#2A1.1#3A1.3#4A1.4#5A1.5#6A1.6#7A1.2",
                   "#1 0A1-8#3 0A11-14#4 0A15-19#5 0A20-25#6 0A26-32");
}

Test(timeline, knows_no_slow_tick_in_which_nothing_ran)
{
    expect_slowest("#1A1.7#2", "#1 0A1-8");
    expect_slowest("#1", "");
}

Test(timeline, has_the_stacks_of_threads_that_run_in_a_slow_tick)
{
    expect_slowest("@1AW@2AW#3@1.2!.3", "#3 1A2-5<");
    expect_slowest("@1AW@2AW#3@1.2!.3@2.4!.5", "#3 1A2-5< 2A9-14<");
    expect_slowest("@1AW@2AW#3@1.2!W1@2.4!W3@1.3!.5", "#3 1A2-3< 1.w3-3 2A7-10< 2.w10-10 1A13-18<");
    expect_slowest("#5AN1R2#6.3.4.5", "#5 0A0-1 0.n1-1 0B3-3#6 0A3-15< 0.n3-10< 0..B3-6<");
}

Test(timeline, counts_nothing_of_the_recorder_in_a_slow_tick)
{
    expect_slowest("#1A1.1#2A1.2#3A1.3#4A1.4#5A1.5#6A1.1K90.91",
                   "#1 0A1-2#2 0A3-5#3 0A6-9#4 0A10-14#5 0A15-20");
}
