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
 * terminal there are as many rows as fit; if it is narrow, columns that can be derived from
 * others are dropped first; then the middle of the place is cut.
 *
 * A comparison shows the old value, the new one, the difference and its percentage
 * side by side; rows with the largest difference come first.
 */
#include "report/report.h"

#include "base/number.h"
#include "report/row_label.h"
#include "report/text/cell_text.h"
#include "report/text/fitted_label.h"
#include "report/text/report_recording.h"
#include "report/text/report_repeated.h"
#include "report/text/report_summary.h"
#include "report/text/wrap.h"

#include <string.h>

enum {
    NAME_WIDTH_WANTED = 32, /* columns are dropped until the name has this much room */
    NAME_WIDTH_MIN = 12,
    GAP = 2,
};

/* The layout of the table. */
struct layout {
    const struct report *report;
    struct table table;
    size_t shown_count; /* rows */
    struct cell_texts cells;
    struct columns columns;
    size_t droppable_count;     /* of the columns at the end of `drop` */
    size_t drop[COLUMNS_MAX];   /* dropped if the terminal is narrow, in this order */
    size_t widths[COLUMNS_MAX]; /* 0: dropped */
    size_t name_width;          /* of function names, to align the places after them */
    size_t label_width;         /* the rest, for name and place; SIZE_MAX on a pipe */
    bool has_marks;
};

static const char bold[] = "\x1b[1m", dim[] = "\x1b[2m", red[] = "\x1b[31m", green[] = "\x1b[32m",
                  magenta[] = "\x1b[35m", plain[] = "\x1b[0m";

static void put_style(struct text *line, const struct report *report, const char *style)
{
    if (report->is_colored)
        text_put_string(line, style);
}

static int64_t profile_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

static void choose_columns(struct layout *layout)
{
    const struct report *report = layout->report;
    struct columns *columns = &layout->columns;
    *columns = report->columns;
    if (columns->count > 0)
        return;
    enum column_kind sorted = report->sort;
    if (report->old != NULL) {
        columns_add_compared(columns, sorted);
        columns_add(columns, COLUMN_CALLS, ASPECT_OLD);
        columns_add(columns, COLUMN_CALLS, ASPECT_NEW);
        if (sorted != COLUMN_CALLS) {
            layout->drop[layout->droppable_count++] = columns->count - 2;
            layout->drop[layout->droppable_count++] = columns->count - 1;
        }
        layout->drop[layout->droppable_count++] = 0;
        return;
    }
    static const enum column_kind kinds[] = {COLUMN_SELF, COLUMN_SELF_PERCENT, COLUMN_TOTAL,
                                             COLUMN_TOTAL_PERCENT, COLUMN_CALLS};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        columns_add(columns, kinds[i], ASPECT_NEW);
    size_t count = columns->count;
    columns_add(columns, sorted, ASPECT_NEW);
    if (columns->count == count)
        columns_add(columns, COLUMN_AVERAGE, ASPECT_NEW);
    static const size_t drop[] = {3, 5};
    memcpy(layout->drop, drop, sizeof drop);
    layout->droppable_count = sizeof drop / sizeof drop[0];
}

static void measure(struct layout *layout)
{
    struct text text = {0}, place = {0};
    for (size_t i = 0; i < layout->columns.count; i++) {
        text.length = 0;
        cell_put_title(&text, &layout->cells, layout->columns.list[i]);
        layout->widths[i] = text.length;
    }
    for (size_t i = 0; i < layout->shown_count; i++) {
        const struct row *row = &layout->table.rows[i];
        for (size_t k = 0; k < layout->columns.count; k++) {
            text.length = 0;
            cell_put_value(&text, &layout->cells, layout->columns.list[k], row);
            if (text.length > layout->widths[k])
                layout->widths[k] = text.length;
        }
        text.length = place.length = 0;
        row_label_put(&text, &place, &layout->table, row, layout->report->call_sites);
        size_t width = text_width(text_span(&text));
        if (place.length > 0 && width > layout->name_width)
            layout->name_width = width;
    }
    text_release(&text);
    text_release(&place);
}

static size_t numbers_width(const struct layout *layout)
{
    size_t width = layout->has_marks ? GAP : 0;
    for (size_t i = 0; i < layout->columns.count; i++)
        if (layout->widths[i] > 0)
            width += layout->widths[i] + GAP;
    return width;
}

static void fit_to_terminal(struct layout *layout)
{
    size_t width = layout->report->width;
    layout->label_width = SIZE_MAX;
    /* One very long name must not push all places out of sight. */
    size_t name_width_max = width == 0 ? 32 : width / 4 < 16 ? 16 : width / 4;
    if (layout->name_width > name_width_max)
        layout->name_width = name_width_max;
    if (width == 0)
        return;
    for (size_t i = 0; i < layout->droppable_count; i++)
        if (numbers_width(layout) + NAME_WIDTH_WANTED > width)
            layout->widths[layout->drop[i]] = 0;
    size_t numbers = numbers_width(layout);
    layout->label_width =
        width > numbers + NAME_WIDTH_MIN ? width - numbers : (size_t)NAME_WIDTH_MIN;
}

