#include "report/sentences/findings.h"

#include "base/mem.h"
#include "report/figures/edges.h"
#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/recorder_cost.h"
#include "tree/function_sums.h"

#include <math.h>
#include <stdlib.h>

struct finder {
    const struct findings_source *source;
    struct findings *findings;
    struct function_sums sums; /* of the whole profile, [function_count] */
    uint32_t function_count;
    int64_t all_ns;
};

static double percent_of(int64_t part, int64_t whole)
{
    return whole <= 0 ? 0 : 100 * (double)part / (double)whole;
}

static struct text *add(struct finder *finder, enum finding_kind kind, uint32_t function,
                        int64_t time_ns)
{
    struct finding *finding = &finder->findings->all[finder->findings->count++];
    *finding = (struct finding){.kind = kind, .function = function, .time_ns = time_ns};
    return &finding->text;
}

static const char *name_of(const struct finder *finder, uint32_t function)
{
    return function_name(finder->source->labels, function);
}

static struct known_functions known_of(const struct finder *finder)
{
    const struct findings_source *source = finder->source;
    return (struct known_functions){source->tree, source->symbols, source->labels,
                                    source->wrong_callers, source->long_calls};
}

static void put_name(struct text *text, const struct finder *finder, uint32_t function,
                     const char *scope)
{
    struct known_functions known = known_of(finder);
    function_name_put(text, &known, function, scope);
}

/* Whether no finding may be about a function. */
static bool is_forbidden(const struct finder *finder, uint32_t function)
{
    struct known_functions known = known_of(finder);
    return function_is_unfit(&known, function);
}

void finding_put_distance(struct text *text, const struct tick_distance *distance)
{
    if (distance->ticks == 0)
        return;
    text_printf(text, "Slow ticks come every %lld ticks (%.1f s): %s", (long long)distance->ticks,
                (double)distance->ticks / TICKS_A_SECOND,
                distance->is_collection ? "the game collects garbage as often"
                                        : "look for a thread that wakes as often");
}

/* Ticks ------------------------------------------------------------------------------------ */

static bool is_slow(const struct tick *tick)
{
    return tick->time_ns > TICK_BUDGET_NS;
}

static void find_slow_ticks(struct finder *finder)
{
    enum { PERCENT_MIN = 30, DISTURBED_PARTS = 10 };
    const struct slow_sums *slow = finder->source->slow;
    const struct tick_list *list = finder->source->ticks;
    size_t slow_count = 0;
    int64_t slow_ns = 0, disturbed_ns = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        slow_count += is_slow(tick);
        slow_ns += is_slow(tick) ? tick->time_ns : 0;
        disturbed_ns += is_slow(tick) && tick->is_disturbed ? tick->time_ns : 0;
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < slow->count && i < finder->function_count; i++)
        best = slow->at[i].slow_ns > slow->at[best].slow_ns ? i : best;
    /* If there is only one tick, the headline says this. No function makes a computer slow. */
    if (slow->count == 0 || slow->is_wrong || slow_count == 0 || list->count == 1 ||
        disturbed_ns > slow_ns / DISTURBED_PARTS)
        return;
    struct slow_sum sum = slow->at[best];
    double percent = percent_of(sum.slow_ns, slow->all.slow_ns);
    if (percent < PERCENT_MIN || is_forbidden(finder, best))
        return;
    struct text *text = add(finder, FINDING_SLOW_TICKS, best, sum.slow_ns);
    put_name(text, finder, best, "in all, ");
    text_printf(text, " is %.0f%% of the time of the %zu slow tick%s (over " TICK_BUDGET_TEXT ")",
                percent, slow_count, slow_count == 1 ? "" : "s");
    if (slow->all.other_ns > 0)
        text_printf(text, ", and %.0f%% of all other ticks",
                    percent_of(sum.other_ns, slow->all.other_ns));
}

static void find_regular_ticks(struct finder *finder)
{
    const struct tick_list *list = finder->source->ticks;
    struct tick_distance distance = tick_distance_find(list);
    int64_t over_ns = 0;
    if (distance.ticks == 0)
        return;
    for (size_t i = 0; i < list->count; i++)
        over_ns += is_slow(&list->ticks[i]) ? list->ticks[i].time_ns - TICK_BUDGET_NS : 0;
    finding_put_distance(add(finder, FINDING_DISTANCE, TREE_NONE, over_ns), &distance);
}

/* Functions -------------------------------------------------------------------------------- */

