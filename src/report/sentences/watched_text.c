#include "report/sentences/watched_text.h"

#include "report/figures/unit_growth.h"
#include "report/figures/watched.h"
#include "report/figures/watched_threads.h"
#include "report/figures/watched_trend.h"
#include "report/sentences/amounts.h"
#include "report/sentences/finding.h"
#include "report/sentences/function_name.h"
#include "report/sentences/subject.h"
#include "report/sentences/wrap.h"

#include <math.h>

enum { INDENT = 2 };

static void put_counts(struct text *text, const struct report *report,
                       const struct watched *watched)
{
    const struct tick_kind *kind = &tick_kinds[report->profile->rebuild.state];
    bool has_others = watched->tick_count > watched->slow_count;
    const char *slow = watched->slow_count > 0 ? amount_count(watched->slow_count).at : "none";
    text_printf(text, "Watched: %s%s", slow, has_others ? " of " : " ");
    if (has_others)
        text_printf(text, "%s ", amount_count(watched->tick_count).at);
    text_printf(text, "%s over ", watched->tick_count == 1 ? kind->one : kind->many);
    if (watched->slow_ns > 0)
        text_printf(text, "%.10g ms", (double)watched->slow_ns / 1e6);
    else
        text_put_string(text, "the limits of their watches");
    if (watched->gap_count > 0)
        text_printf(text,
                    ", and %s in which as much passed in no thread",
                    amount_count(watched->gap_count).at);
    watched_put_minutes(text, report);
    if (watched->distance.ticks > 0)
        text_put_string(text, ". ");
    finding_put_distance(text, report->profile->rebuild.state, &watched->distance);
}

/* Appends the time of a tick, or its number. */
static void put_time(struct text *text, const struct profile *profile, uint32_t recording,
                     int64_t tick)
{
    const struct rebuilt_recording *rebuilt = &profile->rebuilt[recording];
    text_put_string(text,
                    profile->rebuild.state == LUA_STATE_UI
                        ? tick_name_in(profile, rebuilt, tick).at
                        : amount_clock(llround(recording_seconds(rebuilt, tick))).at);
}

void watched_put_minutes(struct text *text, const struct report *report)
{
    const struct profile *profile = report->profile;
    const struct watches *watches = &profile->recordings.watches;
    const struct watch_threads *first = NULL, *last = NULL;
    if (!settings_have_window(&profile->rebuild))
        return;
    for (size_t i = 0; i < watches->thread_count; i++) {
        const struct watch_threads *minute = &watches->threads[i];
        if (!watched_takes_minute(profile, minute))
            continue;
        first = first == NULL || minute->first < first->first ? minute : first;
        last = last == NULL || minute->last > last->last ? minute : last;
    }
    if (first == NULL && report->show.has_threads)
        text_put_string(text, "; threads are known by the minute, and none is whole here");
    if (first == NULL)
        return;
    text_put_string(text, "; threads are known by the minute, here from ");
    put_time(text, profile, first->recording, first->first);
    text_put_string(text, " to ");
    put_time(text, profile, last->recording, last->last + 1);
}

/* Appends " called by RebuildList and others", if that says more than the name. */
static void put_caller(struct text *text, const struct report *report,
                       const struct wake_function *function)
{
    enum { PERCENT_ALL = 95 };
    if (function->caller == TREE_NONE ||
        !symbols_is_c(&report->profile->symbols, function->function))
        return;
    text_printf(text,
                " called by %s%s",
                function_name(report->labels, function->caller),
                100 * (double)function->caller_ns < PERCENT_ALL * (double)function->self_ns
                    ? " and others"
                    : "");
}

/* Appends "88% table.sort called by RebuildList, 9% Scan". */
static void put_functions(struct text *text, const struct report *report,
                          const struct exact_wake *wake)
{
    enum { COUNT_MAX = 2, PERCENT_MIN = 5 };
    size_t shown = 0;
    for (size_t i = 0; shown < COUNT_MAX && i < wake->function_count; i++) {
        const struct wake_function *function = &wake->functions[i];
        double percent = 100 * (double)function->self_ns / (double)wake->time_ns;
        if (percent < PERCENT_MIN || symbols_is_lost(&report->profile->symbols, function->function))
            continue;
        text_printf(text,
                    "%s%.0f%% %s",
                    shown++ > 0 ? ", " : "",
                    percent,
                    function_name(report->labels, function->function));
        put_caller(text, report, function);
    }
}

/* Appends "; in one later slow run: 88% table.sort called by RebuildList", or nothing. */
static void put_exact(struct text *text, const struct report *report,
                      const struct watched_tick *tick)
{
    static const char *const runs[] = {[EXACT_OWN] = "this run",
                                       [EXACT_LATER] = "one later slow run",
                                       [EXACT_EARLIER] = "one earlier slow run"};
    SCOPED(text) functions = {0};
    if (tick->exact == NULL)
        return;
    put_functions(&functions, report, tick->exact);
    if (functions.length == 0)
        return;
    text_put_string(text, "; in ");
    if (tick->exact->is_cut)
        text_printf(text, "the first %s of ", amount_said(tick->exact->time_ns).at);
    text_printf(text, "%s: ", runs[tick->exact_of]);
    text_put_span(text, text_span(&functions));
}

