#include "report/table.h"

#include "base/mem.h"
#include "tree/stacks.h"
#include "tree/tree_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct call_details *row_details(const struct row *row)
{
    static const struct call_details none = {.min_ns = INT64_MAX, .max_ns = -1};
    return row->details != NULL ? row->details : &none;
}

bool row_is_used(const struct row *row)
{
    return row->calls > 0 || row->self_ns != 0 || row->total_ns != 0;
}

int64_t row_average_ns(const struct row *row)
{
    return row->calls == 0 ? 0 : (int64_t)llround((double)row->self_ns / (double)row->calls);
}

double row_noise_ns(const struct row *row)
{
    const struct call_details *details = row_details(row);
    return sqrt(details->variance_ns2 + details->cost_error_ns * details->cost_error_ns);
}

bool row_is_alike(const struct row *row, const struct row *old)
{
    double noise_ns = hypot(row_noise_ns(row), row_noise_ns(old));
    bool is_known = (row->details != NULL || !row_is_used(row)) &&
                    (old->details != NULL || !row_is_used(old)) && noise_ns > 0;
    return is_known && fabs((double)(row->self_ns - old->self_ns)) <= 2 * noise_ns;
}

static struct row_group group_of(const struct table *table, const struct tree *old_tree,
                                 uint32_t node, const uint32_t *roots)
{
    const struct call *call = &table->tree->calls[node];
    const struct label *label = &table->labels->labels[call->function];
    struct row_group group = {.function = TREE_NONE};
    switch (table->by) {
    case BY_FUNCTION:
    case BY_STACK:
        group.function = call->function;
        break;
    case BY_FILE:
        group.text = label->file;
        break;
    case BY_MOD:
        group.text = label->mod;
        break;
    case BY_LINE:
        group.function = table->tree->calls[call->parent].function;
        group.line = call->line;
        break;
    case BY_THREAD:
        group.function = table->tree->calls[roots[node]].function;
        group.flags = table->tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        if (group.flags == 0 && old_tree != NULL)
            group.flags = old_tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        break;
    }
    return group;
}

/*
 * A number that is the same for nodes of one group only; all but those of BY_LINE
 * are small, and so can be looked up in an array.
 */
static uint64_t key_of(const struct table *table, const struct row_group *group)
{
    switch (table->by) {
    case BY_FILE:
    case BY_MOD:
        return group->text;
    case BY_THREAD:
        return (uint64_t)group->function << 2 | group->flags;
    case BY_LINE:
        return (uint64_t)group->function << 32 | (uint32_t)group->line;
    case BY_FUNCTION:
    case BY_STACK:
        break;
    }
    return group->function;
}

/* Finds the groups that were met before. */
struct group_finder {
    struct intern lines; /* BY_LINE: keys, numbered like the groups */
    uint32_t *groups;    /* [capacity]: by key, INTERN_NONE for none */
    size_t capacity;
};

static uint32_t find_group(struct group_finder *finder, const struct table *table, uint64_t key)
{
    if (table->by == BY_LINE)
        return intern_add(&finder->lines, (const char *)&key, sizeof key);
    size_t known = finder->capacity;
    finder->groups =
        mem_grow(finder->groups, &finder->capacity, (size_t)key + 1, sizeof *finder->groups);
    for (; known < finder->capacity; known++)
        finder->groups[known] = INTERN_NONE;
    if (finder->groups[key] == INTERN_NONE)
        finder->groups[key] = (uint32_t)table->group_count;
    return finder->groups[key];
}

/* Returns the depth-one ancestor of each node, [node_count]. */
static uint32_t *find_roots(const struct tree *tree)
{
    uint32_t *roots = mem_zeroed(tree->node_count, sizeof *roots);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        roots[node] = parent == TREE_ROOT ? node : roots[parent];
    }
    return roots;
}

/* Fills table->groups and returns the group of each node, [node_count]. */
static uint32_t *group_nodes(struct table *table, const struct tree *old_tree)
{
    uint32_t *roots = table->by == BY_THREAD ? find_roots(table->tree) : NULL;
    uint32_t *groups = mem_zeroed(table->tree->node_count, sizeof *groups);
    struct group_finder finder = {0};
    for (uint32_t node = 1; node < table->tree->node_count; node++) {
        struct row_group group = group_of(table, old_tree, node, roots);
        groups[node] = find_group(&finder, table, key_of(table, &group));
        if (groups[node] < table->group_count)
            continue;
        table->groups = mem_grow(table->groups, &table->group_capacity, table->group_count + 1,
                                 sizeof *table->groups);
        table->groups[table->group_count++] = group;
    }
    intern_release(&finder.lines);
    free(finder.groups);
    free(roots);
    return groups;
}

/* How many nodes of each group are on the path to the node that is looked at. */
struct path_counts {
    const uint32_t *groups; /* [node_count] */
    uint32_t *on_path;      /* [group_count] */
};

static void leave_node(void *context, uint32_t node)
{
    struct path_counts *counts = context;
    counts->on_path[counts->groups[node]]--;
}

