#include "base/hash_index.h"
#include "base/mem.h"
#include "base/text.h"
#include "rebuild/event_play.h"
#include "tree/line_runs.h"

#include <criterion/criterion.h>

static const struct call_costs costs = {
    .is_known = true, .in_ns = {3, 2, 1}, .out_ns = {4.5, 1.25, 1}, .in_error_ns = {1, 1, 1}};

static struct event_play game;

static void set_up(void)
{
    event_play_init(&game);
}

static void tear_down(void)
{
    event_play_release(&game);
}

TestSuite(entry_sums, .init = set_up, .fini = tear_down);

static const struct rebuild_results *play(const char *text)
{
    event_play_reset(&game);
    event_play_begin(&game, 0);
    event_play_text(&game, text);
    rebuild_finish(game.rebuild);
    return rebuild_results(game.rebuild);
}

/* -------------------------------------------------------------------- any recording */

static uint64_t next_random(uint64_t below)
{
    static uint64_t random = 1;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (random >> 33) % below;
}

/* What runs on each thread while the text of a recording is made. */
enum { THREADS = 4, DEPTH_MAX = 6, TICKS = 9 };

struct any_thread {
    char frames[DEPTH_MAX]; /* [depth] letters of functions, as event_play.h has them */
    int depth;
    bool waits; /* in the function that suspends it */
};

static void put_units(struct text *text)
{
    uint64_t kind = next_random(20);
    if (kind < 12)
        text_put_count(text, next_random(kind == 0 ? 400 : 30));
    if (kind == 13)
        text_printf(text, "+%d", (int)next_random(5));
}

static void put_call(struct text *text, struct any_thread *thread)
{
    /* Sites, and the functions that they call. */
    static const char sites[] = "BCNWLU", functions[] = "BCnwAB", roots[] = "ARS", names[] = "ABC";
    uint64_t site = next_random(6), root = next_random(3);
    bool is_root = thread->depth == 0;
    text_put(text, is_root ? &roots[root] : &sites[site], 1);
    put_units(text);
    thread->frames[thread->depth++] = is_root ? names[root] : functions[site];
    thread->waits = !is_root && functions[site] == 'w';
}

static void put_return(struct text *text, struct any_thread *thread)
{
    /* An error has ended the frame above. */
    if (thread->depth > 1 && next_random(8) == 0 && thread->frames[thread->depth - 2] != 'n') {
        text_printf(text, "^%d.", thread->frames[thread->depth - 2] - 'A');
        thread->depth -= 2;
    } else {
        text_put_string(text, ".");
        thread->depth--;
    }
    put_units(text);
}

/* A line of the function that runs. */
static void put_line(struct text *text, const struct any_thread *thread)
{
    char name = thread->frames[thread->depth - 1];
    if (name < 'A' || name > 'C')
        return;
    text_printf(text, ":%c",
                name == 'A'           ? 'l'
                : name == 'C'         ? 'c'
                : next_random(2) == 0 ? 'b'
                                      : 'u');
    put_units(text);
}

static void put_thread(struct text *text, struct any_thread *threads, uint64_t *current)
{
    *current = next_random(THREADS);
    text_printf(text, "@%d", (int)*current);
    if (!threads[*current].waits)
        return;
    text_printf(text, ".%d!", (int)next_random(30));
    put_units(text);
    threads[*current].depth--;
    threads[*current].waits = false;
}

/* Some time before the first tick, and TICKS ticks from 1 on, on several threads. */
static void put_any_recording(struct text *text, bool has_lines)
{
    struct any_thread threads[THREADS] = {0};
    uint64_t current = 0, events = next_random(40);
    for (int tick = 0; tick <= TICKS; tick++) {
        if (tick > 0)
            text_printf(text, "#%d", tick);
        for (; events > 0; events--) {
            struct any_thread *thread = &threads[current];
            bool is_free = thread->depth == 0 || thread->waits;
            if (is_free && (thread->waits || next_random(3) == 0))
                put_thread(text, threads, &current);
            else if (has_lines && thread->depth > 0 && next_random(3) == 0)
                put_line(text, thread);
            else if (thread->depth == DEPTH_MAX ||
                     (thread->depth > 0 &&
                      (next_random(2) == 0 || thread->frames[thread->depth - 1] == 'n')))
                put_return(text, thread);
            else
                put_call(text, thread);
        }
        events = next_random(60);
    }
    text_put(text, "", 1);
}

