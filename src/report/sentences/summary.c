#include "report/sentences/summary.h"

#include "report/figures/flags.h"
#include "report/figures/watched.h"
#include "report/sentences/amounts.h"
#include "report/sentences/game_comparison.h"
#include "report/sentences/game_log_text.h"
#include "report/sentences/headline.h"
#include "report/sentences/notes.h"
#include "report/sentences/other_game.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/subject.h"
#include "report/sentences/watched_comparison.h"
#include "report/sentences/watched_text.h"
#include "report/sentences/wrap.h"

/* Which ticks are shown. */
static void put_choice(struct text *text, const struct tick_choice *choice,
                       const struct tick_kind *kind)
{
    text_printf(text,
                "Chosen: %s of %s, by their time",
                amount_count(choice->chosen_count).at,
                amount_things(choice->count, kind->one, kind->many).at);
    if (choice->outside_ns > 0)
        text_printf(text,
                    "; %s outside of %s are left out, too",
                    amount_said(choice->outside_ns).at,
                    kind->many);
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
        text_printf(
            text, ", --hide-file with %s", amount_things(of_files, "pattern", "patterns").at);
    put_origins(text, filters);
    selection_put_folds(text, report->selection);
}

void summary_put_selection(struct text *text, const struct report *report)
{
    enum { INDENT = 9 };
    struct text choice = {0}, shown = {0};
    if (report->choice != NULL) {
        put_choice(&choice, report->choice, &tick_kinds[report->profile->rebuild.state]);
        wrap_put_line(text, report->width, INDENT, &choice);
    }
    if (selection_changes_stacks(report->selection)) {
        summary_put_shown(&shown, report);
        wrap_put_line(text, report->width, INDENT, &shown);
    }
}

/* Appends that no row has what the rows are to be sorted by. */
static void put_unsorted(struct text *text, const struct report *report)
{
    const struct column_info *sorted = &column_infos[report->show.sort];
    SCOPED(text) line = {0};
    if (sorted->none == NULL)
        return;
    SCOPED(row_sums) sums = report_rows(report, report->show.by, false);
    const struct row *first = sums.row_count > 0 ? sums.rows : &row_none;
    const struct row *last = first + (sums.row_count > 0 ? sums.row_count - 1 : 0);
    const struct row *old = row_sums_old(&sums, first);
    double most = column_sort_key(report->show.sort, first);
    if (old != NULL && most == column_sort_key(report->show.sort, old))
        text_printf(&line,
                    "--sort=%s: no row differs, so they are in the order of --sort=self",
                    sorted->word);
    else if (old == NULL && most == 0 && column_sort_key(report->show.sort, last) == 0)
        text_printf(&line,
                    "--sort=%s: all rows have 0, so they are in the order of --sort=self: %s",
                    sorted->word,
                    sorted->none);
    if (line.length > 0)
        wrap_put_line(text, report->width, 2, &line);
}

/* Appends what comes before the subject, which says nothing of this profile. */
static void put_before(struct text *text, const struct report *report)
{
    warnings_put_first(text, report);
    game_ends_put(text, report);
    other_game_put(text, report);
}

/* Appends what a watch says, of a list at most `limit` ticks: it is about the whole game. */
static void put_watch(struct text *text, const struct report *report, bool is_list, size_t limit)
{
    if (report->shows_watch && is_list)
        watched_put_list(text, report, limit);
    else if (report->shows_watch)
        watched_put_sentence(text, report);
    else if (report->compares_watches)
        watched_comparison_put(text, report);
    /* Few recordings count units. */
    if (report->shows_watch || report->profile->recordings.watches.unit_count > 0)
        watched_put_growth(text, report);
}

static void put_verdict(struct text *text, const struct report *report,
                        const struct findings *findings, bool is_list, size_t limit)
{
    SCOPED(verdict) verdict;
    verdict_make(&verdict, report, findings);
    put_before(text, report);
    headline_put_part(text, report, STYLE_BOLD, &verdict.subject);
    summary_put_selection(text, report);
    warnings_put(text, report);
    put_watch(text, report, is_list, limit);
    headline_put_part(text, report, NULL, &verdict.answer);
}

