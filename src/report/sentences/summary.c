#include "report/sentences/summary.h"

#include "report/figures/watched.h"
#include "report/sentences/amounts.h"
#include "report/sentences/game_comparison.h"
#include "report/sentences/game_log_text.h"
#include "report/sentences/headline.h"
#include "report/sentences/notes.h"
#include "report/sentences/other_game.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/watched_text.h"
#include "report/sentences/wrap.h"

/* Which ticks are shown. */
static void put_choice(struct text *text, const struct tick_choice *choice,
                       const struct tick_kind *kind)
{
    text_printf(text, "Chosen: %s of %s, by their time", amount_count(choice->chosen_count).at,
                amount_things(choice->count, kind->one, kind->many).at);
    if (choice->outside_ns > 0)
        text_printf(text, "; %s outside of %s are left out, too",
                    amount_said(choice->outside_ns).at, kind->many);
}

/* Appends the files that asked for patterns of --hide-file. */
static void put_origins(struct text *text, const struct filters *filters)
{
    const char *last = NULL;
    for (size_t i = 0; i < filters->count; i++) {
        const struct filter *filter = &filters->all[i];
        if (filter->file == NULL || filter->origin == NULL || filter->origin == last)
            continue;
        text_put_string(text, last == NULL ? " (from " : ", ");
        text_put_clean(text, span_of(filter->origin), false);
        last = filter->origin;
    }
    if (last != NULL)
        text_put_string(text, ")");
}

void summary_put_shown(struct text *text, const struct report *report)
{
    const struct filters *filters = &report->selection->filters;
    size_t of_files = 0;
    text_printf(text, "Shown: %s", amount_of_shown(report).at);
    for (size_t i = 0; i < filters->count; i++) {
        const struct filter *filter = &filters->all[i];
        of_files += filter->file != NULL;
        if (filter->file != NULL)
            continue;
        text_put_string(text, ", ");
        filter_put_name(text, filter);
        text_printf(text, " (%s", amount_things(filter->match_count, "function", "functions").at);
        if (filter->origin != NULL) {
            text_put_string(text, ", from ");
            text_put_clean(text, span_of(filter->origin), false);
        }
        text_put_string(text, ")");
    }
    if (of_files > 0)
        text_printf(text, ", --hide-file with %s",
                    amount_things(of_files, "pattern", "patterns").at);
    put_origins(text, filters);
    selection_put_folds(text, report->selection);
}

void summary_put_selection(struct text *text, const struct report *report, size_t width)
{
    enum { INDENT = 9 };
    struct text choice = {0}, shown = {0};
    if (report->choice != NULL) {
        put_choice(&choice, report->choice, &tick_kinds[report->profile->rebuild.state]);
        wrap_put_line(text, width, INDENT, &choice);
    }
    if (selection_changes_stacks(report->selection)) {
        summary_put_shown(&shown, report);
        wrap_put_line(text, width, INDENT, &shown);
    }
}

static void put_sentences(struct text *text, const struct report *report,
                          const struct findings *findings)
{
    warnings_put(text, report);
    if (!report_lacks_events(report))
        headline_put_ticks(text, report);
    watched_put_sentence(text, report);
    watched_put_units(text, report);
    headline_put_same_work(text, report);
    headline_put_most(text, report, findings);
}

/* Appends that no row has what the rows are to be sorted by. */
static void put_unsorted(struct text *text, const struct report *report)
{
    const struct column_info *sorted = &column_infos[report->show.sort];
    SCOPED(text) line = {0};
    if (sorted->none == NULL)
        return;
    SCOPED(row_sums) sums = report_rows(report, report->show.by);
    const struct row *first = sums.row_count > 0 ? sums.rows : &row_none;
    const struct row *last = first + (sums.row_count > 0 ? sums.row_count - 1 : 0);
    const struct row *old = row_sums_old(&sums, first);
    double most = column_sort_key(report->show.sort, first);
    if (old != NULL && most == column_sort_key(report->show.sort, old))
        text_printf(&line, "--sort=%s: no row differs, so they are in the order of --sort=self",
                    sorted->word);
    else if (old == NULL && most == 0 && column_sort_key(report->show.sort, last) == 0)
        text_printf(&line,
                    "--sort=%s: all rows have 0, so they are in the order of --sort=self: %s",
                    sorted->word, sorted->none);
    if (line.length > 0)
        wrap_put_line(text, report->width, 2, &line);
}

