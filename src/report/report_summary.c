#include "report/report_summary.h"

#include "report/report_benchmarks.h"
#include "report/report_checks.h"
#include "report/report_recording.h"

#include <stdio.h>
#include <string.h>

static int64_t profile_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

static void write_styled(const struct report *report, struct output *out, const char *style,
                         struct text *text)
{
    struct span span = text_span(text);
    if (span.length == 0)
        return;
    if (report->is_colored)
        output_put_string(out, style);
    output_put(out, span.at, span.length);
    if (report->is_colored)
        output_put_string(out, "\x1b[0m");
    text->length = 0;
}

static void put_share(struct text *text, const struct report *report, int64_t ns, const char *what)
{
    report_put_percent(text, ns, profile_ns(report));
    text_put_string(text, "% ");
    text_put_string(text, what);
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals)
{
    report_put_time(text, ns, unit, decimals);
    text_put_string(text, " ");
    text_put_string(text, report_unit_name(unit));
}

static void put_name(struct text *text, const char *name)
{
    text_put_clean(text, (struct span){name, strlen(name)}, false);
}

/* Slow ticks, and the uncertainty of the numbers. */
static void put_recordings(struct text *text, const struct report *report)
{
    enum { WORST_TICKS = 3, FUNCTIONS = 3 };
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &report->profile->ticks);
    /* A filter needs call stacks, and the list of ticks has none. */
    bool is_filtered = report->selection->filters.count > 0;
    recording_put_ticks(text, report->profile,
                        is_filtered ? "Ticks:   not filtered, " : "Ticks:   ", &statistics);
    for (size_t i = 0; i < WORST_TICKS && i < statistics.count; i++) {
        const struct tick *tick = statistics.worst[i];
        text_put_string(text, "         ");
        recording_put_tick(text, report, tick);
        text_put_string(text, " ");
        recording_put_ms(text, &statistics, tick->time_ns);
        text_put_string(text, " ms: ");
        recording_put_functions(text, report, &statistics, tick, FUNCTIONS);
        text_put_string(text, "\n");
    }
    tick_statistics_release(&statistics);
    recording_put_trust(text, report);
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
    if (choice == NULL)
        return;
    text_put_string(text, "Chosen:  ");
    report_put_count(text, choice->chosen_count, "tick of ", "ticks of ");
    text_put_grouped(text, choice->count);
    text_put_string(text, ", by their time; left out with the others: ");
    put_time(text, choice->outside_ns, report_unit_for(choice->outside_ns), 3);
    text_put_string(text, " that are in no tick\n");
}

/* The part of the profile that is shown, and why not all of it is. */
void summary_put_selection(struct text *text, const struct report *report)
{
    put_choice(text, report);
    const struct selection *selection = report->selection;
    const struct filters *filters = &selection->filters;
    bool is_folded =
        selection->folds_recursion || selection->depth_max > 0 || selection->min_percent > 0;
    if (filters->count == 0 && !is_folded)
        return;
    text_put_string(text, "Shown:   ");
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
    put_folds(text, selection);
    text_put_string(text, "\n");
}

/* The compared logs, and how their functions were matched. */
static void put_comparison(struct text *text, const struct report *report)
{
    const struct report_old *old = report->old;
    const struct diff_counts *counts = &old->counts;
    struct tick_statistics statistics;
    int64_t old_ns = old->tree->total_ns[TREE_ROOT];
    int64_t difference_ns = profile_ns(report) - old_ns;
    enum report_unit unit = report_unit_for(profile_ns(report));
    text_put_string(text, "Old:     ");
    put_name(text, old->title);
    text_put_string(text, "  ");
    put_time(text, old_ns, unit, 3);
    if (old->scaled != NULL) {
        text_put_string(text, ", ");
        text_put_string(text, old->scaled);
    }
    text_put_string(text, difference_ns > 0 ? "; the difference is +" : "; the difference is ");
    put_time(text, difference_ns, unit, 3);
    if (old_ns > 0) {
        char digits[48];
        double percent = 100.0 * (double)difference_ns / (double)old_ns;
        int length =
            snprintf(digits, sizeof digits, percent == 0 ? " (0.0%%)" : " (%+.1f%%)", percent);
        text_put(text, digits, (size_t)length);
    }
    text_put_string(text, "\n         functions: ");
    text_put_grouped(text, counts->same_place);
    text_put_string(text, " at their lines, ");
    text_put_grouped(text, counts->other_line);
    text_put_string(text, " at other lines of their file, ");
    text_put_grouped(text, counts->other_name);
    text_put_string(text, " by other names; ");
    text_put_grouped(text, counts->only_old);
    text_put_string(text, " gone, ");
    text_put_grouped(text, counts->only_new);
    text_put_string(text, " new\n");
    tick_statistics_init(&statistics, &old->profile->ticks);
    recording_put_ticks(text, old->profile, "         ", &statistics);
    tick_statistics_release(&statistics);
    bool has_noise = report->tree->details != NULL && old->tree->details != NULL;
    text_put_string(text, has_noise
                              ? "         ~ marks differences that the clocks cannot tell from 0; "
                                "two runs of a game differ by more\n"
                              : "         records of delins' profiler do not say how far a "
                                "time may be off\n");
}

