/*
 * Who calls whom: the callers and callees of the functions that --peek matches, most expensive
 * function first, and the call tree of --tree, as far as it is expensive.
 *
 *     recursion.log: 4.000 ms of Lua, 4 calls of 3 functions
 *     Peek: '^B' matches 1 function
 *
 *     B  lua/b.lua:10
 *       self 2.000 ms (50.00%), total 3.000 ms (75.00%), 2 calls, recursive
 *       total ms  total%  calls  callers                                see edge_table.h
 *          3.000   75.00      1  A  lua/a.lua:1  from line 2
 *
 *     total ms  total%  self ms    calls  function                      see tree_table.h
 *      947.200   46.24  198.900      768  GenerateDirectNeighbors    lua/sim/navgenerator.lua:648
 *      413.500   20.19  264.900  321,766    CompressedLabelTree.FindLeafXZ  ...:994  ... 2
 *
 *     Note: '... 2': 2 callees are not shown (--rows 0 shows all)
 */
#include "report/screen/call_picture.h"
#include "report/screen/function_heading.h"
#include "report/screen/grid.h"
#include "report/screen/screen_formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"
#include "report/tables/edge_table.h"
#include "report/tables/tree_table.h"

static struct report_result write_peek(const struct report *report, struct output *out)
{
    struct edges edges;
    struct text text = {0};
    edges_init(&edges, report, report->is_peeked);
    summary_put_start(&text, report);
    function_heading_put_pattern(&text, report, "Peek", report->peek, edges.function_count);
    enum report_unit unit = amount_unit_of(report, report_total_ns(report));
    for (size_t i = 0; i < edges.function_count; i++) {
        struct edge_table table;
        edge_table_init(&table, report, &edges, i, FOR_PEOPLE);
        function_heading_put(&text, report, &edges.functions[i], unit);
        call_picture_put(&text, report, edges.functions[i].function);
        table_put_on_screen(&table.table, report, SIZE_MAX, &text, out);
        text_put_string(&text, "\n");
        edge_table_release(&table);
    }
    warnings_put(&text, report);
    notes_put(&text, report, unit, report->width);
    output_end_text(out, &text);
    struct report_result result = {
        .count = edges.function_count, .one = "function", .many = "functions"};
    edges_release(&edges);
    return result;
}

const struct report_format report_peek = {
    .name = "peek",
    .summary = "callers and callees of the functions that --peek matches",
    .uses = USES_UNIT | USES_PROFILE | USES_LINES | USES_PEEK | USES_LENGTH,
    .suffixes = {".peek", NULL},
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
    struct tree_table tree;
    tree_table_init(&tree, report, limit, FOR_PEOPLE);
    table_put_on_screen(&tree.table, report, SIZE_MAX, text, out);
    put_notes(text, &tree);
    tree_table_release(&tree);
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
    .uses = USES_UNIT | USES_PROFILE | USES_LINES | USES_PATHS | USES_TREE | USES_LENGTH,
    .suffixes = {".tree", NULL},
    .write = write_tree,
};