void summary_put_answers(struct text *text, const struct report *report)
{
    SCOPED(findings) findings;
    findings_find(&findings, report);
    summary_put_start(text, report);
    put_sentences(text, report, &findings);
    headline_put_findings(text, report, &findings);
    headline_put_judged(text, report);
    put_unsorted(text, report);
}

void summary_put_sentences(struct text *text, const struct report *report,
                           const struct findings *findings)
{
    struct report plain = *report;
    plain.is_colored = false;
    plain.width = 0;
    plain.has_no_options = true;
    warnings_put_first(text, &plain);
    game_ends_put(text, &plain);
    other_game_put(text, &plain);
    if (report_is_unrecorded(report))
        game_comparison_put(text, report);
    if (report_is_empty(report)) {
        watched_put_sentence(text, &plain);
        watched_put_units(text, &plain);
    }
    /* Of repeated logs, the report has only the first. */
    if (report_is_empty(report) || report->repeated != NULL)
        return;
    headline_put_profile(text, &plain);
    put_sentences(text, &plain, findings);
}

void summary_put_start(struct text *text, const struct report *report)
{
    warnings_put_first(text, report);
    game_ends_put(text, report);
    other_game_put(text, report);
    headline_put_profile(text, report);
    summary_put_selection(text, report, report->width);
}

void summary_put_empty(struct text *text, const struct report *report)
{
    const struct profile *profile = report->profile;
    struct text line = {0};
    bool is_unrecorded = report_is_unrecorded(report);
    game_ends_put(text, report);
    other_game_put(text, report);
    text_put_clean(&line, span_of(report->title), false);
    if (report->old != NULL && is_unrecorded) {
        text_put_string(&line, " against ");
        text_put_clean(&line, span_of(report->old->title), false);
    }
    bool is_old = is_unrecorded && !profile_is_unrecorded(profile);
    bool is_one = is_old || (is_unrecorded && report->old != NULL &&
                             !profile_is_unrecorded(report->old->profile));
    bool is_watched = report_shows_watch(report);
    bool is_part = is_watched && settings_have_window(&profile->rebuild);
    text_put_string(&line, is_part          ? ": of this part only a watch, which has no calls"
                           : is_watched     ? ": only a watch, which has no calls (Ctrl-Shift-O in "
                                              "the game records them)"
                           : !is_unrecorded ? ": only benchmarks"
                           : !is_one        ? ": not recorded: "
                           : is_old         ? ": the old log is not recorded: "
                                            : ": the new log is not recorded: ");
    if (is_unrecorded) {
        game_log_put_unrecorded(&line, is_old ? report->old->profile : profile);
        text_put_string(&line, " (how to record: supprof-recorder(7), or README)");
    }
    wrap_put_line(text, report->width, 2, &line);
    if (!is_unrecorded)
        warnings_put(text, report);
    benchmarks_put(text, report, 0);
    if (!is_unrecorded)
        return;
    game_comparison_put(&line, report);
    wrap_put_lines(text, report->width, 2, &line);
    game_log_put(text, report);
}

void summary_put_head(struct text *text, const struct report *report)
{
    enum { BENCHMARKS_SHOWN = 12 };
    if (report_is_empty(report)) {
        summary_put_empty(text, report);
        watched_put_sentence(text, report);
        watched_put_units(text, report);
        return;
    }
    summary_put_answers(text, report);
    if (report->show.is_verbose) {
        details_put(text, report);
        game_log_put(text, report);
    } else {
        game_log_put_short(text, report);
    }
    benchmarks_put(text, report, BENCHMARKS_SHOWN);
    text_put_string(text, "\n");
}

void summary_put_foot(struct text *text, const struct report *report, enum report_unit unit,
                      unsigned flags)
{
    if (!report->show.is_verbose && !report_is_empty(report))
        recorder_cost_put(text, report, flags);
    notes_put_chance(text, report, true);
    notes_put(text, report, unit, report->width);
}