/* Sums of trees, by call stack. */
struct stack_sums {
    struct intern keys;
    struct stack_sum {
        uint64_t calls, errors, memory_kb, finished, runs;
        int64_t self_ns, total_ns, min_ns, max_ns, mean_ns;
        double cost_error_ns;
        uint8_t flags;
    } * at; /* [keys.count] */
    size_t capacity;
};

static void stack_sums_release(struct stack_sums *sums)
{
    intern_release(&sums->keys);
    free(sums->at);
    *sums = (struct stack_sums){0};
}

static struct stack_sum *stack_of(struct stack_sums *sums, uint32_t above, struct call call,
                                  uint32_t *id)
{
    call.parent = above;
    if (intern_is_new(&sums->keys, (struct span){(const char *)&call, sizeof call}, id)) {
        MEM_GROW(sums->at, sums->capacity, sums->keys.count);
        sums->at[*id] = (struct stack_sum){.min_ns = INT64_MAX, .max_ns = -1};
    }
    return &sums->at[*id];
}

static void add_lines(struct stack_sums *sums, const struct tree *tree, uint32_t node, uint32_t id)
{
    int64_t self_ns = 0;
    size_t count;
    const struct line_run *lines = line_runs_of(tree->lines, node, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t line_id;
        self_ns += lines[i].self_ns;
        /* A part may have time at no known line where the whole has none. */
        if (lines[i].runs == 0)
            continue;
        stack_of(sums, id, (struct call){0, UINT32_MAX, lines[i].line}, &line_id)->runs +=
            lines[i].runs;
    }
    cr_expect(count == 0 || self_ns == tree->self_ns[node]);
}

static void add_tree(struct stack_sums *sums, const struct tree *tree)
{
    uint32_t *ids = mem_zeroed(tree->node_count, sizeof *ids);
    ids[TREE_ROOT] = UINT32_MAX;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        const struct call_details *details = &tree->details[node];
        struct stack_sum *sum = stack_of(sums, ids[call->parent], *call, &ids[node]);
        sum->calls += tree->call_counts[node];
        sum->self_ns += tree->self_ns[node];
        sum->total_ns += tree->total_ns[node];
        sum->errors += details->errors;
        sum->memory_kb += details->memory_kb;
        sum->finished += details->finished;
        sum->cost_error_ns += details->cost_error_ns;
        sum->min_ns = details->min_ns < sum->min_ns ? details->min_ns : sum->min_ns;
        sum->max_ns = details->max_ns > sum->max_ns ? details->max_ns : sum->max_ns;
        int64_t mean_ns =
            details->finished > 0 ? details->finished_ns / (int64_t)details->finished : 0;
        sum->mean_ns = mean_ns > sum->mean_ns ? mean_ns : sum->mean_ns;
        sum->flags |= tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        add_lines(sums, tree, node, ids[node]);
    }
    free(ids);
}

/* Of a call in several parts, each knows no more than its own time. No longest call of a part is
 * above that of the whole, or above the mean of its calls. */
static bool is_same(const struct stack_sum *a, const struct stack_sum *b)
{
    double error_ns = a->cost_error_ns - b->cost_error_ns;
    return a->calls == b->calls && a->errors == b->errors && a->memory_kb == b->memory_kb &&
           a->finished == b->finished && a->runs == b->runs && a->self_ns == b->self_ns &&
           a->total_ns == b->total_ns && a->min_ns <= b->min_ns &&
           (a->max_ns <= b->max_ns || a->max_ns <= a->mean_ns + 1) && error_ns < 1e-6 &&
           error_ns > -1e-6 && a->flags == b->flags;
}

