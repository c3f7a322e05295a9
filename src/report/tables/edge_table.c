/*
 * The callers and callees of one function.
 *
 *     total ms  total%  calls  callers
 *        3.000   75.00      1  A  lua/a.lua:1  from line 2
 *     total ms  total%  calls  callees
 *        2.000   50.00         (self)
 *        2.000   50.00      1  C  lua/c.lua:20  from line 11
 *
 * If calls come from several lines of a caller, each line has a row below that of their sum. A line
 * is always in the caller; among callees that is the function itself. edges.h explains the numbers.
 */
#include "base/mem.h"
#include "report/figures/call_picture.h"
#include "report/figures/formats.h"
#include "report/figures/labels.h"
#include "report/sentences/amounts.h"
#include "report/sentences/arguments_line.h"
#include "report/sentences/wrap.h"
#include "report/tables/tables.h"
#include "tree/stacks.h"

struct edge_table {
    const struct report *report;
    const struct edges *edges;
    struct table table;
    struct edge_row {
        const struct edge *edge;      /* NULL: the function itself */
        const struct edge_line *line; /* of the edge; NULL: not one of several */
        bool is_caller;
    } * rows; /* [table.row_count] */
    struct table_group groups[2];
};

enum edge_column {
    EDGE_OF, /* this and the next two name the other function */
    EDGE_LINE = EDGE_OF + 3,
    EDGE_PART,
    EDGE_RECURSIVE,
    EDGE_RELATION,
    EDGE_TOTAL,
    EDGE_SHARE,
    EDGE_CALLS,
    EDGE_LABEL,
    EDGE_COLUMNS
};

static const struct column_info columns[EDGE_COLUMNS] = {
    [EDGE_OF] = {.name = "other_function", .type = TYPE_TEXT},
    [EDGE_OF + 1] = {.name = "other_source", .type = TYPE_TEXT},
    [EDGE_OF + 2] = {.name = "other_line", .type = TYPE_NUMBER},
    [EDGE_LINE] = {.name = "call_line", .type = TYPE_NUMBER},
    [EDGE_PART] = {.name = "is_part", .type = TYPE_FLAG},
    [EDGE_RECURSIVE] = {.name = "recursive", .type = TYPE_FLAG},
    [EDGE_RELATION] = {.name = "relation", .type = TYPE_TEXT},
    [EDGE_TOTAL] = {.title = "total", .name = "total_ns", .type = TYPE_SUM},
    [EDGE_SHARE] = {.title = "total%", .name = "total_percent", .type = TYPE_PERCENT, .order = 1},
    [EDGE_CALLS] = {.title = "calls", .name = "calls", .type = TYPE_COUNT, .order = 2},
    [EDGE_LABEL] = {.type = TYPE_LABEL},
};

static void put_line(struct text *text, int32_t line)
{
    bool is_known = line_is_known(line);
    text_put_string(text, line < 0 ? "  by a tail call " : "  ");
    text_put_string(text, !is_known  ? "from an unknown line"
                          : line < 0 ? "near line "
                                     : "from line ");
    if (is_known)
        text_put_number(text, line < 0 ? -(int64_t)line : line);
}

/* The line of a row; NULL: it has several, or its caller is no Lua function. */
static const struct edge_line *line_of(const struct edge_table *edges, const struct edge_row *row)
{
    uint32_t caller = row->is_caller ? row->edge->function : edges->table.function->function;
    if (row->line != NULL || row->edge->line_count > 1 ||
        !symbols_is_lua(&edges->report->profile->symbols, caller))
        return row->line;
    return &edges->edges->lines[row->edge->first_line];
}

static void get_label(const struct edge_table *edges, const struct edge_row *row, struct cell *cell)
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

