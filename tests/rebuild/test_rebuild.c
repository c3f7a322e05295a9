#include "base/mem.h"
#include "base/text.h"
#include "read/frames.h"
#include "rebuild/event_play.h"
#include "rebuild/rebuild.h"
#include "rebuild/timeline_text.h"
#include "tree/tree.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct event_play game;

static void set_up(void)
{
    event_play_init(&game);
}

static void tear_down(void)
{
    event_play_release(&game);
}

TestSuite(rebuild, .init = set_up, .fini = tear_down);

static void play(const char *text)
{
    event_play_text(&game, text);
}

static void begin_run(uint32_t run)
{
    event_play_begin(&game, run);
}

/* ------------------------------------------------------------------- trees out */

static void put_path(struct text *text, const struct tree *tree, uint32_t node)
{
    const struct call *call = &tree->calls[node];
    if (call->parent != TREE_ROOT) {
        put_path(text, tree, call->parent);
        text_put_string(text, call->line == LINE_TAIL_CALL ? ">~"
                              : call->line == LINE_UNKNOWN ? ">?"
                                                           : ">");
    }
    text_put(text, &(char){event_play_name(call->function)}, 1);
    /* B is called from two lines. */
    if (call->line == 11)
        text_put_string(text, "@11");
}

/*
 * A node is "A>B:2/30!1c": 2 calls, a self time of 30, 1 error, on a coroutine ("mc": and
 * on the main thread). ">~" is a tail call, ">?" a call from an unknown line.
 */
static char *describe_tree(const struct tree *tree)
{
    struct text text = {0};
    struct tree_order order;
    tree_order_init(&order, tree, NULL);
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order.nodes[place];
        if (text.length > 0)
            text_put_string(&text, " ");
        put_path(&text, tree, node);
        text_put_string(&text, ":");
        text_put_count(&text, tree->call_counts[node]);
        text_put_string(&text, "/");
        text_put_number(&text, tree->self_ns[node]);
        if (tree->details[node].errors > 0) {
            text_put_string(&text, "!");
            text_put_count(&text, tree->details[node].errors);
        }
        uint8_t threads = tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        text_put_string(&text, threads == (NODE_MAIN | NODE_COROUTINE) ? "mc"
                               : threads == NODE_COROUTINE             ? "c"
                                                                       : "");
    }
    tree_order_release(&order);
    struct span span = text_span(&text);
    char *copy = mem_copy(span.at, span.length);
    text_release(&text);
    return copy;
}

static struct tree recorded; /* by finish() */

static const struct tree *finish(void)
{
    rebuild_finish(game.rebuild);
    tree_release(&recorded);
    recorded = rebuild_results(game.rebuild)->tree;
    rebuild_results(game.rebuild)->tree = (struct tree){0};
    return &recorded;
}

static void expect_finished(const char *what, const char *expected)
{
    const struct tree *tree = finish();
    char *found = describe_tree(tree);
    cr_expect_str_eq(found, expected, "%s\n  became   %s\n  and not  %s", what, found, expected);
    free(found);
}

/* With a time line nothing else changes, and it has the same calls and times. */
static void expect_timeline(const char *text, const char *expected)
{
    game.settings.has_timeline = true;
    event_play_reset(&game);
    begin_run(0);
    play(text);
    expect_finished(text, expected);
    game.settings.has_timeline = false;
    const struct timeline *timeline = &rebuild_results(game.rebuild)->timeline;
    timeline_check(timeline);
    if (rebuild_recording(game.rebuild, 0).costs.is_known)
        return;
    uint32_t differences =
        timeline_count_differences(timeline, &recorded, FUNCTION_COUNT, CALIBRATE);
    char *found = timeline_describe(timeline);
    cr_expect_eq(differences, 0, "%s\n  has another time line: %s", text, found);
    free(found);
}

static void expect_tree(const char *text, const char *expected)
{
    expect_timeline(text, expected);
    event_play_reset(&game);
    begin_run(0);
    play(text);
    expect_finished(text, expected);
}

struct played {
    const char *text, *tree;
};

static void expect_trees(const struct played *played, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_tree(played[i].text, played[i].tree);
}

#define EXPECT_TREES(...)                                                                          \
    expect_trees((const struct played[]){__VA_ARGS__},                                             \
                 sizeof((const struct played[]){__VA_ARGS__}) / sizeof(struct played))

/* The node of a path such as "A>B". */
static const struct call_details *details_of(const char *path)
{
    const struct tree *tree = &recorded;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct text text = {0};
        put_path(&text, tree, node);
        bool is_it = text.length == strlen(path) && memcmp(text.at, path, text.length) == 0;
        text_release(&text);
        if (is_it)
            return &tree->details[node];
    }
    cr_assert_fail("there is no %s", path);
    return NULL;
}

static void expect_durations(const char *path, uint64_t finished, int64_t finished_ns,
                             int64_t min_ns, int64_t max_ns)
{
    const struct call_details *details = details_of(path);
    cr_expect_eq(details->finished, finished, "%s: %lu", path, (unsigned long)details->finished);
    cr_expect_eq(details->finished_ns, finished_ns, "%s: %ld", path, (long)details->finished_ns);
    cr_expect_eq(details->min_ns, min_ns, "%s: %ld", path, (long)details->min_ns);
    cr_expect_eq(details->max_ns, max_ns, "%s: %ld", path, (long)details->max_ns);
}

/* ------------------------------------------------------------ calls and returns */

Test(rebuild, gives_units_to_the_frame_that_ran_before_the_event)
{
    EXPECT_TREES({"", ""}, {"A", "A:1/0"}, {"A5.3", "A:1/3"}, {"A5B3.2.1", "A:1/4 A>B:1/2"},
                 {"A.5A.6", "A:2/11"}, {"AB1C2.3.4B5.6.7", "A:1/13 A>B:2/12 A>B>C:1/3"},
                 {"AB1.2U3.4.5", "A:1/9 A>B:1/2 A>B@11:1/4"},
                 {"AL1L2.3.4.5", "A:1/6 A>A:1/6 A>A>A:1/3"});
}

Test(rebuild, leaves_time_unattributed_while_nothing_runs)
{
    EXPECT_TREES({"A1.2A100.3", "A:2/5"}, {"A.@1R100.1@0A100.2", "A:2/2 B:1/1c"},
                 {".100,200!300", ""});
}