static void expect_same_sums(struct stack_sums *parts, struct stack_sums *whole, const char *text)
{
    cr_expect_eq(parts->keys.count, whole->keys.count, "%s", text);
    for (uint32_t i = 0; i < whole->keys.count; i++) {
        struct span key = intern_get(&whole->keys, i);
        const struct stack_sum *wanted = &whole->at[i], *found = &parts->at[i];
        /* The stacks of the whole were added to the parts first. */
        cr_assert_eq(intern_find(&parts->keys, key.at, key.length), i);
        cr_assert(is_same(found, wanted), "%s\n  calls %lu, %lu, self %ld, %ld", text,
                  (unsigned long)found->calls, (unsigned long)wanted->calls, (long)found->self_ns,
                  (long)wanted->self_ns);
    }
}

/* The parts begin with the stacks of the whole, and zeros. */
static void begin_parts(struct stack_sums *parts, const struct rebuild_results *results)
{
    add_tree(parts, &results->tree);
    for (uint32_t i = 0; i < parts->keys.count; i++)
        parts->at[i] = (struct stack_sum){.min_ns = INT64_MAX, .max_ns = -1};
}

static void set_window(double from, double to)
{
    game.settings.from = (struct window_border){from > 0 ? WINDOW_TICK : WINDOW_OPEN, from, false};
    game.settings.to = (struct window_border){to > 0 ? WINDOW_TICK : WINDOW_OPEN, to, false};
}

/* Any settings for any recording. */
static void choose_settings(int round)
{
    static const uint8_t threads[] = {NODE_MAIN | NODE_COROUTINE, NODE_MAIN, NODE_COROUTINE};
    game.settings = (struct rebuild_settings){.threads = threads[round % 3], .limit_ns = 300};
    if (round / 6 % 2 == 0)
        game.settings.costs = costs;
    game.begin.unit_ns = round / 12 % 2 == 0 ? 1 : 0.73;
}

/* ------------------------------------------------------------------------- windows */

Test(entry_sums, windows_that_partition_the_ticks_add_up_to_the_whole_in_every_field)
{
    for (int round = 0; round < 400; round++) {
        struct stack_sums whole = {0}, parts = {0};
        struct text text = {0};
        choose_settings(round);
        put_any_recording(&text, round % 5 == 0);
        add_tree(&whole, &play(text.at)->tree);
        begin_parts(&parts, rebuild_results(game.rebuild));
        int64_t left_ns = 0, all_ns = rebuild_results(game.rebuild)->tree.total_ns[TREE_ROOT];
        int first = 1 + (int)next_random(TICKS), last = first + (int)next_random(3);
        const double borders[] = {0, first, last, 0};
        for (int i = 0; i < 3; i++) {
            set_window(borders[i], borders[i + 1]);
            add_tree(&parts, &play(text.at)->tree);
            struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
            left_ns += (int64_t)(run.measured_ns - run.removed_ns);
        }
        expect_same_sums(&parts, &whole, text.at);
        cr_expect_eq(left_ns, all_ns);
        stack_sums_release(&whole);
        stack_sums_release(&parts);
        text_release(&text);
    }
}

static bool is_same_node(const struct tree *a, const struct tree *b, uint32_t node)
{
    const struct call_details *left = &a->details[node], *right = &b->details[node];
    return a->calls[node].parent == b->calls[node].parent &&
           a->calls[node].function == b->calls[node].function &&
           a->call_counts[node] == b->call_counts[node] && a->self_ns[node] == b->self_ns[node] &&
           a->flags[node] == b->flags[node] && left->errors == right->errors &&
           left->memory_kb == right->memory_kb && left->finished == right->finished &&
           left->finished_ns == right->finished_ns && left->min_ns == right->min_ns &&
           left->max_ns == right->max_ns && left->variance_ns2 == right->variance_ns2;
}

