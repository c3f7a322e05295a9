/*
 * Tables of several logs of the same game, for people.
 *
 *     a1.log and 7 more: 8 logs of the same game; medians; half of the logs lie within ±
 *     Old:     b1.log and 7 more: 8 logs
 *                       old      ±      new      ±   change      from        to  change%
 *     total time s    65.01   0.50    61.80   0.40    -3.21     -3.90     -2.40    -4.9%
 *     ...
 *     old self s  ±  new self s  ±  change  from  to  change%  function
 */
#include "report/screen/screen_formats.h"

#include "report/figures/labels.h"
#include "report/figures/repeated_rows.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"

#include <math.h>

enum { COLUMNS_SHOWN = 3 };

/* What the tables are made of. */
struct repeated_shown {
    const struct report *report;
    struct repeated_rows rows;
    bool is_compared;
    enum report_unit unit;                   /* of times that add up */
    enum column_kind columns[COLUMNS_SHOWN]; /* [column_count] */
    size_t column_count;
};

static enum report_unit cell_unit(const struct report *report, enum column_kind kind,
                                  enum report_unit unit)
{
    enum column_type type = column_infos[kind].type;
    if (type == TYPE_CALL)
        return report->show.unit == UNIT_AUTO ? UNIT_US : report->show.unit;
    return type == TYPE_SUM ? unit : UNIT_AUTO;
}

static void cell_put_unit(struct text *text, const char *title, enum report_unit unit)
{
    text_printf(text, "%s%s%s", title, unit != UNIT_AUTO ? " " : "", amount_unit_name(unit));
}

/* Cells ------------------------------------------------------------------------------------ */

/* Appends a number; UNIT_AUTO: it is a count. */
static void put_number(struct text *text, enum report_unit unit, double number)
{
    if (unit != UNIT_AUTO)
        amount_put_time(text, (int64_t)llround(number), unit, amount_decimals(unit));
    else
        text_printf(text, number == floor(number) ? "%.0f" : "%.1f", number);
}

static void put_summary(struct grid *grid, enum report_unit unit,
                        const struct sample_summary *summary)
{
    put_number(&grid->cells, unit, summary->median);
    grid_end_cell(grid);
    put_number(&grid->cells, unit, summary->spread);
    grid_end_cell(grid);
}

static void put_change(struct grid *grid, enum report_unit unit, double change)
{
    size_t start = grid->cells.length;
    text_put_string(&grid->cells, change > 0 ? "+" : "");
    put_number(&grid->cells, unit, change);
    text_drop_sign_of_zero(&grid->cells, start);
    grid_end_cell(grid);
}

static void put_compared(struct grid *grid, enum report_unit unit,
                         const struct repeated_summary *value)
{
    const struct sample_shift *shift = &value->shift;
    double percent = 100 * shift->estimate / fabs(value->old.median);
    put_summary(grid, unit, &value->old);
    put_summary(grid, unit, &value->now);
    put_change(grid, unit, shift->estimate);
    put_change(grid, unit, shift->low);
    put_change(grid, unit, shift->high);
    if (value->old.median == 0)
        text_put_string(&grid->cells, value->now.median == 0 ? "-" : "new");
    else
        text_printf(&grid->cells, fabs(percent) < 0.05 ? "0.0%%" : "%+.1f%%", percent);
    grid_end_cell(grid);
}

static void add_compared_columns(struct grid *grid, const char *title)
{
    text_put_string(&grid->cells, "old ");
    grid_add_column(grid, title, 0);
    grid_add_column(grid, "±", 2);
    text_put_string(&grid->cells, "new ");
    grid_add_column(grid, title, 0);
    grid_add_column(grid, "±", 2);
    grid_add_column(grid, "change", 0);
    grid_add_column(grid, "from", 1);
    grid_add_column(grid, "to", 1);
    grid_add_column(grid, "change%", 0);
}

/* The whole -------------------------------------------------------------------------------- */