Test(rebuild, takes_a_call_from_no_line_below_a_lua_function_for_a_tail_call)
{
    EXPECT_TREES({"AT1.2,3", "A:1/4 A>~B:1/2"}, {"AB1V2.3,4.5", "A:1/6 A>B:1/6 A>B>~C:1/3"},
                 {"AT1V2.3,4,5", "A:1/6 A>~B:1/6 A>~B>~C:1/3"});
}

Test(rebuild, takes_a_call_from_no_line_below_a_c_function_for_a_callback)
{
    expect_tree("AN1T2.3T4.5.6.7", "A:1/8 A>n:1/12 A>n>?B:2/8");
}

Test(rebuild, ends_frames_above_the_one_that_returns_by_an_error)
{
    EXPECT_TREES({"ABC1^0.2", "A:1/0 A>B:1/1!1 A>B>C:1/2!1"},
                 {"ABC1^1.2.3", "A:1/3 A>B:1/1 A>B>C:1/2!1"}, {"AB^1.2.3", "A:1/3 A>B:1/2"},
                 /* The topmost of that function. */
                 {"ALLB^0.1.2.3", "A:1/3 A>A:1/2 A>A>A:1/0 A>A>A>B:1/1!1"},
                 /* A suspended coroutine is no error. */
                 {"ABW1^0.2", "A:1/0 A>B:1/1 A>B>w:1/0"},
                 {"AWB1^0.2", "A:1/0 A>w:1/1!1 A>w>B:1/2!1"});
}

Test(rebuild, forgets_stacks_as_if_errors_had_ended_them)
{
    EXPECT_TREES({"AB1~A2.3", "A:2/4!1 A>B:1/0!1"}, {"ABW1~A2.3", "A:2/3 A>B:1/1 A>B>w:1/0"},
                 {"~A1.2", "A:1/2"});
}

Test(rebuild, empties_the_stack_when_a_function_returns_that_is_not_on_it)
{
    expect_tree("AB1^2.2C3.4", "A:1/1 A>B:1/2 C:1/4");
    cr_expect_eq(rebuild_recording(game.rebuild, 0).contradictions, 1);
    expect_tree("AB1.2.3", "A:1/4 A>B:1/2");
    cr_expect_eq(rebuild_recording(game.rebuild, 0).contradictions, 0);
}

Test(rebuild, empties_the_stack_by_an_unwind_that_leaves_no_frame)
{
    static const struct {
        const char *events, *tree;
        uint64_t contradictions;
    } cases[] = {{"ANB1/2:2.3", "A:1/3 A>n:1/1!1 A>n>B:1/2!1", 0},
                 {"ANB1/3:2C3.4", "A:1/0 A>n:1/1 A>n>B:1/2 C:1/4", 1},
                 {"ANB1/4:2C3.4", "A:1/0 A>n:1/1 A>n>B:1/2 C:1/4", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_tree(cases[i].events, cases[i].tree);
        cr_expect_eq(rebuild_recording(game.rebuild, 0).contradictions, cases[i].contradictions);
    }
}

Test(rebuild, takes_whole_stacks_that_are_no_calls)
{
    EXPECT_TREES(
        {"~(ABC).1.2.3", "A:0/3 A>B:0/2 A>B>C:0/1"}, {"~(AB)C2.3.4.5", "A:0/5 A>B:0/6 A>B>C:1/3"},
        {"AB1().2R3.4", "A:1/1 A>B:1/0 B:1/4"},
        /* After a change of thread the next units are unattributed, even of a C function. */
        {"@1(AB).1.2", "A:0/2c"}, {"@1(ABC).1.2", "A:0/0c A>B:0/2c"}, {"@0(AN).1.2", "A:0/2"},
        {"@0(AN)B1.2.3", "A:0/0 A>n:0/3 A>n>B:1/2"}, {"@1(AW).1!2.3", "A:0/5c"});
}

/* --------------------------------------------------------------- roots above frames */

Test(rebuild, pushes_a_root_above_a_c_function_that_calls_back)
{
    EXPECT_TREES({"ANR2.3.4.5", "A:1/5 A>n:1/6 B:1/3"}, {"AN1R2.3R4.5.6.7", "A:1/8 A>n:1/12 B:2/8"},
                 {"AN1R2N3S4.5.6.7.8.9", "A:1/10 A>n:1/10 B:1/10 B>n:1/10 C:1/5"});
}

Test(rebuild, takes_a_root_above_a_root_for_a_tail_call_if_a_tail_return_follows)
{
    EXPECT_TREES({"AR1.2,3", "A:1/4 A>~B:1/2"}, {"AR1C2.3.4,5", "A:1/6 A>~B:1/6 A>~B>C:1/3"},
                 {"AR1S2.3,4,5", "A:1/6 A>~B:1/6 A>~B>~C:1/3"});
}

Test(rebuild, takes_roots_above_roots_for_what_each_of_them_turns_out_to_be)
{
    EXPECT_TREES({"AR1S2.3,4A5.6", "A:2/6!1 B:1/6 B>~C:1/3"},
                 {"AR1S2.3,4,5AR1S2.3,4,5", "A:2/12 A>~B:2/12 A>~B>~C:2/6"},
                 {"AR1S2.3,4,5AR1S2.3,4A5.6", "A:3/12!1 A>~B:1/6 A>~B>~C:1/3 B:1/6 B>~C:1/3"},
                 {"AR1S2.3A4R1S2.3,4,5", "A:2/6!1 A>~B:1/6 A>~B>~C:1/3 C:1/3 B:1/0!1"},
                 {"ARSA1.2,3,4,5", "A:1/5 A>~B:1/4 A>~B>~C:1/4 A>~B>~C>~A:1/2"});
}

Test(rebuild, tells_roots_that_may_be_the_callee_of_the_same_function_apart)
{
    /* One in a callback inside the other; the inner one is, or is not. */
    EXPECT_TREES({"ARN1AR2.3,4.5.6,7", "A:2/13 A>~B:2/10 A>~B>n:1/5"},
                 {"ARN1AR2.3B4.5.6.7,8", "A:2/8!1 A>~B:1/8 A>~B>n:1/12 A>~B>n>B:1/5 B:1/3"},
                 {"ARN1AR2.3,4.5.6A7.8", "A:3/14!1 A>~B:1/3 B:1/7 B>n:1/5"},
                 /* On two main threads. */
                 {"AR1@4AR2.3,4@0.5,6", "A:2/13 A>~B:2/3"});
}

/* The game's stack ends before that; no more than that it does not crash is asked for. */
Test(rebuild, takes_more_callbacks_in_callbacks_than_can_be)
{
    enum { DEPTH = 1000 };
    begin_run(0);
    for (int i = 0; i < DEPTH; i++)
        play("ARN1");
    for (int i = 0; i < DEPTH; i++)
        play(".1,1.1");
    const struct tree *tree = finish();
    cr_expect_leq(tree->total_ns[TREE_ROOT], 4 * DEPTH);
}

/* In as much time and memory as there are events. */
Test(rebuild, takes_a_long_chain_of_tail_calls_of_roots)
{
    enum { DEPTH = 20000 };
    begin_run(0);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < DEPTH; i++)
            play("A");
        play(".1");
        for (int i = 1; i < DEPTH; i++)
            play(",1");
    }
    const struct tree *tree = finish();
    cr_expect_eq(tree->node_count, DEPTH + 1);
    for (uint32_t node = 1; node < tree->node_count; node++)
        cr_expect(tree->call_counts[node] == 3 && tree->self_ns[node] == 3);
}