Test(entry_sums, the_whole_is_the_same_where_ticks_are_not_told_apart)
{
    for (int round = 0; round < 400; round++) {
        struct text text = {0};
        choose_settings(3 * round);
        put_any_recording(&text, round % 5 == 0);
        struct tree ticks = play(text.at)->tree;
        rebuild_results(game.rebuild)->tree = (struct tree){0};
        game.settings.needs = NEEDS_WHOLE;
        const struct tree *whole = &play(text.at)->tree;
        cr_assert_eq(ticks.node_count, whole->node_count, "%s", text.at);
        for (uint32_t node = 1; node < ticks.node_count; node++)
            cr_assert(is_same_node(&ticks, whole, node), "node %u of %s", node, text.at);
        tree_release(&ticks);
        text_release(&text);
    }
}

Test(entry_sums, kinds_of_threads_add_up_to_all)
{
    for (int round = 0; round < 100; round++) {
        struct stack_sums whole = {0}, parts = {0};
        struct text text = {0};
        choose_settings(3 * round);
        put_any_recording(&text, round % 5 == 0);
        add_tree(&whole, &play(text.at)->tree);
        begin_parts(&parts, rebuild_results(game.rebuild));
        for (uint8_t thread = NODE_MAIN; thread <= NODE_COROUTINE; thread++) {
            game.settings.threads = thread;
            add_tree(&parts, &play(text.at)->tree);
        }
        expect_same_sums(&parts, &whole, text.at);
        stack_sums_release(&whole);
        stack_sums_release(&parts);
        text_release(&text);
    }
}

Test(entry_sums, chosen_ticks_and_others_and_what_is_outside_are_all)
{
    for (int round = 0; round < 100; round++) {
        struct stack_sums whole = {0}, parts = {0};
        struct text text = {0};
        choose_settings(3 * round);
        put_any_recording(&text, false);
        add_tree(&whole, &play(text.at)->tree);
        begin_parts(&parts, rebuild_results(game.rebuild));
        size_t chosen_count = 0;
        game.settings.choice = (struct tick_choice){.is_on = true, .over_ns = 300, .up_to_ns = 900};
        for (int i = 0; i < 2; i++) {
            game.settings.choice.takes_others = i == 1;
            const struct rebuild_results *results = play(text.at);
            add_tree(&parts, &results->tree);
            chosen_count += results->choice.chosen_count;
            cr_expect_eq(results->choice.count, TICKS);
            cr_expect_eq(results->ticks.count, results->choice.chosen_count);
            for (size_t k = 0; k < results->ticks.count; k++)
                cr_expect(tick_choice_has(&game.settings.choice, results->ticks.ticks[k].time_ns));
        }
        cr_expect_eq(chosen_count, TICKS);
        int64_t outside_ns = rebuild_results(game.rebuild)->choice.outside_ns;
        game.settings.choice = (struct tick_choice){0};
        set_window(0, 1);
        add_tree(&parts, &play(text.at)->tree);
        cr_expect(game.settings.threads != (NODE_MAIN | NODE_COROUTINE) ||
                  rebuild_results(game.rebuild)->tree.total_ns[TREE_ROOT] == outside_ns);
        expect_same_sums(&parts, &whole, text.at);
        stack_sums_release(&whole);
        stack_sums_release(&parts);
        text_release(&text);
    }
}