/* Writes the first line: the names of the logs, and how much was read. */
static void write_profile(const struct report *report, struct output *out)
{
    const struct report_totals *totals = &report->totals;
    struct text text = {0};
    text_put_string(&text, "Profile: ");
    put_name(&text, report->title);
    write_styled(report, out, "\x1b[1m", &text);
    text_put_string(&text, "  ");
    put_time(&text, profile_ns(report), report_unit_for(profile_ns(report)), 3);
    text_put_string(&text, " in ");
    report_put_count(&text, totals->stacks, "stack, ", "stacks, ");
    report_put_count(&text, totals->functions, "function, ", "functions, ");
    report_put_count(&text, totals->calls, "call\n", "calls\n");
    output_put(out, text.at, text.length);
    text_release(&text);
}

void summary_write_start(const struct report *report, struct output *out)
{
    struct text text = {0};
    write_profile(report, out);
    summary_put_selection(&text, report);
    struct span span = text_span(&text);
    output_put(out, span.at, span.length);
    text_release(&text);
}

bool summary_is_empty(const struct report *report)
{
    size_t count =
        report->profile->recordings.benchmark_count + report->profile->recordings.check_count;
    count += report->old != NULL ? report->old->profile->recordings.benchmark_count : 0;
    return report->tree->node_count <= 1 && count > 0;
}

void summary_write_head(const struct report *report, struct output *out)
{
    const struct report_totals *totals = &report->totals;
    struct text text = {0};
    enum { BENCHMARKS_SHOWN = 12 };
    if (summary_is_empty(report)) {
        text_put_string(&text, "Profile: ");
        put_name(&text, report->title);
        text_put_string(&text, report->profile->recordings.benchmark_count > 0
                                   ? "  only benchmarks\n"
                                   : "  only checks of the game\n");
        benchmarks_put(&text, report, 0);
        output_put(out, text.at, text.length);
        text_release(&text);
        return;
    }
    write_profile(report, out);
    text_put_string(&text, "         ");
    put_share(&text, report, totals->main_ns, "on the main thread, ");
    put_share(&text, report, totals->coroutine_ns, "in coroutines, ");
    if (totals->both_ns != 0)
        put_share(&text, report, totals->both_ns, "on either, ");
    put_share(&text, report, totals->c_ns, "in C functions\n");
    summary_put_selection(&text, report);
    if (report->old != NULL)
        put_comparison(&text, report);
    put_recordings(&text, report);
    benchmarks_put(&text, report, BENCHMARKS_SHOWN);
    output_put(out, text.at, text.length);
    text_release(&text);
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

void summary_put_notes(struct text *text, const struct report *report, enum report_unit unit)
{
    const struct report_totals *totals = &report->totals;
    const struct profile_counts *counts = &report->profile->counts;
    if (totals->negative_count > 0) {
        text_put_string(text, "Note: ");
        report_put_count(text, totals->negative_count, "stack has", "stacks have");
        text_put_string(text, " a negative self time, ");
        put_time(text, totals->negative_ns, unit, report_decimals(unit));
        text_put_string(text, " in all: the profiler that\n"
                              "      wrote this log loses track where pcall catches an error\n");
    }
    if (counts->untimed > 0) {
        text_put_string(text, "Note: ");
        report_put_count(text, counts->untimed, "record has", "records have");
        text_put_string(text, " no usable time; only the calls were counted\n");
    }
    if (counts->damaged > 0) {
        text_put_string(text, "Note: ");
        report_put_count(text, counts->damaged, "damaged record was", "damaged records were");
        text_put_string(text, " skipped\n");
    }
    if (counts->timeless > 0) {
        text_put_string(text, "Note: ");
        report_put_count(text, counts->timeless, "record was", "records were");
        text_put_string(text, " left out, which delins' profiler wrote: they do not say\n"
                              "      when they were\n");
    }
    if (runs_shown(report->profile) > 1) {
        text_put_string(text, "Note: ");
        text_put_grouped(text, runs_shown(report->profile));
        text_put_string(text, " runs are added up here (--run N picks one)\n");
    }
    recording_put_losses(text, report);
    checks_put(text, report);
}

void summary_write_notes(const struct report *report, struct output *out, enum report_unit unit)
{
    struct text text = {0};
    summary_put_notes(&text, report, unit);
    write_styled(report, out, "\x1b[2m", &text);
    text_release(&text);
}
