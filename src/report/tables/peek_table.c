#include "report/tables/peek_table.h"

#include "base/mem.h"
#include "report/figures/duration_rows.h"
#include "report/figures/formats.h"
#include "report/figures/label_texts.h"
#include "report/sentences/amounts.h"
#include "report/sentences/arguments_line.h"
#include "report/sentences/wrap.h"
#include "report/tables/tables.h"
#include "tree/stacks.h"

#include <math.h>

enum edge_column {
    EDGE_OF, /* this and the next ones name the other function */
    EDGE_LINE = EDGE_OF + NAME_PARTS,
    EDGE_PART_LINE,
    EDGE_PART,
    EDGE_RECURSIVE,
    EDGE_RELATION,
    EDGE_TOTAL,
    EDGE_SHARE,
    EDGE_ERROR,
    EDGE_CALLS,
    EDGE_OLD_TOTAL,
    EDGE_OLD_CALLS,
    EDGE_LABEL,
    EDGE_COLUMNS
};

static const struct column_info columns[EDGE_COLUMNS] = {
    [EDGE_OF + NAME_FUNCTION] = {.name = "other_function", .type = TYPE_TEXT},
    [EDGE_OF + NAME_SOURCE] = {.name = "other_source", .type = TYPE_TEXT},
    [EDGE_OF + NAME_LINE] = {.name = "other_line", .type = TYPE_NUMBER},
    [EDGE_OF + NAME_INDEX] = {.name = "function", .type = TYPE_FUNCTION},
    [EDGE_LINE] = {.name = "call_line", .type = TYPE_NUMBER},
    [EDGE_PART_LINE] = {.name = "line", .type = TYPE_NUMBER},
    [EDGE_PART] = {.name = "is_part", .type = TYPE_FLAG},
    [EDGE_RECURSIVE] = {.name = "recursive", .type = TYPE_FLAG},
    [EDGE_RELATION] = {.name = "relation", .type = TYPE_TEXT},
    [EDGE_TOTAL] = {.title = "total", .name = "total_ns", .type = TYPE_SUM},
    [EDGE_SHARE] = {.title = "total%", .name = "total_percent", .type = TYPE_PERCENT, .order = 1},
    [EDGE_ERROR] = {.title = "+-%",
                    .name = "total_error_percent",
                    .type = TYPE_PERCENT,
                    .order = 1},
    [EDGE_CALLS] = {.title = "calls", .name = "calls", .type = TYPE_COUNT, .order = 2},
    [EDGE_OLD_TOTAL] = {.name = "old_total_ns", .type = TYPE_SUM},
    [EDGE_OLD_CALLS] = {.name = "old_calls", .type = TYPE_COUNT},
    [EDGE_LABEL] = {.type = TYPE_LABEL},
};

static void put_line(struct text *text, int32_t line)
{
    bool is_known = line_is_known(line);
    text_put_string(text, line < 0 ? "  by a tail call " : "  ");
    text_put_string(text,
                    !is_known  ? "from an unknown line"
                    : line < 0 ? "near line "
                               : "from line ");
    if (is_known)
        text_put_number(text, line < 0 ? -(int64_t)line : line);
}

/* The line of a row; NULL: it has several, or its caller is no Lua function. */
static const struct edge_line *line_of(const struct peek_table *edges, const struct edge_row *row)
{
    uint32_t caller = row->is_caller ? row->edge->function : edges->table.function->function;
    if (row->line != NULL || row->edge->line_count > 1 ||
        !symbols_is_lua(&edges->report->profile->symbols, caller))
        return row->line;
    return &edges->edges->lines[row->edge->first_line];
}

static void get_label(const struct peek_table *edges, const struct edge_row *row, struct cell *cell)
{
    if (row->edge == NULL) {
        text_put_string(&cell->text, "(self)");
        return;
    }
    if (row->line != NULL) {
        put_line(&cell->text, row->line->line);
        return;
    }
    const struct edge_line *line = line_of(edges, row);
    function_label_put(&cell->text, &cell->place, edges->report->labels, row->edge->function);
    if (line != NULL)
        put_line(&cell->suffix, line->line);
    if (row->edge->is_recursive)
        text_put_string(&cell->suffix, line != NULL ? ", recursive" : "  recursive");
}

static void get_number(const struct peek_table *edges, const struct edge_row *row,
                       enum edge_column column, struct cell *cell)
{
    const struct edge *edge = row->edge;
    const struct edge_line *part = row->line, *line;
    cell->is_known = true;
    switch (column) {
    case EDGE_LINE:
        line = line_of(edges, row);
        cell->is_known = line != NULL;
        cell->number = line != NULL ? line->line : 0;
        break;
    case EDGE_PART_LINE:
        cell->number = part->line;
        break;
    case EDGE_PART:
        cell->number = part != NULL;
        break;
    case EDGE_RECURSIVE:
        cell->number = edge->is_recursive;
        break;
    case EDGE_OLD_TOTAL:
        cell->number = edge->old_total_ns;
        break;
    case EDGE_OLD_CALLS:
        cell->number = (int64_t)edge->old_calls;
        break;
    case EDGE_ERROR:
        cell->number = llround(part != NULL ? part->error_ns : edge->error_ns);
        break;
    case EDGE_CALLS:
        cell->number = (int64_t)(part != NULL ? part->calls : edge->calls);
        if (cell->number == 0 && !selection_changes_stacks(edges->report->selection))
            cell->word = "-";
        break;
    default:
        cell->number = part != NULL ? part->total_ns : edge->total_ns;
    }
}

