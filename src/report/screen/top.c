/*
 * The table for people: the most expensive rows on one screen, most expensive first.
 *
 *     loud.log: 61.842 s of Lua in 600 ticks (1:00.0 to 1:59.9), 3,918,220 calls of 1,204 functions
 *     Slow ticks: ...                                                            see headline.h
 *
 *         self s  self%    total s  total%       calls  self/call us  function
 *         8.4213  13.62     9.1024   14.72   1,204,551           7.0  next  [C]
 *
 * Each column has one unit. The name comes last and is never cut on a pipe. On a
 * terminal there are as many rows as fit; if it is narrow, columns are left out, those first that
 * can be derived from others.
 *
 * A comparison shows the old value, the new one, the difference and its percentage
 * side by side; rows with the largest difference come first.
 */
#include "base/number.h"
#include "report/figures/flags.h"
#include "report/figures/labels.h"
#include "report/screen/cell_text.h"
#include "report/screen/grid.h"
#include "report/screen/screen_formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/styles.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"

/* Columns ---------------------------------------------------------------------------------- */

/* When a column is left out, see grid.h: those that were asked for from the last one on. */
static unsigned order_of(const struct cell_texts *cells, size_t i)
{
    static const unsigned orders[COLUMN_KIND_COUNT] = {
        [COLUMN_TOTAL_PERCENT] = 1, [COLUMN_AVERAGE] = 2, [COLUMN_SELF_PERCENT] = 3,
        [COLUMN_CALLS] = 4,         [COLUMN_TOTAL] = 5,   [COLUMN_LIFE] = 1,
        [COLUMN_ONCE] = 2,          [COLUMN_ENDED] = 3,   [COLUMN_DIED] = 4,
        [COLUMN_WAKE_99] = 5};
    const struct report *report = cells->report;
    struct column column = cells->columns.list[i];
    if (report->show.columns.count > 0)
        return i == 0 ? 0 : (unsigned)(cells->columns.count - i);
    if (column.kind == report->show.sort)
        return column.aspect == ASPECT_OLD ? 3 : 0;
    if (report->old != NULL)
        return column.aspect == ASPECT_OLD ? 1 : 2;
    return orders[column.kind];
}

static void choose_columns(struct cell_texts *cells)
{
    const struct report *report = cells->report;
    size_t usual_count = cells->columns.count;
    if (report->show.columns.count > 0) {
        cells->columns = report->show.columns;
    } else if (report->old == NULL) {
        columns_add(&cells->columns, report->show.sort, ASPECT_NEW);
        if (cells->columns.count == usual_count && !report->show.has_threads)
            columns_add(&cells->columns, COLUMN_AVERAGE, ASPECT_NEW);
    }
}

static void add_columns(const struct cell_texts *cells, struct grid *grid)
{
    for (size_t i = 0; i < cells->columns.count; i++) {
        cell_put_title(&grid->cells, cells, cells->columns.list[i]);
        grid_add_column(grid, "", order_of(cells, i));
    }
    if (!flags_are_possible(cells->report))
        return;
    struct grid_column *flags = grid_add_column(grid, "", 0);
    flags->width = flags->gap = 1;
}

/* Rows ------------------------------------------------------------------------------------- */

/* Expensive rows are red and magenta, which can be read on black and on white; in a comparison,
 * increases are red, decreases green. */
static const char *style_of(const struct cell_texts *cells, struct column column,
                            const struct row *row)
{
    const struct row *old = table_old(&cells->table, row);
    int64_t all_ns = report_total_ns(cells->report);
    if (column.aspect == ASPECT_DIFFERENCE) {
        struct column_value value = column_value(column, row, old);
        bool is_alike = row_is_alike(row, old) || !value.is_known;
        return is_alike || value.number == 0 ? "" : value.number > 0 ? STYLE_RED : STYLE_GREEN;
    }
    if (column.kind != COLUMN_SELF_PERCENT || column.aspect != ASPECT_NEW || all_ns <= 0)
        return "";
    return row->self_ns >= all_ns / 10   ? STYLE_RED
           : row->self_ns >= all_ns / 50 ? STYLE_MAGENTA
                                         : "";
}