static void add_node(struct row *row, const struct tree *tree, uint32_t node)
{
    row->calls += tree->call_counts[node];
    row->self_ns += tree->self_ns[node];
    row->flags |= tree->flags[node];
}

/* Returns details of no call for each row, [count], or NULL where the tree has none. */
static struct call_details *new_details(const struct tree *tree, size_t count)
{
    if (tree->details == NULL)
        return NULL;
    struct call_details *details = mem_zeroed(count, sizeof *details);
    for (size_t i = 0; i < count; i++)
        details[i] = call_details_none();
    return details;
}

/* Returns a row for each group, [group_count], and sets what they refer to. */
static struct row *sum_rows(const struct table *table, const struct tree *tree,
                            const uint32_t *groups, struct call_details **details)
{
    struct row *rows = mem_zeroed(table->group_count, sizeof *rows);
    *details = new_details(tree, table->group_count);
    for (uint32_t i = 0; i < table->group_count; i++)
        rows[i] = (struct row){.group = i, .details = *details != NULL ? &(*details)[i] : NULL};
    struct tree_links links;
    tree_link(&links, tree, NULL);
    struct path_counts counts = {groups, mem_zeroed(table->group_count, sizeof(uint32_t))};
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &links, node, leave_node, &counts)) != TREE_NONE) {
        struct row *row = &rows[groups[node]];
        add_node(row, tree, node);
        if (*details != NULL)
            call_details_add(&(*details)[groups[node]], &tree->details[node]);
        if (counts.on_path[groups[node]]++ == 0)
            row->total_ns += tree->total_ns[node];
    }
    free(counts.on_path);
    tree_links_release(&links);
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
        const struct row_group *group = &table->groups[table->rows[i].group];
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

static void leave_nothing(void *context, uint32_t node)
{
    (void)context;
    (void)node;
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

static void link_by_label(struct tree_links *links, const struct tree *tree,
                          const struct labels *labels)
{
    uint32_t function_count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (tree->calls[node].function >= function_count)
            function_count = tree->calls[node].function + 1;
    uint32_t *rank = mem_zeroed(function_count, sizeof *rank);
    for (uint32_t i = 0; i < function_count; i++)
        rank[i] = labels->labels[i].rank;
    tree_link(links, tree, rank);
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
    struct tree_links links;
    link_by_label(&links, tree, table->labels);
    uint32_t count = 0;
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &links, node, leave_nothing, NULL)) != TREE_NONE) {
        if (!is_stack(tree, node) && !is_stack(old_tree, node))
            continue;
        table->rows[count] = row_of_node(tree, node, count);
        if (old_tree != NULL)
            table->old_rows[count] = row_of_node(old_tree, node, count);
        count++;
    }
    tree_links_release(&links);
}

static int compare_order(const struct row *a, const struct row *b)
{
    return a->order < b->order ? -1 : a->order > b->order;
}

static int compare_self(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;
    return a->self_ns != b->self_ns ? (a->self_ns > b->self_ns ? -1 : 1) : compare_order(a, b);
}

static int compare_total(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;
    return a->total_ns != b->total_ns ? (a->total_ns > b->total_ns ? -1 : 1) : compare_self(a, b);
}

static int compare_calls(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;
    return a->calls != b->calls ? (a->calls > b->calls ? -1 : 1) : compare_self(a, b);
}

/* Not rounded, so that near averages are told apart. */
static double average_ns(const struct row *row)
{
    return row->calls == 0 ? 0 : (double)row->self_ns / (double)row->calls;
}

static int compare_average(const void *left, const void *right)
{
    double a = average_ns(left);
    double b = average_ns(right);
    return a > b ? -1 : a < b ? 1 : compare_self(left, right);
}

static int compare_max(const void *left, const void *right)
{
    int64_t a = row_details(left)->max_ns;
    int64_t b = row_details(right)->max_ns;
    return a != b ? (a > b ? -1 : 1) : compare_self(left, right);
}

static int compare_errors(const void *left, const void *right)
{
    uint64_t a = row_details(left)->errors;
    uint64_t b = row_details(right)->errors;
    return a != b ? (a > b ? -1 : 1) : compare_self(left, right);
}

static int compare_alloc(const void *left, const void *right)
{
    uint64_t a = row_details(left)->memory_kb;
    uint64_t b = row_details(right)->memory_kb;
    return a != b ? (a > b ? -1 : 1) : compare_self(left, right);
}

/* Makes rows in order of labels. */
static void make_rows(struct table *table, const struct tree *old_tree)
{
    if (table->by == BY_STACK) {
        list_stacks(table, old_tree);
        return;
    }
    uint32_t *groups = group_nodes(table, old_tree);
    table->row_count = table->group_count;
    table->rows = sum_rows(table, table->tree, groups, &table->details);
    order_by_label(table);
    if (old_tree != NULL) {
        struct row *old_rows = sum_rows(table, old_tree, groups, &table->old_details);
        table->old_rows = mem_zeroed(table->row_count, sizeof *table->old_rows);
        for (size_t i = 0; i < table->row_count; i++)
            table->old_rows[table->rows[i].order] = old_rows[i];
        free(old_rows);
    }
    free(groups);
}