static void get_value(const struct edge_table *edges, const struct edge_row *row,
                      enum edge_column column, struct cell *cell)
{
    const struct edge *edge = row->edge;
    bool is_self = edge == NULL;
    uint64_t calls = is_self ? 0 : row->line != NULL ? row->line->calls : edge->calls;
    cell->is_known = !is_self;
    if (column == EDGE_TOTAL || column == EDGE_SHARE) {
        cell->is_known = true;
        cell->number = is_self             ? edges->table.function->self_ns
                       : row->line != NULL ? row->line->total_ns
                                           : edge->total_ns;
    } else if (column == EDGE_CALLS) {
        cell->number = (int64_t)calls;
        if (is_self)
            cell->word = "";
        else if (calls == 0 && !selection_changes_stacks(edges->report->selection))
            cell->word = "-";
    } else if (column == EDGE_RELATION) {
        text_put_string(&cell->text, is_self ? "self" : row->is_caller ? "caller" : "callee");
    } else if (column == EDGE_LABEL) {
        get_label(edges, row, cell);
    } else if (!is_self) {
        const struct edge_line *line = line_of(edges, row);
        cell->is_known = column != EDGE_LINE || line != NULL;
        if (column == EDGE_PART)
            cell->number = row->line != NULL;
        else if (column == EDGE_RECURSIVE)
            cell->number = edge->is_recursive;
        else if (line != NULL)
            cell->number = line->line;
    }
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct edge_table *edges = table->of;
    const struct edge_row *at = &edges->rows[row];
    if (table_get_function(edges->report, edges->table.function->function, column->info, cell))
        return;
    enum edge_column kind = (enum edge_column)(column->info - columns);
    if (kind < EDGE_LINE && at->edge == NULL)
        return;
    if (kind < EDGE_LINE)
        cell_put_name(cell, edges->report, at->edge->function, (enum name_part)(kind - EDGE_OF));
    else
        get_value(edges, at, kind, cell);
}

/* Adds the callers of the function, or its callees, with the function itself. */
static void add_rows(struct edge_table *table, bool are_callers, size_t limit)
{
    const struct edge_function *function = table->table.function;
    const struct edges *edges = table->edges;
    const struct edge *first = are_callers ? &edges->callers[function->first_caller]
                                           : &edges->callees[function->first_callee];
    size_t count = are_callers ? function->caller_count : function->callee_count;
    size_t shown = count < limit ? count : limit, *row_count = &table->table.row_count;
    table->groups[!are_callers] =
        (struct table_group){*row_count, count - shown, are_callers ? "callers" : "callees"};
    if (!are_callers)
        table->rows[(*row_count)++] = (struct edge_row){0};
    for (const struct edge *edge = first; edge < first + shown; edge++) {
        uint32_t caller = are_callers ? edge->function : function->function;
        bool has_lines = symbols_is_lua(&table->report->profile->symbols, caller);
        table->rows[(*row_count)++] = (struct edge_row){.edge = edge, .is_caller = are_callers};
        for (size_t i = 0; i < edge->line_count && has_lines && edge->line_count > 1; i++)
            table->rows[(*row_count)++] =
                (struct edge_row){edge, &edges->lines[edge->first_line + i], are_callers};
    }
}

static size_t count_rows(const struct edges *edges, const struct edge_function *function)
{
    size_t count = 1;
    for (size_t i = 0; i < function->caller_count; i++)
        count += 1 + edges->callers[function->first_caller + i].line_count;
    for (size_t i = 0; i < function->callee_count; i++)
        count += 1 + edges->callees[function->first_callee + i].line_count;
    return count;
}

