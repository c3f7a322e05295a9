/*
 * What is worth looking at, and in which order? The table of all findings, and those about ticks,
 * memory and the log itself.
 */
#include "report/sentences/findings.h"

#include "base/mem.h"
#include "report/figures/what_if.h"
#include "report/sentences/finder.h"
#include "report/sentences/recorder_cost.h"

#include <math.h>

static double measure_heap(struct finder *finder, struct finding *finding)
{
    enum { KB_MIN = 1024 };
    uint64_t all_kb = 0, best_kb = KB_MIN - 1;
    for (uint32_t i = 0; i < finder->function_count; i++) {
        uint64_t memory_kb = finder->sums[i].details.memory_kb;
        all_kb += memory_kb;
        if (memory_kb > best_kb && !function_is_unfit(finder->report, i)) {
            finding->function = i;
            best_kb = memory_kb;
        }
    }
    if (finding->function == TREE_NONE)
        return -1;
    double percent = finder_percent((int64_t)best_kb, (int64_t)all_kb);
    finding->time_ns = finder->sums[finding->function].self_ns;
    finding_add(finding, "percent", percent);
    finding_add(finding, "heap_kb", (double)best_kb);
    return percent;
}

static void put_heap(const struct finder *finder, const struct finding *finding, struct text *text)
{
    text_printf(text,
                "%s makes %.0f%% of the growth of the memory in use (%s KB)",
                finder_name(finder, finding->function),
                finding_number(finding, "percent"),
                finding_count(finder, finding, "heap_kb").at);
}

const struct finding_row finding_heap = {
    .name = "heap",
    .needs = OF_MEMORY,
    .measure = measure_heap,
    .least = 40, /* percent of all heap growth */
    .put = put_heap,
    .option = "--sort heap",
    .count = "heap_kb",
    .is_no_share = true,
};

static double measure_no_names(struct finder *finder, struct finding *finding)
{
    const struct symbols *symbols = &finder->profile->symbols;
    if (finder->report->has_sources)
        return -1;
    for (uint32_t i = 0; i < finder->function_count; i++)
        if (symbols_is_lua(symbols, i) && symbols_is_no_name(symbols, symbols->functions[i].name))
            finding->time_ns += finder->sums[i].self_ns;
    double percent = finder_percent(finding->time_ns, finder->all_ns);
    finding_add(finding, "percent", percent);
    return percent;
}

static void put_no_names(const struct finder *finder, const struct finding *finding,
                         struct text *text)
{
    (void)finder;
    text_printf(text,
                "%.0f%% of the time is in Lua functions without a name; --lua-root finds"
                " names in the game's sources",
                finding_number(finding, "percent"));
}

const struct finding_row finding_no_names = {
    .name = "no-names",
    .measure = measure_no_names,
    .least = 25, /* percent of all time */
    .put = put_no_names,
    .option = "--lua-root DIR",
    .is_about_log = true,
};

static double measure_clock(struct finder *finder, struct finding *finding)
{
    double step_ns = recorder_cost_sum_up(finder->profile).step_ns;
    /* The clock's steps alone may have made the time; twice the standard error is the limit. */
    for (uint32_t i = 0; i < finder->function_count; i++) {
        const struct sum *sum = &finder->sums[i];
        if (sum->calls > 0 && sum->self_ns > 0 &&
            (double)sum->self_ns <= 2 * sqrt(sum->details.variance_ns2))
            finding->time_ns += sum->self_ns;
    }
    double percent = finder_percent(finding->time_ns, finder->all_ns);
    finding_add(finding, "percent", percent);
    finding_add(finding, "clock_step_ns", step_ns);
    return percent;
}

static void put_clock(const struct finder *finder, const struct finding *finding, struct text *text)
{
    (void)finder;
    text_printf(text,
                "%.0f%% of the time is in functions too short for the clock, which has steps of "
                "%.3g us; record for longer, or soon after the game has started",
                finding_number(finding, "percent"),
                finding_number(finding, "clock_step_ns") / 1000);
}

const struct finding_row finding_clock = {
    .name = "clock",
    .measure = measure_clock,
    .least = 40, /* percent of all time */
    .put = put_clock,
    .option = "--columns noise,self,calls",
    .is_about_log = true,
};