static void put_total(struct grid *grid, const void *of, size_t i)
{
    const struct repeated_shown *shown = of;
    const struct repeated_summary *value = &shown->rows.totals[i];
    double largest = fmax(value->now.median, value->old.median);
    enum report_unit unit =
        repeated_totals[i].is_time ? amount_unit_for((int64_t)largest) : UNIT_AUTO;
    bool is_ui = shown->report->profile->rebuild.state == LUA_STATE_UI;
    cell_put_unit(&grid->cells, repeated_totals[i].names[is_ui], unit);
    grid_end_cell(grid);
    if (shown->is_compared)
        put_compared(grid, unit, value);
    else
        put_summary(grid, unit, &value->now);
    if (shown->is_compared && !value->shift.is_told_apart)
        text_put_string(&grid->name, "~");
}

static void put_totals(struct text *text, const struct repeated_shown *shown)
{
    size_t count = shown->rows.has_ticks ? TOTAL_KIND_COUNT : TOTAL_TICKS;
    const struct grid_rows rows = {shown, count, put_total};
    struct grid grid = {.width = shown->report->width};
    grid_add_column(&grid, "", 0)->is_left = true;
    if (shown->is_compared) {
        add_compared_columns(&grid, "");
    } else {
        grid_add_column(&grid, "median", 0);
        grid_add_column(&grid, "±", 0);
    }
    grid_put_rows(&grid, &rows, text, NULL);
}

static void put_logs(struct text *text, const char *title, size_t count)
{
    text_put_clean(text, span_of(title), false);
    text_printf(text, ": %s", amount_things(count, "log", "logs").at);
}

/* Whether the games were the same, which the counts of calls tell. */
static void put_counts(struct text *text, const struct repeated_shown *shown)
{
    const struct repeated_rows *rows = &shown->rows;
    const char *of = shown->report->show.by == BY_FUNCTION ? "functions" : "rows";
    size_t called = rows->called_count, differing = called - rows->same_count;
    bool is_scaled = shown->is_compared && shown->report->old->scaled != NULL;
    if (called == 0 || is_scaled || rows->new_count + rows->old_count < 2)
        return;
    bool can_tell = !shown->is_compared || (rows->new_count > 1 && rows->old_count > 1);
    if (can_tell && rows->steady_count == called)
        text_put_string(text, "Same game: ");
    else
        text_put_string(text, can_tell ? "Different games: " : "Counts: ");
    if (differing == 0)
        text_printf(text, "all %s %s were called equally often in each log\n",
                    amount_count(called).at, of);
    else if (can_tell && rows->steady_count < called)
        text_printf(text, "%s of %s %s were not called equally often in %s\n",
                    amount_count(called - rows->steady_count).at, amount_count(called).at, of,
                    shown->is_compared ? "the logs of one version" : "each log");
    else
        text_printf(text, "%s of %s %s were called more or less often in the new logs, %s\n",
                    amount_count(differing).at, amount_count(called).at, of,
                    can_tell ? "and the logs of each version agree" : "by the change or by chance");
}

static void put_head(struct text *text, const struct repeated_shown *shown)
{
    const struct report *report = shown->report;
    struct text lines = {0};
    put_logs(&lines, report->title, shown->rows.new_count);
    text_put_string(&lines, " of the same game; medians; half of the logs lie within ±\n");
    if (shown->is_compared) {
        text_put_string(&lines, "Old:     ");
        put_logs(&lines, report->old->title, shown->rows.old_count);
        if (report->old->scaled != NULL)
            text_printf(&lines, ", %s", report->old->scaled);
        text_put_string(&lines, "; change: the median difference of all pairs of logs; ~ marks "
                                "changes that may be chance\n");
    }
    put_counts(&lines, shown);
    wrap_put_lines(text, report->width, 2, &lines);
    summary_put_selection(text, report, report->width);
    put_totals(text, shown);
    benchmarks_put(text, report, 0);
}

/* The rows --------------------------------------------------------------------------------- */

static void add_columns(const struct repeated_shown *shown, struct grid *grid)
{
    struct text title = {0};
    for (size_t i = 0; i < shown->column_count; i++) {
        text_cut(&title, 0);
        cell_put_unit(&title, column_infos[shown->columns[i]].title,
                      cell_unit(shown->report, shown->columns[i], shown->unit));
        if (shown->is_compared) {
            add_compared_columns(grid, text_string(&title));
            grid_add_column(grid, "", 0);
        } else {
            grid_add_column(grid, text_string(&title), 0);
            grid_add_column(grid, "±", i == 0 ? 2 : 1);
        }
    }
    text_release(&title);
}