Test(rebuild, takes_a_root_above_a_lua_function_for_the_end_of_that_otherwise)
{
    EXPECT_TREES({"AR1.2A3.4", "A:2/4!1 B:1/2"}, {"AR1.2", "A:1/0!1 B:1/2"},
                 {"AR1.2@1S3.4", "A:1/0!1 B:1/2 C:1/4c"}, {"AB1R2.3,4", "A:1/1!1 A>B:1/0!1 B:1/3"},
                 {"AR1C2.3.4S5.6", "A:1/0!1 B:1/6 B>C:1/3 C:1/6"},
                 {"AR1S2.3A4.5", "A:2/5!1 C:1/3 B:1/0!1"});
}

Test(rebuild, takes_a_root_above_that_of_a_coroutine_for_a_tail_call)
{
    EXPECT_TREES({"@1AR1.2,3", "A:1/4c A>~B:1/2c"}, {"@1AR1.2.3", "A:1/4c A>~B:1/2c"},
                 {"@1ANR1.2.3.4", "A:1/4c A>n:1/4c B:1/2c"});
}

Test(rebuild, ends_threads_without_errors)
{
    EXPECT_TREES({"AB1", "A:1/1 A>B:1/0"}, {"AB1@1R2", "A:1/1 A>B:1/0 B:1/0c"},
                 /* But what waits below a root has not gone on. */
                 {"AN1R2", "A:1/1!1 A>n:1/0!1 B:1/0"}, {"AW1R2", "A:1/1 A>w:1/0 B:1/0"},
                 {"AN1R2.3", "A:1/1!1 A>n:1/0!1 B:1/3"});
}

/* ---------------------------------------------------------------------- waiting */

Test(rebuild, leaves_the_time_of_other_threads_unattributed)
{
    EXPECT_TREES({"A@1R2.3@0.4", "A:1/0 B:1/3c"}, {"A1@1R2@0B3.4.5", "A:1/5 A>B:1/4 B:1/0!1c"});
}

Test(rebuild, tells_by_a_mark_that_a_function_had_suspended_its_thread)
{
    EXPECT_TREES({"AW1@1S5.2@0.3!4", "A:1/5 A>w:1/0 C:1/2c"},
                 /* Any C function. */
                 {"AN1@1S5.2@0.3!4", "A:1/5 A>n:1/0 C:1/2c"},
                 /* Without a mark it was running. */
                 {"AW1@1S5.2@0.3.4", "A:1/5 A>w:1/8 C:1/2c"},
                 {"AN1@1S5.2@0.3.4", "A:1/5 A>n:1/8 C:1/2c"},
                 {"AN1@1S5.2@0B3.4.5.6", "A:1/7 A>n:1/13 A>n>B:1/4 C:1/2c"},
                 /* A Lua function did nothing. */
                 {"A1@1S5.2@0.3.4", "A:1/0 C:1/2c"});
}

Test(rebuild, gives_unattributed_time_to_one_function_only)
{
    /* Each next was running while the other was: the first that returns gets it. */
    expect_tree("AN@1R10N1@2S20+7.2@0.+0.@1..6", "A:1/0 A>n:1/30 B:1/7c B>n:1/0c C:1/2c");
    cr_expect_eq(details_of("A>n")->memory_kb, 7);
    cr_expect_eq(details_of("B>n")->memory_kb, 0);
    /* One inside the other. */
    expect_tree("AN@1R10N1@2S20.2@1.3.4@0.5.6", "A:1/6 A>n:1/15 B:1/5c B>n:1/23c C:1/2c");
}

Test(rebuild, tells_by_name_or_experience_where_marks_are_missing)
{
    EXPECT_TREES({"AW1@1S5.2@0.3|!4", "A:1/5 A>w:1/0 C:1/2c"},
                 {"AN1@1S5.2@0.3|!4", "A:1/5 A>n:1/8 C:1/2c"},
                 {"AN@1S.@0.!.AN1@1S5.2@0.3|!4", "A:2/5 A>n:2/0 C:2/2c"});
    game.begin.has_resumes = false;
    EXPECT_TREES({"AW1@1S5.2@0.3.4", "A:1/5 A>w:1/0 C:1/2c"},
                 {"AN1@1S5.2@0.3.4", "A:1/5 A>n:1/8 C:1/2c"});
}

Test(rebuild, knows_from_the_first_mark_that_a_function_suspends)
{
    /* Nothing else ran. */
    EXPECT_TREES({"AN1.3!4", "A:1/5 A>n:1/0"}, {"AN1B2.3.20!4", "A:1/5 A>n:1/2 A>n>B:1/3"},
                 /* Nor does a frame go on that could have the mark. */
                 {"N1B2.3.20!4", "n:1/2 n>B:1/3"}, {"AN1^3.3!4", "A:1/5 A>n:1/0"},
                 /* It took no time, and is known after that. */
                 {"AN.!.AN1@1S5.2@0.3|!4", "A:2/5 A>n:2/0 C:1/2c"},
                 {"AN^3.!.AN1@1S5.2@0.3|!4", "A:2/5 A>n:2/0 C:1/2c"},
                 /* Frames above it are gone. */
                 {"ANB1^3.3!4", "A:1/4 A>n:1/1 A>n>B:1/3!1"},
                 {"ANB^3.!.AN1@1S5.2@0.3|!4", "A:2/5 A>n:2/0 A>n>B:1/0!1 C:1/2c"});
    expect_tree("AN1.3+5!4+6", "A:1/5 A>n:1/0");
    cr_expect_eq(details_of("A")->memory_kb, 6);
    cr_expect_eq(details_of("A>n")->memory_kb, 0);
}