/* Appends "; not in a thread: 90.0 ms before the run of EngineerThread", or nothing. */
static void put_gaps(struct text *text, const struct report *report, const struct watch_sum *gaps,
                     const char *before)
{
    if (gaps->time_ns <= 0)
        return;
    text_printf(text, "%snot in a thread: %s", before, amount_said(gaps->time_ns).at);
    if (gaps->longest_ns < gaps->time_ns)
        text_printf(text, " in %s gaps, the longest", amount_count(gaps->wakes).at);
    if (gaps->function >= 0)
        text_printf(
            text, " before the run of %s", function_name(report->labels, (uint32_t)gaps->function));
}

/* Appends where the longest run of a tick waits next, or nothing. */
static void put_wait(struct text *text, const struct report *report, const struct watch_wake *wake)
{
    const struct watch_frame *frames = report->profile->recordings.watches.frames;
    if (wake == NULL)
        return;
    if (wake->stack_count == 0)
        text_put_string(text, "; then it ended");
    if (wake->stack_count < 2)
        return;
    const struct watch_frame *waits = &frames[wake->stack_from + wake->stack_count - 1];
    if (waits[-1].function < 0)
        return;
    text_printf(
        text, "; then it waits in %s", function_name(report->labels, (uint32_t)waits[-1].function));
    if (waits->line > 0)
        text_printf(text, ", line %ld", (long)waits->line);
}

/* Appends "#24012 (40:01.2) took 212.0 ms". */
static void put_name(struct text *text, const struct report *report, uint32_t recording,
                     int64_t number, int64_t time_ns)
{
    const struct profile *profile = report->profile;
    text_put_string(text, tick_name_in(profile, &profile->rebuilt[recording], number).at);
    subject_put_log(text, report, recording, " of ");
    text_printf(text, " took %s", amount_said(time_ns).at);
}

/* Appends the same, with ": 96% PlatoonThread". */
static void put_tick(struct text *text, const struct report *report,
                     const struct watched_tick *tick)
{
    put_name(text, report, tick->recording, tick->number, tick->time_ns);
    if (tick->is_slow && tick->function != TREE_NONE)
        text_printf(text,
                    ": %.0f%% %s",
                    100 * (double)tick->function_ns / (double)tick->time_ns,
                    function_name(report->labels, tick->function));
    put_gaps(text, report, &tick->line->gaps, "; ");
}

/* A single tick ------------------------------------------------------------------------------ */

static void put_limit(struct text *text, const struct report *report, uint32_t recording,
                      bool is_slow)
{
    double slow_ms = (double)report->profile->recordings.all[recording].slow_ns / 1e6;
    text_printf(text, is_slow ? ", more than %.10g ms" : ", not more than %.10g ms", slow_ms);
}

/* Appends what each function took, of those that the line has. */
static void put_parts(struct text *lines, const struct report *report,
                      const struct watched_tick *tick)
{
    const struct watch_sum *sums = report->profile->recordings.watches.sums + tick->line->from;
    for (size_t i = 0; i < tick->line->count; i++) {
        if (sums[i].function < 0)
            continue;
        text_printf(lines,
                    "  %s (%.0f%%) in %s of %s",
                    amount_said(sums[i].time_ns).at,
                    100 * (double)sums[i].time_ns / (double)tick->time_ns,
                    amount_things(sums[i].wakes, "run", "runs").at,
                    function_name(report->labels, (uint32_t)sums[i].function));
        if ((uint32_t)sums[i].function == tick->function) {
            put_exact(lines, report, tick);
            put_wait(lines, report, tick->wake);
        }
        text_put_string(lines, "\n");
    }
}

/* Of ticks that were not slow, only lengths are known. */
static void put_lengths(struct text *lines, const struct report *report)
{
    struct watch_tick tick = {0};
    while (profile_next_watch_tick(report->profile, &tick)) {
        text_put_string(lines, "Watched: ");
        put_name(lines, report, tick.recording, tick.number, tick.length_ns);
        put_limit(lines, report, tick.recording, false);
        text_put_string(lines, ": the watch knows no more of it\n");
    }
}

/* Appends all that is known of the only tick, of each recording. */
static void put_only_tick(struct text *lines, const struct report *report,
                          const struct watched *watched)
{
    for (size_t i = 0; i < watched->slowest_count; i++) {
        const struct watched_tick *tick = &watched->slowest[i];
        text_put_string(lines, "Watched: ");
        put_name(lines, report, tick->recording, tick->number, tick->time_ns);
        put_limit(lines, report, tick->recording, tick->is_slow);
        text_put_string(lines, "\n");
        put_parts(lines, report, tick);
        if (tick->line->gaps.time_ns > 0) {
            put_gaps(lines, report, &tick->line->gaps, "  ");
            text_put_string(lines, "\n");
        }
    }
    if (watched->slowest_count == 0)
        put_lengths(lines, report);
}