static void put_row(struct grid *grid, const void *of, size_t i)
{
    const struct repeated_shown *shown = of;
    const struct row *row = shown->rows.rows[i];
    struct repeated_summary values[REPEATED_COLUMNS];
    repeated_rows_sum_up(&shown->rows, row, values);
    for (size_t k = 0; k < shown->column_count; k++) {
        enum report_unit unit = cell_unit(shown->report, shown->columns[k], shown->unit);
        const struct repeated_summary *value = &values[repeated_column_place(shown->columns[k])];
        if (shown->is_compared) {
            put_compared(grid, unit, value);
            grid_put_cell(grid, value->shift.is_told_apart ? "" : "~");
        } else {
            put_summary(grid, unit, &value->now);
        }
    }
    row_label_put(&grid->name, &grid->place, &shown->rows.table, row,
                  shown->report->show.call_sites);
}

static void choose_columns(struct repeated_shown *shown)
{
    enum column_kind sort = shown->report->show.sort;
    if (shown->is_compared) {
        shown->columns[shown->column_count++] = sort;
        return;
    }
    shown->columns[shown->column_count++] = COLUMN_SELF;
    shown->columns[shown->column_count++] = COLUMN_TOTAL;
    shown->columns[shown->column_count++] = sort == COLUMN_AVERAGE ? sort : COLUMN_CALLS;
}

/* Writes the table after `text`; returns the number of rows. */
static size_t write_rows(struct repeated_shown *shown, struct text *text, struct output *out)
{
    const struct report *report = shown->report;
    size_t limit = report->show.row_limit == 0 ? SIZE_MAX : report->show.row_limit;
    struct grid_rows rows = {shown, shown->rows.table.row_count, put_row};
    struct grid grid = {.width = report->width,
                        .label_title = table_by_infos[report->show.by].title,
                        .by = report->show.by};
    if (rows.count > limit)
        rows.count = limit;
    choose_columns(shown);
    add_columns(shown, &grid);
    grid_put_rows(&grid, &rows, text, out);
    return rows.count;
}

static void put_losses(struct text *lines, const struct repeated_values *repeated)
{
    uint64_t damaged = 0, missing = 0;
    for (size_t i = 0; i < repeated->count; i++) {
        damaged += repeated->logs[i].damaged;
        missing += repeated->logs[i].missing_lines;
    }
    notes_put_count(lines, damaged, "damaged record was skipped", "damaged records were skipped");
    notes_put_count(lines, missing, "line of a recording is missing",
                    "lines of recordings are missing");
}

static void put_notes(struct text *text, const struct repeated_shown *shown, size_t hidden_count)
{
    const struct report *report = shown->report;
    size_t new_count = shown->rows.new_count, old_count = shown->rows.old_count;
    struct text lines = {0};
    if (hidden_count > 0)
        text_printf(&lines, "... and %s (--top 0 shows all)\n",
                    amount_things(hidden_count, "more row", "more rows").at);
    if (shown->is_compared && (new_count < SAMPLES_ENOUGH || old_count < SAMPLES_ENOUGH))
        text_printf(&lines,
                    "Note: %zu old and %zu new logs are too few to tell a change from chance, "
                    "however large it is; record at least %d of each\n",
                    old_count, new_count, (int)SAMPLES_ENOUGH);
    notes_put_folded(&lines, report);
    put_losses(&lines, report->repeated);
    if (shown->is_compared)
        put_losses(&lines, report->old->repeated);
    wrap_put_lines(text, report->width, 2, &lines);
}

void repeated_table_write(const struct report *report, struct output *out)
{
    struct repeated_shown shown = {.report = report};
    struct text text = {0};
    repeated_rows_init(&shown.rows, report);
    shown.is_compared = shown.rows.old_count > 0;
    const struct repeated_summary *time = &shown.rows.totals[TOTAL_TIME];
    shown.unit = amount_unit_of(report, (int64_t)fmax(time->now.median, time->old.median));
    put_head(&text, &shown);
    size_t count = write_rows(&shown, &text, out);
    put_notes(&text, &shown, shown.rows.table.row_count - count);
    output_end_text(out, &text);
    repeated_rows_release(&shown.rows);
}