/* Returns the calls of a function in a slow tick, in the mean of those whose lists have it. */
static double calls_a_slow_tick(const struct tick_statistics *ticks, uint32_t function)
{
    double calls = 0, count = 0;
    for (size_t i = 0; i < ticks->over_row_count; i++)
        for (size_t k = 0; k < ticks->worst[i]->function_count; k++)
            if (ticks->worst[i]->functions[k].function == function) {
                calls += (double)ticks->worst[i]->functions[k].calls;
                count++;
            }
    return count > 0 ? calls / count : 0;
}

/* If a function is called more often in slow ticks, that is why they are slow. */
static void add_calls(const struct finder *finder, struct finding *finding)
{
    const struct work_sums *work = &finder->profile->work;
    double slow_calls = calls_a_slow_tick(&finder->report->ticks, finding->function);
    if (finding->function >= work->function_count)
        return;
    double other_calls = work->functions[finding->function].tick_calls;
    if (other_calls < 0.1 || slow_calls < 2 || slow_calls < 1.5 * other_calls)
        return;
    finding_add(finding, "slow_calls", slow_calls);
    finding_add(finding, "other_calls", other_calls);
}

/* Of all slow ticks: where others are left, the game makes them. */
static double measure_computer(struct finder *finder, struct finding *finding)
{
    const struct computer_ticks *computer = &finder->report->computer;
    if (computer->count < finder->report->ticks.over_row_count)
        return -1;
    finding->time_ns = computer->over_ns;
    finding_add(finding, "slow_ticks", (double)computer->count);
    finding_add(finding, "most_usual_ns", (double)computer->most_usual_ns);
    return (double)computer->count;
}

static void put_computer(const struct finder *finder, const struct finding *finding,
                         struct text *text)
{
    const struct tick_kind *kind = &tick_kinds[finder->profile->rebuild.state];
    double count = finding_number(finding, "slow_ticks");
    double ms = finding_number(finding, "most_usual_ns") / 1e6;
    text_put_string(text, "With usual call times, ");
    if (count == 1)
        text_printf(text, "the only slow %s would take %.0f ms: record again", kind->one, ms);
    else
        text_printf(text,
                    "all %.0f slow %s would take %.0f ms or less: record again",
                    count,
                    kind->many,
                    ms);
}

const struct finding_row finding_computer = {
    .name = "computer",
    .needs = OF_SLOW_TICKS,
    .measure = measure_computer,
    .least = 1, /* ticks */
    .put = put_computer,
    .option = "--ticks",
    .count = "slow_ticks",
    .saves_nothing = true,
    .is_no_share = true,
};

static double measure_slow_ticks(struct finder *finder, struct finding *finding)
{
    enum { DISTURBED_PARTS = 10 };
    const double MORE_MIN = 1.1;
    const struct slow_sums *slow = &finder->profile->slow;
    const struct tick_statistics *ticks = &finder->report->ticks;
    int64_t slow_ns = 0;
    for (size_t i = 0; i < ticks->over_row_count; i++)
        slow_ns += ticks->worst[i]->time_ns;
    uint32_t best = 0;
    for (uint32_t i = 1; i < slow->count && i < finder->function_count; i++)
        best = slow->at[i].slow_ns > slow->at[best].slow_ns ? i : best;
    /* If there is only one tick, the headline says this. No function makes a computer slow. */
    if (slow->count == 0 || ticks->sampled_over_count == 0 || ticks->row_count == 1 ||
        finder->report->computer.time_ns > slow_ns / DISTURBED_PARTS ||
        function_is_unfit(finder->report, best))
        return -1;
    struct slow_sum sum = slow->at[best];
    double percent = finder_percent(sum.slow_ns, slow->all.slow_ns);
    finding->function = best;
    finding->time_ns = sum.slow_ns;
    /* Equal parts on both sides say nothing about slow ticks. */
    double other_percent = finder_percent(sum.other_ns, slow->all.other_ns);
    if (percent < MORE_MIN * other_percent)
        return -1;
    finding_add(finding, "percent", percent);
    finding_add(finding, "slow_ticks", (double)ticks->sampled_over_count);
    if (slow->all.other_ns > 0)
        finding_add(finding, "other_percent", other_percent);
    add_calls(finder, finding);
    return percent;
}

