/*
 * Tables of several logs of the same game, for people.
 *
 *     a1.log and 7 more: 8 logs; medians; half of the logs lie within ±
 *     Old:     b1.log and 7 more: 8 logs
 *                       old      ±      new      ±   change      from        to  change%
 *     total time s    65.01   0.50    61.80   0.40    -3.21     -3.90     -2.40    -4.9%
 *     ...
 *     old self s  ±  new self s  ±  change  from  to  change%  function
 */
#include "report/figures/formats.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/headline.h"
#include "report/sentences/notes.h"
#include "report/sentences/other_game.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/summary.h"
#include "report/sentences/watched_text.h"
#include "report/sentences/wrap.h"
#include "report/tables/watched_repeated.h"

#include <math.h>

static void put_logs(struct text *text, const char *title, size_t count)
{
    text_put_clean(text, span_of(title), false);
    text_printf(text, ": %s", amount_things(count, "log", "logs").at);
}

void repeated_put_counts(struct text *text, const struct repeated_tables *shown)
{
    const struct repeated_rows *rows = &shown->sums;
    bool is_by_function = shown->report->show.by == BY_FUNCTION;
    size_t called = rows->called_count, differing = called - rows->same_count;
    struct amount were = is_by_function ? amount_things(called, "function was", "functions were")
                                        : amount_things(called, "row was", "rows were");
    bool is_scaled = shown->rows.is_compared && shown->report->old->scaled != NULL;
    if (called == 0 || is_scaled || rows->new_count + rows->old_count < 2)
        return;
    bool can_tell = !shown->rows.is_compared || (rows->new_count > 1 && rows->old_count > 1);
    if (can_tell && rows->steady_count == called)
        text_put_string(text, "Same game: ");
    else
        text_put_string(text, can_tell ? "The games differ: " : "Counts: ");
    if (differing == 0)
        text_printf(text, "all %s called equally often in each log\n", were.at);
    else if (can_tell && rows->steady_count < called)
        text_printf(text,
                    "%s of %s not called equally often in %s\n",
                    amount_count(called - rows->steady_count).at,
                    were.at,
                    shown->rows.is_compared ? "the logs of one version" : "each log");
    else
        text_printf(text,
                    "%s of %s called more or less often in the new logs, %s\n",
                    amount_count(differing).at,
                    were.at,
                    can_tell ? "and the logs of each version agree" : "by the change or by chance");
}

/* Appends what watches have; beside calls, few of the functions. */
static void put_watched(struct text *text, const struct report *report, bool has_calls)
{
    enum { ROWS_BESIDE = 5, LINES_BELOW = 2 };
    SCOPED(watched_repeated) watched;
    watched_repeated_init(&watched, report, FOR_PEOPLE);
    size_t limit = report->show.row_limit == 0 ? SIZE_MAX : report->show.row_limit;
    if (watched.totals.count == 0)
        return;
    table_put_on_screen(&watched.totals.table, report, SIZE_MAX, text, NULL);
    size_t used = wrap_count_lines(text_span(text)) + LINES_BELOW;
    if (report->height != 0)
        limit =
            !has_calls && report->height > used + ROWS_BESIDE ? report->height - used : ROWS_BESIDE;
    table_put_on_screen(&watched.rows, report, limit, text, NULL);
    if (watched.rows.row_count > limit)
        rows_put_hidden(text,
                        report,
                        0,
                        amount_things(watched.rows.row_count - limit, "more row", "more rows").at,
                        "",
                        "--top 0");
}

void repeated_put_head(struct text *text, const struct repeated_tables *shown)
{
    const struct report *report = shown->report;
    struct text lines = {0};
    other_game_put(text, report);
    put_logs(&lines, report->title, shown->sums.new_count);
    text_put_string(&lines, "; medians; half of the logs lie within ±");
    if (report->repeats_watches)
        watched_put_minutes(&lines, report);
    text_put_string(&lines, "\n");
    if (shown->rows.is_compared) {
        text_put_string(&lines, "Old:     ");
        put_logs(&lines, report->old->title, shown->sums.old_count);
        if (report->old->scaled != NULL)
            text_printf(&lines, ", %s", report->old->scaled);
        text_put_string(&lines,
                        "; change: the median difference of all pairs of logs; ~ marks "
                        "changes that may be chance\n");
    }
    repeated_put_counts(&lines, shown);
    wrap_put_lines(text, report->width, 2, &lines);
    summary_put_selection(text, report);
    headline_put_judged(text, report);
}

