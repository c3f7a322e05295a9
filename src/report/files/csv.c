/*
 * CSV (RFC 4180, but LF), UTF-8, for spreadsheets and databases. Times are decimal
 * microseconds with three digits, which is exact; measured times are signed.
 *
 * A spreadsheet runs a cell that begins with '=', '+', '-', '@' or a TAB, and names and sources
 * come from the authors of the log. So sources are written without the '@' or '=' that Lua puts
 * before them, and any other text that begins like that gets a "'" in front.
 *
 * With report->has_objects, each row is an object of JSON in a line of its own: the titles are its
 * keys, and what is not known is null.
 */
#include "base/json.h"
#include "report/figures/formats.h"
#include "report/figures/report.h"
#include "report/sentences/amounts.h"
#include "report/tables/edge_table.h"
#include "report/tables/function_table.h"
#include "report/tables/line_table.h"
#include "report/tables/repeated_tables.h"
#include "report/tables/tick_tables.h"
#include "report/tables/tree_table.h"

#include <math.h>
#include <stdio.h>

/* Cells and names ------------------------------------------------------------------------- */

static bool is_formula(struct span text)
{
    return text.length > 0 && memchr("=+-@\t\r", text.at[0], 6) != NULL;
}

static bool needs_quotes(struct span text)
{
    static const char bytes[] = {',', '"', '\n', '\r'};
    bool has_any = false;
    for (size_t i = 0; i < sizeof bytes && text.length > 0; i++)
        has_any |= memchr(text.at, bytes[i], text.length) != NULL;
    return has_any;
}

/* Makes the text of a line from `start` on a cell; most need no change. */
static void end_cell(struct text *line, size_t start)
{
    struct span cell = span_from(text_span(line), start);
    bool is_quoted = needs_quotes(cell);
    struct text made = {0};
    if (!is_quoted && !is_formula(cell))
        return;
    text_put_string(&made, is_quoted ? "\"" : "");
    text_put_string(&made, is_formula(cell) ? "'" : "");
    for (size_t i = 0; i < cell.length; i++) {
        text_put_string(&made, cell.at[i] == '"' ? "\"" : "");
        text_put(&made, &cell.at[i], 1);
    }
    text_put_string(&made, is_quoted ? "\"" : "");
    text_cut(line, start);
    text_put_span(line, text_span(&made));
    text_release(&made);
}

/* Tables ----------------------------------------------------------------------------------- */

static void put_title(struct text *line, const struct table *table,
                      const struct table_column *column)
{
    const struct aspect_info *aspect = &aspect_infos[column->aspect];
    const char *name = column->info->name, *unit = strrchr(name, '_');
    size_t length = unit != NULL ? (size_t)(unit - name) : strlen(name);
    text_put_string(line, table->is_compared ? aspect->prefix : "");
    text_put(line, name, length);
    text_put_string(line, aspect->suffix);
    text_put_string(line, aspect->has_no_unit ? "" : name + length);
}

/* Percentages are of the time of the whole profile. */
static void put_number(struct text *line, const struct table *table,
                       const struct table_column *column, const struct cell *cell)
{
    if (aspect_infos[column->aspect].is_percent) {
        text_printf(line, "%.1f", cell->real);
        return;
    }
    switch (cell->type) {
    case TYPE_SUM:
    case TYPE_CALL:
        amount_put_time(line, cell->number, UNIT_US, 3);
        break;
    case TYPE_PERCENT:
        text_put_string(line, amount_percent(cell->number, column->aspect == ASPECT_OLD
                                                               ? table->old_all_ns
                                                               : table->all_ns)
                                  .at);
        break;
    case TYPE_SECONDS:
        amount_put_time(line, cell->number, UNIT_S, 1);
        break;
    case TYPE_REAL:
        text_printf(line, cell->real == floor(cell->real) ? "%.0f" : "%.2f", cell->real);
        break;
    case TYPE_CHANCE:
        text_printf(line, "%.6g", cell->real);
        break;
    default:
        text_put_number(line, cell->number);
    }
}

static void put_row(struct text *line, const struct table *table, size_t row, struct cell *cell,
                    bool is_object)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        bool is_text = column->info->type == TYPE_TEXT || column->info->type == TYPE_LABEL;
        text_put_string(line, i > 0 ? "," : is_object ? "{" : "");
        table_get(table, row, column, cell);
        if (is_object) {
            text_put_string(line, "\"");
            put_title(line, table, column);
            text_put_string(line, "\":");
        }
        size_t start = line->length;
        if (is_text && is_object)
            json_put_string(line, text_span(&cell->text));
        else if (is_text)
            text_put_span(line, text_span(&cell->text));
        else if (cell->is_known)
            put_number(line, table, column, cell);
        else if (is_object)
            text_put_string(line, "null");
        if (is_text && !is_object)
            end_cell(line, start);
    }
    text_put_string(line, is_object ? "}\n" : "\n");
}

/* Writes a table; returns the number of rows for which there was room. */
static size_t write_table(const struct table *table, const struct report *report,
                          struct output *out, bool has_titles)
{
    struct text line = {0};
    struct cell cell = {.room = SIZE_MAX};
    has_titles = has_titles && !report->has_objects;
    for (size_t i = 0; i < table->column_count && has_titles; i++) {
        text_put_string(&line, i > 0 ? "," : "");
        put_title(&line, table, &table->columns[i]);
    }
    text_put_string(&line, has_titles ? "\n" : "");
    output_put_text(out, &line);
    size_t row = 0;
    for (; row < table->row_count && report_has_room(report, out, 1); row++) {
        put_row(&line, table, row, &cell, report->has_objects);
        output_put_text(out, &line);
    }
    text_release(&line);
    cell_release(&cell);
    return row;
}