static void put_slow_ticks(const struct finder *finder, const struct finding *finding,
                           struct text *text)
{
    const struct tick_kind *kind = &tick_kinds[finder->profile->rebuild.state];
    double slow_count = finding_number(finding, "slow_ticks");
    function_name_put(text, finder->report, finding->function);
    text_printf(text, " itself is %.0f%% of the time of the ", finding_number(finding, "percent"));
    if (slow_count == 1)
        text_printf(text, "only slow %s", kind->one);
    else
        text_printf(text, "%.0f slow %s", slow_count, kind->many);
    text_printf(text, " (over %s)", tick_limit(&finder->profile->ticks).at);
    if (finder->profile->slow.all.other_ns > 0)
        text_printf(text,
                    ", and %.0f%% of all other %s",
                    finding_number(finding, "other_percent"),
                    kind->many);
    double slow_calls = finding_number(finding, "slow_calls"),
           other_calls = finding_number(finding, "other_calls");
    if (slow_calls > 0)
        text_printf(text,
                    ": %.*f calls in a slow %s, %.*f in another",
                    slow_calls < 10,
                    slow_calls,
                    kind->one,
                    other_calls < 10,
                    other_calls);
}

const struct finding_row finding_slow_ticks = {
    .name = "slow-ticks",
    .needs = OF_SLOW_TICKS,
    .measure = measure_slow_ticks,
    .least = 30, /* percent of the time of all slow ticks */
    .put = put_slow_ticks,
    .explains = EXPLAINS_SELF,
    .repaired = 1,
    .is_of_slow = true,
};

/* Slow ticks that took more than twice what their calls usually take. Perhaps no function did that.
 */
static size_t count_unusual(const struct tick_statistics *ticks)
{
    size_t count = 0;
    for (size_t i = 0; i < ticks->over_row_count; i++) {
        const struct tick *tick = ticks->worst[i];
        count += !tick->is_disturbed && tick->usual_ns >= 0 && tick->time_ns / 2 > tick->usual_ns;
    }
    return count;
}

static double measure_what_if(struct finder *finder, struct finding *finding)
{
    const struct tick_list *list = &finder->profile->ticks;
    const struct tick_statistics *ticks = &finder->report->ticks;
    const struct slow_sums *slow = &finder->profile->slow;
    struct what_if_best best;
    SCOPED_ARRAY uint8_t *is_left_out = mem_zeroed(finder->function_count, 1);
    /* Where more was subtracted for the recorder than was left, what is saved is not known. */
    for (uint32_t i = 0; i < finder->function_count; i++)
        is_left_out[i] = function_is_unfit(finder->report, i) || i >= slow->count ||
                         slow->at[i].removed_ns > finder->sums[i].self_ns;
    bool is_found =
        list->count > 1 && what_if_find_best(&best, list, is_left_out, finder->function_count);
    if (!is_found || 2 * count_unusual(ticks) > best.slow_count)
        return -1;
    finding->function = best.function;
    finding->time_ns = (int64_t)best.saved_ns;
    finding_add(finding, "slow_ticks", (double)best.slow_count);
    finding_add(finding, "left_by_half", (double)best.left_by_half);
    finding_add(finding, "left_without", (double)best.left_by_none);
    if (best.left_by_half > 0 && best.left_by_none == 0)
        finding_add(finding, "percent_for_none", floor(100 * best.least_share));
    finding_add(finding, "computer_ticks", (double)finder->report->computer.count);
    return finder_percent((int64_t)(best.slow_count - best.left_by_half), (int64_t)best.slow_count);
}