Test(rebuild, asks_for_marks_where_a_function_waits_only)
{
    EXPECT_TREES({"AWB2.3.4|!5", "A:1/5 A>w:1/6 A>w>B:1/3"},
                 {"ANR1^3.3!4", "A:1/4 A>n:1/0 B:1/3!1"});
}

Test(rebuild, makes_no_call_longer_while_its_thread_is_suspended)
{
    expect_tree("@1AB1W2@0S3.4@1.5!6.7.8", "A:1/9c A>B:1/15c A>B>w:1/0c C:1/4");
    expect_durations("A", 1, 24, 24, 24);
    expect_durations("A>B", 1, 15, 15, 15);
    expect_durations("A>B>w", 1, 0, 0, 0);
}

/* ----------------------------------------------------------------------- losses */

Test(rebuild, begins_with_empty_stacks_where_lines_are_missing)
{
    EXPECT_TREES({"AB1?|C2.3", "A:1/1 A>B:1/0 C:1/3"},
                 {"AN1@1R2?|..,^1.@0B3.4", "A:1/1 A>n:1/0 B:2/4mc"}, {"B1.2", "B:1/2"},
                 {"@1T1.2", "B:1/2c"});
}

Test(rebuild, takes_memory_for_what_the_frame_before_the_event_took)
{
    expect_tree("A+1B+2.+4.+8", "A:1/0 A>B:1/0");
    cr_expect_eq(details_of("A")->memory_kb, 2 + 8);
    cr_expect_eq(details_of("A>B")->memory_kb, 4);
    /* A root's is unattributed, unless it is a tail call. */
    expect_tree("A+1R+2.+4A+8.+16", "A:2/0!1 B:1/0");
    cr_expect_eq(details_of("A")->memory_kb, 16);
    expect_tree("A+1R+2.+4,+8", "A:1/0 A>~B:1/0");
    cr_expect_eq(details_of("A")->memory_kb, 2 + 8);
    cr_expect_eq(details_of("A>~B")->memory_kb, 4);
    expect_tree("AN+1R+2.+4.+8", "A:1/0 A>n:1/0 B:1/0");
    cr_expect_eq(details_of("A>n")->memory_kb, 2 + 8);
}

/* -------------------------------------------------------------------- durations */

Test(rebuild, keeps_how_long_calls_took)
{
    expect_tree("A1B2.3B4C5.6.7B8.9.1", "A:1/15 A>B:3/24 A>B>C:1/6");
    expect_durations("A", 1, 45, 45, 45);
    expect_durations("A>B", 3, 3 + 18 + 9, 3, 18);
    expect_durations("A>B>C", 1, 6, 6, 6);
}

Test(rebuild, counts_only_calls_that_returned_as_finished)
{
    expect_tree("AB1.2B3C4^0.5AB6", "A:2/10 A>B:3/6!1 A>B>C:1/5!1");
    expect_durations("A>B", 1, 2, 2, 2);
    expect_durations("A>B>C", 0, 0, INT64_MAX, -1);
    expect_durations("A", 1, 15, 15, 15);
    /* Nor frames that were there before. */
    expect_tree("~(AB).1.2A3.4", "A:1/6 A>B:0/1");
    expect_durations("A", 1, 4, 4, 4);
    expect_durations("A>B", 0, 0, INT64_MAX, -1);
    /* Nor if calls with the same stacks were counted before in this tick. */
    expect_tree("AB1.2.3~(AB).1.2", "A:1/6 A>B:1/3");
    expect_durations("A", 1, 6, 6, 6);
    expect_durations("A>B", 1, 2, 2, 2);
}

Test(rebuild, keeps_durations_of_what_turns_out_to_be_a_tail_call)
{
    expect_tree("AR1C2.3.4,5", "A:1/6 A>~B:1/6 A>~B>C:1/3");
    expect_durations("A", 1, 15, 15, 15);
    expect_durations("A>~B", 1, 9, 9, 9);
    expect_tree("AR1C2.3.4A5.6", "A:2/6!1 B:1/6 B>C:1/3");
    expect_durations("A", 1, 6, 6, 6);
    expect_durations("B", 1, 9, 9, 9);
}

/* ---------------------------------------------------------------------- windows */

static void set_window(enum window_kind kind, double from, double to)
{
    game.settings.from = (struct window_border){from >= 0 ? kind : WINDOW_OPEN, from, false};
    game.settings.to = (struct window_border){to >= 0 ? kind : WINDOW_OPEN, to, false};
}

static void expect_window(double from, double to, const char *text, const char *expected)
{
    set_window(WINDOW_TICK, from, to);
    expect_tree(text, expected);
}

static const char three_ticks[] = "#1A1B2#2.3.4A5#3.6A7.8";

Test(rebuild, cuts_what_runs_at_the_borders_of_a_window)
{
    expect_window(-1, -1, three_ticks, "A:3/20 A>B:1/3");
    expect_window(1, -1, three_ticks, "A:3/20 A>B:1/3");
    expect_window(0, 99, three_ticks, "A:3/20 A>B:1/3");
    /* What began before is no call. */
    expect_window(2, -1, three_ticks, "A:2/18 A>B:0/3");
    expect_window(2, 3, three_ticks, "A:1/4 A>B:0/3");
    expect_window(3, -1, three_ticks, "A:1/14");
    expect_window(-1, 2, three_ticks, "A:1/2 A>B:1/0");
    expect_window(-1, 3, three_ticks, "A:2/6 A>B:1/3");
    expect_window(1, 2, three_ticks, "A:1/2 A>B:1/0");
}

Test(rebuild, takes_nothing_where_the_window_is_empty_or_elsewhere)
{
    static const double windows[][2] = {{4, -1}, {4, 9}, {-1, 1}, {-1, 0}, {2, 2}, {3, 2}, {0, 1}};
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        expect_window(windows[i][0], windows[i][1], three_ticks, "");
        cr_expect_eq(rebuild_recording(game.rebuild, 0).measured_ns, 0);
    }
    expect_window(4, 9, three_ticks, "");
    cr_expect(rebuild_recording(game.rebuild, 0).is_outside);
}

Test(rebuild, takes_nothing_of_a_run_that_knows_no_ticks)
{
    expect_window(0, -1, "A1.2", "");
    cr_expect(rebuild_recording(game.rebuild, 0).is_outside);
    cr_expect_not(rebuild_recording(game.rebuild, 0).has_ticks);
}

