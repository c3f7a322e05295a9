#include "base/mem.h"
#include "report/sentences/amounts.h"
#include "report/sentences/finder.h"

#include <math.h>

/* Whether a function can be in a finding: it is not the recorder's, and its times are not wrong. */
static bool is_fit(const struct finder *finder, uint32_t function)
{
    return finder->sums.at[function].recorder_calls == 0 &&
           !function_is_unfit(finder->report, function);
}

/* The guard of savings: whether a function took more than recording it. */
static bool is_measurable(const struct finder *finder, uint32_t function)
{
    double self_ns = (double)finder->sums.at[function].self_ns;
    return 2 * self_ns >= finder->profile->work.functions[function].measured_ns;
}

static void put_time(const struct finder *finder, const struct finding *finding, struct text *text)
{
    text_printf(text, "%s, %.0f%% of the time",
                amount_with_unit(finding->time_ns, amount_unit_for(finding->time_ns), 1).at,
                finder_percent(finding->time_ns, finder->all_ns));
}

/* The same work -------------------------------------------------------------------------------- */

static int64_t time_of_same(const struct finder *finder, const struct same_sum *same)
{
    double total_ns = (double)finder->sums.at[same->function].total_ns;
    return finder_usual_ns(finder, same->function, (int64_t)(total_ns * same->part));
}

/* The calls of each function in calls of `outer`, itself included. The caller frees. */
static uint64_t *sum_calls_in(const struct finder *finder, uint32_t outer)
{
    const struct tree *tree = finder->report->tree;
    uint8_t *is_inside = mem_zeroed(tree->node_count, 1);
    uint64_t *calls = mem_zeroed(finder->function_count, sizeof *calls);
    for (uint32_t node = TREE_ROOT + 1; outer != TREE_NONE && node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        is_inside[node] = is_inside[call->parent] || call->function == outer;
        calls[call->function] += is_inside[node] ? tree->call_counts[node] : 0;
    }
    free(is_inside);
    return calls;
}

/*
 * The one with the most calls is found: the number of calls does not depend on the computer. If
 * there is one already, it is another that is not a part of it.
 */
double measure_same_work(struct finder *finder, struct finding *finding)
{
    enum { CALLS_MIN = 20, PERCENT_MIN = 80 };
    const struct work_sums *work = &finder->profile->work;
    const struct finding *last =
        finder->found_count > 0 ? &finder->found[finder->found_count - 1] : NULL;
    bool is_other = last != NULL && last->kind == FINDING_SAME_WORK;
    uint64_t *calls_inside = sum_calls_in(finder, is_other ? last->function : TREE_NONE);
    double most = 0;
    for (size_t i = 0; i < work->same_count; i++) {
        const struct same_sum *same = &work->same[i];
        double calls = (double)finder->sums.at[same->function].calls;
        double percent = finder_percent(time_of_same(finder, same), finder->usual_ns);
        if (same->calls < CALLS_MIN || 100.0 * same->calls < PERCENT_MIN * calls ||
            (double)same->calls * same->below <= most || percent < finder->least ||
            2 * (double)calls_inside[same->function] > calls || !is_fit(finder, same->function))
            continue;
        most = (double)same->calls * same->below;
        finding->function = same->function;
        finding->time_ns = time_of_same(finder, same);
        finding->number_count = 0;
        finding_add(finding, "calls", calls);
        finding_add(finding, "same_calls", same->calls);
        finding_add(finding, "calls_below", same->below);
        if (same->every > 1)
            finding_add(finding, "every_ticks", same->every);
    }
    free(calls_inside);
    return most > 0 ? finder_percent(finding->time_ns, finder->usual_ns) : -1;
}

void put_same_work(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double calls = finding_number(finding, "calls"), same = finding_number(finding, "same_calls");
    double below = finding_number(finding, "calls_below");
    double every = finding_number(finding, "every_ticks");
    if (same == calls)
        text_put_string(text, "Each of the ");
    else
        text_printf(text, "%s of the ", amount_count((uint64_t)same).at);
    text_printf(text, "%s calls of %s make%s", amount_count((uint64_t)calls).at,
                finder_name(finder, finding->function), same == calls ? "s" : "");
    text_printf(text, " the same %s calls in the same order", amount_count((uint64_t)below).at);
    if (every > 1)
        text_printf(text, ", every %.0f ticks", every);
    /* The guard of all calls below. */
    if ((double)finding->time_ns >= same * below * finder->call_cost_ns) {
        text_put_string(text, " (");
        put_time(finder, finding, text);
        text_put_string(text, ")");
    }
    text_put_string(text, ": if they are given the same, too, keep the result");
}

/* Calling lines -------------------------------------------------------------------------------- */

/* The self time of what a line calls, at the usual price. */
static int64_t time_of_line(const struct finder *finder, const struct line_sum *line)
{
    const struct function_sum *sum = &finder->sums.at[line->callee];
    double part = sum->calls > 0 ? (double)line->calls / (double)sum->calls : 0;
    return finder_usual_ns(finder, line->callee, (int64_t)((double)sum->self_ns * part));
}