/* The function itself has only its self time. */
static void get_self(const struct peek_table *edges, enum edge_column column, struct cell *cell)
{
    cell->is_known = column == EDGE_TOTAL || column == EDGE_SHARE;
    cell->number = edges->table.function->self_ns;
    if (column == EDGE_CALLS || column == EDGE_ERROR)
        cell->word = "";
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct peek_table *edges = table->of;
    const struct edge_row *at = &edges->rows[row];
    const struct edge *edge = at->edge;
    bool is_own = column->info >= columns && column->info < columns + EDGE_COLUMNS;
    if (!is_own) {
        table_get_function(edges->report, edges->table.function->function, column->info, cell);
        return;
    }
    enum edge_column kind = (enum edge_column)(column->info - columns);
    if (kind == EDGE_LABEL)
        get_label(edges, at, cell);
    else if (kind == EDGE_RELATION)
        text_put_string(&cell->text, edge == NULL ? "self" : at->is_caller ? "caller" : "callee");
    else if (edge == NULL)
        get_self(edges, kind, cell);
    else if (kind < EDGE_LINE)
        cell_put_name(cell, edges->report, edge->function, (enum name_part)(kind - EDGE_OF));
    else
        get_number(edges, at, kind, cell);
}

static void add_row(struct peek_table *table, struct edge_row row)
{
    MEM_APPEND(table->rows, table->table.row_count, table->capacity, row);
}

/* Adds the callers of the function, or, below the function itself, its callees; JSON has no row for
 * that function, and all lines. */
static void add_rows(struct peek_table *table, bool are_callers)
{
    const struct edge_function *function = table->table.function;
    const struct edges *edges = table->edges;
    const struct edge *first = are_callers ? &edges->callers[function->first_caller]
                                           : &edges->callees[function->first_callee];
    bool is_json = table->reader == FOR_JSON;
    size_t count = are_callers ? function->caller_count : function->callee_count;
    size_t limit = is_json ? SIZE_MAX : report_row_limit(table->report);
    size_t shown = count < limit ? count : limit;
    table->groups[are_callers ? EDGE_CALLERS : EDGE_CALLEES] = (struct table_group){
        table->table.row_count, count - shown, are_callers ? "callers" : "callees"};
    if (!are_callers && !is_json)
        add_row(table, (struct edge_row){0});
    for (const struct edge *edge = first; edge < first + shown; edge++) {
        uint32_t caller = are_callers ? edge->function : function->function;
        bool has_lines =
            edge->line_count > 1 && symbols_is_lua(&table->report->profile->symbols, caller);
        add_row(table, (struct edge_row){.edge = edge, .is_caller = are_callers});
        for (size_t i = 0; i < edge->line_count && (has_lines || is_json); i++)
            add_row(table,
                    (struct edge_row){edge, &edges->lines[edge->first_line + i], are_callers});
    }
}

static void put_duration_row(struct text *text, const struct report *report,
                             const struct duration_row *row, uint64_t largest,
                             enum report_unit unit)
{
    enum { OTHER_COLUMNS = 36, BAR_MAX = 40 };
    size_t room = report->width == 0 || report->width > OTHER_COLUMNS + BAR_MAX ? BAR_MAX
                  : report->width > OTHER_COLUMNS ? report->width - OTHER_COLUMNS
                                                  : 1;
    uint64_t calls = row->calls[0];
    int decimals = amount_units[unit].decimals;
    /* A row with a call in it has a bar. */
    double share = (double)calls / (double)largest;
    size_t bar = calls == 0 ? 0 : 1 + (size_t)(share * (double)(room - 1));
    text_printf(text, "%10s -", amount_time(row->from_ns, unit, decimals).at);
    text_printf(
        text, "%10s%10s", amount_time(row->to_ns, unit, decimals).at, amount_count(calls).at);
    if (bar > 0)
        text_put_string(text, "  ");
    for (size_t i = 0; i < bar; i++)
        text_put_string(text, "#");
    text_put_string(text, "\n");
}

/*
 * How long the calls of a function took. Appends nothing if it is not known: see
 * report_durations().
 *
 *     one call: median 0.012 ms, shortest 0.001, longest 5.021
 *        0.001 -  0.002 ms     120  #
 *        0.002 -  0.004 ms   1,000  ########
 */