Test(rebuild, says_which_ticks_are_in_the_window)
{
    expect_window(-1, -1, three_ticks, "A:3/20 A>B:1/3");
    struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
    cr_expect(run.has_ticks && !run.is_outside && run.is_there);
    cr_expect(run.first_tick == 1 && run.last_tick == 3);
    expect_window(2, 3, three_ticks, "A:1/4 A>B:0/3");
    run = rebuild_recording(game.rebuild, 0);
    cr_expect(run.first_tick == 2 && run.last_tick == 2 && !run.is_outside);
    cr_expect(run.all_first_tick == 1 && run.all_last_tick == 3);
    expect_window(3, -1, three_ticks, "A:1/14");
    run = rebuild_recording(game.rebuild, 0);
    cr_expect(run.first_tick == 3 && run.last_tick == 3);
}

Test(rebuild, has_no_tick_in_a_window_between_two)
{
    expect_window(5, 7, "#4A1.2#8A3.4", "");
    cr_expect(rebuild_recording(game.rebuild, 0).is_outside);
}

Test(rebuild, reckons_game_time_from_where_the_run_began)
{
    game.begin.time_seconds = 2;
    game.begin.tick = 10;
    /* Tick 0 is at 1 s, tick 12 at 2.2 s. */
    static const char text[] = "#11A1.2#12A4.8#13A16.32";
    static const struct {
        double from, to;
        const char *tree;
    } windows[] = {{2.2, -1, "A:2/40"}, {2.15, -1, "A:3/42"},  {2.12, 2.25, "A:1/2"},
                   {2.2, 2.3, "A:1/8"}, {0, 2.2, "A:1/2"},     {2.3, 100, "A:1/32"},
                   {2.4, -1, ""},       {2.205, -1, "A:2/40"}, {1, 2, ""}};
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        set_window(WINDOW_SECONDS, windows[i].from, windows[i].to);
        expect_tree(text, windows[i].tree);
    }
    struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
    cr_expect_float_eq(run.zero_seconds, 1, 1e-9);
    cr_expect(run.moved_from == 0 && run.moved_to == 0);
}

Test(rebuild, takes_ten_ticks_for_a_second_where_the_game_time_is_not_known)
{
    game.begin.tick = 10;
    set_window(WINDOW_SECONDS, 1.2, 1.3);
    expect_tree("#11A1.2#12A4.8#13A16.32", "A:1/8");
    /* Borders of different kinds. */
    game.settings.from = (struct window_border){WINDOW_TICK, 12, false};
    game.settings.to = (struct window_border){WINDOW_SECONDS, 1.4, false};
    expect_tree("#11A1.2#12A4.8#13A16.32#14A.64", "A:2/40");
    /* A border within a tick is at its beginning. */
    game.settings.to.value = 1.35;
    expect_tree("#11A1.2#12A4.8#13A16.32#14A.64", "A:1/8");
    struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
    cr_expect(run.moved_from == 0 && run.moved_to == 1 + 13);
}

Test(rebuild, knows_durations_of_calls_that_return_inside_a_window)
{
    /* The first began before it. */
    expect_window(2, -1, "#1A1#2.2A3.4A5.6#3A7.8", "A:3/20");
    expect_durations("A", 4, 20, 2, 8);
    expect_window(-1, 2, "#1A1#2.2A3.4A5.6#3A7.8", "A:1/0");
    expect_durations("A", 0, 0, INT64_MAX, -1);
    /* What it had done in an earlier tick makes it no longer than all there is in this one. */
    expect_window(2, -1, "#1AB100.1#2B2.3.4", "A:0/6 A>B:1/3");
    expect_durations("A", 1, 9, 9, 9);
    expect_durations("A>B", 1, 3, 3, 3);
    /* A call that began before ends by an error inside. */
    expect_window(2, -1, "#1AB1#2C2^0.3A4B5.6.7", "A:1/12 A>B:1/8!1 A>B>C:1/3!1");
    expect_durations("A>B", 1, 6, 6, 6);
}

Test(rebuild, counts_no_call_as_finished_that_a_window_cuts)
{
    expect_window(-1, 2, "#1A1.2A3B4.5B6#2.7.8", "A:2/12 A>B:2/5");
    expect_durations("A", 1, 2, 2, 2);
    expect_durations("A>B", 1, 5, 5, 5);
    /* Of a thread that does not run, too. */
    expect_window(-1, 2, "#1A1.2A3@1R.5@2R6#2.7", "A:2/2 B:2/5c");
    expect_durations("A", 1, 2, 2, 2);
    expect_durations("B", 1, 5, 5, 5);
}

Test(rebuild, gives_nothing_from_before_the_window_to_what_waits)
{
    /* next waits since before the window, and was running. */
    expect_window(2, -1, "#1AN1@1S100.1#2@0.3.4", "A:0/4 A>n:0/3");
    /* A root above a root: what passed before is not the window's, either. */
    expect_window(2, -1, "#1AR100#2.2,3", "A:0/3 A>~B:0/2");
    expect_window(2, -1, "#1AN100R100#2.2.3.4", "A:0/4 A>n:0/3 B:0/2");
    expect_window(2, -1, "#1AR+100.+100#2,+1", "A:0/0");
    cr_expect_eq(details_of("A")->memory_kb, 1);
}

/* ----------------------------------------------------------------------- threads */

Test(rebuild, takes_the_threads_that_are_wanted)
{
    static const char text[] = "A1B2.3@1A4C5.6@2R7.8";
    expect_tree(text, "A:2/7!1mc A>B:1/3 A>C:1/6c B:1/8c");
    game.settings.threads = NODE_MAIN;
    expect_tree(text, "A:1/2 A>B:1/3");
    game.settings.threads = NODE_COROUTINE;
    expect_tree(text, "A:1/5!1c A>C:1/6c B:1/8c");
}

/* Only C functions suspend a thread. */
Test(rebuild, counts_errors_of_threads_that_are_left_in_a_lua_function)
{
    expect_tree("#1@1A1B2@2R3.4#2@0A.", "A:2/2!1mc A>B:1/0!1c B:1/4c");
    /* At the end, where the thread that runs has only not gone on. */
    expect_tree("@1A1@2R3", "A:1/0!1c B:1/0c");
    /* A C function suspends it, or may have. The main thread has rules of its own. */
    expect_tree("#1@1A1N2@2R3.4#2@0A1@2R.#3", "A:2/2mc A>n:1/0c B:2/4c");
    /* In the tick in which they died. */
    expect_window(1, 2, "#1@1A1B2@2R3.4#2@0A.", "A:1/2!1c A>B:1/0!1c B:1/4c");
    expect_window(1, 2, "#1@2R3.4@1A1B2#2@0A.", "B:1/4c A:1/2!1c A>B:1/0!1c");
}