static void put_picture_row(struct text *text, const struct report *report,
                            const struct call_row *row, uint64_t largest, enum report_unit unit)
{
    enum { OTHER_COLUMNS = 36, BAR_MAX = 40 };
    size_t room = report->width == 0 || report->width > OTHER_COLUMNS + BAR_MAX ? BAR_MAX
                  : report->width > OTHER_COLUMNS ? report->width - OTHER_COLUMNS
                                                  : 1;
    uint64_t calls = row->calls[0];
    int decimals = amount_decimals(unit);
    /* A row with a call in it has a bar. */
    double share = (double)calls / (double)largest;
    size_t bar = calls == 0 ? 0 : 1 + (size_t)(share * (double)(room - 1));
    text_printf(text, "%10s -", amount_time(row->from_ns, unit, decimals).at);
    text_printf(text, "%10s%10s", amount_time(row->to_ns, unit, decimals).at,
                amount_count(calls).at);
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
static void put_call_picture(struct text *text, const struct report *report, uint32_t function)
{
    enum { LEAST_NS = 1000 };
    enum report_unit unit = report->show.unit == UNIT_AUTO ? UNIT_MS : report->show.unit;
    const struct call_histogram *histogram = report_durations(report, function);
    struct text line = {0};
    if (histogram == NULL)
        return;
    int decimals = amount_decimals(unit);
    text_printf(&line, "  one call: median %s, ",
                amount_with_unit(call_histogram_median_ns(histogram), unit, decimals).at);
    text_printf(&line, "shortest %s, longest %s",
                amount_time(histogram->shortest_ns, unit, decimals).at,
                amount_time(histogram->longest_ns, unit, decimals).at);
    wrap_put_line(text, report->width, 4, &line);
    struct call_picture picture =
        call_picture_make(report, (const struct call_histogram *[]){histogram, NULL}, LEAST_NS);
    for (size_t i = 0; i < picture.count; i++)
        put_picture_row(text, report, &picture.rows[i], picture.largest, unit);
}

/* The table must not move. */
static void make(struct edge_table *table, const struct report *report, const struct edges *edges,
                 size_t function, enum table_reader reader)
{
    static const enum edge_column of_people[] = {EDGE_TOTAL, EDGE_SHARE, EDGE_CALLS, EDGE_LABEL,
                                                 EDGE_COLUMNS};
    static const enum edge_column of_programs[] = {
        EDGE_RELATION, EDGE_OF,    EDGE_OF + 1, EDGE_OF + 2,    EDGE_LINE,
        EDGE_PART,     EDGE_CALLS, EDGE_TOTAL,  EDGE_RECURSIVE, EDGE_COLUMNS};
    const enum edge_column *kinds = reader == FOR_PEOPLE ? of_people : of_programs;
    size_t limit = report_row_limit(report);
    *table = (struct edge_table){
        .report = report,
        .edges = edges,
        .table = {.get = get,
                  .of = table,
                  .unit = amount_unit_of(report, report_total_ns(report)),
                  .all_ns = tree_share_ns(report->tree),
                  .groups = table->groups,
                  .group_count = 2,
                  .function = &edges->functions[function],
                  .function_count = edges->function_count,
                  .indent = 2},
    };
    table->rows = mem_zeroed(count_rows(edges, table->table.function), sizeof *table->rows);
    add_rows(table, true, limit);
    add_rows(table, false, limit);
    if (reader == FOR_PROGRAMS)
        table_add_function(&table->table);
    for (; *kinds != EDGE_COLUMNS; kinds++)
        table_add(&table->table, &columns[*kinds]);
    if (reader == FOR_PEOPLE) {
        put_call_picture(&table->table.above, report, table->table.function->function);
        arguments_line_put(&table->table.above, report, table->table.function->function);
    }
}

static void pass_on(struct table_walk *walk)
{
    SCOPED(edges) edges;
    edges_init(&edges, walk->report, walk->report->chosen[TABLE_PEEK].is_chosen);
    for (size_t i = 0; i < edges.function_count; i++) {
        struct edge_table table;
        make(&table, walk->report, &edges, i, walk->reader);
        walk->take(walk, &table.table);
        text_release(&table.table.above);
        free(table.rows);
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

const struct table_kind edge_tables = {
    .uses = USES_PROFILE | USES_LINES | USES_LENGTH,
    .for_people = &report_peek,
    .title = "Peek",
    .walk = pass_on,
};
