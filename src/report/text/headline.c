#include "report/text/headline.h"

#include "base/mem.h"
#include "report/findings.h"
#include "report/text/next_option.h"
#include "report/text/report_recording.h"
#include "report/text/wrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2 };

static int64_t profile_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit)
{
    report_put_time(text, ns, unit, 3);
    text_printf(text, " %s", report_unit_name(unit));
}

static void put_clean(struct text *text, const char *string)
{
    text_put_clean(text, (struct span){string, strlen(string)}, false);
}

/* Appends a paragraph, and empties the sentence and the option. */
static void put(struct text *text, const struct report *report, const char *style,
                struct text *sentence, struct text *option)
{
    struct wrap wrap = {.width = report->width,
                        .indent = INDENT,
                        .style = style,
                        .is_colored = report->is_colored,
                        .option = text_span(option)};
    wrap_put(text, &wrap, text_span(sentence));
    sentence->length = option->length = 0;
}

/* The profile ------------------------------------------------------------------------------ */

/* Appends " in 600 ticks (1:00.0 to 1:59.9)". */
static void put_tick_range(struct text *text, const struct profile *profile)
{
    size_t count = 0;
    const struct rebuilt_run *last = NULL;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_run *run = &profile->runs[i];
        bool has_ticks = run->has_ticks && !run->is_outside;
        count += has_ticks;
        last = has_ticks ? run : last;
    }
    if (profile->ticks.count == 0 || last == NULL)
        return;
    text_put_string(text, " in ");
    report_put_count(text, profile->ticks.count, "tick", "ticks");
    if (count == 1) {
        text_put_string(text, " (");
        recording_put_game_time(text, last->zero_seconds + (double)last->first_tick / 10);
        if (last->last_tick > last->first_tick) {
            text_put_string(text, " to ");
            recording_put_game_time(text, last->zero_seconds + (double)last->last_tick / 10);
        }
        text_put_string(text, ")");
    } else {
        text_put_string(text, " of ");
        report_put_count(text, count, "recording", "recordings");
    }
}

bool headline_is_of_two_profilers(const struct report *report)
{
    if (report->old == NULL)
        return false;
    const struct profile *profile = report->profile, *old = report->old->profile;
    if (profile->recordings.count == 0)
        return profile->counts.records > 0 && old->recordings.count > 0;
    return old->recordings.count == 0 && old->counts.records > 0;
}

/* Appends "10.0% less time: ". */
static void put_change(struct text *text, int64_t now_ns, int64_t old_ns)
{
    int64_t difference_ns = now_ns - old_ns;
    const char *direction = difference_ns < 0 ? "less" : "more";
    enum { FACTOR_MIN = 3 };
    if (difference_ns == 0)
        text_put_string(text, "The same time");
    else if (old_ns > 0 && difference_ns / FACTOR_MIN >= old_ns)
        text_printf(text, "%.1f times the time", (double)now_ns / (double)old_ns);
    else if (old_ns > 0)
        text_printf(text, "%.1f%% %s time", 100 * fabs((double)difference_ns / (double)old_ns),
                    direction);
    else
        text_printf(text, "%c%s time", direction[0] - 'a' + 'A', direction + 1);
    text_put_string(text, ": ");
}

void headline_put_comparison(struct text *text, const struct report *report)
{
    const struct report_old *old = report->old;
    int64_t old_ns = old->tree->total_ns[TREE_ROOT];
    enum report_unit unit =
        report_unit_for(profile_ns(report) < old_ns ? old_ns : profile_ns(report));
    if (!headline_is_of_two_profilers(report))
        put_change(text, profile_ns(report), old_ns);
    put_time(text, profile_ns(report), unit);
    text_put_string(text, " of Lua in ");
    put_clean(text, report->title);
    text_put_string(text, ", old ");
    put_time(text, old_ns, unit);
    text_put_string(text, " in ");
    put_clean(text, old->title);
    if (old->scaled != NULL)
        text_printf(text, ", %s", old->scaled);
}

/* Of recordings with unequal numbers of ticks, the times of a tick say more. */
static void put_per_tick(struct text *text, struct text *option, const struct report *report)
{
    double count = (double)report->profile->ticks.count;
    double old_count = (double)report->old->profile->ticks.count;
    double old_ns = (double)report->old->tree->total_ns[TREE_ROOT];
    if (report->old->scaled != NULL || count == 0 || old_count == 0 || count == old_count ||
        old_ns <= 0)
        return;
    double percent = 100 * ((double)profile_ns(report) / count / (old_ns / old_count) - 1);
    text_printf(text, "; per tick %.1f%% %s", fabs(percent), percent < 0 ? "less" : "more");
    text_put_string(option, "--normalize=tick");
}