static void put_what_if(const struct finder *finder, const struct finding *finding,
                        struct text *text)
{
    double slow = finding_number(finding, "slow_ticks");
    const char *ticks = tick_kinds[finder->profile->rebuild.state].many;
    double half = finding_number(finding, "left_by_half");
    double none = finding_number(finding, "left_without");
    text_printf(
        text, "Half the self time of %s would leave ", finder_name(finder, finding->function));
    if (slow == 1)
        text_printf(text, "no slow %s", tick_kinds[finder->profile->rebuild.state].one);
    else if (half == 0)
        text_printf(text, "none of %.0f slow %s", slow, ticks);
    else
        text_printf(text, "%.0f of %.0f slow %s", half, slow, ticks);
    if (finding_number(finding, "computer_ticks") > 0)
        text_put_string(text, " that are not the computer's");
    if (half > 0 && none == 0)
        text_printf(text, "; %.0f%% of it, none", finding_number(finding, "percent_for_none"));
    else if (none < half)
        text_printf(text, "; without it %.0f", none);
}

const struct finding_row finding_what_if = {
    .name = "what-if",
    .needs = OF_SLOW_TICKS,
    .measure = measure_what_if,
    .least = 20, /* percent of the slow ticks */
    .put = put_what_if,
    .option = "--what-if",
    .explains = EXPLAINS_SELF,
    .repaired = 0.5,
    .is_of_slow = true,
};

/* By tick of the game, from the first of the list on: whether it was slow. */
static uint8_t *mark_slow(const struct tick_list *list, size_t *count)
{
    int64_t first = list->ticks[0].number;
    *count = (size_t)(list->ticks[list->count - 1].number - first) + 1;
    uint8_t *is_slow = mem_zeroed(*count, 1);
    for (size_t i = 0; i < list->count; i++)
        is_slow[list->ticks[i].number - first] = tick_is_slow(&list->ticks[i]);
    return is_slow;
}

/* Finds the threads that have most of the time of the slow ticks, by where they began: of one
 * recording, since others may have ticks of the same numbers. */
static void find_slow_threads(const struct finder *finder, struct finding *finding)
{
    const struct tick_list *list = &finder->profile->ticks;
    const struct thread_sums *threads = &finder->profile->threads;
    if (finder->profile->recordings.count != 1)
        return;
    size_t count;
    SCOPED_ARRAY uint8_t *is_slow = mark_slow(list, &count);
    SCOPED_ARRAY int64_t *ns = mem_zeroed(finder->function_count, sizeof *ns);
    for (size_t i = 0; i < threads->wake_count; i++) {
        const struct wake *wake = &threads->wakes[i];
        uint64_t at = (uint64_t)wake->tick - (uint64_t)list->ticks[0].number;
        if (at < count && is_slow[at] && wake->function < finder->function_count)
            ns[wake->function] += wake->ns;
    }
    for (uint32_t i = 0; i < finder->function_count; i++)
        finding_take(finding, i, TREE_NONE, ns[i]);
}

static double measure_distance(struct finder *finder, struct finding *finding)
{
    enum { PERCENT_MIN = 50 };
    const struct tick_statistics *ticks = &finder->report->ticks;
    struct tick_distance distance = ticks->distance;
    if (distance.ticks == 0)
        return -1;
    find_slow_threads(finder, finding);
    int64_t all_ns = finder->profile->slow.all.slow_ns;
    double percent = finder_percent(finding->time_ns, all_ns);
    if (finding->function == TREE_NONE || percent < PERCENT_MIN)
        return -1;
    finding->time_ns = ticks->over_ns;
    finding_add(finding, "ticks", (double)distance.ticks);
    finding_add(finding, "slow_ticks", (double)distance.slow_count);
    finding_add(finding, "percent", percent);
    finding_add(finding, "is_collection", distance.is_collection);
    return (double)distance.ticks;
}

void finding_put_distance(struct text *text, enum lua_state state,
                          const struct tick_distance *distance)
{
    if (distance->ticks == 0)
        return;
    long long ticks = distance->ticks;
    const char *many = tick_kinds[state].many;
    text_printf(text, "Slow %s come every %lld %s", many, ticks, many);
    if (state != LUA_STATE_UI)
        text_printf(text, " (%.1f s)", (double)ticks / TICKS_A_SECOND);
    if (distance->is_collection)
        text_put_string(text, ", and so does the collection of garbage");
}