/* All ---------------------------------------------------------------------------------------- */

void watched_put_sentence(struct text *text, const struct report *report)
{
    enum { SHOWN_MAX = 3 };
    SCOPED(watched) watched = {0};
    struct text sentence = {0};
    const struct exact_wake *said = NULL;
    if (settings_are_one_tick(&report->profile->rebuild)) {
        watched_put_list(text, report, SIZE_MAX);
        return;
    }
    watched_init(&watched, report->profile);
    put_counts(&sentence, report, &watched);
    for (size_t i = 0; i < watched.slowest_count && i < SHOWN_MAX; i++) {
        text_put_string(&sentence, i == 0 ? ". " : "; ");
        put_tick(&sentence, report, &watched.slowest[i]);
        if (watched.slowest[i].exact != said)
            put_exact(&sentence, report, &watched.slowest[i]);
        said = watched.slowest[i].exact;
    }
    wrap_put_line(text, report->width, INDENT, &sentence);
}

/* Appends lines. */
static void put_ticks(struct text *lines, const struct report *report,
                      const struct watched *watched, size_t limit)
{
    size_t shown = limit < watched->slowest_count ? limit : watched->slowest_count;
    text_put_string(lines, shown > 0 ? ":\n" : "\n");
    for (size_t i = 0; i < shown; i++) {
        const struct watched_tick *tick = &watched->slowest[i];
        text_put_string(lines, "  ");
        put_tick(lines, report, tick);
        put_exact(lines, report, tick);
        if (tick->is_slow)
            put_wait(lines, report, tick->wake);
        text_put_string(lines, "\n");
    }
    if (shown < watched->slowest_count)
        text_printf(lines, "  ... and %s more\n", amount_count(watched->slowest_count - shown).at);
}

void watched_put_list(struct text *text, const struct report *report, size_t limit)
{
    SCOPED(watched) watched = {0};
    struct text lines = {0};
    watched_init(&watched, report->profile);
    if (settings_are_one_tick(&report->profile->rebuild)) {
        put_only_tick(&lines, report, &watched);
    } else {
        put_counts(&lines, report, &watched);
        put_ticks(&lines, report, &watched, limit);
    }
    wrap_put_lines(text, report->width, INDENT, &lines);
}

/* Appends "ThreatThread 2.3 ms, then 16.6 ms (7.5 runs a tick, then 55.5)". */
static void put_growth(struct text *line, const struct report *report,
                       const struct watched_growth *growth)
{
    enum { PARTS = 10 };
    double more = growth->last_wakes - growth->first_wakes;
    text_printf(line,
                "%s %s, then ",
                function_name(report->labels, growth->function),
                amount_said((int64_t)growth->first_ns).at);
    text_put_string(line, amount_said((int64_t)growth->last_ns).at);
    if (more * PARTS >= growth->first_wakes)
        text_printf(line,
                    " (%.1f runs a %s, then %.1f)",
                    growth->first_wakes,
                    tick_kinds[report->profile->rebuild.state].one,
                    growth->last_wakes);
}

static void put_trend(struct text *text, const struct report *report)
{
    struct watched_trend trend;
    struct text line = {0};
    watched_trend_find(&trend, report);
    if (!trend.is_known)
        return;
    text_printf(&line,
                "Trend: threads took %s a %s at first, ",
                amount_said((int64_t)trend.all.first_ns).at,
                tick_kinds[report->profile->rebuild.state].one);
    text_printf(&line, "%s at the end", amount_said((int64_t)trend.all.last_ns).at);
    for (size_t i = 0; i < trend.function_count; i++) {
        text_put_string(&line, i == 0 ? ": " : "; ");
        put_growth(&line, report, &trend.functions[i]);
    }
    wrap_put_line(text, report->width, INDENT, &line);
}

void watched_put_growth(struct text *text, const struct report *report)
{
    struct unit_growth growth;
    struct text line = {0};
    if (report->shows_watch)
        put_trend(text, report);
    unit_growth_find(&growth, report);
    if (!growth.is_known)
        return;
    text_printf(&line,
                "Units: the median tick took %s with %s, ",
                amount_said(growth.few.median_ns).at,
                amount_things(growth.few.units, "unit", "units").at);
    text_printf(&line,
                "%s with %s: it grows with units^%.1f",
                amount_said(growth.many.median_ns).at,
                amount_count(growth.many.units).at,
                growth.exponent);
    for (size_t i = 0; i < growth.function_count; i++)
        text_printf(&line,
                    "%s%s with units^%.1f",
                    i == 0 ? "; " : ", ",
                    function_name(report->labels, growth.functions[i].function),
                    growth.functions[i].exponent);
    wrap_put_line(text, report->width, INDENT, &line);
}