void headline_put_profile(struct text *text, const struct report *report)
{
    struct text sentence = {0}, option = {0};
    if (report->old != NULL) {
        headline_put_comparison(&sentence, report);
        put_per_tick(&sentence, &option, report);
    } else {
        put_clean(&sentence, report->title);
        text_put_string(&sentence, ": ");
        put_time(&sentence, profile_ns(report), report_unit_for(profile_ns(report)));
        text_put_string(&sentence, " of Lua");
        put_tick_range(&sentence, report->profile);
        size_t length = sentence.length;
        text_put_string(&sentence, ", ");
        report_put_count(&sentence, report->totals.calls, "call of ", "calls of ");
        report_put_count(&sentence, report->totals.functions, "function", "functions");
        /* On a narrow terminal a second line would be too much for this. */
        if (report->width != 0 && text_width(text_span(&sentence)) > report->width)
            sentence.length = length;
    }
    put(text, report, "\x1b[1m", &sentence, &option);
    text_release(&sentence);
    text_release(&option);
}

/* Returns the function with the most self time, or TREE_NONE; sets that time. */
static uint32_t find_most_expensive(const struct report *report, int64_t *self_ns)
{
    const struct tree *tree = report->tree;
    uint32_t count = report->profile->symbols.function_count, best = 0;
    int64_t *sums = mem_zeroed(count, sizeof *sums);
    for (uint32_t node = 1; node < tree->node_count; node++)
        sums[tree->calls[node].function] += tree->self_ns[node];
    for (uint32_t i = 1; i < count; i++)
        best = sums[i] > sums[best] ? i : best;
    *self_ns = count > 0 ? sums[best] : 0;
    free(sums);
    return *self_ns > 0 ? best : TREE_NONE;
}

/* Ticks ------------------------------------------------------------------------------------ */

void headline_put_log(struct text *text, const struct report *report, const struct tick *tick,
                      const char *before, const char *after)
{
    const struct recordings *recordings = &report->profile->recordings;
    const struct recording *recording = &recordings->all[tick->run];
    if (report->log_count <= 1 && recordings->count <= 1)
        return;
    text_put_string(text, before);
    if (report->log_count > 1)
        put_clean(text, report->log_names[recording->log]);
    else
        text_printf(text, "run %u", (unsigned)recording->run);
    text_put_string(text, after);
}

/* Appends ": 81% BuildThreatMap, 12% next". */
static void put_functions(struct text *text, const struct report *report, const struct tick *tick)
{
    enum { COUNT_MAX = 2, PERCENT_MIN = 5 };
    int64_t all_ns = 0;
    for (size_t i = 0; i < tick->function_count; i++)
        all_ns += tick->functions[i].self_ns;
    /* Overhead that could not be subtracted from a function is missing in the tick's time. */
    if (all_ns < tick->time_ns)
        all_ns = tick->time_ns;
    for (size_t i = 0; i < COUNT_MAX && i < tick->function_count; i++) {
        const struct tick_function *function = &tick->functions[i];
        double percent = 100 * (double)function->self_ns / (double)all_ns;
        /* Of a tick that took no time, nothing has a part: it is not a number. */
        if (!(percent >= PERCENT_MIN))
            break;
        text_printf(text, "%s%.0f%% ", i > 0 ? ", " : ": ", percent);
        finding_put_name(text, report->labels, function->function);
    }
}

static void put_compared_ticks(struct text *text, const struct tick_statistics *statistics,
                               const struct report *report)
{
    struct tick_statistics old;
    tick_statistics_init(&old, &report->old->profile->ticks);
    text_printf(text, "Slow ticks: %zu of %zu over 100 ms", statistics->over_count,
                statistics->count);
    if (old.count > 0) {
        text_printf(text, ", old %zu of %zu; median ", old.over_count, old.count);
        recording_put_ms(text, statistics, statistics->median_ns);
        text_put_string(text, " ms, old ");
        recording_put_ms(text, statistics, old.median_ns);
        text_put_string(text, "; longest ");
        recording_put_ms(text, statistics, statistics->longest_ns);
        text_put_string(text, " ms, old ");
        recording_put_ms(text, statistics, old.longest_ns);
    }
    tick_statistics_release(&old);
}