void summary_put_answers(struct text *text, const struct report *report,
                         const struct findings *findings)
{
    put_verdict(text, report, findings, false, 0);
    if (report->old != NULL) {
        headline_put_same_work(text, report);
        headline_put_judged(text, report);
    }
    put_unsorted(text, report);
}

void summary_put_ticks(struct text *text, const struct report *report, size_t limit)
{
    SCOPED(findings) findings = {0};
    if (report->is_empty) {
        summary_put_empty(text, report);
        put_watch(text, report, true, limit);
        return;
    }
    findings_find(&findings, report);
    put_verdict(text, report, &findings, true, limit);
}

/* Appends the sentences of a part, a line each. */
static void put_lines(struct text *lines, const struct verdict_part *part)
{
    text_put_span(lines, text_span(&part->text));
    if (part->text.length > 0)
        text_put_string(lines, "\n");
}

void summary_put_verdict(struct text *lines, const struct verdict *verdict)
{
    put_lines(lines, &verdict->subject);
    put_lines(lines, &verdict->watch);
    put_lines(lines, &verdict->answer);
}

void summary_put_warned(struct text *lines, const struct report *report)
{
    put_before(lines, report);
    if (report->is_unrecorded)
        game_comparison_put(lines, report);
    else
        warnings_put(lines, report);
}

void summary_put_after(struct text *lines, const struct report *report)
{
    put_watch(lines, report, false, 0);
    if (!report->is_empty && report->repeated == NULL && report->old != NULL)
        headline_put_same_work(lines, report);
}

void summary_put_sentences(struct text *text, const struct report *report,
                           const struct verdict *verdict)
{
    put_before(text, report);
    if (report->is_unrecorded)
        game_comparison_put(text, report);
    if (report->is_empty)
        put_watch(text, report, false, 0);
    if (report->is_empty || report->repeated != NULL)
        return;
    put_lines(text, &verdict->subject);
    warnings_put(text, report);
    put_watch(text, report, false, 0);
    put_lines(text, &verdict->answer);
    if (report->old != NULL)
        headline_put_same_work(text, report);
}

void summary_put_start(struct text *text, const struct report *report)
{
    SCOPED(verdict) verdict = {0};
    put_before(text, report);
    subject_put(&verdict.subject.text, &verdict.subject.option, report);
    headline_put_part(text, report, STYLE_BOLD, &verdict.subject);
    summary_put_selection(text, report);
}

/* Why there is no recording, at last: what happened in the game matters more. */
static void put_not_recorded(struct text *text, const struct report *report)
{
    const struct profile *profile = report->profile;
    struct text line = {0};
    bool is_old = !profile_is_unrecorded(profile);
    bool is_one = is_old || (report->old != NULL && !profile_is_unrecorded(report->old->profile));
    text_put_string(&line,
                    !is_one  ? "Not recorded: "
                    : is_old ? "The old log is not recorded: "
                             : "The new log is not recorded: ");
    game_log_put_unrecorded(&line, is_old ? report->old->profile : profile);
    if (!report->has_no_options) /* a page says it in full */
        text_put_string(&line,
                        " (how to record: README.html beside supprof.exe, or "
                        "supprof-recorder(7))");
    wrap_put_line(text, report->width, 2, &line);
}

void summary_put_empty(struct text *text, const struct report *report)
{
    const struct profile *profile = report->profile;
    struct text line = {0};
    bool is_unrecorded = report->is_unrecorded;
    game_ends_put(text, report);
    other_game_put(text, report);
    text_put_clean(&line, span_of(report->title), false);
    bool is_watched = report->is_watched;
    if (report->old != NULL && (is_unrecorded || is_watched)) {
        text_put_string(&line, " against ");
        text_put_clean(&line, span_of(report->old->title), false);
    }
    bool is_part = is_watched && settings_have_window(&profile->rebuild);
    text_put_string(&line,
                    is_part         ? ": of this part only a watch, which has no calls"
                    : is_watched    ? ": only a watch, which has no calls (Ctrl-Shift-O in "
                                      "the game records them)"
                    : is_unrecorded ? ""
                                    : ": only benchmarks");
    wrap_put_line(text, report->width, 2, &line);
    if (is_unrecorded)
        notes_put_same_logs(&line, &profile->game_logs);
    wrap_put_lines(text, report->width, 2, &line);
    if (!is_unrecorded)
        warnings_put(text, report);
    benchmarks_put(text, report, 0);
    if (!is_unrecorded)
        return;
    game_comparison_put(&line, report);
    wrap_put_lines(text, report->width, 2, &line);
    game_log_put(text, report);
    put_not_recorded(text, report);
}