/* A window of one tick has the calls of that tick, which the list of ticks has, too. */
Test(entry_sums, a_window_of_one_tick_has_the_time_of_that_tick)
{
    struct text text = {0};
    int64_t times_ns[TICKS];
    uint64_t tick_calls[TICKS];
    game.settings.costs = costs;
    put_any_recording(&text, false);
    const struct tick_list *list = &play(text.at)->ticks;
    cr_assert_eq(list->count, TICKS);
    for (int i = 0; i < TICKS; i++) {
        times_ns[i] = list->ticks[i].time_ns;
        tick_calls[i] = list->ticks[i].calls;
    }
    for (int i = 0; i < TICKS; i++) {
        uint64_t calls = 0;
        set_window(i + 1, i + 2);
        const struct rebuild_results *results = play(text.at);
        for (uint32_t node = 0; node < results->tree.node_count; node++)
            calls += results->tree.call_counts[node];
        cr_assert_eq(results->ticks.count, 1);
        cr_expect_eq(results->ticks.ticks[0].time_ns, times_ns[i]);
        cr_expect_eq(results->tree.total_ns[TREE_ROOT], times_ns[i]);
        cr_expect_eq(calls, tick_calls[i]);
    }
    text_release(&text);
}

/* -------------------------------------------------------------------------- lines */

static void expect_line(const struct tree *tree, int32_t line, uint64_t runs, int64_t self_ns)
{
    uint64_t found_runs = 0;
    int64_t found_ns = 0;
    for (size_t i = 0; tree->lines != NULL && i < tree->lines->count; i++) {
        found_runs += tree->lines->at[i].line == line ? tree->lines->at[i].runs : 0;
        found_ns += tree->lines->at[i].line == line ? tree->lines->at[i].self_ns : 0;
    }
    cr_expect_eq(found_runs, runs, "line %d: %lu", line, (unsigned long)found_runs);
    cr_expect_eq(found_ns, self_ns, "line %d: %ld", line, (long)found_ns);
}

/* A, at line 50, calls B, which is at line 10, 11 and 10. */
static const char with_lines[] = "#1A:l1B2:b3:u4:b5.6.7#2A:l1.2@1A:l3.4";

Test(entry_sums, lines_are_sums_of_chosen_ticks)
{
    const struct tree *tree = &play(with_lines)->tree;
    expect_line(tree, 50, 3, 1 + 2 + 7 + 1 + 2 + 3 + 4);
    expect_line(tree, 10, 2, 3 + 4 + 6);
    expect_line(tree, 11, 1, 5);
    set_window(2, 0);
    tree = &play(with_lines)->tree;
    expect_line(tree, 50, 2, 1 + 2 + 3 + 4);
    expect_line(tree, 10, 0, 0);
}

Test(entry_sums, lines_are_of_the_chosen_threads)
{
    game.settings.threads = NODE_COROUTINE;
    expect_line(&play(with_lines)->tree, 50, 1, 3 + 4);
    game.settings.threads = NODE_MAIN;
    expect_line(&play(with_lines)->tree, 50, 2, 1 + 2 + 7 + 1 + 2);
}

/* ------------------------------------------------------------ slow ticks and others */

Test(entry_sums, slow_ticks_and_others_and_what_is_outside_are_all)
{
    for (int round = 0; round < 100; round++) {
        struct text text = {0};
        choose_settings(3 * round);
        put_any_recording(&text, false);
        const struct rebuild_results *results = play(text.at);
        const struct slow_sums *slow = &results->slow;
        struct rebuilt_recording run = rebuild_recording(game.rebuild, 0);
        int64_t slow_ns = 0, ticks_ns = 0, all_ns = results->tree.total_ns[TREE_ROOT];
        struct slow_sum sum = {0};
        for (size_t i = 0; i < results->ticks.count; i++) {
            const struct tick *tick = &results->ticks.ticks[i];
            ticks_ns += tick->time_ns;
            slow_ns += tick->over_ns > 0 ? tick->time_ns : 0;
        }
        for (size_t i = 0; i < slow->count; i++) {
            sum.slow_ns += slow->at[i].slow_ns;
            sum.other_ns += slow->at[i].other_ns;
            sum.removed_ns += slow->at[i].removed_ns;
        }
        cr_expect_eq(slow->all.slow_ns, slow_ns);
        cr_expect_eq(slow->all.other_ns, ticks_ns - slow_ns);
        cr_expect_eq(sum.slow_ns, slow_ns);
        cr_expect_eq(sum.other_ns, ticks_ns - slow_ns);
        set_window(0, 1);
        int64_t outside_ns = play(text.at)->tree.total_ns[TREE_ROOT];
        cr_expect_eq(slow_ns + sum.other_ns + outside_ns, all_ns, "%s", text.at);
        double outside_removed_ns = rebuild_recording(game.rebuild, 0).removed_ns;
        /* A function's time in a tick is rounded. */
        cr_expect_float_eq((double)sum.removed_ns + outside_removed_ns, run.removed_ns,
                           game.begin.unit_ns == 1 ? 1e-6 : FUNCTION_COUNT * TICKS);
        text_release(&text);
    }
}

