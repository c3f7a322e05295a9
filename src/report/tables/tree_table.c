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
#include "report/figures/formats.h"
#include "report/figures/label_texts.h"
#include "report/sentences/amounts.h"
#include "report/tables/tables.h"

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

struct tree_table {
    const struct report *report;
    struct call_tree calls;
};

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

COMPARES(compare_items, struct item, ORDER(a->rank, b->rank, ORDER(a->node, b->node, 0)))

COMPARES(compare_nodes, struct call_tree_node, ORDER(b->ns, a->ns, ORDER(a->from, b->from, 0)))

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
            put_item(builder,
                     &builder->items[i],
                     builder->items[i].node,
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
    SCOPED_ARRAY bool *is_below =
        mem_zeroed(tree->node_count, sizeof *is_below); /* or is, a chosen one */
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        bool is_chosen = all_chosen != NULL && all_chosen[tree->calls[node].function];
        bool is_top = is_inverted || parent == TREE_ROOT;
        if (all_chosen != NULL)
            is_top = is_chosen && (is_inverted ? tree->outermost[node] : !is_below[parent]);
        is_below[node] = is_below[parent] || is_chosen;
        if (is_top)
            put_item(builder, &builder->items[builder->item_count++], node, node);
    }
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
    const struct chosen_functions *chosen = &report->chosen[TABLE_TREE];
    struct builder builder = {.calls = calls,
                              .tree = tree,
                              .ranks = report->labels->ranks,
                              .is_chosen = chosen->pattern != NULL ? chosen->is_chosen : NULL,
                              .is_inverted = report->show.is_inverted,
                              .nodes_max = nodes_max};
    *calls = (struct call_tree){0};
    MEM_APPEND(
        calls->nodes, calls->count, calls->capacity, (struct call_tree_node){.key = INT64_MAX});
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

/* The table --------------------------------------------------------------------------------- */

enum tree_column {
    TREE_DEPTH,
    TREE_TOTAL,
    TREE_TOTAL_SHARE,
    TREE_SELF,
    TREE_SELF_SHARE,
    TREE_CALLS,
    TREE_HIDDEN,
    TREE_LABEL,
    TREE_COLUMNS
};

static const struct column_info columns[TREE_COLUMNS] = {
    [TREE_DEPTH] = {.name = "depth", .type = TYPE_NUMBER},
    [TREE_TOTAL] = {.title = "total", .name = "total_ns", .type = TYPE_SUM},
    [TREE_TOTAL_SHARE] = {.title = "total%", .type = TYPE_PERCENT, .order = 1},
    [TREE_SELF] = {.title = "self", .name = "self_ns", .type = TYPE_SUM},
    [TREE_SELF_SHARE] = {.title = "self%", .type = TYPE_PERCENT, .order = 1},
    [TREE_CALLS] = {.title = "calls", .name = "calls", .type = TYPE_COUNT},
    [TREE_HIDDEN] = {.name = "hidden", .type = TYPE_COUNT},
    [TREE_LABEL] = {.type = TYPE_LABEL},
};

static void get_label(const struct report *report, const struct call_tree_node *node,
                      struct cell *cell)
{
    enum { INDENT_MAX = 40 };
    uint32_t most = report->width != 0 ? (uint32_t)report->width / 8 : INDENT_MAX;
    uint32_t indent = node->depth < most ? node->depth : most;
    text_put_blanks(&cell->text, 2 * (size_t)indent);
    if (node->depth > indent)
        text_printf(&cell->text, "(%u) ", (unsigned)node->depth);
    function_label_put(&cell->text, &cell->place, report->labels, node->function);
    if (node->count > node->shown)
        text_printf(&cell->suffix, "  ... %zu", node->count - node->shown);
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct tree_table *tree = table->of;
    const struct report *report = tree->report;
    const struct call_tree_node *node = &tree->calls.nodes[tree->calls.rows[row]];
    enum tree_column kind = (enum tree_column)(column->info - columns);
    bool is_of_self = report->show.is_inverted && report->chosen[TABLE_TREE].pattern == NULL;
    if (table_get_function(report, node->function, column->info, cell))
        return;
    cell->is_known = true;
    cell->number = node->ns;
    switch (kind) {
    case TREE_LABEL:
        get_label(report, node, cell);
        break;
    case TREE_DEPTH:
        cell->number = node->depth;
        break;
    case TREE_CALLS:
        cell->number = (int64_t)node->calls;
        if (node->calls == 0 && !selection_changes_stacks(report->selection))
            cell->word = "-";
        break;
    case TREE_HIDDEN:
        cell->number = (int64_t)(node->count - node->shown);
        break;
    case TREE_SELF:
        if (!is_of_self)
            cell->number = node->self_ns;
        break;
    default:
        break;
    }
}