/* A C function below may have caught the error. */
Test(rebuild, counts_errors_once_where_a_thread_goes_on_in_the_same_tick)
{
    expect_tree("#1@1AN1T2@2R3.4@1/1:.5.6#2@0", "A:1/7c A>n:1/7c A>n>?B:1/0!1c B:1/4c");
}

Test(rebuild, does_not_take_lost_threads_for_dead_ones)
{
    expect_tree("#1@1A1B2?|@2R3.4#2@0A.", "A:2/2mc A>B:1/0c B:1/4c");
}

/* ------------------------------------------------------------------------- costs */

/* In two ticks, loops of five calls of an empty function and of next; 4 of each count. */
static const char calibrating[] = "@3#1KE9.9E2.3E2.3E2.3E2.3N9.9N1.4N1.4N1.4N1.4.|@0A.10@3"
                                  "#2KE.9E2.3E2.3E2.3E2.3N9.9N1.4N1.4N1.4N1.4.@0";

/* Of what was calibrated: without a reference, a little more is subtracted. */
static void expect_costs(double in_lua, double out_lua, double in_c, double out_c)
{
    struct call_costs costs = rebuild_recording(game.rebuild, 0).costs;
    cr_expect(costs.is_known);
    const double expected[] = {in_lua, out_lua, in_c, out_c};
    const double found[] = {costs.in_ns[CALL_OF_LUA], costs.out_ns[CALL_OF_LUA],
                            costs.in_ns[CALL_OF_C], costs.out_ns[CALL_OF_C]};
    double fraction = costs.fraction > 0 ? costs.fraction : 1;
    for (int i = 0; i < 4; i++)
        cr_expect_float_eq(found[i] / fraction, expected[i], 1e-9, "%d: %g", i,
                           found[i] / fraction);
}

Test(rebuild, takes_out_what_the_calibration_found)
{
    expect_tree(calibrating, "A:1/7");
    expect_costs(3, 2, 4, 1);
    struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
    cr_expect_float_eq(run.measured_ns, 10, 1e-9, "%g", run.measured_ns);
    cr_expect_lt(run.clamped_ns, 1); /* what is subtracted is rounded */
    /* A turn of the loop takes a unit anyway. */
    game.begin.turn_ns[CALL_OF_LUA] = 1;
    game.begin.turn_ns[CALL_OF_C] = 5;
    event_play_reset(&game);
    begin_run(0);
    play(calibrating);
    finish();
    expect_costs(3, 1, 4, 0);
}

/* A function that calls nothing takes 2 units, so the cost of 3 that was calibrated is too much. */
Test(rebuild, limits_costs_by_the_cheapest_function_that_is_called_often)
{
    begin_run(0);
    play(calibrating);
    play("A");
    for (int i = 0; i < 10000; i++)
        play("B.2");
    play(".");
    finish();
    expect_costs((20000 + 3 * sqrt(20000) + 5) / 10000, 2, 4, 1);
}

Test(rebuild, limits_no_costs_by_functions_that_call_others_or_are_called_seldom)
{
    begin_run(0);
    play(calibrating);
    play("A");
    for (int i = 0; i < 10000; i++)
        play("B.2");
    play("BN2.2..");
    for (int i = 0; i < 998; i++)
        play("AN2.2.");
    finish();
    expect_costs(3, 2, 4, 1);
}

/* Two calibrations, and then calls of a function that calls nothing. */
static void play_calls(const char *calibration, int count, const char *call)
{
    event_play_reset(&game);
    begin_run(0);
    play(calibration);
    play("A");
    for (int i = 0; i < count; i++)
        play(call);
    play(".");
    finish();
}

/* The most that MANY calls of `units` may have taken, by chance. */
enum { MANY = 40001 };
static double most(double units)
{
    return (MANY * units + 3 * sqrt(MANY * units) + 5) / MANY;
}

Test(rebuild, limits_the_cost_of_a_function_that_the_calibrator_calls_too)
{
    play_calls(calibrating, MANY, "N.2");
    expect_costs(3, 2, most(2), 1);
}

Test(rebuild, raises_all_costs_where_even_the_cheapest_functions_take_more)
{
    play_calls(calibrating, MANY, "B.4");
    double raise = most(4) / 3;
    expect_costs(most(4), 2 * raise, 4 * raise, raise);
    /* A third of the call of a Lua function, which is 3 units, is its own. */
    game.begin.turn_ns[CALL_OF_LUA] = 1.5;
    play_calls(calibrating, MANY, "B.4");
    raise = (most(4) - 0.5) / 3;
    expect_costs(3 * raise, 0.5 * raise, 4 * raise, raise);
}

Test(rebuild, raises_costs_by_half_at_most_and_by_no_function_that_takes_twice_as_much)
{
    play_calls(calibrating, MANY, "B.5");
    expect_costs(4.5, 3, 6, 1.5);
    play_calls(calibrating, MANY, "B.6");
    expect_costs(3, 2, 4, 1);
}

Test(rebuild, raises_no_costs_where_calibrations_are_not_far_from_calls)
{
    play_calls(calibrating, MANY - 1, "B.4");
    expect_costs(3, 2, 4, 1);
}

/* Of calls of itself, only the sum of both costs is known: 12 units. */
Test(rebuild, divides_the_cost_of_lua_functions_by_the_cheapest)
{
    static const char recursion[] = "@3#1KE9.9E2.3E2.3E2.3K3K4.5.6K9.9N9.9N1.4N1.4N1.4N1.4|@0";
    play_calls(recursion, MANY, "B.20");
    expect_costs(6, 6, 4, 1);
    play_calls(recursion, MANY, "B.5");
    expect_costs(most(5), 12 - most(5), 4, 1);
    play_calls(recursion, MANY, "B.2");
    expect_costs(most(2), 8, 4, 1);
}

/* After a tail return it is not known what has returned. */
Test(rebuild, calibrates_no_call_by_a_tail_return)
{
    expect_tree("@3#1KE9.9E2.3E2.3E2.3E2,9N9.9N1.4N1.4N1.4N1.4.|@0A.10@3"
                "#2KE.9E2.3E2.3E2.3E2,9N9.9N1.4N1.4N1.4N1.4.@0",
                "A:1/7");
    expect_costs(3, 8.0 / 3, 4, 1);
}

Test(rebuild, lets_a_function_wait_that_the_calibrator_calls_again)
{
    expect_tree("@3#1KW1!2.3W1!2.3.4", "");
}