Test(entry_sums, functions_have_their_time_in_slow_ticks_and_in_others)
{
    game.settings.limit_ns = 50;
    const struct rebuild_results *results = play("A5.6#1AB10.20.30#2AB1.2.3@1R40.7#3AB4.5.6");
    const struct slow_sums *slow = &results->slow;
    cr_expect(slow->at[A].slow_ns == 40 && slow->at[A].other_ns == 1 + 3 + 4 + 6);
    cr_expect(slow->at[B].slow_ns == 20 && slow->at[B].other_ns == 2 + 7 + 5);
    cr_expect(slow->all.slow_ns == 60 && slow->all.other_ns == 28);
    cr_expect_eq(slow->all.removed_ns, 0);
}

Test(entry_sums, there_are_no_slow_sums_of_one_kind_of_threads)
{
    game.settings.threads = NODE_MAIN;
    cr_expect_eq(play("#1A5.6@1R.4")->slow.count, 0);
    cr_expect_eq(rebuild_results(game.rebuild)->work.recording_count, 0);
}

/* ----------------------------------------------------------------------------- wakes */

/* The wakes of B's threads, in the order of their begins. */
static void expect_wakes(const struct rebuild_results *results, const int64_t *wanted, size_t count)
{
    const struct thread_sums *threads = &results->threads;
    cr_assert_eq(threads->wake_count, count);
    for (size_t i = 0; i < count; i++) {
        const struct wake *wake = &threads->wakes[i];
        cr_expect_eq(wake->ns, wanted[wake->number], "wake %u: %ld", wake->number, (long)wake->ns);
    }
}

/* Two threads that begin with B; the first wakes in three ticks. */
static const char with_wakes[] = "#1@1RW10@2RN20.5.7@0A.9#2@1.5!W4@0#3@1.!.30";

Test(entry_sums, wakes_have_all_the_time_of_their_root)
{
    const struct rebuild_results *results = play(with_wakes);
    expect_wakes(results, (const int64_t[]){10, 32, 4, 30}, 4);
    cr_expect_eq(thread_sums_of(&results->threads, B)->wakes, 4);
    cr_expect_eq(thread_sums_of(&results->threads, B)->threads, 2);
    cr_expect_eq(thread_sums_of(&results->threads, B)->longest_ns, 32);
}

/* 5 for each call of B, and 3 for one of a C function, of which its caller has 1. */
static const struct call_costs whole_costs = {
    .is_known = true, .in_ns = {4, 2, 0}, .out_ns = {1, 1, 0}};

Test(entry_sums, wakes_share_what_is_left_of_their_root_in_a_tick)
{
    game.settings.costs = whole_costs;
    /*
     * In tick 1, B keeps 37 - 8 - 2, and next 5 - 2. A call has cost 2.6 on the average, so that
     * the 30 are shared as 10 - 5.2 to 32 - 5.2.
     */
    const struct rebuild_results *results = play(with_wakes);
    expect_wakes(results, (const int64_t[]){4, 25, 3, 30}, 4);
    /* Where there is one wake in a tick, it has what the stacks have. */
    set_window(3, 4);
    results = play(with_wakes);
    expect_wakes(results, (const int64_t[]){0, 0, 0, results->tree.total_ns[TREE_ROOT]}, 1);
}

