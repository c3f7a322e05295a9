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
 * Inverted, it shows what called the functions, see below.
 */
#include "tree/tree.h"
#include "report/figures/labels.h"
#include "report/figures/report.h"
#include "report/screen/grid.h"
#include "report/screen/screen_formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/notes.h"
#include "report/sentences/summary.h"
#include "report/sentences/wrap.h"

struct call_tree_node {
    uint32_t function;
    uint32_t depth; /* 0 for those at the top */
    size_t parent;  /* index of `nodes` */
    uint64_t calls;
    int64_t ns; /* the time that the order depends on: see below */
    int64_t self_ns;
    size_t first, count, shown; /* its callees, or callers; the first [shown] are shown */
    /* Private. */
    int64_t key;
    size_t from, to;
};

struct call_tree {
    struct call_tree_node *nodes; /* [count]; the first is above those at the top */
    size_t count, capacity;
    size_t *rows; /* [row_count]: the nodes that are shown, depth first */
    size_t row_count;
    bool is_cut; /* `nodes_max` was reached, or stacks are too deep */
};

/*
 * The most expensive part of a call tree: from callers to callees, or inverted.
 *
 * For the stacks A (1 ms self), A;B (2 ms) and C;B (4 ms):
 *
 *     total      inverted
 *     4  C       6  B         time in B itself
 *     4    B     4    C       that much of it while C had called B
 *     3  A       2    A
 *     2    B     1  A
 *
 * If functions are chosen, the tree has them at its top, with what they called; inverted, with
 * those that called them, and their total time instead of self time. Of several chosen functions in
 * a stack the first one is at the top; inverted, the first call of each.
 */

/* Stacks deeper than this are not followed to their end: each step reads all of them again. */
enum { INVERTED_DEPTH_MAX = 200 };

/* A stack of an inverted tree, or a node of one that is not. */
struct item {
    uint32_t node;  /* whose time it is */
    uint32_t above; /* the frame that is looked at; not inverted: the node itself */
    uint64_t rank;  /* of the function there; TREE_NONE: none */
};

struct builder {
    struct call_tree *calls;
    const struct tree *tree;  /* a node is a path of functions */
    const uint32_t *ranks;    /* of labels */
    const uint8_t *is_chosen; /* [all functions]; NULL: all */
    bool is_inverted;
    size_t nodes_max;
    struct item *items; /* [item_count], by the nodes that they are in */
    size_t item_count;
    uint32_t *first_child, *sibling; /* [node_count] of a tree that is not inverted; 0: none */
    size_t *heap;                    /* nodes that may be shown, the most expensive first */
    size_t heap_count, heap_capacity;
};

/* The nodes that may be shown ----------------------------------------------------------------- */

static bool is_before(const struct builder *builder, size_t a, size_t b)
{
    const struct call_tree_node *nodes = builder->calls->nodes;
    return nodes[a].key != nodes[b].key ? nodes[a].key > nodes[b].key : a < b;
}

static void swap(size_t *a, size_t *b)
{
    size_t old = *a;
    *a = *b;
    *b = old;
}

static void push(struct builder *builder, size_t node)
{
    size_t at = builder->heap_count;
    MEM_APPEND(builder->heap, builder->heap_count, builder->heap_capacity, node);
    for (; at > 0 && is_before(builder, builder->heap[at], builder->heap[(at - 1) / 2]);
         at = (at - 1) / 2)
        swap(&builder->heap[at], &builder->heap[(at - 1) / 2]);
}

static size_t pop(struct builder *builder)
{
    size_t *heap = builder->heap, first = heap[0], at = 0;
    heap[0] = heap[--builder->heap_count];
    for (;;) {
        size_t best = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < builder->heap_count && is_before(builder, heap[child], heap[best]))
                best = child;
        if (best == at)
            return first;
        swap(&heap[at], &heap[best]);
        at = best;
    }
}

/* Children ---------------------------------------------------------------------------------- */

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    return ORDER(a->rank, b->rank, ORDER(a->node, b->node, 0));
}

static int compare_nodes(const void *left, const void *right)
{
    const struct call_tree_node *a = left, *b = right;
    return ORDER(b->ns, a->ns, ORDER(a->from, b->from, 0));
}

/* Makes a node of each run of items with the same rank, below `parent`. */
static void add_children(struct builder *builder, size_t parent, size_t from, size_t to)
{
    struct call_tree *calls = builder->calls;
    const struct tree *tree = builder->tree;
    bool has_totals = builder->is_chosen != NULL || !builder->is_inverted;
    size_t first = calls->count;
    qsort(builder->items + from, to - from, sizeof *builder->items, compare_items);
    for (size_t end; from < to && builder->items[from].rank != TREE_NONE; from = end) {
        uint32_t above = builder->items[from].above;
        struct call_tree_node node = {.function = tree->calls[above].function,
                                      .depth = parent > 0 ? calls->nodes[parent].depth + 1 : 0,
                                      .parent = parent,
                                      .from = from};
        for (end = from; end < to && builder->items[end].rank == builder->items[from].rank; end++) {
            uint32_t at = builder->items[end].node;
            node.calls += tree->call_counts[at];
            node.self_ns += tree->self_ns[at];
            node.ns += has_totals ? tree->total_ns[at] : tree->self_ns[at];
        }
        node.to = end;
        MEM_APPEND(calls->nodes, calls->count, calls->capacity, node);
    }
    if (calls->count > first)
        qsort(calls->nodes + first, calls->count - first, sizeof *calls->nodes, compare_nodes);
    calls->nodes[parent].first = first;
    calls->nodes[parent].count = calls->count - first;
    for (size_t i = first; i < calls->count; i++) {
        int64_t key = calls->nodes[parent].key, ns = calls->nodes[i].ns;
        calls->nodes[i].key = ns < key ? ns : key;
        push(builder, i);
    }
}

