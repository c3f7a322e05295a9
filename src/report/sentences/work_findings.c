#include "base/mem.h"
#include "report/sentences/amounts.h"
#include "report/sentences/finder.h"

#include <math.h>

/* Whether a function can be in a finding: it is not the recorder's, and its times are not wrong. */
static bool is_fit(const struct finder *finder, uint32_t function)
{
    return (finder->sums[function].flags & NODE_RECORDER) == 0 &&
           !function_is_unfit(finder->report, function);
}

/* The guard of savings: whether a function took more than recording it. */
static bool is_measurable(const struct finder *finder, uint32_t function)
{
    double self_ns = (double)finder->sums[function].self_ns;
    return 2 * self_ns >= finder->profile->work.functions[function].measured_ns;
}

static void put_time(const struct finder *finder, const struct finding *finding, struct text *text)
{
    text_printf(text, "%s, %.0f%% of the time",
                amount_with_unit(finding->time_ns, amount_unit_for(finding->time_ns), 1).at,
                finder_percent(finding->time_ns, finder->all_ns));
}

/* Calling lines -------------------------------------------------------------------------------- */

/* The self time of what a line calls, at the usual price. */
static int64_t time_of_line(const struct finder *finder, const struct line_sum *line)
{
    const struct sum *sum = &finder->sums[line->callee];
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
    finding_add(finding, "invocations", (double)(*best)->runs);
    return finder_percent(finding->time_ns, finder->usual_ns);
}

/* The calls for each run of the caller. */
static double calls_a_run(const struct line_sum *line, size_t stretch)
{
    uint32_t runs = line->runs_in[stretch];
    return runs == 0 ? 0 : (double)line->calls_in[stretch] / runs;
}

/* Mann-Kendall's test: how sure it is that calls become more, in standard deviations. */
static double trend_of(const struct line_sum *line)
{
    double n = WORK_STRETCHES, sum = 0;
    for (size_t i = 0; i < WORK_STRETCHES; i++)
        for (size_t k = i + 1; k < WORK_STRETCHES; k++)
            sum += (calls_a_run(line, k) > calls_a_run(line, i)) -
                   (calls_a_run(line, k) < calls_a_run(line, i));
    return (sum - 1) / sqrt(n * (n - 1) * (2 * n + 5) / 18);
}

static bool grows(const struct finder *finder, const struct line_sum *line)
{
    enum { RUNS_MIN = 100, CALLS_MIN = 10 };
    (void)finder;
    double first = calls_a_run(line, 0), last = calls_a_run(line, WORK_STRETCHES - 1);
    return line->runs >= RUNS_MIN && first > 0 && last >= CALLS_MIN && last >= 1.5 * first &&
           trend_of(line) > 2.4;
}

double measure_growth(struct finder *finder, struct finding *finding)
{
    const struct line_sum *best = NULL;
    double percent = measure_lines(finder, finding, &best, grows);
    if (best == NULL)
        return -1;
    finding_add(finding, "first_calls", calls_a_run(best, 0));
    finding_add(finding, "last_calls", calls_a_run(best, WORK_STRETCHES - 1));
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
    return line->calls >= (uint64_t)CALLS_MIN * line->runs && !grows(finder, line);
}

double measure_loop(struct finder *finder, struct finding *finding)
{
    const struct line_sum *best = NULL;
    double percent = measure_lines(finder, finding, &best, is_loop);
    if (best == NULL)
        return -1;
    return percent;
}

void put_loop(const struct finder *finder, const struct finding *finding, struct text *text)
{
    double calls = finding_number(finding, "calls");
    put_line(finder, finding, text);
    text_printf(text, "%s times each time it runs",
                amount_count((uint64_t)(calls / finding_number(finding, "invocations") + 0.5)).at);
    text_printf(text, ": %s calls", amount_count((uint64_t)calls).at);
    if (is_measurable(finder, finding->function)) {
        text_put_string(text, ", ");
        put_time(finder, finding, text);
    }
}
