/*
 * The table for people: the most expensive rows on one screen, most expensive first.
 *
 *     loud.log: 600 ticks, 1:00.0 to 1:59.9 of the game, 3,918,220 calls of 1,204 functions
 *     Lua took ...                                                               see verdict.h
 *
 *     self%  total%    self s  total s       calls  each us  function
 *     13.62   14.72    8.4213   9.1024   1,204,551      7.0  next  [C]  [1]
 *
 *     [1] next is 14% of ...                                                     see findings.h
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
#include "report/figures/label_texts.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/headline.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"
#include "report/tables/function_table.h"
#include "report/tables/watched_changes_table.h"
#include "report/tables/watched_table.h"

#include <math.h>

/* What a row has of a column, or by how much it differs. */
static double value_of(const struct function_table *functions, const struct row *row,
                       enum column_kind kind)
{
    const struct row *old = row_sums_old(&functions->sums, row);
    return column_sort_key(kind, row) - (old != NULL ? column_sort_key(kind, old) : 0);
}

/* The column that tells what hidden rows have: the count by which they are in order, or else self
 * times, since total times overlap. */
static enum column_kind kind_of_hidden(const struct function_table *functions)
{
    enum column_kind sort = functions->report->show.sort;
    for (size_t i = 0; i < functions->sums.row_count && column_infos[sort].type == TYPE_COUNT; i++)
        if (value_of(functions, &functions->sums.rows[i], sort) != 0)
            return sort;
    return COLUMN_SELF;
}

/* Returns how much of all the hidden rows have. */
static struct amount hidden_share(const struct report *report, enum column_kind kind, double hidden,
                                  double all)
{
    const char *what = kind == COLUMN_ALLOC       ? "heap growth"
                       : kind != COLUMN_SELF      ? column_infos[kind].title
                       : report->show.has_threads ? "time"
                                                  : "self time";
    return amount_share(" with ",
                        number_rounded(hidden),
                        kind == COLUMN_SELF ? tree_share_ns(report->tree) : number_rounded(all),
                        amount_make("%% of the %s", what).at);
}

/* Returns by how much the hidden rows differ. */
static struct amount hidden_change(const struct function_table *functions, enum column_kind kind,
                                   double change)
{
    int64_t number = number_rounded(change);
    enum report_unit unit = functions->table.unit;
    struct amount size =
        kind == COLUMN_SELF
            ? amount_sum_time(functions->report, llabs(number), unit, amount_units[unit].decimals)
            : amount_make("%s %s",
                          amount_sum_count(functions->report, (uint64_t)llabs(number)).at,
                          kind == COLUMN_ALLOC ? "KB of heap growth" : column_infos[kind].title);
    return amount_make(" with %s%s in all", number > 0 ? "+" : number < 0 ? "-" : "", size.at);
}

