/*
 * Who calls whom: the callers and callees of the functions that --peek matches, most expensive
 * function first, and the call tree of --tree, as far as it is expensive.
 *
 *     recursion.log: 4.000 ms of Lua, 4 calls of 3 functions
 *     Peek: '^B' matches 1 function
 *
 *     B  lua/b.lua:10
 *       self 2.000 ms (50.00%), total 3.000 ms (75.00%), 2 calls, recursive
 *       total ms  total%  calls  callers                                see edge_table.c
 *          3.000   75.00      1  A  lua/a.lua:1  from line 2
 *
 *     total ms  total%  self ms    calls  function                      see tree_table.h
 *      947.200   46.24  198.900      768  GenerateDirectNeighbors    lua/sim/navgenerator.lua:648
 *      413.500   20.19  264.900  321,766    CompressedLabelTree.FindLeafXZ  ...:994  ... 2
 *
 *     Note: '... 2': 2 callees are not shown (--rows 0 shows all)
 */
#include "report/figures/call_picture.h"
#include "report/figures/formats.h"
#include "report/screen/function_heading.h"
#include "report/screen/grid.h"
#include "report/sentences/amounts.h"
#include "report/sentences/arguments_line.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"
#include "report/tables/tables.h"
#include "report/tables/tree_table.h"

static void put_row(struct text *text, const struct report *report, const struct call_row *row,
                    uint64_t largest, enum report_unit unit)
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
    text_put_string(text, bar > 0 ? "  " : "");
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
        call_picture_make(report, (const struct call_histogram *[]){histogram, NULL});
    for (size_t i = 0; i < picture.count; i++)
        put_row(text, report, &picture.rows[i], picture.largest, unit);
}

/* The text of --peek, of which all but the last lines may be written. */
struct peek {
    const struct report *report;
    struct output *out;
    struct text text;
    size_t count; /* functions */
};

static void put_function(void *context, const struct table *table)
{
    struct peek *peek = context;
    struct text *text = &peek->text;
    const struct report *report = peek->report;
    uint32_t function = table->function->function;
    if (peek->count++ == 0)
        function_heading_put_pattern(text, report, "Peek", report->peek, table->function_count);
    function_heading_put(text, report, table->function, table->unit);
    put_call_picture(text, report, function);
    arguments_line_put(text, report, function);
    table_put_on_screen(table, report, SIZE_MAX, text, peek->out);
    text_put_string(text, "\n");
}

static struct report_result write_peek(const struct report *report, struct output *out)
{
    struct peek peek = {.report = report, .out = out};
    const struct table_walk walk = {report, FOR_PEOPLE, &peek, put_function};
    summary_put_start(&peek.text, report);
    tables_walk(&walk, TABLE_PEEK);
    warnings_put(&peek.text, report);
    notes_put(&peek.text, report, amount_unit_of(report, report_total_ns(report)), report->width);
    output_end_text(out, &peek.text);
    return (struct report_result){.count = peek.count, .one = "function", .many = "functions"};
}

const struct report_format report_peek = {
    .name = "peek",
    .summary = "callers and callees of the functions that --peek matches",
    .uses = USES_UNIT,
    .suffixes = {".peek", NULL},
    .tables = 1 << TABLE_PEEK,
    .is_table = true,
    .write = write_peek,
};

static void put_notes(struct text *text, const struct tree_table *tree)
{
    const struct call_tree *calls = &tree->calls;
    struct text lines = {0};
    bool is_folded = false;
    for (size_t i = 0; i < calls->row_count; i++) {
        const struct call_tree_node *node = &calls->nodes[calls->rows[i]];
        is_folded |= node->count > node->shown;
    }
    if (is_folded)
        text_printf(&lines, "Note: '... 2': 2 %s are not shown (--rows 0 shows all)\n",
                    tree->report->show.is_inverted ? "callers" : "callees");
    if (calls->is_cut)
        text_put_string(&lines, "Note: not all callers are shown: there are too many\n");
    text_put_string(text, lines.length > 0 ? "\n" : "");
    notes_put_lines(text, tree->report->width, &lines);
}

void tree_put(struct text *text, const struct report *report, size_t limit, struct output *out)
{
    SCOPED(tree_table) tree;
    tree_table_init(&tree, report, limit, FOR_PEOPLE);
    table_put_on_screen(&tree.table, report, SIZE_MAX, text, out);
    put_notes(text, &tree);
}

static struct report_result write_tree(const struct report *report, struct output *out)
{
    enum { OTHER_LINES = 4 };
    struct text text = {0}, foot = {0};
    enum report_unit unit = amount_unit_of(report, report_total_ns(report));
    summary_put_start(&text, report);
    text_put_string(&text, "\n");
    warnings_put(&foot, report);
    notes_put(&foot, report, unit, report->width);
    tree_put(&text, report,
             report_room(report, wrap_count_lines(text_span(&text)) +
                                     wrap_count_lines(text_span(&foot)) + OTHER_LINES),
             out);
    output_end_text(out, &text);
    output_end_text(out, &foot);
    return report_stacks_result(report);
}

const struct report_format report_tree = {
    .name = "tree",
    .summary = "the call tree, as far as it is expensive",
    .uses = USES_UNIT,
    .suffixes = {".tree", NULL},
    .tables = 1 << TABLE_TREE,
    .is_table = true,
    .write = write_tree,
};
