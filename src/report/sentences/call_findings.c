/* Which single calls took much longer than others, and was it the code? See long_calls.h. */
#include "report/sentences/finder.h"
#include "report/sentences/subject.h"

static double measure_two_kinds(struct finder *finder, struct finding *finding)
{
    const struct long_calls *calls = &finder->report->long_calls;
    for (uint32_t i = 0; i < calls->function_count; i++) {
        if (calls->of[i].has_two_kinds && !symbols_is_lost(&finder->profile->symbols, i))
            finding_take(
                finding, i, TREE_NONE, (int64_t)finder_scaled(finder, (double)calls->of[i].ns));
    }
    if (finding->function == TREE_NONE)
        return -1;
    const struct long_function *function = &calls->of[finding->function];
    finding_add(finding, "long_calls", finder_scaled(finder, (double)function->count));
    finding_add(finding, "calls", (double)finder->sums[finding->function].calls);
    finding_add(finding, "long_ns", (double)function->ns / (double)function->count);
    finding_add(finding, "usual_ns", (double)function->usual_ns);
    finding_add(finding, "ticks", (double)function->distance);
    finding_add(finding, "makes_more_calls", function->makes_more);
    return finder_percent(finding->time_ns, finder->all_ns);
}

/* How long a call takes is its total time: that is said of a function that calls others. */
static const char *with_callees(const struct finder *finder, uint32_t function)
{
    const struct sum *sum = &finder->sums[function];
    return sum->total_ns > sum->self_ns ? " with what it calls" : "";
}

/* A function that is called more than once a tick takes time in the other ticks, too. */
static void put_two_kinds(const struct finder *finder, const struct finding *finding,
                          struct text *text)
{
    const char *name = finder_name(finder, finding->function);
    const struct tick_kind *kind = &tick_kinds[finder->profile->rebuild.state];
    struct amount long_ms = amount_ms(finding_number(finding, "long_ns")),
                  usual_ms = amount_ms(finding_number(finding, "usual_ns"));
    double ticks = finding_number(finding, "ticks"), calls = finding_number(finding, "calls");
    if (ticks > 0 && calls <= (double)tick_list_game_count(&finder->profile->ticks)) {
        text_printf(text,
                    "%s takes %s ms%s every %.0f %s, ",
                    name,
                    long_ms.at,
                    with_callees(finder, finding->function),
                    ticks,
                    kind->many);
        text_printf(text, "%s ms in the others", usual_ms.at);
    } else {
        text_printf(text,
                    "%s of %s calls of %s take %s ms%s, ",
                    finding_count(finder, finding, "long_calls").at,
                    finding_count(finder, finding, "calls").at,
                    name,
                    long_ms.at,
                    with_callees(finder, finding->function));
        if (ticks > 1)
            text_printf(text, "every %.0f %s, ", ticks, kind->many);
        text_printf(text, "most others %s", usual_ms.at);
    }
    if (finding_number(finding, "makes_more_calls") > 0)
        text_put_string(text, ": the long ones make more calls");
}

const struct finding_row finding_two_kinds = {
    .name = "two-kinds",
    .needs = OF_LONG_CALLS,
    .measure = measure_two_kinds,
    .least = 1, /* percent of all time */
    .put = put_two_kinds,
    .explains = EXPLAINS_TOTAL,
    .repaired = 1,
};

void finding_put_interruption(struct text *text, const struct long_calls *calls)
{
    text_put_string(text,
                    calls->is_spread ? "probably the computer, or a garbage collection"
                                     : "the computer, a garbage collection, or own work");
}

static double measure_interrupted(struct finder *finder, struct finding *finding)
{
    const struct long_calls *calls = &finder->report->long_calls;
    if (calls->count == 0)
        return -1;
    finding->function = calls->worst;
    finding->time_ns = calls->over_ns;
    finding_add(finding, "calls", (double)calls->count);
    finding_add(finding, "functions", (double)calls->interrupted_count);
    finding_add(finding, "worst_ns", (double)calls->worst_ns);
    finding_add(finding, "worst_tick", (double)calls->worst_tick);
    return (double)calls->over_ns;
}

static void put_interrupted(const struct finder *finder, const struct finding *finding,
                            struct text *text)
{
    const char *name = finder_name(finder, finding->function);
    double count = finding_number(finding, "calls"), tick = finding_number(finding, "worst_tick"),
           functions = finding_number(finding, "functions");
    struct amount calls = amount_count((uint64_t)count);
    if (functions > 1)
        text_printf(
            text, "%s calls in %s functions", calls.at, amount_count((uint64_t)functions).at);
    else
        text_printf(text,
                    "%s of %s",
                    count > 1 ? amount_things((uint64_t)count, "call", "calls").at : "A call",
                    name);
    text_printf(text, " took %s more than usual", amount_said(finding->time_ns).at);
    if (count > 1)
        text_printf(
            text, " (worst: %s", amount_said((int64_t)finding_number(finding, "worst_ns")).at);
    if (functions > 1)
        text_printf(text, ", %s", name);
    if (tick >= 0) {
        text_printf(text, "%s#%.0f", count > 1 ? ", " : " (", tick);
        subject_put_log(text, finder->report, finder->report->long_calls.worst_recording, " of ");
    }
    text_printf(text, "%s: ", count > 1 || tick >= 0 ? ")" : "");
    finding_put_interruption(text, &finder->report->long_calls);
}

const struct finding_row finding_interrupted = {
    .name = "interrupted",
    .needs = OF_LONG_CALLS,
    .measure = measure_interrupted,
    .least = 10e6, /* nanoseconds */
    .put = put_interrupted,
    .option = "--ticks",
    .names_worst = true,
    .saves_nothing = true,
};
