#include "report/text/report_summary.h"

#include "report/report_checks.h"
#include "report/text/headline.h"
#include "report/text/report_benchmarks.h"
#include "report/text/report_details.h"
#include "report/text/report_recording.h"
#include "report/text/wrap.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 9 };

static int64_t profile_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals)
{
    report_put_time(text, ns, unit, decimals);
    text_put_string(text, " ");
    text_put_string(text, report_unit_name(unit));
}

/* Appends a line, wrapped to `width`, and empties it. */
static void put_line(struct text *text, struct text *line, size_t width)
{
    struct wrap wrap = {.width = width, .indent = INDENT};
    wrap_put(text, &wrap, text_span(line));
    line->length = 0;
}

static void put_filter(struct text *text, const struct filter *filter)
{
    filter_put_name(text, filter);
    text_put_string(text, " (");
    report_put_count(text, filter->match_count, "function)", "functions)");
}

static void put_folds(struct text *text, const struct selection *selection)
{
    char number[64];
    if (selection->folds_recursion)
        text_put_string(text, ", --fold-recursion");
    if (selection->depth_max > 0) {
        text_put_string(text, ", --max-depth ");
        text_put_count(text, selection->depth_max);
    }
    if (selection->min_percent > 0) {
        int length = snprintf(number, sizeof number, ", --min-pct %g", selection->min_percent);
        text_put(text, number, (size_t)length);
    }
}

/* Which ticks are shown. */
static void put_choice(struct text *text, const struct report *report)
{
    const struct tick_choice *choice = report->choice;
    text_put_string(text, "Chosen: ");
    report_put_count(text, choice->chosen_count, "tick of ", "ticks of ");
    text_put_grouped(text, choice->count);
    text_put_string(text, ", by their time; left out with the others: ");
    put_time(text, choice->outside_ns, report_unit_for(choice->outside_ns), 3);
    text_put_string(text, " that are in no tick");
}

/* Which part of the profile is shown, and why not all of it is. */
static void put_shown(struct text *text, const struct report *report)
{
    const struct filters *filters = &report->selection->filters;
    text_put_string(text, "Shown: ");
    report_put_percent(text, profile_ns(report), report->all_ns);
    text_put_string(text, "% of the time");
    size_t of_files = 0;
    for (size_t i = 0; i < filters->count; i++) {
        of_files += filters->all[i].file != NULL;
        if (filters->all[i].file != NULL)
            continue;
        text_put_string(text, ", ");
        put_filter(text, &filters->all[i]);
    }
    if (of_files > 0) {
        text_put_string(text, ", --hide-file with ");
        report_put_count(text, of_files, "pattern", "patterns");
    }
    put_folds(text, report->selection);
}

void summary_put_selection(struct text *text, const struct report *report, size_t width)
{
    struct text line = {0};
    if (report->choice != NULL) {
        put_choice(&line, report);
        put_line(text, &line, width);
    }
    if (report_is_reduced(report)) {
        put_shown(&line, report);
        put_line(text, &line, width);
    }
    text_release(&line);
}

void summary_put_start(struct text *text, const struct report *report)
{
    headline_put_profile(text, report);
    summary_put_selection(text, report, report->width);
}

bool summary_is_empty(const struct report *report)
{
    size_t count =
        report->profile->recordings.benchmark_count + report->profile->recordings.check_count;
    count += report->old != NULL ? report->old->profile->recordings.benchmark_count : 0;
    return report->tree->node_count <= 1 && count > 0;
}

static void put_empty(struct text *text, const struct report *report)
{
    text_put_clean(text, (struct span){report->title, strlen(report->title)}, false);
    text_put_string(text, report->profile->recordings.benchmark_count > 0
                              ? ": only benchmarks\n"
                              : ": only checks of the game\n");
    benchmarks_put(text, report, 0);
}

void summary_put_head(struct text *text, const struct report *report)
{
    enum { BENCHMARKS_SHOWN = 12 };
    if (summary_is_empty(report)) {
        put_empty(text, report);
        return;
    }
    summary_put_start(text, report);
    headline_put_ticks(text, report);
    headline_put_findings(text, report);
    if (report->is_verbose)
        details_put(text, report);
    benchmarks_put(text, report, BENCHMARKS_SHOWN);
    text_put_string(text, "\n");
}

/* Appends "Note: " and a sentence, and empties that. */
static void put_note(struct text *text, struct text *sentence, size_t width)
{
    text_put(sentence, "", 1);
    recording_put_note(text, width, sentence->at);
    sentence->length = 0;
}