/* Finds the line with the most time of those that are wanted, and returns its percentage of all. */
static double
measure_lines(struct finder *finder, struct finding *finding, const struct line_sum **best,
              bool (*is_wanted)(const struct finder *finder, const struct line_sum *line))
{
    const struct work_sums *work = &finder->profile->work;
    for (size_t i = 0; i < work->line_count; i++) {
        const struct line_sum *line = &work->lines[i];
        int64_t time_ns = time_of_line(finder, line);
        if (time_ns <= finding->time_ns || !is_wanted(finder, line) ||
            !is_fit(finder, line->caller) || !is_fit(finder, line->callee))
            continue;
        *best = line;
        finding->time_ns = time_ns;
        finding->function = line->callee;
        finding->caller = line->caller;
    }
    if (*best == NULL)
        return -1;
    finding_add(finding, "line", (*best)->line);
    finding_add(finding, "calls", (double)(*best)->calls);
    finding_add(finding, "invocations", (*best)->invocations);
    return finder_percent(finding->time_ns, finder->usual_ns);
}

static double calls_of_bucket(const struct line_sum *line, size_t bucket)
{
    return (double)line->buckets[bucket] / line->width;
}

/* Mann-Kendall's test: how sure it is that calls become more, in standard deviations. */
static double trend_of(const struct line_sum *line)
{
    double n = line->bucket_count, sum = 0;
    for (size_t i = 0; i < line->bucket_count; i++)
        for (size_t k = i + 1; k < line->bucket_count; k++)
            sum += (line->buckets[k] > line->buckets[i]) - (line->buckets[k] < line->buckets[i]);
    return (sum - 1) / sqrt(n * (n - 1) * (2 * n + 5) / 18);
}

static bool grows(const struct finder *finder, const struct line_sum *line)
{
    enum { INVOCATIONS_MIN = 100, BUCKETS_MIN = 6, CALLS_MIN = 10 };
    (void)finder;
    if (line->invocations < INVOCATIONS_MIN || line->bucket_count < BUCKETS_MIN)
        return false;
    double first = calls_of_bucket(line, 0), last = calls_of_bucket(line, line->bucket_count - 1);
    return last >= CALLS_MIN && last >= 1.5 * first && trend_of(line) > 2.4;
}

double measure_growth(struct finder *finder, struct finding *finding)
{
    const struct line_sum *best = NULL;
    double percent = measure_lines(finder, finding, &best, grows);
    if (best == NULL)
        return -1;
    finding_add(finding, "first_calls", calls_of_bucket(best, 0));
    finding_add(finding, "last_calls", calls_of_bucket(best, best->bucket_count - 1));
    return percent;
}

static void put_line(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double line = finding_number(finding, "line");
    text_put_string(text, finder_name(finder, finding->caller));
    if (line > 0)
        text_printf(text, ", line %.0f,", line);
    text_printf(text, " calls %s ", finder_name(finder, finding->function));
}

void put_growth(const struct finder *finder, const struct finding *finding, struct text *text)
{
    put_line(finder, finding, text);
    text_printf(text, "more and more often: %.0f times each time it runs at first, %.0f at the end",
                finding_number(finding, "first_calls"), finding_number(finding, "last_calls"));
    if (is_measurable(finder, finding->function)) {
        text_put_string(text, " (");
        put_time(finder, finding, text);
        text_put_string(text, ")");
    }
    text_put_string(text, "; does it search a list that grows?");
}

static bool is_loop(const struct finder *finder, const struct line_sum *line)
{
    enum { CALLS_MIN = 10 };
    return line->calls >= (uint64_t)CALLS_MIN * line->invocations && !grows(finder, line);
}

double measure_loop(struct finder *finder, struct finding *finding)
{
    const struct line_sum *best = NULL;
    double percent = measure_lines(finder, finding, &best, is_loop);
    if (best == NULL)
        return -1;
    finding_add(finding, "largest", best->largest);
    return percent;
}

void put_loop(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double calls = finding_number(finding, "calls");
    put_line(finder, finding, text);
    text_printf(text, "%s times each time it runs",
                amount_count((uint64_t)(calls / finding_number(finding, "invocations") + 0.5)).at);
    text_printf(text,
                ", at most %s: ", amount_count((uint64_t)finding_number(finding, "largest")).at);
    text_printf(text, "%s calls", amount_count((uint64_t)calls).at);
    if (is_measurable(finder, finding->function)) {
        text_put_string(text, ", ");
        put_time(finder, finding, text);
    }
}

/* Long calls ----------------------------------------------------------------------------------- */

/* How many times its usual price a call must take, and how many functions are the computer. */
enum { LONG_FACTOR = 100, INTERRUPTED_FUNCTIONS = 10 };

