#include "base/mem.h"
#include "report/figures/edges.h"
#include "report/sentences/amounts.h"
#include "report/sentences/finder.h"
#include "report/sentences/recorder_cost.h"

#include <math.h>

/* Finds the place that makes the most of a function's calls, if that is much. */
static void find_caller(const struct finder *finder, struct finding *finding, uint64_t calls)
{
    enum { PERCENT_MIN = 40 };
    struct edges edges;
    uint8_t *is_chosen = mem_zeroed(finder->function_count, 1);
    is_chosen[finding->function] = 1;
    edges_init(&edges, finder->report, is_chosen);
    const struct edge *best = NULL;
    const struct edge_line *best_line = edges_busiest_line(&edges, NULL, &best);
    double percent = best == NULL ? 0 : finder_percent((int64_t)best_line->calls, (int64_t)calls);
    if (percent >= PERCENT_MIN && best->function != TREE_NONE &&
        !function_is_unfit(finder->report, best->function)) {
        finding->caller = best->function;
        finding_add(finding, "caller_percent", percent);
        finding_add(finding, "caller_line", best_line->line);
    }
    edges_release(&edges);
    free(is_chosen);
}

/* Whether a row before has more to say about the calls of a function. */
static bool is_found(const struct finder *finder, uint32_t function)
{
    bool is_found = false;
    for (size_t i = 0; i < finder->found_count; i++)
        is_found |= finder->found[i].function == function;
    return is_found;
}

double measure_many_calls(struct finder *finder, struct finding *finding)
{
    enum { CALLS_MIN = 1000, CALL_NS_MAX = 20000, MOST_PARTS = 3 };
    for (uint32_t i = 0; i < finder->function_count; i++) {
        const struct function_sum *sum = &finder->sums.at[i];
        int64_t time_ns = finder_usual_ns(finder, i, sum->self_ns);
        double call_ns = (double)sum->self_ns / (double)sum->calls;
        bool is_most = time_ns > finder->all_ns / MOST_PARTS &&
                       call_ns <= (double)tick_kinds[finder->profile->rebuild.state].limit_ns;
        if (time_ns > finding->time_ns && sum->calls >= CALLS_MIN &&
            (call_ns <= CALL_NS_MAX || is_most) && !function_is_unfit(finder->report, i) &&
            !is_found(finder, i)) {
            finding->function = i;
            finding->time_ns = time_ns;
        }
    }
    if (finding->function == TREE_NONE ||
        finder_percent(finding->time_ns, finder->all_ns) < finder->least)
        return -1;
    finding->time_ns = finder->sums.at[finding->function].self_ns;
    double percent = finder_percent(finding->time_ns, finder->all_ns);
    uint64_t calls = finder->sums.at[finding->function].calls;
    finding_add(finding, "percent", percent);
    finding_add(finding, "calls", (double)calls);
    finding_add(finding, "call_ns", (double)finding->time_ns / (double)calls);
    find_caller(finder, finding, calls);
    return percent;
}

void put_many_calls(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double line = finding_number(finding, "caller_line");
    if (finding->caller != TREE_NONE)
        text_put_string(text, finder_name(finder, finding->function));
    else
        function_name_put(text, finder->report, finding->function, "");
    text_printf(text, " is %.0f%% of the time, by %s calls of %.1f us each",
                finding_number(finding, "percent"),
                amount_count((uint64_t)finding_number(finding, "calls")).at,
                finding_number(finding, "call_ns") / 1000);
    if (finding->caller == TREE_NONE)
        return;
    text_printf(text, "; %.0f%% of them are made by %s", finding_number(finding, "caller_percent"),
                finder_name(finder, finding->caller));
    if (line > 0)
        text_printf(text, ", line %.0f", line);
}

