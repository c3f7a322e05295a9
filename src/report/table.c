#include "report/table.h"

#include "base/key_sort.h"
#include "base/mem.h"
#include "base/number.h"
#include "tree/tree_links.h"
#include "tree/tree_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of nodes of each group on the path to the current node. */
struct path_counts {
    const uint32_t *groups; /* [node_count] */
    uint32_t *on_path;      /* [group_count] */
};

static void leave_node(void *context, uint32_t node)
{
    struct path_counts *counts = context;
    counts->on_path[counts->groups[node]]--;
}

/*
 * For each node, whether it is the outermost of its group, in bit 0; the others say which groups
 * may be on the path to it, each by three of 31 bits.
 */
enum { IS_OUTERMOST = 1 };

/* Walks through the whole tree once; its time does not depend on the depth. */
static void walk_to_outermost(uint32_t *marks, const struct tree *tree,
                              const struct row_groups *groups)
{
    struct tree_links links;
    tree_link(&links, tree, NULL);
    struct path_counts counts = {groups->of_nodes, mem_zeroed(groups->count, sizeof(uint32_t))};
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &links, node, leave_node, &counts)) != TREE_NONE)
        marks[node] = counts.on_path[groups->of_nodes[node]]++ == 0 ? IS_OUTERMOST : 0;
    free(counts.on_path);
    tree_links_release(&links);
}

static uint32_t bits_of(uint32_t group)
{
    uint32_t hash = group * 0x9e3779b1u;
    return (uint32_t)2 << (hash >> 16) % 31 | (uint32_t)2 << (hash >> 8 & UINT16_MAX) % 31 |
           (uint32_t)2 << (hash & UINT16_MAX) % 31;
}

/*
 * Goes up from each node as long as the bits of the nodes above it say that its group may be there.
 * A million stacks take a quarter of the time of going up to the root, which waits for memory.
 * Fails if that is too many steps, in deep recursion.
 */
static bool look_back_for_outermost(uint32_t *marks, const struct tree *tree,
                                    const struct row_groups *groups)
{
    enum { USUAL_STEPS = 64, AHEAD = 32 };
    uint64_t steps_left = (uint64_t)tree->node_count * USUAL_STEPS;
    const uint32_t *of_nodes = groups->of_nodes;
    for (uint32_t node = 1; node < tree->node_count && steps_left > 0; node++) {
        if (tree->node_count - node > AHEAD)
            __builtin_prefetch(&marks[tree->calls[node + AHEAD].parent]);
        uint32_t at = tree->calls[node].parent;
        uint32_t bits = bits_of(of_nodes[node]);
        marks[node] = (marks[at] & ~(uint32_t)IS_OUTERMOST) | bits;
        while ((marks[at] & bits) == bits && of_nodes[at] != of_nodes[node] && --steps_left > 0)
            at = tree->calls[at].parent;
        marks[node] |= (marks[at] & bits) != bits ? IS_OUTERMOST : 0;
    }
    return steps_left > 0;
}

/* Returns for each node whether no node of its group is above it, [node_count]. */
static uint32_t *find_outermost(const struct tree *tree, const struct row_groups *groups)
{
    uint32_t *marks = mem_zeroed(tree->node_count, sizeof *marks);
    if (!look_back_for_outermost(marks, tree, groups))
        walk_to_outermost(marks, tree, groups);
    return marks;
}

static void add_node(struct row *row, const struct tree *tree, uint32_t node)
{
    row->calls += tree->call_counts[node];
    row->self_ns += tree->self_ns[node];
    row->flags |= tree->flags[node];
}

/* Returns details of zero calls for each row, [count], or NULL if the tree has none. */
static struct call_details *new_details(const struct tree *tree, size_t count)
{
    if (tree->details == NULL)
        return NULL;
    struct call_details *details = mem_zeroed(count, sizeof *details);
    for (size_t i = 0; i < count; i++)
        details[i] = call_details_none();
    return details;
}

/* Returns a row for each group, and sets the rows' details. */
static struct row *sum_rows(const struct row_groups *groups, const struct tree *tree,
                            const uint32_t *marks, struct call_details **details)
{
    struct row *rows = mem_zeroed(groups->count, sizeof *rows);
    *details = new_details(tree, groups->count);
    for (uint32_t i = 0; i < groups->count; i++)
        rows[i] = (struct row){.group = i, .details = *details != NULL ? &(*details)[i] : NULL};
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct row *row = &rows[groups->of_nodes[node]];
        add_node(row, tree, node);
        if (*details != NULL)
            call_details_add(&(*details)[groups->of_nodes[node]], &tree->details[node]);
        if (marks[node] & IS_OUTERMOST)
            row->total_ns += tree->total_ns[node];
    }
    return rows;
}

struct ordered {
    struct span text;
    uint32_t rank;
    int32_t line;
    uint32_t row;
};