/* Writes a table, and counts its rows. Tables that follow others have no titles. */
static void add_table(struct report_result *result, const struct table *table,
                      const struct report *report, struct output *out, bool is_first)
{
    size_t count = write_table(table, report, out, is_first);
    result->one = "row";
    result->many = "rows";
    result->count += count;
    result->left_out_count += table->row_count - count;
}

/* The file --------------------------------------------------------------------------------- */

static struct report_result write_csv(const struct report *report, struct output *out)
{
    struct report_result result = {0};
    struct function_table functions;
    struct repeated_tables repeated;
    if (report->repeated != NULL) {
        repeated_tables_init(&repeated, report, FOR_PROGRAMS);
        add_table(&result, &repeated.rows, report, out, true);
        repeated_tables_release(&repeated);
    } else {
        function_table_init(&functions, report, report->show.by, FOR_PROGRAMS);
        add_table(&result, &functions.table, report, out, true);
        function_table_release(&functions);
    }
    return result;
}

static struct report_result write_peek(const struct report *report, struct output *out)
{
    struct report_result result = {0};
    struct edges edges;
    edges_init(&edges, report, report->is_peeked);
    for (size_t i = 0; i < edges.function_count; i++) {
        struct edge_table table;
        edge_table_init(&table, report, &edges, i, FOR_PROGRAMS);
        add_table(&result, &table.table, report, out, i == 0);
        edge_table_release(&table);
    }
    edges_release(&edges);
    return result;
}

static struct report_result write_list(const struct report *report, struct output *out)
{
    struct report_result result = {0};
    struct listing listing;
    listing_init(&listing, report, report->is_listed);
    for (size_t i = 0; i < listing.edges.function_count; i++) {
        struct line_table table;
        line_table_init(&table, &listing, i, SIZE_MAX, FOR_PROGRAMS);
        add_table(&result, &table.table, report, out, i == 0);
        line_table_release(&table);
    }
    listing_release(&listing);
    return result;
}

static struct report_result write_tree(const struct report *report, struct output *out)
{
    struct report_result result = {0};
    struct tree_table tree;
    tree_table_init(&tree, report, report_room(report, 0), FOR_PROGRAMS);
    add_table(&result, &tree.table, report, out, true);
    tree_table_release(&tree);
    return result;
}

static struct report_result write_what_if(const struct report *report, struct output *out)
{
    struct report_result result = {0};
    struct tick_table ticks;
    tick_table_init(&ticks, report, TICKS_WHAT_IF, FOR_PROGRAMS);
    add_table(&result, &ticks.table, report, out, true);
    tick_table_release(&ticks);
    return result;
}

static const struct report_format csv_of_what_if = {
    .name = "csv",
    .uses = USES_COSTS | SHOWS_WHAT_IF,
    .write = write_what_if,
};

static const struct report_format csv_of_peek = {
    .name = "csv",
    .uses = USES_PEEK | USES_PROFILE | USES_LINES | USES_LENGTH,
    .write = write_peek,
};

static const struct report_format csv_of_list = {
    .name = "csv",
    .uses = USES_LIST | USES_PROFILE | USES_LINES | USES_SOURCES | USES_LENGTH | SHOWS_COMPARISON,
    .write = write_list,
};

static const struct report_format csv_of_tree = {
    .name = "csv",
    .uses = USES_TREE | USES_PROFILE | USES_LINES | USES_PATHS | USES_LENGTH,
    .write = write_tree,
};

const struct report_format report_csv = {
    .name = "csv",
    .summary = "comma-separated values, for spreadsheets",
    .uses = USES_ROWS | USES_COLUMNS | USES_CALL_SITES | USES_PROFILE | SHOWS_COMPARISON |
            SHOWS_REPEATED | SHOWS_SUMS,
    .suffixes = {".csv", NULL},
    .write = write_csv,
    .tables = {[TABLE_TICKS] = &report_ticks_csv,
               [TABLE_WHAT_IF] = &csv_of_what_if,
               [TABLE_PEEK] = &csv_of_peek,
               [TABLE_LIST] = &csv_of_list,
               [TABLE_TREE] = &csv_of_tree},
};

/* Of a comparison a line for each tick that either side has. */
static struct report_result write_ticks_csv(const struct report *report, struct output *out)
{
    struct report_result result = {0};
    struct tick_table ticks;
    const struct tick_kind *kind = &tick_kinds[report->profile->ticks.state];
    tick_table_init(&ticks, report, TICKS_EACH, FOR_PROGRAMS);
    add_table(&result, &ticks.table, report, out, true);
    tick_table_release(&ticks);
    result.count = report->profile->ticks.count;
    result.one = kind->one;
    result.many = kind->many;
    return result;
}

const struct report_format report_ticks_csv = {
    .name = "ticks-csv",
    .summary = "a line for each tick, for spreadsheets",
    .uses = USES_TICKS | USES_COSTS | SHOWS_COMPARISON,
    .suffixes = {".ticks.csv", NULL},
    .write = write_ticks_csv,
};