static void put_distance(const struct finder *finder, const struct finding *finding,
                         struct text *text)
{
    finding_put_distance(text, finder->profile->rebuild.state, &finder->report->ticks.distance);
    text_printf(text,
                ": %.0f%% of their time is in threads of %s",
                finding_number(finding, "percent"),
                finder_name(finder, finding->function));
}

const struct finding_row finding_distance = {
    .name = "distance",
    .needs = OF_SLOW_TICKS,
    .measure = measure_distance,
    .least = 1, /* ticks between two slow ones */
    .put = put_distance,
    .option = "--threads",
    .count = "slow_ticks",
    .is_of_slow = true,
};

#define ROW_OF_FINDING(kind, row) &finding_##row,
const struct finding_row *const finding_rows[FINDING_KIND_COUNT] = {FINDING_KINDS(ROW_OF_FINDING)};

double finding_number(const struct finding *finding, const char *name)
{
    for (size_t i = 0; i < finding->number_count; i++)
        if (strcmp(finding->numbers[i].name, name) == 0)
            return finding->numbers[i].value;
    return 0;
}

bool finder_is_of_many_threads(const struct finder *finder, uint32_t function)
{
    enum { THREADS_MIN = 10, PERCENT_MIN = 90 };
    const double MORE_MIN = 1.1;
    const struct tree *tree = finder->report->tree;
    const struct slow_sums *slow = &finder->profile->slow;
    SCOPED_ARRAY bool *is_there = mem_zeroed(tree->node_count, sizeof *is_there);
    int64_t ns = 0;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        const struct thread_sum *sum =
            call->parent == TREE_ROOT ? thread_sums_of(&finder->profile->threads, call->function)
                                      : NULL;
        is_there[node] = call->parent != TREE_ROOT ? is_there[call->parent]
                                                   : sum != NULL && sum->threads >= THREADS_MIN &&
                                                         sum->ended <= sum->threads / 2;
        ns += is_there[node] && call->function == function ? tree->self_ns[node] : 0;
    }
    if (finder_percent(ns, finder->sums[function].self_ns) < PERCENT_MIN)
        return false;
    return function >= slow->count ||
           finder_percent(slow->at[function].slow_ns, slow->all.slow_ns) <=
               MORE_MIN * finder_percent(slow->at[function].other_ns, slow->all.other_ns);
}

/* A line with half the time of its function or more is why that takes time: so of a loop. The turns
 * of one with short calls take as long as these: then the function's own time is the loop's, too.
 */
static int64_t saved_ns(const struct finder *finder, const struct finding *finding)
{
    enum { TURN_PARTS = 2 };
    if (finding->kind != FINDING_LOOP || finder_wakes(finder, finding->caller))
        return finding->time_ns;
    int64_t total_ns = finder->sums[finding->caller].total_ns;
    int64_t loop_ns = finding->time_ns, own_ns = finder->sums[finding->caller].self_ns;
    int64_t called_ns = finder->sums[finding->function].total_ns;
    /* If it were more, it would be called in other places, too, or call itself. */
    if (called_ns <= total_ns && called_ns > loop_ns)
        loop_ns = called_ns;
    loop_ns += own_ns <= TURN_PARTS * loop_ns ? own_ns : 0;
    return loop_ns >= total_ns / 2 ? total_ns : finding->time_ns;
}

/* Sets which findings are shared, and what these and others gain in the order: those behind the
 * last one of a single place that is much of the time. Threads that wake in each tick are shared,
 * too, but come before what such threads do. */
static void order_shared(const struct finder *finder, struct findings *findings)
{
    enum { PERCENT_MIN = 10 };
    int64_t least_ns = INT64_MAX, least_wakes_ns = INT64_MAX;
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->all[i];
        bool is_much = finder_percent(saved_ns(finder, finding), finder->all_ns) >= PERCENT_MIN;
        bool is_place = finding_rows[finding->kind]->explains != EXPLAINS_NOTHING;
        if (finding->kind == FINDING_LOOP)
            finding->is_shared = finder_is_of_many_threads(finder, finding->caller);
        else if (finding->kind == FINDING_MANY_CALLS)
            finding->is_shared = finder_is_of_many_threads(finder, finding->function);
        if (is_place && is_much && !finding->is_shared && finding->gain_ns < least_ns)
            least_ns = finding->gain_ns;
        if (is_much && finding->kind == FINDING_WAKES)
            least_wakes_ns = finding->gain_ns;
    }
    if (least_wakes_ns >= least_ns)
        least_wakes_ns = least_ns - 1;
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->all[i];
        int64_t limit_ns = finding->kind == FINDING_WAKES ? least_ns : least_wakes_ns;
        finding->rank_ns =
            finding->is_shared && finding->gain_ns >= limit_ns ? limit_ns - 1 : finding->gain_ns;
    }
}