void summary_put_head(struct text *text, const struct report *report,
                      const struct findings *findings)
{
    enum { BENCHMARKS_SHOWN = 12 };
    if (report->is_empty) {
        SCOPED(text) cost = {0};
        summary_put_empty(text, report);
        put_watch(text, report, false, 0);
        if (report->show.is_verbose)
            recorder_cost_put_details(&cost, report, false);
        wrap_put_lines(text, report->width, 2, &cost);
        if (report->show.is_verbose && report->is_watched)
            game_log_put(text, report);
        return;
    }
    summary_put_answers(text, report, findings);
    if (report->show.is_verbose) {
        details_put(text, report);
        game_log_put(text, report);
    }
    if (report->has_benchmarks)
        benchmarks_put(text, report, BENCHMARKS_SHOWN);
    text_put_string(text, "\n");
}

/* Appends the recorder's cost to a line, which need not have room for what is as usual. */
static void put_cost(struct text *line, const struct report *report, bool has_items)
{
    enum { GAP = 2 };
    SCOPED(text) cost = {0};
    text_put_string(&cost, has_items ? "; recorder's cost " : "recorder's cost ");
    bool is_usual = recorder_cost_put_removed(&cost, report->profile);
    size_t width =
        text_width(text_span(line)) + text_width(text_span(&cost)) + GAP + strlen("add --verbose");
    if (report->width == 0 || !is_usual || !has_items || width <= report->width)
        text_put_span(line, text_span(&cost));
}

void summary_put_also(struct text *text, const struct report *report,
                      const struct findings *findings)
{
    struct text line = {0}, items = {0};
    bool is_watch = report->is_empty && report->is_watched;
    if (report->show.is_verbose || (report->is_empty && !is_watch))
        return;
    game_log_put_items(&items, report);
    if (is_watch && items.length == 0)
        return;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->all[i].kind == FINDING_NO_NAMES)
            text_printf(&items,
                        "%s%.0f%% without names (--lua-root)",
                        items.length > 0 ? "; " : "",
                        finding_number(&findings->all[i], "percent"));
    text_printf(&line, "Also: %s", text_string(&items));
    if (!is_watch)
        put_cost(&line, report, items.length > 0);
    wrap_put(text,
             &(struct wrap){.width = report->width,
                            .indent = 2,
                            .is_colored = report->is_colored,
                            .is_marked = report->marks_hints,
                            .option = span_of("--verbose")},
             text_span(&line));
    MEM_FREE(line.at, items.at);
}

void summary_put_marks(struct text *text, const struct report *report, unsigned flags,
                       const char *dash, size_t in_any_order)
{
    SCOPED(text) line = {0};
    for (int flag = FLAG_NONE + 1; flag < FLAG_COUNT; flag++)
        if ((flags >> flag & 1) != 0)
            text_printf(&line,
                        "%s%s %s",
                        line.length > 0 ? "; " : "",
                        flag_infos[flag].sign,
                        flag_text((enum flag)flag, report));
    if (dash != NULL)
        text_printf(&line, "%s- %s", line.length > 0 ? "; " : "", dash);
    if (in_any_order > 1)
        text_printf(&line,
                    "%srows 1 %s %zu may be in any order",
                    line.length > 0 ? "; " : "",
                    in_any_order > 2 ? "to" : "and",
                    in_any_order);
    if (line.length > 0)
        wrap_put(text,
                 &(struct wrap){.width = report->width,
                                .indent = 2,
                                .style = STYLE_DIM,
                                .is_colored = report->is_colored},
                 text_span(&line));
}