static void put_row(struct grid *grid, const void *of, size_t i)
{
    const struct cell_texts *cells = of;
    const struct row *row = &cells->table.rows[i];
    for (size_t k = 0; k < cells->columns.count; k++) {
        cell_put_value(&grid->cells, cells, cells->columns.list[k], row);
        grid_end_colored_cell(grid, style_of(cells, cells->columns.list[k], row));
    }
    if (flags_are_possible(cells->report))
        grid_put_cell(grid, flag_infos[flag_of_row(cells->report, &cells->table, row)].sign);
    row_label_put(&grid->name, &grid->place, &cells->table, row, cells->report->show.call_sites);
}

/* Appends how many rows are not shown, and their time. */
static void put_hidden(struct text *text, const struct cell_texts *cells, size_t shown_count)
{
    const struct report *report = cells->report;
    enum report_unit unit = cells->unit;
    int64_t hidden_ns = 0;
    double old_ns = 0; /* scaled */
    for (size_t i = shown_count; i < cells->table.row_count; i++) {
        const struct row *row = &cells->table.rows[i];
        hidden_ns += row->self_ns;
        if (report->old != NULL)
            old_ns += (double)table_old(&cells->table, row)->self_ns;
    }
    text_put_string(text, report->is_colored ? STYLE_DIM : "");
    text_printf(text, "... and %s with ",
                amount_things(cells->table.row_count - shown_count, "more row", "more rows").at);
    if (report->old != NULL) {
        int64_t change_ns = number_rounded((double)hidden_ns - old_ns);
        text_printf(text, "%s%s in all (--top 0 shows all)\n", change_ns > 0 ? "+" : "",
                    amount_with_unit(change_ns, unit, amount_decimals(unit)).at);
    } else {
        text_printf(text, "%s%% of the self time (--top 0 shows all)\n",
                    amount_percent(hidden_ns, report_total_ns(report)).at);
    }
    text_put_string(text, report->is_colored ? STYLE_PLAIN : "");
}

/* Notes ------------------------------------------------------------------------------------ */

/* Whether a row stands for something else than a function: "(tail call)" is never called. */
static bool is_no_function(const struct cell_texts *cells, const struct row *row)
{
    struct text name = {0}, place = {0};
    row_label_put(&name, &place, &cells->table, row, cells->report->show.call_sites);
    bool is_none = place.length == 0 && name.length > 0 && name.at[0] == '(';
    text_release(&name);
    text_release(&place);
    return is_none;
}

/* Whether a function is shown with "-" for its calls. */
static bool shows_dash(const struct cell_texts *cells, const struct grid *grid, size_t shown_count)
{
    bool has_calls = false, has_row = false;
    if (selection_changes_stacks(cells->report->selection))
        return false;
    for (size_t i = 0; i < cells->columns.count; i++)
        has_calls |= !grid->columns[i].is_hidden && cells->columns.list[i].kind == COLUMN_CALLS;
    for (size_t i = 0; i < shown_count; i++) {
        const struct row *row = &cells->table.rows[i];
        const struct row *old = table_old(&cells->table, row);
        bool is_dash = row_began_before(row) || (old != NULL && row_began_before(old));
        has_row |= is_dash && !is_no_function(cells, row);
    }
    return has_calls && has_row;
}

/* Appends which of the columns that were asked for have no room. */
static void put_missing_columns(struct text *lines, const struct cell_texts *cells,
                                const struct grid *grid)
{
    bool has_some = false;
    for (size_t i = 0; i < cells->report->show.columns.count; i++) {
        if (!grid->columns[i].is_hidden)
            continue;
        text_put_string(lines, has_some ? ", " : "Note: the terminal is too narrow for ");
        cell_put_title(lines, cells, cells->columns.list[i]);
        has_some = true;
    }
    text_put_string(lines, has_some ? "\n" : "");
}