/* The number of runs that are added up. */
static uint64_t runs_shown(const struct profile *profile)
{
    const struct rebuild_settings *settings = &profile->rebuild;
    if (profile->only_run != 0)
        return 1;
    if (settings->from.kind == WINDOW_OPEN && settings->to.kind == WINDOW_OPEN)
        return profile->counts.runs;
    uint64_t count = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        count += profile->runs[i].is_there && !profile->runs[i].is_outside;
    return count;
}

/* Notes about records of delins' profiler. */
static void put_record_notes(struct text *text, const struct report *report, size_t width,
                             enum report_unit unit)
{
    const struct report_totals *totals = &report->totals;
    const struct profile_counts *counts = &report->profile->counts;
    struct text line = {0};
    if (totals->negative_count > 0) {
        report_put_count(&line, totals->negative_count, "stack has", "stacks have");
        text_put_string(&line, " a negative self time, ");
        put_time(&line, totals->negative_ns, unit, report_decimals(unit));
        text_put_string(&line, " in all: the profiler that wrote this log loses track where pcall "
                               "catches an error");
        put_note(text, &line, width);
    }
    if (counts->untimed > 0) {
        report_put_count(&line, counts->untimed, "record has", "records have");
        text_put_string(&line, " no usable time; only the calls were counted");
        put_note(text, &line, width);
    }
    if (counts->damaged > 0) {
        report_put_count(&line, counts->damaged, "damaged record was", "damaged records were");
        text_put_string(&line, " skipped");
        put_note(text, &line, width);
    }
    if (counts->timeless > 0) {
        report_put_count(&line, counts->timeless, "record was", "records were");
        text_put_string(&line, " left out, which delins' profiler wrote: they do not say when they "
                               "were");
        put_note(text, &line, width);
    }
    text_release(&line);
}

void summary_put_notes(struct text *text, const struct report *report, enum report_unit unit,
                       size_t width)
{
    if (headline_is_of_two_profilers(report))
        recording_put_note(text, width,
                           "one log is of profiler.lua, the other one of delins' profiler: their "
                           "times cannot be compared");
    if (report->profile->is_partial)
        recording_put_note(text, width,
                           "the reading ended before the end of the log: this is the "
                           "part that was read");
    put_record_notes(text, report, width, unit);
    if (runs_shown(report->profile) > 1) {
        struct text line = {0};
        text_put_grouped(&line, runs_shown(report->profile));
        if (report->log_count > 1)
            text_printf(&line, " runs of %zu logs", report->log_count);
        else
            text_put_string(&line, " runs");
        text_put_string(&line, " are added up here (--run N picks one");
        text_put_string(&line, report->log_count > 1 && report->old == NULL
                                   ? "; --repeated shows how they differ, --diff compares)"
                                   : ")");
        put_note(text, &line, width);
        text_release(&line);
    }
    recording_put_losses(text, report, width);
    checks_put(text, report);
}

void summary_put_chance(struct text *text, const struct report *report, bool has_option)
{
    struct text note = {0};
    if (report->old == NULL || report->choice != NULL || summary_is_empty(report) ||
        headline_is_of_two_profilers(report))
        return;
    struct wrap wrap = {
        .width = report->width, .indent = 6, .is_colored = report->is_colored && has_option};
    size_t count = report->profile->recordings.log_count;
    size_t old_count = report->old->profile->recordings.log_count;
    if (count == old_count)
        text_put_string(&note, "Note: two games differ by chance; record at least 4 of each");
    else
        text_printf(&note, "Note: the sum of %zu log%s is compared with that of %zu", count,
                    count == 1 ? "" : "s", old_count);
    if (count > 1 && old_count == 1)
        text_put_string(&note,
                        "; --diff takes one log, or a pattern in quotes: --diff 'old/*.log'");
    if (has_option)
        wrap.option = (struct span){"--repeated", 10};
    else
        wrap.width = 0;
    wrap_put(text, &wrap, text_span(&note));
    text_release(&note);
}

void summary_put_foot(struct text *text, const struct report *report, enum report_unit unit,
                      bool has_marks)
{
    if (!report->is_verbose && !summary_is_empty(report))
        recording_put_overhead(text, report, has_marks);
    summary_put_chance(text, report, true);
    summary_put_notes(text, report, unit, report->width);
}