/* Appends the place that makes the most of a function's calls, if that is much. */
static void put_caller(struct text *text, const struct finder *finder, uint32_t function)
{
    enum { PERCENT_MIN = 40 };
    struct edges edges;
    uint8_t *is_chosen = mem_zeroed(finder->function_count, 1);
    is_chosen[function] = 1;
    edges_init(&edges, finder->source->tree, NULL, finder->source->labels, is_chosen,
               finder->function_count);
    const struct edge *best = NULL;
    const struct edge_line *best_line = NULL;
    for (size_t i = 0; i < edges.caller_count; i++)
        for (size_t k = 0; k < edges.callers[i].line_count; k++) {
            const struct edge_line *line = &edges.lines[edges.callers[i].first_line + k];
            if (best_line != NULL && line->calls <= best_line->calls)
                continue;
            best = &edges.callers[i];
            best_line = line;
        }
    double percent = best == NULL ? 0
                                  : percent_of((int64_t)best_line->calls,
                                               (int64_t)finder->sums.at[function].calls);
    if (percent >= PERCENT_MIN && best->function != TREE_NONE &&
        !is_forbidden(finder, best->function)) {
        text_printf(text, "; %.0f%% of them are made by %s", percent,
                    name_of(finder, best->function));
        if (best_line->line > 0)
            text_printf(text, ", line %ld", (long)best_line->line);
    }
    edges_release(&edges);
    free(is_chosen);
}

static void find_many_calls(struct finder *finder)
{
    enum { PERCENT_MIN = 10, CALLS_MIN = 1000, CALL_NS_MAX = 20000 };
    uint32_t best = TREE_NONE;
    for (uint32_t i = 0; i < finder->function_count; i++) {
        const struct function_sum *sum = &finder->sums.at[i];
        bool is_much =
            percent_of(sum->self_ns, finder->all_ns) >= PERCENT_MIN && sum->calls >= CALLS_MIN &&
            (double)sum->self_ns / (double)sum->calls <= CALL_NS_MAX && !is_forbidden(finder, i);
        if (is_much && (best == TREE_NONE || sum->self_ns > finder->sums.at[best].self_ns))
            best = i;
    }
    if (best == TREE_NONE)
        return;
    const struct function_sum *sum = &finder->sums.at[best];
    struct text *text = add(finder, FINDING_MANY_CALLS, best, sum->self_ns);
    struct text callers = {0};
    put_caller(&callers, finder, best);
    if (callers.length > 0)
        text_put_string(text, name_of(finder, best));
    else
        put_name(text, finder, best, "");
    text_printf(text, " is %.0f%% of the time, by %s calls of %.1f us each",
                percent_of(sum->self_ns, finder->all_ns), amount_count(sum->calls).at,
                (double)sum->self_ns / (double)sum->calls / 1000);
    text_put_span(text, text_span(&callers));
    text_release(&callers);
}

static void find_errors(struct finder *finder)
{
    enum { ERRORS_MIN = 1000 };
    uint32_t best = TREE_NONE;
    uint64_t best_errors = ERRORS_MIN - 1;
    for (uint32_t i = 0; i < finder->function_count; i++)
        if (finder->sums.at[i].errors > best_errors && !is_forbidden(finder, i)) {
            best = i;
            best_errors = finder->sums.at[i].errors;
        }
    if (best == TREE_NONE)
        return;
    struct text *text = add(finder, FINDING_ERRORS, best, finder->sums.at[best].self_ns);
    text_printf(text, "%s calls of %s ended with an error", amount_count(best_errors).at,
                name_of(finder, best));
}

static void find_heap(struct finder *finder)
{
    enum { PERCENT_MIN = 40, KB_MIN = 1024 };
    uint32_t best = TREE_NONE;
    uint64_t all_kb = 0, best_kb = KB_MIN - 1;
    for (uint32_t i = 0; i < finder->function_count; i++) {
        uint64_t memory_kb = finder->sums.at[i].memory_kb;
        all_kb += memory_kb;
        if (memory_kb > best_kb && !is_forbidden(finder, i)) {
            best = i;
            best_kb = memory_kb;
        }
    }
    double percent = percent_of((int64_t)best_kb, (int64_t)all_kb);
    if (best == TREE_NONE || percent < PERCENT_MIN)
        return;
    struct text *text = add(finder, FINDING_HEAP, best, finder->sums.at[best].self_ns);
    text_printf(text, "%s makes %.0f%% of the growth of the memory in use (%s KB)",
                name_of(finder, best), percent, amount_count(best_kb).at);
}