Test(rebuild, calibrates_calls_of_lua_functions_by_those_of_the_calibrator_itself)
{
    begin_run(0);
    play("@3#1KE9.9E2.3E2.3E2.3K2K3.4.5K9.9N9.9N1.4N1.4N1.4N1.4|@0");
    finish();
    expect_costs(16.0 / 3, 16.0 / 3, 4, 1);
}

Test(rebuild, leaves_the_costs_in_when_they_are_to_be_kept)
{
    game.settings.keeps_costs = true;
    expect_tree(calibrating, "A:1/10");
    struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
    cr_expect_not(run.costs.is_known);
    cr_expect_eq(run.removed_ns, 0);
    cr_expect_eq(run.clamped_ns, 0);
    cr_expect_float_eq(run.measured_ns, 10, 1e-9);
    cr_expect_float_eq(run.recorder_ns, 143, 1e-9);
}

Test(rebuild, takes_out_the_costs_that_were_given)
{
    game.settings.costs = (struct call_costs){.is_known = true, .in_ns = {1, 2}, .out_ns = {3, 4}};
    expect_tree("A10N20.30.40", "A:1/55 A>n:1/28");
    struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
    cr_expect_float_eq(run.removed_ns, 1 + 4 + 2, 1e-9);
    expect_tree(calibrating, "A:1/9");
    expect_costs(1, 3, 2, 4);
}

Test(rebuild, takes_nothing_out_where_nothing_was_calibrated)
{
    expect_tree("A10N20.30.40", "A:1/60 A>n:1/30");
    cr_expect_not(rebuild_recording(game.rebuild, 0).costs.is_known);
}

/* ------------------------------------------------------------------------- ticks */

Test(rebuild, has_the_ticks_of_the_window)
{
    game.settings.kept_ticks = 1;
    expect_window(2, 4, "#1A1#2.2A3.4#3A5.6#4A7.8", "A:2/12");
    const struct tick_list *list = &rebuild_results(game.rebuild)->ticks;
    cr_assert_eq(list->count, 2);
    cr_expect(list->ticks[0].number == 2 && list->ticks[0].time_ns == 6);
    cr_expect(list->ticks[1].number == 3 && list->ticks[1].time_ns == 6);
    cr_expect_eq(list->ticks[0].calls, 1);
    expect_window(-1, -1, "A100.100#1A1#2.2A3.4#3A5.6", "A:4/112");
    list = &rebuild_results(game.rebuild)->ticks;
    cr_assert_eq(list->count, 3);
    cr_expect(list->ticks[0].number == 1 && list->ticks[0].time_ns == 0);
    cr_expect(list->ticks[2].number == 3 && list->ticks[2].time_ns == 6);
}

Test(rebuild, has_ticks_that_add_up_to_all)
{
    game.settings.kept_ticks = SIZE_MAX;
    begin_run(0);
    play("#1AB1#2.2R3#3C4.5@1S6E.7#4.8@0.9,1A#5@1.2@0R.3A4.5N#6R1#7.2#8.3.4");
    const struct tree *tree = finish();
    const struct tick_list *list = &rebuild_results(game.rebuild)->ticks;
    int64_t time_ns = 0, function_ns = 0;
    uint64_t calls = 0, function_calls = 0, tree_calls = 0;
    for (size_t i = 0; i < list->count; i++) {
        time_ns += list->ticks[i].time_ns;
        calls += list->ticks[i].calls;
        for (size_t k = 0; k < list->ticks[i].function_count; k++) {
            function_ns += list->ticks[i].functions[k].self_ns;
            function_calls += list->ticks[i].functions[k].calls;
        }
    }
    for (uint32_t node = 0; node < tree->node_count; node++)
        tree_calls += tree->call_counts[node];
    cr_expect_eq(list->count, 8);
    cr_expect_eq(time_ns, tree->total_ns[TREE_ROOT]);
    cr_expect_eq(function_ns, time_ns);
    cr_expect_eq(calls, tree_calls);
    cr_expect_eq(function_calls, tree_calls);
}

/* -------------------------------------------------------------------------- runs */

Test(rebuild, keeps_runs_that_lie_side_by_side_apart)
{
    begin_run(0);
    play("#1A1B2");
    game.begin.unit_ns = 10;
    begin_run(1);
    play("#7A1C2.3");
    events_put(&game.events, event_make(EVENT_RECORDING, 0, 0));
    play(".3.4#2");
    events_put(&game.events, event_make(EVENT_RECORDING, 1, 0));
    play(".4");
    expect_finished("two runs", "A:2/66 A>B:1/3 A>C:1/30");
    cr_expect(rebuild_recording(game.rebuild, 0).is_there &&
              rebuild_recording(game.rebuild, 1).is_there);
    cr_expect_float_eq(rebuild_recording(game.rebuild, 0).measured_ns, 9, 1e-9);
    cr_expect_float_eq(rebuild_recording(game.rebuild, 1).measured_ns, 90, 1e-9);
    cr_expect_eq(rebuild_recording(game.rebuild, 0).last_tick, 2);
    cr_expect_eq(rebuild_recording(game.rebuild, 1).last_tick, 7);
    cr_expect_not(rebuild_recording(game.rebuild, 2).is_there);
    const struct tick_list *list = &rebuild_results(game.rebuild)->ticks;
    cr_assert_eq(list->count, 3);
    cr_expect(list->ticks[0].recording == 0 && list->ticks[2].recording == 1);
    cr_expect_eq(list->ticks[2].time_ns, 90);
}

static void put_sample(uint32_t sample, uint32_t tick)
{
    events_put(&game.events, event_make(EVENT_SAMPLE, sample, tick));
}

/* Two wakes of a watch, with one between them of which lines are missing. */
static void play_watch(uint32_t run)
{
    begin_run(run);
    put_sample(SAMPLE_WATCH, 0);
    put_sample(SAMPLE_WAKE, 7);
    play("#7@1A1B2.3C1B6.1.1B1.1.4");
    put_sample(SAMPLE_WHOLE_WAKE, 7);
    put_sample(SAMPLE_WAKE, 8);
    play("#8@1A1B9.9.9");
    put_sample(SAMPLE_WATCH, 8);
    put_sample(SAMPLE_WAKE, 8);
    play("#8@2(AW).1!B2.5C1");
    put_sample(SAMPLE_CUT_WAKE, 8);
    events_put(&game.events, event_make(EVENT_END, 0, 0));
    play("");
}