static void add_columns(struct table *table, const struct report *report, enum table_reader reader)
{
    bool is_inverted = report->show.is_inverted, is_for_people = reader == FOR_PEOPLE;
    enum tree_column first =
        is_inverted && report->chosen[TABLE_TREE].pattern == NULL ? TREE_SELF : TREE_TOTAL;
    if (!is_for_people) {
        table_add(table, &columns[TREE_DEPTH]);
        table_add_function(table, reader);
        table_add(table, &columns[TREE_CALLS]);
    }
    table_add(table, &columns[first]);
    if (is_for_people)
        table_add(table, &columns[first + 1]);
    /* Inverted, a row has one time. */
    if (!is_inverted)
        table_add(table, &columns[TREE_SELF]);
    table_add(table, &columns[is_for_people ? TREE_CALLS : TREE_HIDDEN]);
    if (is_for_people)
        table_add(table, &columns[TREE_LABEL]);
}

/* Appends what is not in the tree. */
static void put_notes(struct text *lines, const struct call_tree *calls, bool is_inverted)
{
    bool is_folded = false;
    for (size_t i = 0; i < calls->row_count && !is_folded; i++) {
        const struct call_tree_node *node = &calls->nodes[calls->rows[i]];
        is_folded = node->count > node->shown;
    }
    if (is_folded)
        text_printf(lines,
                    "Note: '... 2': 2 %s are not shown (--rows 0 shows all)\n",
                    is_inverted ? "callers" : "callees");
    if (calls->is_cut)
        text_put_string(lines, "Note: not all callers are shown: there are too many\n");
}

static void pass_on(struct table_walk *walk)
{
    enum { PART_MIN = 1000, SPARE_NODES = 100000, LABEL_WANTED = 40 };
    const struct report *report = walk->report;
    int64_t all_ns = report_total_ns(report);
    int64_t ns_min = report_shows_all(report) ? INT64_MIN : all_ns / PART_MIN + 1;
    /* In proportion to the logs; ids of nodes have 32 bits. */
    uint64_t half = report->profile->counts.bytes / 2;
    size_t nodes_max = SPARE_NODES + (size_t)(half < UINT32_MAX / 2 ? half : UINT32_MAX / 2);
    struct tree_table tree = {.report = report};
    make_call_tree(&tree.calls,
                   report,
                   walk->reader == FOR_PEOPLE ? walk->room : report_row_limit(report),
                   nodes_max,
                   ns_min);
    struct table table = {.get = get,
                          .of = &tree,
                          .row_count = tree.calls.row_count,
                          .unit = amount_unit_of(report, all_ns),
                          .is_estimate = amount_is_about(report),
                          .all_ns = tree_share_ns(report->tree),
                          .label_title = "function",
                          .label_wanted = LABEL_WANTED};
    add_columns(&table, report, walk->reader);
    put_notes(&table.below, &tree.calls, report->show.is_inverted);
    walk->take(walk, &table);
    text_release(&table.below);
    MEM_FREE(tree.calls.nodes, tree.calls.rows);
}

const struct report_format report_tree = {
    .name = "tree",
    .summary = "the call tree, as far as it is expensive",
    .uses = USES_UNIT,
    .suffixes = {".tree", NULL},
    .tables = 1 << TABLE_TREE,
    .is_table = true,
    .write = tables_write,
};

const struct table_kind tree_tables = {
    .uses = USES_TREE | USES_PROFILE | USES_LINES | USES_PATHS | USES_LENGTH,
    .shown_by = USES_TREE,
    .for_people = &report_tree,
    .walk = pass_on,
};