/* Notes ------------------------------------------------------------------------------------ */

static void put_losses(struct text *lines, const struct repeated_values *repeated)
{
    uint64_t damaged = 0, missing = 0;
    for (size_t i = 0; i < repeated->count; i++) {
        damaged += repeated->logs[i].damaged;
        missing += repeated->logs[i].missing_lines;
    }
    notes_put_count(lines, damaged, "damaged record was skipped", "damaged records were skipped");
    notes_put_count(
        lines, missing, "line of a recording is missing", "lines of recordings are missing");
}

/* Appends how many logs of a side, "", "old " or "new ", have times that can be too large. */
static void put_untimed_side(struct text *sides, const struct repeated_values *repeated,
                             const char *side, double *most_times)
{
    size_t count = 0;
    for (size_t i = 0; i < repeated->count; i++) {
        double times = recorder_cost_most_times(repeated->logs[i].untimed_bias);
        count += times > 0;
        *most_times = fmax(*most_times, times);
    }
    if (count == 0)
        return;
    text_put_string(sides, sides->length > 0 ? " and of " : "the times of ");
    if (count < repeated->count)
        text_printf(sides, "%s of ", amount_count(count).at);
    text_printf(sides,
                "%s %slog%s",
                amount_count(repeated->count).at,
                side,
                repeated->count == 1 ? "" : "s");
}

static void put_untimed(struct text *lines, const struct report *report)
{
    SCOPED(text) sides = {0};
    double most_times = 0;
    bool is_compared = report->old != NULL;
    put_untimed_side(&sides, report->repeated, is_compared ? "new " : "", &most_times);
    if (is_compared)
        put_untimed_side(&sides, report->old->repeated, "old ", &most_times);
    if (sides.length > 0)
        recorder_cost_put_note(lines, text_string(&sides), most_times);
}

void repeated_put_notes(struct text *text, const struct repeated_tables *shown, size_t row_count)
{
    const struct report *report = shown->report;
    size_t new_count = shown->sums.new_count, old_count = shown->sums.old_count;
    struct text lines = {0};
    if (shown->rows.is_compared && (new_count < SAMPLES_ENOUGH || old_count < SAMPLES_ENOUGH))
        text_printf(&lines,
                    "Note: %zu old and %zu new logs are too few to tell a change from chance, "
                    "however large it is; record at least %d of each\n",
                    old_count,
                    new_count,
                    (int)SAMPLES_ENOUGH);
    if (repeated_tables_show_dash(shown, row_count))
        text_printf(&lines, "Note: - %s\n", notes_no_calls_reason(report));
    notes_put_same_logs(&lines, &report->profile->game_logs);
    if (shown->rows.is_compared)
        notes_put_same_logs(&lines, &report->old->profile->game_logs);
    notes_put_folded(&lines, report);
    uint64_t other_state = report->profile->counts.other_state;
    if (shown->rows.is_compared)
        other_state += report->old->profile->counts.other_state;
    notes_put_other_state(&lines, report->profile->rebuild.state, other_state);
    put_untimed(&lines, report);
    put_losses(&lines, report->repeated);
    if (shown->rows.is_compared)
        put_losses(&lines, report->old->repeated);
    wrap_put_lines(text, report->width, 2, &lines);
}

void repeated_table_write(const struct report *report, struct output *out)
{
    struct text text = {0}, notes = {0};
    size_t limit = report->show.row_limit == 0 ? SIZE_MAX : report->show.row_limit;
    SCOPED(repeated_tables) tables;
    bool has_calls = !report->is_empty;
    repeated_tables_init(&tables, report, FOR_PEOPLE);
    repeated_put_head(&text, &tables);
    put_watched(&text, report, has_calls);
    if (has_calls)
        table_put_on_screen(&tables.totals.table, report, SIZE_MAX, &text, NULL);
    benchmarks_put(&text, report, 0);
    repeated_put_notes(&notes, &tables, limit);
    if (report->height != 0)
        limit = table_rows_that_fit(report, &text, &notes);
    size_t count = tables.rows.row_count < limit ? tables.rows.row_count : limit;
    if (has_calls)
        table_put_on_screen(&tables.rows, report, count, &text, out);
    if (count < tables.rows.row_count)
        rows_put_hidden(&text,
                        report,
                        0,
                        amount_things(tables.rows.row_count - count, "more row", "more rows").at,
                        "",
                        "--top 0");
    output_end_text(out, &text);
    output_end_text(out, &notes);
}