static void put_slow_ticks(struct text *text, const struct tick_statistics *statistics,
                           const struct report *report)
{
    const struct tick *worst = statistics->worst[0];
    /* A filter needs call stacks, and the list of ticks has none. */
    bool is_filtered = report->selection->filters.count > 0;
    text_put_string(text, is_filtered ? "Slow ticks (not filtered): " : "Slow ticks: ");
    if (statistics->over_count > 0)
        text_put_grouped(text, statistics->over_count);
    else
        text_put_string(text, "none");
    text_put_string(text, " of ");
    text_put_grouped(text, statistics->count);
    text_put_string(text, " over 100 ms, median ");
    recording_put_ms(text, statistics, statistics->median_ns);
    text_put_string(text, " ms. The longest, ");
    recording_put_tick(text, report, worst);
    headline_put_log(text, report, worst, " of ", "");
    text_put_string(text, ", took ");
    recording_put_ms(text, statistics, worst->time_ns);
    text_put_string(text, " ms");
    put_functions(text, report, worst);
}

/*
 * What is shown of a single tick: the option that leads to the tick would be of no use. The times
 * are those of the table: the tick's own have another share of the recording overhead.
 */
static void put_only_tick(struct text *text, struct text *option,
                          const struct tick_statistics *statistics, const struct report *report)
{
    const struct tick *tick = statistics->worst[0];
    int64_t self_ns;
    uint32_t function = find_most_expensive(report, &self_ns);
    text_put_string(text, "Tick ");
    recording_put_tick(text, report, tick);
    headline_put_log(text, report, tick, " of ", "");
    text_put_string(text, " took ");
    recording_put_ms(text, statistics, profile_ns(report));
    text_put_string(text,
                    profile_ns(report) > TICK_BUDGET_NS ? " ms, more than its 100 ms" : " ms");
    if (function == TREE_NONE)
        return;
    text_printf(text, ": %.0f%% ", 100 * (double)self_ns / (double)profile_ns(report));
    finding_put_name(text, report->labels, function);
    next_option_put_peek(option, report, function);
}

void headline_put_ticks(struct text *text, const struct report *report)
{
    struct text sentence = {0}, option = {0};
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &report->profile->ticks);
    if (statistics.count > 0 && report->old != NULL) {
        put_compared_ticks(&sentence, &statistics, report);
    } else if (statistics.count == 1) {
        put_only_tick(&sentence, &option, &statistics, report);
    } else if (statistics.count > 1) {
        put_slow_ticks(&sentence, &statistics, report);
        next_option_put_tick(&option, report, statistics.worst[0]);
    }
    if (sentence.length > 0)
        put(text, report, NULL, &sentence, &option);
    tick_statistics_release(&statistics);
    text_release(&sentence);
    text_release(&option);
}

/* Findings --------------------------------------------------------------------------------- */

/* Without ticks and findings, the first question is which function it is. */
static void put_most_expensive(struct text *text, const struct report *report)
{
    struct text sentence = {0}, option = {0};
    int64_t self_ns;
    uint32_t function = find_most_expensive(report, &self_ns);
    if (function == TREE_NONE)
        return;
    text_printf(&sentence, "Most time: %.0f%% is in ",
                100 * (double)self_ns / (double)profile_ns(report));
    finding_put_name(&sentence, report->labels, function);
    text_put_string(&sentence, " itself, without what it calls");
    next_option_put_peek(&option, report, function);
    put(text, report, NULL, &sentence, &option);
    text_release(&sentence);
    text_release(&option);
}

void headline_put_findings(struct text *text, const struct report *report)
{
    enum { SHOWN_MAX = 2 };
    if (report->old != NULL || report_is_reduced(report))
        return;
    struct text sentence = {0}, option = {0};
    struct findings findings;
    recording_find(&findings, report);
    bool has_function = findings.count > 0 && findings.all[0].kind == FINDING_MANY_CALLS;
    if (report->profile->ticks.count == 0 && !has_function)
        put_most_expensive(text, report);
    size_t shown = 0;
    for (size_t i = 0; i < findings.count && shown < SHOWN_MAX; i++) {
        if (findings.all[i].kind == FINDING_SLOW_TICKS && report->profile->ticks.count == 1)
            continue;
        text_printf(&sentence, "%zu. %.*s", ++shown, (int)findings.all[i].text.length,
                    findings.all[i].text.at);
        next_option_put_finding(&option, report, &findings.all[i]);
        put(text, report, NULL, &sentence, &option);
    }
    findings_release(&findings);
    text_release(&sentence);
    text_release(&option);
}