static struct finding *find_kind(struct findings *findings, enum finding_kind kind)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->all[i].kind == kind)
            return &findings->all[i];
    return NULL;
}

/* A loop with the time of the slow ticks says already whose calls make them slow: that they come at
 * a distance says more. What other calls have of the function's time could be in slow ticks. */
static void order_slow(const struct finder *finder, struct findings *findings)
{
    const double OTHERS = 0.1;
    struct finding *slow = find_kind(findings, FINDING_SLOW_TICKS);
    const struct finding *distance = find_kind(findings, FINDING_DISTANCE),
                         *loop = find_kind(findings, FINDING_LOOP);
    if (slow == NULL || distance == NULL || loop == NULL || loop->function != slow->function)
        return;
    int64_t others_ns = finder->sums[loop->function].self_ns - loop->time_ns;
    if ((double)others_ns <= OTHERS * (double)slow->time_ns && slow->rank_ns >= distance->rank_ns)
        slow->rank_ns = distance->rank_ns - 1;
}

static int compare_findings(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    if (a->kind == FINDING_COMPUTER || b->kind == FINDING_COMPUTER)
        return ORDER(a->kind, b->kind, 0);
    if (a->kind == FINDING_ENDED_THREADS || b->kind == FINDING_ENDED_THREADS)
        return a->kind == FINDING_ENDED_THREADS ? -1 : 1;
    return ORDER(
        finding_rows[a->kind]->is_about_log,
        finding_rows[b->kind]->is_about_log,
        ORDER(b->rank_ns, a->rank_ns, ORDER(b->time_ns, a->time_ns, ORDER(a->kind, b->kind, 0))));
}

/* The time of a slow tick at the usual prices of its calls, the mean; if none is slow, of the
 * slowest 1 %. */
static double slow_tick_ns(const struct finder *finder)
{
    const struct tick_statistics *ticks = &finder->report->ticks;
    bool has_slow = ticks->over_row_count > 0;
    size_t count = has_slow ? ticks->over_row_count : (ticks->row_count + 99) / 100;
    double ns = 0;
    for (size_t i = 0; i < count; i++) {
        const struct tick *tick = ticks->worst[i];
        ns += (double)(has_slow && tick->usual_ns >= 0 ? tick->usual_ns : tick->time_ns);
    }
    return count > 0 ? ns / (double)count : 0;
}

/* Sets what would change if the time that it explains were gone, as --what-if can say it. */
static void set_repair(const struct finder *finder, struct finding *finding)
{
    const struct finding_row *row = finding_rows[finding->kind];
    uint32_t function = row->is_of_caller ? finding->caller : finding->function;
    /* What is not called does not call, either. */
    bool is_not_called =
        finding->kind == FINDING_MANY_CALLS && finding_number(finding, "calls") > 0;
    bool is_self = row->explains == EXPLAINS_SELF && !is_not_called;
    finding->repair.function = row->repaired > 0 ? function : TREE_NONE;
    if (finding->repair.function == TREE_NONE)
        return;
    double all_ns = fmax((double)finder->sums[function].total_ns, 1);
    double saved =
        is_self || is_not_called ? row->repaired : (double)saved_ns(finder, finding) / all_ns;
    finding->repair.what_if.is_total = !is_self;
    finding->repair.what_if.factor = round(100 * fmax(1 - saved, 0)) / 100;
}