/* Adds an item with the function of `above`. */
static void put_item(const struct builder *builder, struct item *item, uint32_t node,
                     uint32_t above)
{
    uint32_t function = builder->tree->calls[above].function;
    *item = (struct item){node, above, above != TREE_ROOT ? builder->ranks[function] : TREE_NONE};
}

/* Replaces the items of a node by those of its callers, or appends those of its callees. */
static void expand(struct builder *builder, size_t index)
{
    const struct call_tree_node *node = &builder->calls->nodes[index];
    size_t from = node->from, to = node->to;
    if (builder->is_inverted) {
        for (size_t i = from; i < to; i++)
            put_item(builder, &builder->items[i], builder->items[i].node,
                     builder->tree->calls[builder->items[i].above].parent);
        bool is_cut =
            node->depth >= INVERTED_DEPTH_MAX || builder->calls->count > builder->nodes_max;
        builder->calls->is_cut |= is_cut;
        if (!is_cut)
            add_children(builder, index, from, to);
        return;
    }
    size_t first = builder->item_count;
    for (size_t i = from; i < to; i++) {
        uint32_t child = builder->first_child[builder->items[i].node];
        for (; child != TREE_ROOT; child = builder->sibling[child])
            put_item(builder, &builder->items[builder->item_count++], child, child);
    }
    add_children(builder, index, first, builder->item_count);
}

/* The tree ---------------------------------------------------------------------------------- */

/* Puts the items of the top: nodes of chosen functions, or all roots; inverted, all nodes. */
static void put_top(struct builder *builder)
{
    const struct tree *tree = builder->tree;
    const uint8_t *all_chosen = builder->is_chosen;
    bool is_inverted = builder->is_inverted;
    bool *outermost = tree_find_outermost(tree, NULL);
    bool *is_below = mem_zeroed(tree->node_count, sizeof *is_below); /* or is, a chosen one */
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        bool is_chosen = all_chosen != NULL && all_chosen[tree->calls[node].function];
        bool is_top = all_chosen == NULL ? is_inverted || parent == TREE_ROOT
                      : is_inverted      ? is_chosen && outermost[node]
                                         : is_chosen && !is_below[parent];
        is_below[node] = is_below[parent] || is_chosen;
        if (is_top)
            put_item(builder, &builder->items[builder->item_count++], node, node);
    }
    free(outermost);
    free(is_below);
    add_children(builder, 0, 0, builder->item_count);
}

/* Lists the shown nodes depth first. */
static void list_rows(struct call_tree *calls, size_t count)
{
    calls->rows = mem_zeroed(count, sizeof *calls->rows);
    for (size_t at = 0; calls->row_count < count;) {
        const struct call_tree_node *node = &calls->nodes[at];
        if (node->shown > 0) {
            at = node->first;
        } else {
            const struct call_tree_node *above = &calls->nodes[node->parent];
            while (at + 1 == above->first + above->shown) {
                at = calls->nodes[at].parent;
                above = &calls->nodes[calls->nodes[at].parent];
            }
            at++;
        }
        calls->rows[calls->row_count++] = at;
    }
}

/*
 * Makes the call tree that the options ask for, with at most `limit` rows, and none with less time
 * than `ns_min`. After `nodes_max` nodes, an inverted tree gets no more: it could have one for each
 * frame of each stack.
 */
static void make_call_tree(struct call_tree *calls, const struct report *report, size_t limit,
                           size_t nodes_max, int64_t ns_min)
{
    const struct tree *tree = report->paths;
    struct builder builder = {.calls = calls,
                              .tree = tree,
                              .ranks = report->labels->ranks,
                              .is_chosen = report->tree_root != NULL ? report->is_tree_root : NULL,
                              .is_inverted = report->show.is_inverted,
                              .nodes_max = nodes_max};
    *calls = (struct call_tree){0};
    MEM_APPEND(calls->nodes, calls->count, calls->capacity,
               (struct call_tree_node){.key = INT64_MAX});
    builder.items = mem_zeroed(tree->node_count, sizeof *builder.items);
    if (!builder.is_inverted) {
        builder.first_child = mem_zeroed(tree->node_count, sizeof *builder.first_child);
        builder.sibling = mem_zeroed(tree->node_count, sizeof *builder.sibling);
        for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
            uint32_t parent = tree->calls[node].parent;
            builder.sibling[node] = builder.first_child[parent];
            builder.first_child[parent] = node;
        }
    }
    put_top(&builder);
    size_t shown = 0;
    while (shown < limit && builder.heap_count > 0) {
        size_t node = pop(&builder);
        if (calls->nodes[node].key < ns_min)
            break;
        calls->nodes[calls->nodes[node].parent].shown++;
        shown++;
        expand(&builder, node);
    }
    list_rows(calls, shown);
    MEM_FREE(builder.items, builder.first_child, builder.sibling, builder.heap);
}

static void release_call_tree(struct call_tree *calls)
{
    free(calls->nodes);
    free(calls->rows);
}

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
    make_call_tree(&shown.calls, report, limit, nodes_max, ns_min);
    add_columns(&grid, &shown);
    grid_put_rows(&grid, &(struct grid_rows){&shown, shown.calls.row_count, put_row}, text, out);
    put_notes(text, &shown);
    release_call_tree(&shown.calls);
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