void table_init(struct table *table, enum table_by by, enum table_sort sort,
                const struct tree *tree, const struct labels *labels)
{
    *table = (struct table){.by = by, .tree = tree, .labels = labels};
    make_rows(table, NULL);
    static int (*const comparisons[])(const void *, const void *) = {
        [SORT_SELF] = compare_self,   [SORT_TOTAL] = compare_total,
        [SORT_CALLS] = compare_calls, [SORT_AVERAGE] = compare_average,
        [SORT_MAX] = compare_max,     [SORT_ERRORS] = compare_errors,
        [SORT_ALLOC] = compare_alloc,
    };
    qsort(table->rows, table->row_count, sizeof *table->rows, comparisons[sort]);
}

/* The old times of a row, for as many calls as there are now; `details` is where they go. */
static void scale_to_calls(struct row *old, uint64_t calls, struct call_details *details)
{
    if (old->calls == 0 || calls == 0)
        return;
    double factor = (double)calls / (double)old->calls;
    old->self_ns = llround((double)old->self_ns * factor);
    old->total_ns = llround((double)old->total_ns * factor);
    if (old->details == NULL)
        return;
    *details = *old->details;
    details->variance_ns2 *= factor * factor;
    details->cost_error_ns *= factor;
    old->details = details;
}

/* Gives all old rows the times of as many calls as the new ones have. */
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

static double sort_key(const struct row *row, enum table_sort sort)
{
    switch (sort) {
    case SORT_SELF:
        break;
    case SORT_TOTAL:
        return (double)row->total_ns;
    case SORT_CALLS:
        return (double)row->calls;
    case SORT_AVERAGE:
        return average_ns(row);
    case SORT_MAX:
        return row_details(row)->max_ns < 0 ? 0 : (double)row_details(row)->max_ns;
    case SORT_ERRORS:
        return (double)row_details(row)->errors;
    case SORT_ALLOC:
        return (double)row_details(row)->memory_kb;
    }
    return (double)row->self_ns;
}

struct compared {
    double key, self_key; /* sizes of differences */
    struct row row;
};

static int compare_compared(const void *left, const void *right)
{
    const struct compared *a = left;
    const struct compared *b = right;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    if (a->self_key != b->self_key)
        return a->self_key > b->self_key ? -1 : 1;
    return compare_order(&a->row, &b->row);
}

void table_compare(struct table *table, enum table_by by, enum table_sort sort,
                   const struct tree *tree, const struct tree *old_tree, bool scales_calls,
                   const struct labels *labels)
{
    *table = (struct table){.by = by, .tree = tree, .labels = labels};
    make_rows(table, old_tree);
    if (scales_calls)
        scale_rows(table, old_tree);
    struct compared *compared = mem_zeroed(table->row_count, sizeof *compared);
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        const struct row *old = &table->old_rows[row->order];
        compared[i] = (struct compared){fabs(sort_key(row, sort) - sort_key(old, sort)),
                                        fabs((double)row->self_ns - (double)old->self_ns), *row};
    }
    qsort(compared, table->row_count, sizeof *compared, compare_compared);
    for (size_t i = 0; i < table->row_count; i++)
        table->rows[i] = compared[i].row;
    free(compared);
}

void table_release(struct table *table)
{
    free(table->rows);
    free(table->old_rows);
    free(table->details);
    free(table->old_details);
    free(table->scaled_details);
    free(table->groups);
    *table = (struct table){0};
}

void table_put_call_site(struct text *text, const struct labels *labels, uint32_t function,
                         int32_t line)
{
    if (line == LINE_UNKNOWN || line == LINE_TAIL_CALL)
        return;
    struct span label = labels_text(labels, labels->labels[function].label);
    text_put(text, label.at, label.length);
    text_put_string(text, "->");
    text_put_number(text, line);
    text_put_string(text, ";");
}

void table_put_stack(struct text *text, const struct tree *tree, const struct labels *labels,
                     uint32_t node, bool call_sites)
{
    enum { USUAL_DEPTH = 64 };
    uint32_t usual_path[USUAL_DEPTH];
    size_t depth = 0;
    for (uint32_t at = node; at != TREE_ROOT; at = tree->calls[at].parent)
        depth++;
    uint32_t *path = depth <= USUAL_DEPTH ? usual_path : mem_zeroed(depth, sizeof *path);
    for (size_t i = depth; i-- > 0; node = tree->calls[node].parent)
        path[i] = node;
    for (size_t i = 0; i < depth; i++) {
        const struct call *call = &tree->calls[path[i]];
        if (i > 0) {
            text_put(text, ";", 1);
            if (call_sites)
                table_put_call_site(text, labels, tree->calls[path[i - 1]].function, call->line);
        }
        struct span label = labels_text(labels, labels->labels[call->function].label);
        text_put(text, label.at, label.length);
    }
    if (path != usual_path)
        free(path);
}
