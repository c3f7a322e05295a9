/*
 * The call tree, as far as it is expensive.
 *
 *     nav.log: 2.048 s of Lua in 601 ticks (0:05.1 to 1:05.1), 6,159,023 calls of 478 functions
 *
 *     total ms  total%  self ms    calls  function
 *      947.200   46.24  198.900      768  GenerateDirectNeighbors    lua/sim/navgenerator.lua:648
 *      652.700   31.86  181.700  323,083    FindLeafXZ               lua/sim/navgenerator.lua:292
 *      413.500   20.19  264.900  321,766      CompressedLabelTree.FindLeafXZ  ...:994  ... 2
 *
 *     Note: '... 2': 2 callees are not shown (--rows 0 shows all)
 *
 * Inverted, it shows what called the functions, see call_tree.h.
 */
#include "report/screen/screen_parts.h"

#include "report/figures/call_tree.h"
#include "report/figures/row_label.h"
#include "report/screen/grid.h"
#include "report/screen/screen_formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/parts.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"

/* How a tree is shown. */
struct shown_tree {
    const struct report *report;
    struct call_tree calls;
    enum report_unit unit;
    bool has_self;       /* rows have a total and a self time */
    uint32_t indent_max; /* deeper rows are not indented further */
};

static void add_columns(struct grid *grid, const struct shown_tree *shown)
{
    bool is_of_self = !shown->has_self && shown->report->tree_root == NULL;
    const char *unit = amount_unit_name(shown->unit);
    text_printf(&grid->cells, "%s %s", is_of_self ? "self" : "total", unit);
    grid_add_column(grid, "", 0);
    grid_add_column(grid, is_of_self ? "self%" : "total%", 1);
    if (shown->has_self) {
        text_printf(&grid->cells, "self %s", unit);
        grid_add_column(grid, "", 0);
    }
    grid_add_column(grid, "calls", 0);
}

static void put_row(struct grid *grid, const void *of, size_t i)
{
    const struct shown_tree *shown = of;
    const struct call_tree_node *node = &shown->calls.nodes[shown->calls.rows[i]];
    int decimals = amount_decimals(shown->unit);
    uint32_t indent = node->depth < shown->indent_max ? node->depth : shown->indent_max;
    grid_put_cell(grid, amount_time(node->ns, shown->unit, decimals).at);
    grid_put_cell(grid, amount_percent(node->ns, report_total_ns(shown->report)).at);
    if (shown->has_self)
        grid_put_cell(grid, amount_time(node->self_ns, shown->unit, decimals).at);
    bool is_known = node->calls > 0 || selection_changes_stacks(shown->report->selection);
    grid_put_cell(grid, is_known ? amount_count(node->calls).at : "-");
    text_put_blanks(&grid->name, 2 * (size_t)indent);
    if (node->depth > indent)
        text_printf(&grid->name, "(%u) ", (unsigned)node->depth);
    function_label_put(&grid->name, &grid->place, shown->report->labels, node->function);
    if (node->count > node->shown)
        text_printf(&grid->suffix, "  ... %zu", node->count - node->shown);
}

static void put_notes(struct text *text, const struct shown_tree *shown)
{
    const struct call_tree *calls = &shown->calls;
    struct text lines = {0};
    bool is_folded = false;
    for (size_t i = 0; i < calls->row_count; i++) {
        const struct call_tree_node *node = &calls->nodes[calls->rows[i]];
        is_folded |= node->count > node->shown;
    }
    if (is_folded)
        text_printf(&lines, "Note: '... 2': 2 %s are not shown (--rows 0 shows all)\n",
                    shown->report->show.is_inverted ? "callers" : "callees");
    if (calls->is_cut)
        text_put_string(&lines, "Note: not all callers are shown: there are too many\n");
    text_put_string(text, lines.length > 0 ? "\n" : "");
    notes_put_lines(text, shown->report->width, &lines);
}

void tree_put(struct text *text, const struct report *report, enum report_unit unit, size_t limit,
              struct output *out)
{
    enum { PART_MIN = 1000, INDENT_MAX = 40, SPARE_NODES = 100000 };
    bool is_inverted = report->show.is_inverted;
    int64_t ns_min = report_shows_all(report) ? INT64_MIN : report_total_ns(report) / PART_MIN + 1;
    size_t width = report->width;
    struct shown_tree shown = {.report = report,
                               .unit = unit,
                               .has_self = !is_inverted,
                               .indent_max = width != 0 ? (uint32_t)width / 8 : INDENT_MAX};
    struct grid grid = {.width = width,
                        .is_colored = report->is_colored,
                        .label_title = "function",
                        .label_wanted = 40};
    /* In proportion to the logs; ids of nodes have 32 bits. */
    uint64_t half = report->profile->counts.bytes / 2;
    size_t nodes_max = SPARE_NODES + (size_t)(half < UINT32_MAX / 2 ? half : UINT32_MAX / 2);
    call_tree_init(&shown.calls, report, limit, nodes_max, ns_min);
    add_columns(&grid, &shown);
    grid_put_rows(&grid, &(struct grid_rows){&shown, shown.calls.row_count, put_row}, text, out);
    put_notes(text, &shown);
    call_tree_release(&shown.calls);
}

static struct report_result write_tree(const struct report *report, struct output *out)
{
    enum { OTHER_LINES = 4 };
    struct text text = {0}, foot = {0};
    enum report_unit unit = amount_unit_of(report, report_total_ns(report));
    summary_put_start(&text, report);
    text_put_string(&text, "\n");
    doubts_put(&foot, report);
    notes_put(&foot, report, unit, report->width);
    tree_put(&text, report, unit,
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