static int compare_ordered(const void *left, const void *right)
{
    const struct ordered *a = left;
    const struct ordered *b = right;
    int order = labels_compare_texts(a->text, b->text);
    if (order != 0)
        return order;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static void order_by_label(struct table *table)
{
    const struct labels *labels = table->labels;
    struct ordered *ordered = mem_zeroed(table->row_count, sizeof *ordered);
    bool has_text = table->by == BY_FILE || table->by == BY_MOD;
    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct row_group *group = &table->groups.all[table->rows[i].group];
        bool has_function = !has_text && group->function != TREE_NONE;
        ordered[i] = (struct ordered){
            .text = has_text ? labels_text(labels, group->text) : (struct span){"", 0},
            .rank = has_function ? labels->labels[group->function].rank + 1 : 0,
            .line = table->by == BY_THREAD ? group->flags : group->line,
            .row = i,
        };
    }
    qsort(ordered, table->row_count, sizeof *ordered, compare_ordered);
    for (uint32_t i = 0; i < table->row_count; i++)
        table->rows[ordered[i].row].order = i;
    free(ordered);
}

static bool is_stack(const struct tree *tree, uint32_t node)
{
    if (tree == NULL)
        return false;
    /* An error can end a call that was counted before the profile began. */
    const struct call_details *details = tree->details != NULL ? &tree->details[node] : NULL;
    return tree->call_counts[node] > 0 || tree->self_ns[node] != 0 ||
           (details != NULL && (details->errors > 0 || details->memory_kb > 0));
}

static struct row row_of_node(const struct tree *tree, uint32_t node, uint32_t order)
{
    struct row row = {.total_ns = tree->total_ns[node],
                      .group = node,
                      .order = order,
                      .details = tree->details != NULL ? &tree->details[node] : NULL};
    add_node(&row, tree, node);
    return row;
}

static void order_by_labels(struct tree_order *order, const struct tree *tree,
                            const struct labels *labels)
{
    uint32_t function_count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (tree->calls[node].function >= function_count)
            function_count = tree->calls[node].function + 1;
    uint32_t *rank = mem_zeroed(function_count, sizeof *rank);
    for (uint32_t i = 0; i < function_count; i++)
        rank[i] = labels->labels[i].rank;
    tree_order_init(order, tree, rank);
    free(rank);
}

/* A row for each node that has calls or time of its own, in either tree. */
static void list_stacks(struct table *table, const struct tree *old_tree)
{
    const struct tree *tree = table->tree;
    for (uint32_t node = 1; node < tree->node_count; node++)
        table->row_count += is_stack(tree, node) || is_stack(old_tree, node);
    table->rows = mem_zeroed(table->row_count, sizeof *table->rows);
    if (old_tree != NULL)
        table->old_rows = mem_zeroed(table->row_count, sizeof *table->old_rows);
    struct tree_order order;
    order_by_labels(&order, tree, table->labels);
    uint32_t count = 0;
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order.nodes[place];
        if (!is_stack(tree, node) && !is_stack(old_tree, node))
            continue;
        table->rows[count] = row_of_node(tree, node, count);
        if (old_tree != NULL)
            table->old_rows[count] = row_of_node(old_tree, node, count);
        count++;
    }
    tree_order_release(&order);
}

/* The group of a row that has nodes, until it gets its own. */
enum { IS_USED = 1 };

/* Returns the sums of the nodes of each function, and sets the number of functions. */
static struct row *sum_functions(const struct tree *tree, uint32_t *function_count)
{
    struct row *rows = NULL;
    size_t capacity = 0;
    uint32_t count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t function = tree->calls[node].function;
        if (function >= count) {
            rows = mem_grow(rows, &capacity, (size_t)function + 1, sizeof *rows);
            memset(rows + count, 0, (function + 1 - count) * sizeof *rows);
            count = function + 1;
        }
        struct row *row = &rows[function];
        add_node(row, tree, node);
        row->group = IS_USED;
        if ((tree->flags[node] & NODE_RECURSIVE) == 0)
            row->total_ns += tree->total_ns[node];
    }
    *function_count = count;
    return rows;
}

/*
 * A row for each function, where the tree knows which nodes are recursive: one pass over it, which
 * writes nothing for each node. After the last byte of a log of a million stacks was read, supprof
 * takes 21 ms more; with groups for each node, and recursion looked for here, it takes 50 ms.
 */
static void list_functions(struct table *table)
{
    uint32_t function_count;
    struct row_groups *groups = &table->groups;
    table->rows = sum_functions(table->tree, &function_count);
    for (uint32_t i = 0; i < function_count; i++) {
        struct row_group group = {.function = i};
        if (table->rows[i].group != IS_USED)
            continue;
        table->rows[groups->count] = table->rows[i];
        table->rows[groups->count].group = (uint32_t)groups->count;
        groups->all =
            mem_append(groups->all, &groups->count, &groups->capacity, &group, sizeof group);
    }
    table->row_count = groups->count;
    order_by_label(table);
}