static void put_label(struct text *line, const struct layout *layout, const struct row *row)
{
    struct text name = {0}, place = {0};
    const struct label_room room = {.by = layout->table.by,
                                    .width = layout->label_width,
                                    .name_width = layout->name_width,
                                    .is_colored = layout->report->is_colored};
    row_label_put(&name, &place, &layout->table, row, layout->report->call_sites);
    fitted_label_put(line, &room, text_span(&name), text_span(&place));
    text_put_string(line, "\n");
    text_release(&name);
    text_release(&place);
}

/* Whether a self time may really be 0, or two of them equal. */
static bool is_noise(const struct layout *layout, const struct row *row)
{
    const struct row *old = table_old(&layout->table, row);
    if (old != NULL)
        return row_is_alike(row, old);
    return row->calls > 0 && (double)row->self_ns <= 2 * row_noise_ns(row);
}

/* Expensive rows are red and magenta, which can be read on black and on white; in a comparison,
 * increases are red, decreases green. */
static const char *style_of(const struct layout *layout, struct column column,
                            const struct row *row)
{
    const struct row *old = table_old(&layout->table, row);
    int64_t all_ns = profile_ns(layout->report);
    if (column.aspect == ASPECT_DIFFERENCE) {
        struct column_value value = column_value(column, row, old);
        bool is_alike = row_is_alike(row, old) || !value.is_known;
        return is_alike || value.number == 0 ? "" : value.number > 0 ? red : green;
    }
    if (column.kind != COLUMN_SELF_PERCENT || column.aspect != ASPECT_NEW || all_ns <= 0)
        return "";
    return row->self_ns >= all_ns / 10 ? red : row->self_ns >= all_ns / 50 ? magenta : "";
}

static void put_row(struct text *line, const struct layout *layout, const struct row *row)
{
    struct text value = {0};
    for (size_t i = 0; i < layout->columns.count; i++) {
        if (layout->widths[i] == 0)
            continue;
        value.length = 0;
        cell_put_value(&value, &layout->cells, layout->columns.list[i], row);
        const char *style = style_of(layout, layout->columns.list[i], row);
        text_put_blanks(line, layout->widths[i] - value.length);
        put_style(line, layout->report, style);
        text_put(line, value.at, value.length);
        put_style(line, layout->report, style[0] != '\0' ? plain : "");
        text_put_blanks(line, GAP);
    }
    text_release(&value);
    if (layout->has_marks)
        text_put_string(line, is_noise(layout, row) ? "~ " : "  ");
    put_label(line, layout, row);
}

static void put_titles(struct text *line, const struct layout *layout)
{
    struct text title = {0};
    put_style(line, layout->report, bold);
    for (size_t i = 0; i < layout->columns.count; i++) {
        if (layout->widths[i] == 0)
            continue;
        title.length = 0;
        cell_put_title(&title, &layout->cells, layout->columns.list[i]);
        text_put_blanks(line, layout->widths[i] - title.length);
        text_put(line, title.at, title.length);
        text_put_blanks(line, GAP);
    }
    text_release(&title);
    text_printf(line, "%s%s", layout->has_marks ? "  " : "", row_label_title(layout->table.by));
    put_style(line, layout->report, plain);
    text_put_string(line, "\n");
}

/* Appends how many rows are not shown, and their time. */
static void put_hidden(struct text *line, const struct layout *layout)
{
    const struct report *report = layout->report;
    enum report_unit unit = layout->cells.unit;
    size_t hidden_count = layout->table.row_count - layout->shown_count;
    if (hidden_count == 0)
        return;
    int64_t hidden_ns = 0;
    double old_ns = 0; /* scaled */
    for (size_t i = layout->shown_count; i < layout->table.row_count; i++) {
        const struct row *row = &layout->table.rows[i];
        hidden_ns += row->self_ns;
        if (report->old != NULL)
            old_ns += (double)table_old(&layout->table, row)->self_ns;
    }
    put_style(line, report, dim);
    text_put_string(line, "... and ");
    report_put_count(line, hidden_count, "more row with ", "more rows with ");
    if (report->old != NULL) {
        int64_t change_ns = number_rounded((double)hidden_ns - old_ns);
        text_put_string(line, change_ns > 0 ? "+" : "");
        report_put_time(line, change_ns, unit, report_decimals(unit));
        text_printf(line, " %s in all (--top 0 shows all)\n", report_unit_name(unit));
    } else {
        report_put_percent(line, hidden_ns, profile_ns(report));
        text_put_string(line, "% of the self time (--top 0 shows all)\n");
    }
    put_style(line, report, plain);
}

static void flush(struct text *line, struct output *out)
{
    output_put(out, text_span(line).at, line->length);
    line->length = 0;
}