/* Appends how many rows are not shown, and what they have. */
static void put_hidden(struct text *text, const struct function_table *functions,
                       size_t shown_count)
{
    const struct report *report = functions->report;
    enum column_kind kind = kind_of_hidden(functions);
    size_t count = functions->sums.row_count - shown_count;
    double hidden = 0, all = 0;
    for (size_t i = 0; i < functions->sums.row_count; i++) {
        double value = value_of(functions, &functions->sums.rows[i], kind);
        all += value;
        hidden += i >= shown_count ? value : 0;
    }
    struct amount share = report->old == NULL ? hidden_share(report, kind, hidden, all)
                                              : hidden_change(functions, kind, hidden);
    rows_put_hidden(
        text, report, 0, amount_things(count, "more row", "more rows").at, share.at, "--top 0");
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
    const struct table *table = &functions->table;
    size_t calls = 0;
    while (calls < table->column_count &&
           (grid->is_hidden[calls] || table->columns[calls].info != &column_infos[COLUMN_CALLS]))
        calls++;
    if (calls == table->column_count || selection_changes_stacks(functions->report->selection))
        return false;
    for (size_t i = 0; i < shown_count; i++) {
        const struct row *row = &functions->sums.rows[i];
        const struct row *old = row_sums_old(&functions->sums, row);
        bool is_dash = row_began_before(row) || (old != NULL && row_began_before(old));
        if (is_dash && !is_no_function(functions, row))
            return true;
    }
    return false;
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

/* Whether two rows differ by no more than their errors. */
static bool may_change_places(const struct row *a, const struct row *b, bool is_total)
{
    double ns =
        (double)(is_total ? a->sum.total_ns - b->sum.total_ns : a->sum.self_ns - b->sum.self_ns);
    return ns <= (is_total ? hypot(a->total_error_ns, b->total_error_ns)
                           : hypot(a->self_error_ns, b->self_error_ns));
}

/* How many of the first rows differ from each row above by no more than their errors: of more than
 * some, these are said, since each is compared with all. */
static size_t count_in_any_order(const struct function_table *functions, size_t row_count)
{
    enum { ROWS_MAX = 100 };
    enum column_kind sort = functions->report->show.sort;
    const struct row *rows = functions->sums.rows;
    size_t count = 0;
    if (functions->report->old != NULL || (sort != COLUMN_SELF && sort != COLUMN_TOTAL))
        return 0;
    for (; count < row_count && count < ROWS_MAX && rows[count].has_errors; count++)
        for (size_t i = 0; i < count; i++)
            if (!may_change_places(&rows[i], &rows[count], sort == COLUMN_TOTAL))
                return count;
    return count;
}

/* Appends what the signs of the rows mean, and which columns are missing. */
static void put_marks(struct text *text, const struct function_table *functions,
                      const struct grid *grid)
{
    const struct report *report = functions->report;
    struct text missing = {0};
    unsigned flags = 0;
    for (size_t i = 0; i < grid->row_count; i++)
        flags |= 1u << flag_of_row(report, &functions->sums, &functions->sums.rows[i]);
    summary_put_marks(text,
                      report,
                      flags,
                      shows_dash(functions, grid, grid->row_count) ? notes_no_calls_reason(report)
                                                                   : NULL,
                      count_in_any_order(functions, grid->row_count));
    put_missing_columns(&missing, functions, grid);
    notes_put_lines(text, report->width, &missing);
}

/* The lines of what the signs of the first rows mean. */
static size_t count_mark_lines(const struct function_table *functions, size_t row_count)
{
    SCOPED(text) marks = {0};
    SCOPED(grid) grid;
    grid_init(&grid, &functions->table, functions->report, row_count);
    grid_measure(&grid);
    put_marks(&marks, functions, &grid);
    return wrap_count_lines(text_span(&marks));
}

/* The report ------------------------------------------------------------------------------- */

/* A table, and what stands around it. */
struct screen {
    const struct report *report;
    struct findings findings;
    uint32_t numbered[HEADLINE_FINDINGS_MAX]; /* the functions of those that are shown */
    struct text head, foot;
};

/* How many rows are worth more than a second finding: at most twelve, of which, sorted by self
 * time, each has 2 % of it. */
static size_t important_rows(const struct function_table *functions)
{
    enum { ROWS = 12, SHARE = 50 };
    const struct report *report = functions->report;
    const struct row_sums *sums = &functions->sums;
    double least_ns = (double)tree_share_ns(report->tree) / SHARE;
    size_t count = 0;
    if (report->show.sort != COLUMN_SELF || report->old != NULL)
        return ROWS;
    while (count < ROWS && count < sums->row_count &&
           (double)sums->rows[count].sum.self_ns >= least_ns)
        count++;
    return count;
}

/*
 * Makes what stands below the table. On a terminal the findings leave room for the important rows,
 * unless that is too little for a sentence, and have six lines at most.
 */
static void put_below(struct screen *screen, struct function_table *functions)
{
    enum { ROWS = 12, OTHER_LINES = 4, LINES_MIN = 2, LINES_MAX = 6, HEIGHT_USUAL = 23 };
    const struct report *report = screen->report;
    struct text rest = {0};
    summary_put_also(&rest, report, &screen->findings);
    if (report->old != NULL)
        notes_put_chance(&rest, report, true);
    notes_put(&rest, report, functions->table.unit);
    size_t others = wrap_count_lines(text_span(&screen->head)) +
                    wrap_count_lines(text_span(&rest)) + important_rows(functions) + OTHER_LINES;
    size_t room = report->height == 0                   ? SIZE_MAX
                  : report->height < others + LINES_MIN ? LINES_MIN
                  : report->height > others + LINES_MAX ? LINES_MAX
                                                        : report->height - others;
    functions->keys.numbered = screen->numbered;
    functions->keys.numbered_count =
        headline_put_findings(&screen->foot, report, &screen->findings, room, screen->numbered);
    text_put_span(&screen->foot, text_span(&rest));
    text_release(&rest);
    /* The blank line above the table gives way to a row, where there can be enough of them. */
    bool is_low = report->height >= HEIGHT_USUAL && !report->is_empty &&
                  table_rows_that_fit(report, &screen->head, &screen->foot) <
                      ROWS + count_mark_lines(functions, ROWS);
    if (is_low)
        text_cut(&screen->head, screen->head.length - 1);
}

/* Writes the table, on a terminal with as many rows as fit; returns how many. */
static size_t write_table(struct screen *screen, const struct function_table *functions,
                          struct output *out)
{
    const struct report *report = screen->report;
    size_t room = report->height != 0 ? table_rows_that_fit(report, &screen->head, &screen->foot)
                  : report->show.row_limit == 0 ? SIZE_MAX
                                                : report->show.row_limit;
    struct text marks = {0};
    struct grid grid;
    grid_init(&grid, &functions->table, report, room);
    grid_measure(&grid);
    put_marks(&marks, functions, &grid);
    /* What the marks of fewer rows mean may be said in fewer lines. */
    while (report->height != 0 && grid.row_count > 1 &&
           grid.row_count + wrap_count_lines(text_span(&marks)) > room) {
        grid.row_count--;
        text_cut(&marks, 0);
        put_marks(&marks, functions, &grid);
    }
    grid_put(&grid, &screen->head, out);
    if (functions->table.row_count > grid.row_count)
        put_hidden(&screen->head, functions, grid.row_count);
    text_put_span(&screen->head, text_span(&marks));
    text_release(&marks);
    return grid.row_count;
}

/* With --threads: below the others, or in their place. */
static void put_watched(struct text *text, const struct report *report)
{
    enum { ROWS_BESIDE = 5, LINES_BESIDE = 4 };
    SCOPED(watched_table) watched = {0};
    SCOPED(watched_changes_table) changes = {0};
    bool is_alone = report->is_empty || report->old != NULL;
    size_t used = wrap_count_lines(text_span(text)) + LINES_BESIDE;
    size_t limit = report->show.row_limit == 0 ? SIZE_MAX : report->show.row_limit;
    if (report->height != 0)
        limit =
            is_alone && report->height > used + ROWS_BESIDE ? report->height - used : ROWS_BESIDE;
    if (report->old != NULL)
        watched_changes_table_init(&changes, report, FOR_PEOPLE);
    else
        watched_table_init(&watched, report, FOR_PEOPLE);
    const struct table *table = report->old != NULL ? &changes.table : &watched.table;
    if (table->row_count == 0)
        return;
    if (!span_ends_with(text_span(text), "\n\n"))
        text_put_string(text, "\n");
    table_put_on_screen(table, report, limit, text, NULL);
    if (table->row_count > limit)
        rows_put_hidden(text,
                        report,
                        0,
                        amount_things(table->row_count - limit, "more row", "more rows").at,
                        "",
                        "--top 0");
}

static struct report_result write_top(const struct report *report, struct output *out)
{
    struct screen screen = {.report = report};
    struct report_result result = {.one = "row", .many = "rows"};
    if (report->repeats_watches || (report->repeated != NULL && !report->is_empty)) {
        repeated_table_write(report, out);
        return (struct report_result){0};
    }
    SCOPED(function_table) functions;
    function_table_init(&functions, report, report->show.by, FOR_PEOPLE);
    findings_find(&screen.findings, report);
    summary_put_head(&screen.head, report, &screen.findings);
    put_below(&screen, &functions);
    struct lacking lacking = lacking_events(report->profile);
    bool has_rows = !report->is_empty && !(report->show.has_threads && report->old != NULL);
    if (has_rows && !(lacking.is_too_much && lacking.is_wrapped))
        result.count = write_table(&screen, &functions, out);
    if (report->show.has_threads)
        put_watched(&screen.head, report);
    output_end_text(out, &screen.head);
    output_end_text(out, &screen.foot);
    findings_release(&screen.findings);
    return result;
}

const struct report_format report_top = {
    .name = "top",
    .summary = "table of the most expensive functions",
    /* The findings use lines. */
    .uses = USES_LENGTH | USES_ROWS | USES_COLUMNS | USES_UNIT | USES_CALL_SITES | USES_PROFILE |
            USES_LINES | SHOWS_COMPARISON | SHOWS_REPEATED | NEEDS_NO_PROFILE | SHOWS_WATCH |
            SHOWS_FINDINGS | COMPARES_THREADS,
    .suffixes = {".top", NULL},
    .write = write_top,
};