/* A row for each group of nodes. */
static void list_groups(struct table *table, const struct tree *old_tree, bool joins_recorder)
{
    struct row_groups *groups = &table->groups;
    row_groups_init(groups, table->by, table->tree, old_tree, table->labels, joins_recorder);
    uint32_t *marks = find_outermost(table->tree, groups);
    table->row_count = groups->count;
    table->rows = sum_rows(groups, table->tree, marks, &table->details);
    order_by_label(table);
    if (old_tree != NULL) {
        struct row *old_rows = sum_rows(groups, old_tree, marks, &table->old_details);
        table->old_rows = mem_zeroed(table->row_count, sizeof *table->old_rows);
        for (size_t i = 0; i < table->row_count; i++)
            table->old_rows[table->rows[i].order] = old_rows[i];
        free(old_rows);
    }
    free(marks);
}

static void list_rows(struct table *table, const struct tree *old_tree, bool joins_recorder)
{
    if (table->by == BY_STACK)
        list_stacks(table, old_tree);
    else if (table->by == BY_FUNCTION && table->tree->knows_recursion && old_tree == NULL)
        list_functions(table);
    else
        list_groups(table, old_tree, joins_recorder);
}

/* Orders rows by a column, or by the sizes of its differences: the largest first. */
static void sort_by_column(struct keyed *keyed, const struct table *table, enum column_kind sort)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[keyed[i].item];
        const struct row *old = table_old(table, row);
        double value = column_sort_key(sort, row);
        keyed[i].key =
            ~key_of_double(old != NULL ? fabs(value - column_sort_key(sort, old)) : value);
    }
    key_sort(keyed, table->row_count);
}

static void sort_rows(struct table *table, enum column_kind sort)
{
    struct keyed *keyed = mem_zeroed(table->row_count, sizeof *keyed);
    for (uint32_t i = 0; i < table->row_count; i++)
        keyed[table->rows[i].order].item = i;
    sort_by_column(keyed, table, COLUMN_SELF);
    if (sort != COLUMN_SELF)
        sort_by_column(keyed, table, sort);
    struct row *sorted = mem_zeroed(table->row_count, sizeof *sorted);
    for (size_t i = 0; i < table->row_count; i++)
        sorted[i] = table->rows[keyed[i].item];
    for (size_t i = 0; i < table->row_count; i++)
        sorted[i].sum_ns = sorted[i].self_ns + (i > 0 ? sorted[i - 1].sum_ns : 0);
    free(keyed);
    free(table->rows);
    table->rows = sorted;
}

void table_init(struct table *table, enum table_by by, enum column_kind sort,
                const struct tree *tree, const struct labels *labels, bool joins_recorder)
{
    *table = (struct table){.by = by, .tree = tree, .labels = labels};
    list_rows(table, NULL, joins_recorder);
    sort_rows(table, sort);
}

/* The old times of a row, scaled to the new number of calls; the new details go to `details`. */
static void scale_to_calls(struct row *old, uint64_t calls, struct call_details *details)
{
    if (old->calls == 0 || calls == 0)
        return;
    double factor = (double)calls / (double)old->calls;
    old->self_ns = number_scaled(old->self_ns, factor);
    old->total_ns = number_scaled(old->total_ns, factor);
    if (old->details == NULL)
        return;
    *details = *old->details;
    details->variance_ns2 *= factor * factor;
    details->cost_error_ns *= factor;
    old->details = details;
}

/* Scales the times of all old rows to the numbers of calls of the new ones. */
static void scale_rows(struct table *table, const struct tree *old_tree)
{
    struct call_details *scaled = new_details(old_tree, table->row_count);
    for (size_t i = 0; i < table->row_count; i++) {
        uint32_t order = table->rows[i].order;
        scale_to_calls(&table->old_rows[order], table->rows[i].calls,
                       scaled != NULL ? &scaled[order] : NULL);
    }
    table->scaled_details = scaled;
}

void table_compare(struct table *table, enum table_by by, enum column_kind sort,
                   const struct tree *tree, const struct tree *old_tree, bool scales_calls,
                   const struct labels *labels, bool joins_recorder)
{
    *table = (struct table){.by = by, .tree = tree, .labels = labels};
    list_rows(table, old_tree, joins_recorder);
    if (scales_calls)
        scale_rows(table, old_tree);
    sort_rows(table, sort);
}

void table_release(struct table *table)
{
    free(table->rows);
    free(table->old_rows);
    free(table->details);
    free(table->old_details);
    free(table->scaled_details);
    row_groups_release(&table->groups);
    *table = (struct table){0};
}
