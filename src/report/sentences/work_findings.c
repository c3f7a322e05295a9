/* Which line of a loop makes so many calls that they are the work? */
#include "base/mem.h"
#include "report/sentences/finder.h"

#include <math.h>

/* About the self time of what a line calls, at the usual price. */
static int64_t usual_of_line(const struct finder *finder, const struct line_sum *line)
{
    const struct sum *sum = &finder->sums[line->callee];
    double calls = finder_scaled(finder, (double)line->calls);
    double part = sum->calls > 0 ? fmin(calls / (double)sum->calls, 1) : 0;
    return finder_usual_ns(finder, line->callee, (int64_t)((double)sum->self_ns * part));
}

/* The same as it was, as all tables have it. */
static int64_t time_of_line(const struct finder *finder, const struct line_sum *line)
{
    const struct tree *tree = finder->report->tree;
    int64_t self_ns = 0;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        if (call->function == line->callee && call->line == line->line &&
            tree->calls[call->parent].function == line->caller)
            self_ns += tree->self_ns[node];
    }
    return self_ns;
}

/* Finds who calls a C function most, such as table.sort with a function of the game: that is where
 * it can be repaired. */
static uint32_t find_place(const struct finder *finder, uint32_t function)
{
    const struct tree *tree = finder->report->tree;
    SCOPED_ARRAY int64_t *ns = mem_zeroed(finder->function_count, sizeof *ns);
    uint32_t best = TREE_NONE;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t caller = tree->calls[call->parent].function;
        if (call->function != function || call->parent == TREE_ROOT ||
            function_is_unfit(finder->report, caller))
            continue;
        ns[caller] += tree->total_ns[node];
        best = best == TREE_NONE || ns[caller] > ns[best] ? caller : best;
    }
    return best != TREE_NONE && 2 * ns[best] >= finder->sums[function].total_ns ? best : TREE_NONE;
}

/* A C function that takes less than what it calls back, such as pcall: that is what is repaired. */
static bool calls_back(const struct finder *finder, uint32_t function)
{
    const struct sum *sum = &finder->sums[function];
    return symbols_is_c(&finder->profile->symbols, function) && 2 * sum->self_ns < sum->total_ns;
}

/* Whether an invocation makes as many calls in each stretch, a whole number, and some in each tick,
 * so that one number can be said for all. A cut log may have a part of the last one. */
static bool is_steady(const struct line_sum *line)
{
    const double PART_OFF = 0.05;
    double each = round((double)line->calls / (double)line->invocations);
    for (size_t k = 0; k < WORK_STRETCHES; k++)
        if (fabs(line->calls_in[k] - each * line->invocations_in[k]) > each)
            return false;
    return line->ticks >= (1 - PART_OFF) * line->run_ticks;
}

static double measure_loop(struct finder *finder, struct finding *finding)
{
    enum { CALLS_MIN = 10 };
    const struct work_sums *work = &finder->profile->work;
    const struct line_sum *best = NULL;
    for (size_t i = 0; i < work->line_count; i++) {
        const struct line_sum *line = &work->lines[i];
        int64_t usual_ns = usual_of_line(finder, line);
        if (line->invocations > 0 && line->calls >= (uint64_t)CALLS_MIN * line->invocations &&
            !finder_is_in_trend(finder, line->caller, line->callee) &&
            !calls_back(finder, line->callee) &&
            !long_calls_are_most(&finder->report->long_calls, line->callee) &&
            !function_is_unfit(finder->report, line->caller) &&
            !function_is_unfit(finder->report, line->callee) &&
            finding_take(finding, line->callee, line->caller, usual_ns))
            best = line;
    }
    if (best == NULL)
        return -1;
    double percent = finder_percent(finding->time_ns, finder->usual_ns);
    finding->time_ns = time_of_line(finder, best);
    percent = fmin(percent, finder_percent(finding->time_ns, finder->all_ns));
    double calls =
        fmin(finder_scaled(finder, (double)best->calls), (double)finder->sums[best->callee].calls);
    finding_add(finding, "line", best->line);
    finding_add(finding, "calls", calls);
    finding_add(finding, "invocations", calls * (double)best->invocations / (double)best->calls);
    finding_add(finding, "is_by_wakes", finder_wakes(finder, best->caller));
    if (!is_steady(best))
        finding_add(finding, "is_average", 1);
    return percent;
}

static void put_loop(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double calls = finding_number(finding, "calls"), line = finding_number(finding, "line");
    finder_put_place(text, finder, finding->caller, line);
    double invocations = finding_number(finding, "invocations");
    uint32_t place = symbols_is_c(&finder->profile->symbols, finding->caller)
                         ? find_place(finder, finding->caller)
                         : TREE_NONE;
    if (place != TREE_NONE)
        text_printf(text, ", called by %s", finder_name(finder, place));
    text_printf(text,
                "%s makes %s calls of %s",
                line > 0 || place != TREE_NONE ? "," : "",
                amount_count((uint64_t)(calls / invocations + 0.5)).at,
                finder_name(finder, finding->function));
    if (invocations > 1)
        text_printf(text,
                    " each time it %s%s: %s in all",
                    finding_number(finding, "is_by_wakes") > 0 ? "wakes" : "runs",
                    finding_number(finding, "is_average") > 0 ? ", on average" : "",
                    finding_count(finder, finding, "calls").at);
    /* Its time is known where it took more than recording it. */
    uint32_t function = finding->function;
    if (2 * (double)finder->sums[function].self_ns >=
        finder->profile->work.functions[function].measured_ns)
        text_printf(text,
                    ", %s%s, %.0f%% of the time",
                    amount_sum_said(finder->report, finding->time_ns).at,
                    finder->sums[function].total_ns > finder->sums[function].self_ns ? " itself"
                                                                                     : "",
                    finder_percent(finding->time_ns, finder->all_ns));
}

const struct finding_row finding_loop = {
    .name = "loop",
    .needs = OF_WORK,
    .measure = measure_loop,
    .least = 0.5, /* percent of all time */
    .put = put_loop,
    .explains = EXPLAINS_CALLS,
    .is_of_caller = true,
    .repaired = 1,
};