static void find_nameless(struct finder *finder)
{
    enum { PERCENT_MIN = 25 };
    const struct symbols *symbols = finder->source->symbols;
    int64_t nameless_ns = 0;
    for (uint32_t i = 0; i < finder->function_count; i++)
        if (symbols_is_lua(symbols, i) && symbols_is_no_name(symbols, symbols->functions[i].name))
            nameless_ns += finder->sums.at[i].self_ns;
    double percent = percent_of(nameless_ns, finder->all_ns);
    if (percent < PERCENT_MIN || finder->source->has_sources)
        return;
    struct text *text = add(finder, FINDING_NO_NAMES, TREE_NONE, nameless_ns);
    text_printf(text,
                "%.0f%% of the time is in Lua functions without a name; --lua-root finds"
                " names in the game's sources",
                percent);
}

/* Whether the clock's steps alone may have made the time; twice the standard error is the limit. */
static bool is_error_of_clock(const struct function_sum *sum)
{
    return sum->calls > 0 && sum->self_ns > 0 &&
           (double)sum->self_ns <= 2 * sqrt(sum->variance_ns2);
}

static void find_clock(struct finder *finder)
{
    enum { PERCENT_MIN = 40 };
    int64_t uncertain_ns = 0;
    for (uint32_t i = 0; i < finder->function_count; i++)
        uncertain_ns += is_error_of_clock(&finder->sums.at[i]) ? finder->sums.at[i].self_ns : 0;
    double percent = percent_of(uncertain_ns, finder->all_ns);
    if (percent < PERCENT_MIN || finder->source->clock_step_ns <= 0)
        return;
    struct text *text = add(finder, FINDING_CLOCK, TREE_NONE, uncertain_ns);
    text_printf(text,
                "%.0f%% of the time is in functions too short for the clock, which has steps of "
                "%.3g us; record for longer, or soon after the game has started",
                percent, finder->source->clock_step_ns / 1000);
}

/* All of it -------------------------------------------------------------------------------- */

const struct finding_kind_info finding_kinds[FINDING_KIND_COUNT] = {
    [FINDING_SLOW_TICKS] = {"slow-ticks", NULL},
    [FINDING_DISTANCE] = {"distance", "--ticks"},
    [FINDING_MANY_CALLS] = {"many-calls", NULL},
    [FINDING_ERRORS] = {"errors", "--sort errors"},
    [FINDING_HEAP] = {"heap", "--sort heap"},
    [FINDING_NO_NAMES] = {"no-names", "--lua-root DIR"},
    [FINDING_CLOCK] = {"clock", "--columns noise,self,calls"},
};

static int compare_findings(const void *left, const void *right)
{
    const struct finding *a = left;
    const struct finding *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns > b->time_ns ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

void findings_init(struct findings *findings, const struct findings_source *source)
{
    *findings = (struct findings){0};
    struct finder finder = {
        .source = source,
        .findings = findings,
        .function_count = source->symbols->function_count,
        .all_ns = source->tree->total_ns[TREE_ROOT],
    };
    function_sums_grow(&finder.sums, finder.function_count);
    function_sums_add_own(&finder.sums, source->tree);
    find_slow_ticks(&finder);
    find_regular_ticks(&finder);
    find_many_calls(&finder);
    find_errors(&finder);
    find_heap(&finder);
    find_nameless(&finder);
    find_clock(&finder);
    function_sums_release(&finder.sums);
    qsort(findings->all, findings->count, sizeof *findings->all, compare_findings);
    while (findings->count > FINDINGS_MAX)
        text_release(&findings->all[--findings->count].text);
}

bool findings_are_wanted(const struct report *report)
{
    return report->old == NULL && !selection_changes_stacks(report->selection);
}

void findings_find(struct findings *findings, const struct report *report)
{
    *findings = (struct findings){0};
    if (!findings_are_wanted(report))
        return;
    struct findings_source source = {
        .tree = report->tree,
        .symbols = &report->profile->symbols,
        .labels = report->labels,
        .ticks = &report->profile->ticks,
        .slow = &report->profile->slow,
        .clock_step_ns = recorder_cost_sum_up(report->profile).step_ns,
        .wrong_callers = report->wrong_callers,
        .long_calls = report->long_calls,
        .has_sources = report->has_sources,
    };
    findings_init(findings, &source);
}

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        text_release(&findings->all[i].text);
    findings->count = 0;
}