/* An error of a function that is no callee is one that nothing has caught. */
double measure_ended_threads(struct finder *finder, struct finding *finding)
{
    const struct tree *tree = finder->report->tree;
    uint64_t *threads = mem_zeroed(finder->function_count, sizeof *threads);
    uint64_t most = 0;
    for (uint32_t node = TREE_ROOT + 1; tree->details != NULL && node < tree->node_count; node++) {
        uint32_t function = tree->calls[node].function;
        if (tree->calls[node].parent != TREE_ROOT || (tree->flags[node] & NODE_COROUTINE) == 0)
            continue;
        threads[function] += tree->details[node].errors;
        if (threads[function] > most && !function_is_unfit(finder->report, function)) {
            finding->function = function;
            most = threads[function];
        }
    }
    free(threads);
    if (most > 0)
        finding->time_ns = finder->sums.at[finding->function].self_ns;
    finding_add(finding, "threads", (double)most);
    return (double)most;
}

void put_ended_threads(const struct finder *finder, const struct finding *finding,
                       struct text *text)
{
    text_printf(text, "%s threads that began in %s ended with an error that nothing caught",
                amount_count((uint64_t)finding_number(finding, "threads")).at,
                finder_name(finder, finding->function));
}

double measure_heap(struct finder *finder, struct finding *finding)
{
    enum { KB_MIN = 1024 };
    uint64_t all_kb = 0, best_kb = KB_MIN - 1;
    for (uint32_t i = 0; i < finder->function_count; i++) {
        uint64_t memory_kb = finder->sums.at[i].memory_kb;
        all_kb += memory_kb;
        if (memory_kb > best_kb && !function_is_unfit(finder->report, i)) {
            finding->function = i;
            best_kb = memory_kb;
        }
    }
    if (finding->function == TREE_NONE)
        return -1;
    double percent = finder_percent((int64_t)best_kb, (int64_t)all_kb);
    finding->time_ns = finder->sums.at[finding->function].self_ns;
    finding_add(finding, "percent", percent);
    finding_add(finding, "heap_kb", (double)best_kb);
    return percent;
}

void put_heap(const struct finder *finder, const struct finding *finding, struct text *text)
{
    text_printf(text, "%s makes %.0f%% of the growth of the memory in use (%s KB)",
                finder_name(finder, finding->function), finding_number(finding, "percent"),
                amount_count((uint64_t)finding_number(finding, "heap_kb")).at);
}

double measure_no_names(struct finder *finder, struct finding *finding)
{
    const struct symbols *symbols = &finder->profile->symbols;
    if (finder->report->has_sources)
        return -1;
    for (uint32_t i = 0; i < finder->function_count; i++)
        if (symbols_is_lua(symbols, i) && symbols_is_no_name(symbols, symbols->functions[i].name))
            finding->time_ns += finder->sums.at[i].self_ns;
    double percent = finder_percent(finding->time_ns, finder->all_ns);
    finding_add(finding, "percent", percent);
    return percent;
}

void put_no_names(const struct finder *finder, const struct finding *finding, struct text *text)
{
    (void)finder;
    text_printf(text,
                "%.0f%% of the time is in Lua functions without a name; --lua-root finds"
                " names in the game's sources",
                finding_number(finding, "percent"));
}

/* Whether the clock's steps alone may have made the time; twice the standard error is the limit. */
static bool is_error_of_clock(const struct function_sum *sum)
{
    return sum->calls > 0 && sum->self_ns > 0 &&
           (double)sum->self_ns <= 2 * sqrt(sum->variance_ns2);
}

double measure_clock(struct finder *finder, struct finding *finding)
{
    double step_ns = recorder_cost_sum_up(finder->profile).step_ns;
    if (step_ns <= 0)
        return -1;
    for (uint32_t i = 0; i < finder->function_count; i++)
        finding->time_ns += is_error_of_clock(&finder->sums.at[i]) ? finder->sums.at[i].self_ns : 0;
    double percent = finder_percent(finding->time_ns, finder->all_ns);
    finding_add(finding, "percent", percent);
    finding_add(finding, "clock_step_ns", step_ns);
    return percent;
}

void put_clock(const struct finder *finder, const struct finding *finding, struct text *text)
{
    (void)finder;
    text_printf(text,
                "%.0f%% of the time is in functions too short for the clock, which has steps of "
                "%.3g us; record for longer, or soon after the game has started",
                finding_number(finding, "percent"),
                finding_number(finding, "clock_step_ns") / 1000);
}