/* Calls of a function that took long. */
struct long_sum {
    size_t count;
    double ns, least_ns, most_ns;
    const struct long_call *last;
    uint32_t ticks_apart; /* the largest number that divides all distances of their ticks */
};

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Sums up the calls that took LONG_FACTOR times the usual time, by function. The caller frees. */
static struct long_sum *sum_long_calls(const struct finder *finder, struct long_sum *all,
                                       size_t *function_count)
{
    const struct work_sums *work = &finder->profile->work;
    struct long_sum *sums = mem_zeroed(finder->function_count, sizeof *sums);
    *function_count = 0;
    for (size_t i = 0; i < work->long_count; i++) {
        const struct long_call *call = &work->long_calls[i];
        double ns = (double)call->units * work->unit_ns;
        double price_ns = work->functions[call->function].price_ns;
        struct long_sum *sum = &sums[call->function];
        if (price_ns <= 0 || ns <= LONG_FACTOR * price_ns)
            continue;
        *function_count += sum->count == 0;
        sum->least_ns = sum->count == 0 || ns < sum->least_ns ? ns : sum->least_ns;
        sum->most_ns = ns > sum->most_ns ? ns : sum->most_ns;
        sum->count++;
        sum->ns += ns;
        if (sum->last != NULL)
            sum->ticks_apart = common_divisor(sum->ticks_apart, call->tick - sum->last->tick);
        sum->last = call;
        all->count++;
        all->ns += ns;
    }
    return sums;
}

double measure_interrupted(struct finder *finder, struct finding *finding)
{
    struct long_sum all = {0};
    size_t function_count;
    free(sum_long_calls(finder, &all, &function_count));
    if (function_count < INTERRUPTED_FUNCTIONS)
        return -1;
    finding->time_ns = (int64_t)all.ns;
    finding_add(finding, "calls", (double)all.count);
    finding_add(finding, "functions", (double)function_count);
    return finder_percent(finding->time_ns, finder->all_ns);
}

void put_interrupted(const struct finder *finder, const struct finding *finding, struct text *text)
{
    text_printf(text, "%s calls of %.0f functions took more than %d times as long as usual: ",
                amount_count((uint64_t)finding_number(finding, "calls")).at,
                finding_number(finding, "functions"), LONG_FACTOR);
    put_time(finder, finding, text);
    text_put_string(text, "; probably the computer, or garbage collections");
}

double measure_long_calls(struct finder *finder, struct finding *finding)
{
    /* Three ticks at random have such a divisor once in 50 times. */
    enum { OWN_PERCENT_MIN = 25, REGULAR_CALLS_MIN = 3, TICKS_APART_MIN = 50 };
    struct long_sum all = {0}, best = {0};
    size_t function_count;
    struct long_sum *sums = sum_long_calls(finder, &all, &function_count);
    for (uint32_t i = 0; i < finder->function_count; i++) {
        double own = finder_percent((int64_t)sums[i].ns, finder->sums.at[i].self_ns);
        if (sums[i].ns <= best.ns || own < OWN_PERCENT_MIN || !is_fit(finder, i))
            continue;
        best = sums[i];
        finding->function = i;
    }
    free(sums);
    if (function_count >= INTERRUPTED_FUNCTIONS || best.count == 0)
        return -1;
    finding->time_ns = (int64_t)best.ns;
    finding_add(finding, "long_calls", (double)best.count);
    finding_add(finding, "least_ns", best.least_ns);
    finding_add(finding, "most_ns", best.most_ns);
    finding_add(finding, "other_calls",
                (double)(finder->sums.at[finding->function].calls - best.count));
    finding_add(finding, "tick", best.last->tick);
    if (best.count >= REGULAR_CALLS_MIN && best.ticks_apart >= TICKS_APART_MIN)
        finding_add(finding, "ticks_apart", best.ticks_apart);
    else
        finding_add(finding, "is_first", best.count == 1 && best.last->is_first);
    return finder_percent(finding->time_ns, finder->all_ns);
}

void put_long_calls(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double count = finding_number(finding, "long_calls");
    double least_ms = finding_number(finding, "least_ns") / 1e6;
    double most_ms = finding_number(finding, "most_ns") / 1e6;
    int64_t other_ns = finder->sums.at[finding->function].self_ns - finding->time_ns;
    double ticks_apart = finding_number(finding, "ticks_apart");
    bool is_first = finding_number(finding, "is_first") != 0;
    const char *name = finder_name(finder, finding->function);
    if (count > 1)
        text_printf(text, "%.0f calls of %s took %.1f to %.1f ms each", count, name, least_ms,
                    most_ms);
    else
        text_printf(text, "%s call of %s took %.1f ms (%s #%.0f)", is_first ? "The first" : "One",
                    name, most_ms, tick_kinds[finder->profile->rebuild.state].one,
                    finding_number(finding, "tick"));
    text_printf(text, ", the other %s %.1f ms together",
                amount_count((uint64_t)finding_number(finding, "other_calls")).at,
                other_ns > 0 ? (double)other_ns / 1e6 : 0);
    if (ticks_apart > 0)
        text_printf(text, "; their ticks are multiples of %.0f apart: garbage collections",
                    ticks_apart);
    else if (!is_first)
        text_put_string(text, ": a garbage collection, or the computer");
}