/* What a slow tick would lose; without ticks, the whole. An interruption is nobody's to lose. */
static int64_t gain_of(const struct finder *finder, const struct finding *finding)
{
    const struct finding_row *row = finding_rows[finding->kind];
    int64_t whole_ns = row->is_of_slow ? finder->profile->slow.all.slow_ns : finder->all_ns;
    if (finder->profile->ticks.count == 0)
        return saved_ns(finder, finding);
    if (row->saves_nothing || whole_ns <= 0)
        return 0;
    return (int64_t)((double)saved_ns(finder, finding) / (double)whole_ns * finder->slow_tick_ns);
}

/* Where no tick is slow, what would save little makes no game slow, and a share of hardly anything
 * says nothing. What becomes more makes it slow later. */
static bool is_small(const struct finder *finder, const struct finding *finding)
{
    enum { GAIN_NS_MIN = 5000000, PERCENT_MIN = 10, TIME_NS_MIN = 200000 };
    const struct tick_list *list = &finder->profile->ticks;
    bool is_computer = finder->found_count > 0 && finder->found[0].kind == FINDING_COMPUTER;
    bool has_slow = list->count == 0 || (!is_computer && finder->report->ticks.over_row_count > 0);
    const struct finding_row *row = finding_rows[finding->kind];
    bool saves_little = !row->is_about_log && finding->gain_ns < GAIN_NS_MIN &&
                        finder_percent(saved_ns(finder, finding), finder->all_ns) < PERCENT_MIN;
    bool is_nothing = finding->time_ns < TIME_NS_MIN && finding->kind != FINDING_CLOCK;
    return !has_slow && !row->is_no_share && (saves_little || is_nothing);
}

static void add_finding(struct findings *findings, struct finder *finder, enum finding_kind kind)
{
    const struct finding_row *row = finding_rows[kind];
    struct finding *finding = &findings->all[findings->count];
    *finding = (struct finding){
        .kind = kind, .function = TREE_NONE, .caller = TREE_NONE, .through = TREE_NONE};
    finder->least = row->least;
    finder->found_count = findings->count;
    if ((row->needs & ~finder->has) != 0 || row->measure(finder, finding) < row->least)
        return;
    finding->gain_ns = gain_of(finder, finding);
    set_repair(finder, finding);
    if (is_small(finder, finding))
        return;
    row->put(finder, finding, &finding->text);
    findings->count++;
}

void findings_find(struct findings *findings, const struct report *report)
{
    *findings = (struct findings){0};
    if (!report->wants_findings || tree_share_ns(report->tree) < 0)
        return;
    struct finder finder = {
        .report = report,
        .profile = report->profile,
        .function_count = report->profile->symbols.function_count,
        .all_ns = tree_share_ns(report->tree),
        .tick_weight = report->profile->ticks.is_sampled && report->ticks.sampled_count > 0
                           ? (double)report->ticks.count / (double)report->ticks.sampled_count
                           : 1,
    };
    finder.has = (report->ticks.over_row_count > 0 ? OF_SLOW_TICKS : 0) |
                 (report->profile->work.tick_count > 0 ? OF_WORK : 0) |
                 (report->long_calls.of != NULL ? OF_LONG_CALLS : 0) |
                 (report->profile->argument_functions > 0 ? OF_ARGUMENTS : 0) |
                 (report->profile->has_memory ? OF_MEMORY : 0) |
                 (report->profile->recordings.heap_count > 0 ? OF_COLLECTIONS : 0);
    finder.sums = report_function_sums(report, false);
    for (uint32_t i = 0; i < finder.function_count; i++)
        finder.usual_ns += finder_usual_ns(&finder, i, finder.sums[i].self_ns);
    finder.slow_tick_ns = slow_tick_ns(&finder);
    finder.found = findings->all;
    for (int kind = 0; kind < FINDING_CANDIDATES; kind++)
        add_finding(findings, &finder, (enum finding_kind)kind);
    order_shared(&finder, findings);
    order_slow(&finder, findings);
    qsort(findings->all, findings->count, sizeof *findings->all, compare_findings);
    while (findings->count > FINDINGS_MAX)
        text_release(&findings->all[--findings->count].text);
    add_finding(findings, &finder, FINDING_CANDIDATES);
}

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        text_release(&findings->all[i].text);
    findings->count = 0;
}