/* Writes the table, and appends the number of rows that are not shown. */
static void write_table(const struct layout *layout, struct output *out)
{
    struct text line = {0};
    if (!summary_is_empty(layout->report))
        put_titles(&line, layout);
    for (size_t i = 0; i < layout->shown_count && !output_has_failed(out); i++) {
        flush(&line, out);
        put_row(&line, layout, &layout->table.rows[i]);
    }
    put_hidden(&line, layout);
    flush(&line, out);
    text_release(&line);
}

/* The number of rows that fit the terminal together with the other lines. */
static size_t rows_that_fit(const struct report *report, const struct text *head,
                            const struct text *foot)
{
    /* The titles, the rows that are not shown, and the line of the next command. */
    enum { MIN = 5, OTHER_LINES = 3 };
    size_t others = wrap_count_lines(head) + wrap_count_lines(foot) + OTHER_LINES;
    return report->height > others + MIN ? report->height - others : MIN;
}

/* Whether a row stands for something else than a function: "(tail call)" is never called. */
static bool is_no_function(const struct layout *layout, const struct row *row)
{
    struct text name = {0}, place = {0};
    row_label_put(&name, &place, &layout->table, row, layout->report->call_sites);
    bool is_none = place.length == 0 && name.length > 0 && name.at[0] == '(';
    text_release(&name);
    text_release(&place);
    return is_none;
}

/* Whether a function is shown with "-" for its calls. */
static bool shows_dash(const struct layout *layout)
{
    bool has_calls = false, has_row = false;
    if (report_is_reduced(layout->report))
        return false;
    for (size_t i = 0; i < layout->columns.count; i++)
        has_calls |= layout->widths[i] > 0 && layout->columns.list[i].kind == COLUMN_CALLS;
    for (size_t i = 0; i < layout->shown_count; i++) {
        const struct row *row = &layout->table.rows[i];
        const struct row *old = table_old(&layout->table, row);
        bool is_dash = row_began_before(row) || (old != NULL && row_began_before(old));
        has_row |= is_dash && !is_no_function(layout, row);
    }
    return has_calls && has_row;
}

/* Appends what "-" means; on a terminal it takes the place of a row. */
static void explain_dash(struct text *foot, struct layout *layout)
{
    const struct report *report = layout->report;
    struct text note = {0};
    if (!shows_dash(layout))
        return;
    text_printf(&note, "calls -: %s", recording_no_calls_reason(report));
    text_put(&note, "", 1);
    size_t lines = wrap_count_lines(foot);
    recording_put_note(foot, report->width, note.at);
    lines = wrap_count_lines(foot) - lines;
    if (report->height != 0 && layout->shown_count > lines)
        layout->shown_count -= lines;
    text_release(&note);
}

static struct report_result write_top(const struct report *report, struct output *out)
{
    struct layout layout = {.report = report};
    struct text head = {0}, foot = {0};
    if (report->repeats != NULL && !summary_is_empty(report)) {
        repeated_write_top(report, out);
        return (struct report_result){.listed =
                                          report->by == BY_STACK ? report_listed(report) : NULL};
    }
    report_make_table(report, &layout.table, true);
    bool is_auto = report->unit == UNIT_AUTO;
    layout.cells = (struct cell_texts){
        .report = report,
        .table = &layout.table,
        .unit = is_auto ? report_unit_for(profile_ns(report)) : report->unit,
        .average_unit = is_auto ? UNIT_US : report->unit,
    };
    layout.has_marks = report->tree->details != NULL &&
                       (report->old == NULL || report->old->tree->details != NULL);
    summary_put_head(&head, report);
    summary_put_foot(&foot, report, layout.cells.unit, layout.has_marks);
    size_t limit = report->height != 0      ? rows_that_fit(report, &head, &foot)
                   : report->row_limit == 0 ? SIZE_MAX
                                            : report->row_limit;
    layout.shown_count = layout.table.row_count < limit ? layout.table.row_count : limit;
    choose_columns(&layout);
    measure(&layout);
    fit_to_terminal(&layout);
    explain_dash(&foot, &layout);

    flush(&head, out);
    write_table(&layout, out);
    flush(&foot, out);
    text_release(&head);
    text_release(&foot);
    table_release(&layout.table);
    return (struct report_result){.count = layout.shown_count,
                                  .one = "row",
                                  .many = "rows",
                                  .listed = report->by == BY_STACK ? report_listed(report) : NULL};
}

const struct report_format report_top = {
    .name = "top",
    .summary = "table of the most expensive functions",
    .manual = "The table above.",
    .uses = USES_ROWS | USES_COLUMNS | USES_UNIT | USES_CALL_SITES | USES_PROFILE,
    .suffixes = {".top", NULL},
    .uses_lines = true, /* of the findings above the table */
    .compares = true,
    .repeats = true,
    .shows_benchmarks = true,
    .write = write_top,
};