/* Appends the notes about the table itself. On a terminal they take the place of rows. */
static void put_table_notes(struct text *foot, const struct cell_texts *cells,
                            const struct grid *grid, size_t *shown_count)
{
    struct text lines = {0};
    size_t before = wrap_count_lines(text_span(foot));
    put_missing_columns(&lines, cells, grid);
    if (shows_dash(cells, grid, *shown_count))
        text_printf(&lines, "Note: '-' under calls: %s\n", notes_no_calls_reason(cells->report));
    notes_put_lines(foot, cells->report->width, &lines);
    size_t count = wrap_count_lines(text_span(foot)) - before;
    if (cells->report->height != 0 && *shown_count > count)
        *shown_count -= count;
}

/* The report ------------------------------------------------------------------------------- */

/* The number of rows that fit the terminal together with the other lines. */
static size_t rows_that_fit(const struct report *report, const struct text *head,
                            const struct text *foot)
{
    /* The titles, the rows that are not shown, and the line of the next command. */
    enum { MIN = 5, OTHER_LINES = 3 };
    size_t others =
        wrap_count_lines(text_span(head)) + wrap_count_lines(text_span(foot)) + OTHER_LINES;
    return report->height > others + MIN ? report->height - others : MIN;
}

/* Writes the table, and appends notes about it to `foot`; returns the number of rows. */
static size_t write_table(struct cell_texts *cells, struct text *head, struct text *foot,
                          struct output *out)
{
    const struct report *report = cells->report;
    size_t width = report->width, quarter = width / 4 > 16 ? width / 4 : 16;
    size_t limit = report->height != 0           ? rows_that_fit(report, head, foot)
                   : report->show.row_limit == 0 ? SIZE_MAX
                                                 : report->show.row_limit;
    struct grid grid = {.width = width,
                        .is_colored = report->is_colored,
                        .label_title = table_by_infos[cells->table.by].title,
                        .by = cells->table.by,
                        .label_wanted = 32,
                        .name_width_max = width == 0 ? 32 : quarter};
    struct grid_rows rows = {.of = cells,
                             .count =
                                 cells->table.row_count < limit ? cells->table.row_count : limit,
                             .put = put_row};
    add_columns(cells, &grid);
    grid_measure_rows(&grid, &rows);
    put_table_notes(foot, cells, &grid, &rows.count);
    grid_put_rows(&grid, &rows, head, out);
    if (cells->table.row_count > rows.count)
        put_hidden(head, cells, rows.count);
    return rows.count;
}

static struct report_result write_top(const struct report *report, struct output *out)
{
    struct cell_texts cells;
    struct text head = {0}, foot = {0};
    struct report_result result = {.one = "row", .many = "rows"};
    if (report->repeated != NULL && !report_is_empty(report)) {
        repeated_table_write(report, out);
        return (struct report_result){0};
    }
    cell_texts_init(&cells, report, report_total_ns(report));
    choose_columns(&cells);
    summary_put_head(&head, report);
    summary_put_foot(&foot, report, cells.unit, flags_show_noise(report));
    if (!report_is_empty(report))
        result.count = write_table(&cells, &head, &foot, out);
    output_end_text(out, &head);
    output_end_text(out, &foot);
    table_release(&cells.table);
    return result;
}

const struct report_format report_top = {
    .name = "top",
    .summary = "table of the most expensive functions",
    /* The findings above the table use lines. */
    .uses = USES_LENGTH | USES_ROWS | USES_COLUMNS | USES_UNIT | USES_CALL_SITES | USES_PROFILE |
            USES_LINES | SHOWS_COMPARISON | SHOWS_REPEATED | SHOWS_BENCHMARKS | SHOWS_FINDINGS,
    .suffixes = {".top", NULL},
    .write = write_top,
};
