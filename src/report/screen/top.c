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
#include "report/figures/formats.h"
#include "report/figures/labels.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"
#include "report/tables/function_table.h"
#include "report/tables/watched_table.h"

/* Appends how many rows are not shown, and their time. */
static void put_hidden(struct text *text, const struct function_table *functions,
                       size_t shown_count)
{
    const struct report *report = functions->report;
    enum report_unit unit = functions->table.unit;
    int64_t hidden_ns = 0;
    double old_ns = 0; /* scaled */
    for (size_t i = shown_count; i < functions->sums.row_count; i++) {
        const struct row *row = &functions->sums.rows[i];
        hidden_ns += row->sum.self_ns;
        if (report->old != NULL)
            old_ns += (double)row_sums_old(&functions->sums, row)->sum.self_ns;
    }
    int64_t change_ns = number_rounded((double)hidden_ns - old_ns);
    struct amount share =
        report->old == NULL
            ? amount_share(" with ", hidden_ns, tree_share_ns(report->tree), "% of the self time")
            : amount_make(" with %s%s in all", change_ns > 0 ? "+" : "",
                          amount_with_unit(change_ns, unit, amount_decimals(unit)).at);
    rows_put_hidden(
        text, report, 0,
        amount_things(functions->sums.row_count - shown_count, "more row", "more rows").at,
        share.at, "--top 0");
}

/* Notes ------------------------------------------------------------------------------------ */

/* Whether a row stands for something else than a function: "(tail call)" is never called. */
static bool is_no_function(const struct function_table *functions, const struct row *row)
{
    SCOPED(text) name = {0}, place = {0};
    row_label_put(&name, &place, &functions->sums, row, functions->report->show.call_sites);
    return place.length == 0 && name.length > 0 && name.at[0] == '(';
}

/* Whether a function is shown with "-" for its calls. */
static bool shows_dash(const struct function_table *functions, const struct grid *grid,
                       size_t shown_count)
{
    bool has_calls = false, has_row = false;
    if (selection_changes_stacks(functions->report->selection))
        return false;
    for (size_t i = 0; i < functions->table.column_count; i++)
        has_calls |=
            !grid->is_hidden[i] && functions->table.columns[i].info == &column_infos[COLUMN_CALLS];
    for (size_t i = 0; i < shown_count; i++) {
        const struct row *row = &functions->sums.rows[i];
        const struct row *old = row_sums_old(&functions->sums, row);
        bool is_dash = row_began_before(row) || (old != NULL && row_began_before(old));
        has_row |= is_dash && !is_no_function(functions, row);
    }
    return has_calls && has_row;
}

/* Appends which of the columns that were asked for have no room. */
static void put_missing_columns(struct text *lines, const struct function_table *functions,
                                const struct grid *grid)
{
    bool has_some = false;
    for (size_t i = 0; i < functions->report->show.columns.count; i++) {
        if (!grid->is_hidden[i])
            continue;
        text_put_string(lines, has_some ? ", " : "Note: the terminal is too narrow for ");
        cell_put_title(lines, &functions->table, &functions->table.columns[i]);
        has_some = true;
    }
    if (has_some)
        text_put_string(lines, "\n");
}

/* Appends the notes about the table itself. On a terminal they take the place of rows. */
static void put_table_notes(struct text *foot, const struct function_table *functions,
                            const struct grid *grid, size_t *shown_count)
{
    struct text lines = {0};
    size_t before = wrap_count_lines(text_span(foot));
    put_missing_columns(&lines, functions, grid);
    if (shows_dash(functions, grid, *shown_count))
        text_printf(&lines, "Note: '-' under calls: %s\n",
                    notes_no_calls_reason(functions->report));
    notes_put_lines(foot, functions->report->width, &lines);
    size_t count = wrap_count_lines(text_span(foot)) - before;
    if (functions->report->height != 0 && *shown_count > count)
        *shown_count -= count;
}

/* The report ------------------------------------------------------------------------------- */

static size_t find_limit(const struct report *report, const struct text *head,
                         const struct text *foot)
{
    return report->height != 0           ? table_rows_that_fit(report, head, foot)
           : report->show.row_limit == 0 ? SIZE_MAX
                                         : report->show.row_limit;
}

/* Appends what stands below the table, with what the signs mean that its rows have. */
static void put_foot(struct text *foot, const struct function_table *functions,
                     const struct text *head)
{
    const struct report *report = functions->report;
    unsigned flags = 0;
    summary_put_foot(foot, report, functions->table.unit, 0);
    size_t limit = find_limit(report, head, foot);
    for (size_t i = 0; i < functions->sums.row_count && i < limit; i++)
        flags |= 1u << flag_of_row(report, &functions->sums, &functions->sums.rows[i]);
    text_cut(foot, 0);
    summary_put_foot(foot, report, functions->table.unit, flags);
}

/* Writes the table, and appends notes about it to `foot`; returns the number of rows. */
static size_t write_table(const struct function_table *functions, struct text *head,
                          struct text *foot, struct output *out)
{
    const struct report *report = functions->report;
    size_t limit = find_limit(report, head, foot);
    struct grid grid;
    grid_init(&grid, &functions->table, report, limit);
    grid_measure(&grid);
    put_table_notes(foot, functions, &grid, &grid.row_count);
    grid_put(&grid, head, out);
    if (functions->table.row_count > grid.row_count)
        put_hidden(head, functions, grid.row_count);
    return grid.row_count;
}

/* With --threads: below the others, or in their place. */
static void put_watched(struct text *text, const struct report *report)
{
    enum { ROWS_BESIDE = 5, LINES_BESIDE = 4 };
    SCOPED(watched_table) watched;
    bool is_alone = report_is_empty(report);
    size_t used = wrap_count_lines(text_span(text)) + LINES_BESIDE;
    size_t limit = report->show.row_limit == 0 ? SIZE_MAX : report->show.row_limit;
    if (report->height != 0)
        limit =
            is_alone && report->height > used + ROWS_BESIDE ? report->height - used : ROWS_BESIDE;
    watched_table_init(&watched, report, FOR_PEOPLE);
    if (watched.table.row_count == 0)
        return;
    text_put_string(text, "\n");
    table_put_on_screen(&watched.table, report, limit, text, NULL);
}

static struct report_result write_top(const struct report *report, struct output *out)
{
    struct text head = {0}, foot = {0};
    struct report_result result = {.one = "row", .many = "rows"};
    if (report->repeated != NULL && !report_is_empty(report)) {
        repeated_table_write(report, out);
        return (struct report_result){0};
    }
    SCOPED(function_table) functions;
    function_table_init(&functions, report, report->show.by, FOR_PEOPLE);
    summary_put_head(&head, report);
    put_foot(&foot, &functions, &head);
    struct lacking lacking = lacking_events(report->profile);
    if (!report_is_empty(report) && !(lacking.is_too_much && lacking.is_wrapped))
        result.count = write_table(&functions, &head, &foot, out);
    if (report->show.has_threads)
        put_watched(&head, report);
    output_end_text(out, &head);
    output_end_text(out, &foot);
    return result;
}

const struct report_format report_top = {
    .name = "top",
    .summary = "table of the most expensive functions",
    /* The findings above the table use lines. */
    .uses = USES_LENGTH | USES_ROWS | USES_COLUMNS | USES_UNIT | USES_CALL_SITES | USES_PROFILE |
            USES_LINES | SHOWS_COMPARISON | SHOWS_REPEATED | NEEDS_NO_PROFILE | SHOWS_WATCH |
            SHOWS_FINDINGS,
    .suffixes = {".top", NULL},
    .write = write_top,
};