/* By the mean cost of a call, nothing is left of the wakes of tick 2. */
Test(entry_sums, wakes_share_evenly_what_their_calls_do_not_tell)
{
    game.settings.costs = whole_costs;
    const struct rebuild_results *results =
        play("#1@1RB90.B90.B90.B90.B90.B90.W10@2RW10@0#2@1.!N4.N4.W0@2.!N4.N4.W0");
    int64_t ns[] = {0, 0, 0, 0};
    cr_assert_eq(results->threads.wake_count, 4);
    for (size_t i = 0; i < 4; i++)
        ns[results->threads.wakes[i].number] = results->threads.wakes[i].ns;
    int64_t all_ns = ns[0] + ns[1] + ns[2] + ns[3];
    cr_expect(ns[2] > 0 && ns[2] == ns[3]);
    cr_expect_leq(results->tree.total_ns[TREE_ROOT] - all_ns, 2);
}

Test(entry_sums, wakes_leave_the_time_of_a_thread_that_was_met)
{
    /* It has no wake before its first resume. */
    const struct rebuild_results *results = play("#1@1(RW).5!W30@0#2@1.!.7");
    expect_wakes(results, (const int64_t[]){30, 7}, 2);
    cr_expect_eq(results->tree.total_ns[TREE_ROOT], 37);
    results = play("#1@1(RBC).1.90W10@0@1.!W25@0#2@1.!.7");
    expect_wakes(results, (const int64_t[]){25, 7}, 2);
    cr_expect_eq(results->tree.total_ns[TREE_ROOT], 90 + 10 + 25 + 7);
}

Test(entry_sums, wakes_have_no_time_of_the_main_thread)
{
    game.settings.costs = whole_costs;
    expect_wakes(play("#1@0R.9@1RW10"), (const int64_t[]){10 - 4 - 1}, 1);
}

/* The first goes on in a tick after its own, in which its thread has done nothing. */
Test(entry_sums, wakes_have_no_time_of_another_tick)
{
    game.settings.costs = whole_costs;
    const struct rebuild_results *results = play("#1@1(RW)#2@1.!#3B50.350.@2RW100");
    /* Of the 500, 490 are left. The 400 are in no wake of tick 3: 93.3 of 493.3 parts are. */
    expect_wakes(results, (const int64_t[]){0, 92}, 2);
}

Test(entry_sums, wakes_are_never_more_than_their_root)
{
    for (int round = 0; round < 200; round++) {
        struct text text = {0};
        int64_t roots_ns[FUNCTION_COUNT] = {0};
        choose_settings(3 * round);
        put_any_recording(&text, false);
        int first = 1 + (int)next_random(TICKS);
        set_window(first, first + (int)next_random(4));
        const struct rebuild_results *results = play(text.at);
        const struct tree *tree = &results->tree;
        for (uint32_t node = 1; node < tree->node_count; node++)
            if (tree->calls[node].parent == TREE_ROOT)
                roots_ns[tree->calls[node].function] += tree->total_ns[node];
        for (size_t i = 0; i < results->threads.wake_count; i++) {
            cr_expect_geq(results->threads.wakes[i].ns, 0);
            roots_ns[results->threads.wakes[i].function] -= results->threads.wakes[i].ns;
        }
        for (int i = 0; i < FUNCTION_COUNT; i++)
            cr_expect_geq(roots_ns[i], 0, "%s", text.at);
        text_release(&text);
    }
}

Test(entry_sums, wakes_and_threads_are_those_of_the_window)
{
    set_window(2, 4);
    const struct rebuild_results *results = play(with_wakes);
    expect_wakes(results, (const int64_t[]){0, 0, 4, 30}, 2);
    cr_expect_eq(thread_sums_of(&results->threads, B)->threads, 1);
    set_window(4, 5);
    cr_expect_null(thread_sums_of(&play(with_wakes)->threads, B));
}