Test(rebuild, knows_which_functions_took_the_time_of_recorded_wakes)
{
    play_watch(0);
    rebuild_finish(game.rebuild);
    const struct exact_wakes *wakes = &rebuild_results(game.rebuild)->wakes;
    cr_assert_eq(wakes->count, 2);
    const struct exact_wake *first = &wakes->all[0], *second = &wakes->all[1];
    cr_expect(first->tick == 7 && first->function == A && first->time_ns == 20 && !first->is_cut);
    cr_assert_eq(first->function_count, 3);
    cr_expect(first->functions[0].function == A && first->functions[0].self_ns == 8);
    cr_expect_eq(first->functions[0].caller, TREE_NONE);
    cr_expect(first->functions[1].function == C && first->functions[1].self_ns == 7);
    cr_expect(first->functions[2].function == B && first->functions[2].self_ns == 5);
    cr_expect(first->functions[2].caller == A && first->functions[2].calls == 3);
    cr_expect(second->tick == 8 && second->time_ns == 8 && second->is_cut);
    cr_expect(second->functions[0].function == B && second->functions[0].self_ns == 5);
}

Test(rebuild, has_the_wakes_of_a_watch_in_nothing_else)
{
    game.settings.keeps_changes = game.settings.keeps_order = true;
    play_watch(0);
    begin_run(1);
    play("#1A1.2#2A1.2");
    play_watch(2);
    expect_finished("a run between two watches", "A:2/4");
    const struct rebuild_results *results = rebuild_results(game.rebuild);
    cr_expect_eq(results->ticks.count, 2);
    cr_expect_eq(results->changes.tick_count, 2);
    cr_expect_eq(results->wakes.count, 4);
    cr_expect_eq(results->threads.life_count, 0);
    cr_expect_not(rebuild_recording(game.rebuild, 0).has_ticks);
    expect_durations("A", 2, 4, 2, 2);
}

Test(rebuild, takes_times_for_nothing_that_no_game_can_have_measured)
{
    game.begin.unit_ns = 1e9;
    begin_run(0);
    play("#1A1.4294967295B1.4294967295#2");
    game.begin.unit_ns = 10;
    begin_run(1);
    play("#1A1.2");
    expect_finished("two runs", "A:2/20 B:1/0");
    cr_expect_eq(rebuild_recording(game.rebuild, 0).measured_ns, 0);
    cr_expect_eq(rebuild_results(game.rebuild)->ticks.ticks[0].time_ns, 0);
    expect_durations("B", 1, 0, 0, 0);
}

Test(rebuild, knows_nothing_of_a_run_that_is_not_there)
{
    begin_run(2);
    play("A.1");
    expect_finished("a run", "A:1/1");
    cr_expect_not(rebuild_recording(game.rebuild, 0).is_there);
    cr_expect_not(rebuild_recording(game.rebuild, 99).is_there);
    cr_expect(rebuild_recording(game.rebuild, 2).is_there);
}

Test(rebuild, of_nothing_is_an_empty_tree)
{
    game.rebuild = rebuild_new(&game.settings);
    rebuild_add(game.rebuild, NULL, 0);
    expect_finished("nothing", "");
    cr_expect_eq(rebuild_results(game.rebuild)->ticks.count, 0);
}

Test(rebuild, ignores_what_comes_behind_the_end_of_a_run)
{
    begin_run(0);
    play("A1.2");
    events_put(&game.events, event_make(EVENT_END, 0, 0));
    play("A3.4#5^1.~(AB)");
    begin_run(1);
    play("B1.2");
    events_put(&game.events, event_make(EVENT_RECORDING, 0, 0));
    play("A5.6");
    expect_finished("two runs", "A:1/2 B:1/2");
}

Test(rebuild, ignores_what_comes_behind_an_end_that_waits_for_the_reference)
{
    begin_run(0);
    play("A1.2");
    events_put(&game.events, event_make(EVENT_END, 1, 0));
    play("A3.4#5^1.~(AB)");
    struct event_reference timed = {.is_after = true, .wakes = 20, .ns = 20};
    events_put(&game.events, event_make(EVENT_REFERENCE, 0, 0));
    events_put_payload(&game.events, &timed, sizeof timed);
    play("A5.6");
    begin_run(1);
    play("B1.2");
    expect_finished("two runs", "A:1/2 B:1/2");
}

/* A definition's payload may look like any event. */
Test(rebuild, does_not_take_definitions_for_events_behind_the_end_of_a_run)
{
    begin_run(0);
    play("A1.2");
    events_put(&game.events, event_make(EVENT_END, 0, 0));
    event_play_define_site(&game, 50,
                           (struct event_site){event_make(EVENT_RECORDING, 5, 0).what, 1});
    struct event_function function = {.id = event_make(EVENT_RECORDING, 6, 0).what};
    events_put(&game.events, event_make(EVENT_FUNCTION, 50, 0));
    events_put_payload(&game.events, &function, sizeof function);
    game.begin.tick = (int64_t)event_make(EVENT_RECORDING, 7, 0).what << 32 | EVENT_RECORDING;
    events_put(&game.events, event_make(EVENT_BEGIN, 0, 0));
    events_put_payload(&game.events, &game.begin, sizeof game.begin);
    play("A5.6");
    expect_finished("a run", "A:1/2");
    for (uint32_t run = 1; run < 10; run++)
        cr_expect_not(rebuild_recording(game.rebuild, run).is_there, "run %u", run);
}

Test(rebuild, does_not_take_definitions_for_the_event_before)
{
    /* For memory: it would be taken from what runs. */
    const struct event_site like_memory = {event_make(EVENT_MEMORY, 0, 0).what, 1000};
    const struct event_site like_thread = {event_make(EVENT_THREAD, 0, 0).what, 1000};
    begin_run(0);
    event_play_define_function(&game, like_memory.function);
    play("A1R2.3|");
    event_play_define_site(&game, 50, like_memory);
    play(",4");
    expect_finished("a tail return", "A:1/6 A>~B:1/3");
    cr_expect_eq(details_of("A")->memory_kb, 0);

    event_play_reset(&game);
    begin_run(0);
    event_play_define_function(&game, like_memory.function);
    play("A1N2|");
    event_play_define_site(&game, 50, like_memory);
    play("R4.8.16");
    expect_finished("a root", "A:1/2 A>n:1/20 B:1/8");
    cr_expect_eq(details_of("A>n")->memory_kb, 0);

    /* For a change of thread: the next units would be unattributed. */
    event_play_reset(&game);
    begin_run(0);
    event_play_define_function(&game, like_thread.function);
    play("A1.2|");
    event_play_define_site(&game, 50, like_thread);
    play("(AB).4.8");
    expect_finished("a stack", "A:1/10 A>B:0/4");
}
