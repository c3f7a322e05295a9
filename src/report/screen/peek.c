/*
 * The callers and callees of the functions that --peek matches, most expensive function first.
 *
 *     recursion.log: 4.000 ms of Lua, 4 calls of 3 functions
 *     Peek: '^B' matches 1 function
 *
 *     B  lua/b.lua:10
 *       self 2.000 ms (50.00%), total 3.000 ms (75.00%), 2 calls, recursive
 *       total ms  total%  calls  callers
 *          3.000   75.00      1  A  lua/a.lua:1  from line 2
 *          1.000   25.00      1  C  lua/c.lua:20  from line 21, recursive
 *       total ms  total%  calls  callees
 *          2.000   50.00         (self)
 *          2.000   50.00      1  C  lua/c.lua:20  from line 11
 *
 * The numbers are explained in edges.h. If calls come from several lines of a caller, each
 * line has a row below the row of their sum. A line is always in the caller; among callees
 * that is the function itself.
 */
#include "report/figures/edges.h"
#include "report/figures/labels.h"
#include "report/figures/report.h"
#include "report/screen/function_heading.h"
#include "report/screen/grid.h"
#include "report/screen/screen_formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "tree/stacks.h"

struct peek {
    const struct report *report;
    struct edges edges;
    enum report_unit unit;
    struct grid grid; /* of all functions, so that their columns are aligned */
    struct text text; /* of the function being written */
};

/* Rows ------------------------------------------------------------------------------------- */

static void add_columns(struct peek *peek)
{
    struct grid *grid = &peek->grid;
    text_printf(&grid->cells, "total %s", amount_unit_name(peek->unit));
    grid_add_column(grid, "", 0);
    grid_add_column(grid, "total%", 1);
    grid_add_column(grid, "calls", 2);
}

static void put_time(struct peek *peek, int64_t ns)
{
    struct grid *grid = &peek->grid;
    grid_put_cell(grid, amount_time(ns, peek->unit, amount_decimals(peek->unit)).at);
    grid_put_cell(grid, amount_percent(ns, report_total_ns(peek->report)).at);
}

static void put_calls(struct peek *peek, uint64_t calls)
{
    bool is_known = calls > 0 || selection_changes_stacks(peek->report->selection);
    grid_put_cell(&peek->grid, is_known ? amount_count(calls).at : "-");
}

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

/* Puts the rows of an edge; `has_lines`: the caller's calling lines are known. */
static void put_edge(struct peek *peek, const struct edge *edge, bool has_lines)
{
    const struct edge_line *lines = &peek->edges.lines[edge->first_line];
    struct grid *grid = &peek->grid;
    bool has_line = has_lines && edge->line_count == 1;
    put_time(peek, edge->total_ns);
    put_calls(peek, edge->calls);
    function_label_put(&grid->name, &grid->place, peek->report->labels, edge->function);
    if (has_line)
        put_line(&grid->suffix, lines[0].line);
    if (edge->is_recursive)
        text_put_string(&grid->suffix, has_line ? ", recursive" : "  recursive");
    grid_end_line(grid, &peek->text);
    for (size_t i = 0; i < edge->line_count && has_lines && !has_line; i++) {
        put_time(peek, lines[i].total_ns);
        put_calls(peek, lines[i].calls);
        put_line(&grid->name, lines[i].line);
        grid_end_line(grid, &peek->text);
    }
}

/* Only Lua functions have calling lines. */
static bool knows_lines(const struct peek *peek, uint32_t caller)
{
    return symbols_is_lua(&peek->report->profile->symbols, caller);
}

/* Puts the callers of a function, or its callees; without titles while the grid is measured. */
static void put_edges(struct peek *peek, const struct edge_function *function, bool are_callers)
{
    const struct report_options *show = &peek->report->show;
    const struct edge *list = are_callers ? &peek->edges.callers[function->first_caller]
                                          : &peek->edges.callees[function->first_callee];
    size_t count = are_callers ? function->caller_count : function->callee_count, shown = count;
    struct grid *grid = &peek->grid;
    if (show->has_rows && show->rows != 0 && show->rows < count)
        shown = show->rows;
    grid->label_title = are_callers ? "callers" : "callees";
    if (grid->is_fitted)
        grid_put_titles(grid, &peek->text);
    if (!are_callers) {
        put_time(peek, function->self_ns);
        grid_put_cell(grid, "");
        text_put_string(&grid->name, "(self)");
        grid_end_line(grid, &peek->text);
    }
    for (size_t i = 0; i < shown; i++)
        put_edge(peek, &list[i],
                 knows_lines(peek, are_callers ? list[i].function : function->function));
    if (shown < count && grid->is_fitted)
        text_printf(&peek->text, "  ... and %zu more (--rows 0 shows all)\n", count - shown);
}

static void put_rows(struct peek *peek, const struct edge_function *function)
{
    put_edges(peek, function, true);
    put_edges(peek, function, false);
}

static struct report_result write_peek(const struct report *report, struct output *out)
{
    struct peek peek = {
        .report = report,
        .unit = amount_unit_of(report, report_total_ns(report)),
        .grid = {.width = report->width, .is_colored = report->is_colored, .indent = 2}};
    struct edges *edges = &peek.edges;
    edges_init(edges, report, report->is_peeked);
    struct report_result result = {
        .count = edges->function_count, .one = "function", .many = "functions"};
    add_columns(&peek);
    for (size_t i = 0; i < edges->function_count; i++)
        put_rows(&peek, &edges->functions[i]);
    grid_fit(&peek.grid);
    summary_put_start(&peek.text, report);
    function_heading_put_pattern(&peek.text, report, "Peek", report->peek, edges->function_count);
    for (size_t i = 0; i < edges->function_count; i++) {
        output_put_text(out, &peek.text);
        function_heading_put(&peek.text, report, &edges->functions[i], peek.unit);
        put_rows(&peek, &edges->functions[i]);
        text_put_string(&peek.text, "\n");
    }
    warnings_put(&peek.text, report);
    notes_put(&peek.text, report, peek.unit, report->width);
    output_end_text(out, &peek.text);
    grid_release(&peek.grid);
    edges_release(edges);
    return result;
}

const struct report_format report_peek = {
    .name = "peek",
    .summary = "callers and callees of the functions that --peek matches",
    .uses = USES_UNIT | USES_PROFILE | USES_LINES | USES_PEEK | USES_LENGTH,
    .suffixes = {".peek", NULL},
    .write = write_peek,
};