static void put_durations(struct text *text, const struct report *report, uint32_t function)
{
    enum { LEAST_NS = 1000 };
    enum report_unit unit = report->show.unit == UNIT_AUTO ? UNIT_MS : report->show.unit;
    const struct call_histogram *histogram = report_durations(report, function);
    struct text line = {0};
    if (histogram == NULL)
        return;
    int decimals = amount_units[unit].decimals;
    text_printf(&line,
                "  one call: median %s, ",
                amount_with_unit(call_histogram_median_ns(histogram), unit, decimals).at);
    text_printf(&line,
                "shortest %s, longest %s",
                amount_time(histogram->shortest_ns, unit, decimals).at,
                amount_time(histogram->longest_ns, unit, decimals).at);
    wrap_put_line(text, report->width, 4, &line);
    struct duration_rows shown =
        duration_rows_make(report, (const struct call_histogram *[]){histogram, NULL}, LEAST_NS);
    for (size_t i = 0; i < shown.count; i++)
        put_duration_row(text, report, &shown.rows[i], shown.largest, unit);
}

static void add_columns(struct table *table, const enum edge_column *kinds, bool is_compared,
                        bool has_errors)
{
    for (; *kinds != EDGE_COLUMNS; kinds++)
        if ((is_compared || (*kinds != EDGE_OLD_TOTAL && *kinds != EDGE_OLD_CALLS)) &&
            (has_errors || *kinds != EDGE_ERROR))
            table_add(table, &columns[*kinds]);
}

void peek_table_init(struct peek_table *table, const struct report *report,
                     const struct edges *edges, enum table_reader reader)
{
    static const enum edge_column of_readers[][EDGE_COLUMNS + 1] = {
        [FOR_PEOPLE] = {EDGE_TOTAL, EDGE_SHARE, EDGE_ERROR, EDGE_CALLS, EDGE_LABEL, EDGE_COLUMNS},
        [FOR_PROGRAMS] = {EDGE_RELATION,
                          EDGE_OF + NAME_FUNCTION,
                          EDGE_OF + NAME_SOURCE,
                          EDGE_OF + NAME_LINE,
                          EDGE_LINE,
                          EDGE_PART,
                          EDGE_CALLS,
                          EDGE_TOTAL,
                          EDGE_RECURSIVE,
                          EDGE_ERROR,
                          EDGE_COLUMNS},
        [FOR_JSON] = {EDGE_OF + NAME_INDEX,
                      EDGE_CALLS,
                      EDGE_TOTAL,
                      EDGE_ERROR,
                      EDGE_OLD_CALLS,
                      EDGE_OLD_TOTAL,
                      EDGE_RECURSIVE,
                      EDGE_COLUMNS}};
    static const enum edge_column of_parts[] = {
        EDGE_PART_LINE, EDGE_CALLS, EDGE_TOTAL, EDGE_ERROR, EDGE_COLUMNS};
    /* As of rows: people see errors where all are estimates. */
    bool has_errors = edges->has_errors && (reader != FOR_PEOPLE || report->tree->samples != NULL);
    *table = (struct peek_table){
        .report = report,
        .edges = edges,
        .reader = reader,
        .table = {.get = get,
                  .of = table,
                  .unit = amount_unit_of(report, report_total_ns(report)),
                  .is_estimate = amount_is_about(report),
                  .all_ns = tree_share_ns(report->tree),
                  .groups = table->groups,
                  .group_count = EDGE_GROUPS,
                  .function_count = edges->function_count,
                  .indent = 2},
    };
    table->parts = table->table;
    add_columns(&table->parts, of_parts, false, has_errors);
    if (reader != FOR_JSON)
        table_add_function(&table->table, reader);
    add_columns(&table->table, of_readers[reader], report->old != NULL, has_errors);
}

void peek_table_choose(struct peek_table *table, const struct edge_function *function)
{
    table->table.row_count = 0;
    table->table.function = function;
    add_rows(table, true);
    add_rows(table, false);
    if (table->reader == FOR_PEOPLE) {
        text_cut(&table->table.above, 0);
        put_durations(&table->table.above, table->report, function->function);
        arguments_line_put(&table->table.above, table->report, function->function);
    }
}

void peek_table_release(struct peek_table *table)
{
    text_release(&table->table.above);
    free(table->rows);
}

static void pass_on(struct table_walk *walk)
{
    SCOPED(edges) edges;
    SCOPED(peek_table) table;
    edges_init(&edges,
               walk->report,
               walk->report->chosen[TABLE_PEEK].is_chosen,
               walk->reader != FOR_PEOPLE || walk->report->tree->samples != NULL);
    peek_table_init(&table, walk->report, &edges, walk->reader);
    for (size_t i = 0; i < edges.function_count; i++) {
        peek_table_choose(&table, &edges.functions[i]);
        walk->take(walk, &table.table);
    }
}

const struct report_format report_peek = {
    .name = "peek",
    .summary = "callers and callees of the functions that --peek matches",
    .uses = USES_UNIT,
    .suffixes = {".peek", NULL},
    .tables = 1 << TABLE_PEEK,
    .is_table = true,
    .write = tables_write,
};

const struct table_kind peek_tables = {
    .uses = USES_PROFILE | USES_LINES | USES_LENGTH,
    .for_people = &report_peek,
    .title = "Peek",
    .walk = pass_on,
};
