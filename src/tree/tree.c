#include "tree/tree.h"

#include "base/mem.h"
#include "base/sort.h"
#include "tree/line_runs.h"

#include <math.h>

void subsamples_add(struct subsamples *to, const struct subsamples *from)
{
    for (int i = 0; i < SUBSAMPLES; i++)
        to->ns[i] += from->ns[i];
}

struct subsamples subsamples_scaled(const struct subsamples *from, double factor)
{
    struct subsamples scaled;
    for (int i = 0; i < SUBSAMPLES; i++)
        scaled.ns[i] = (float)((double)from->ns[i] * factor);
    return scaled;
}

struct call_details call_details_none(void)
{
    return (struct call_details){.min_ns = INT64_MAX, .max_ns = -1};
}

void call_details_add(struct call_details *to, const struct call_details *from)
{
    to->errors += from->errors;
    to->finished += from->finished;
    /* Durations of a recursion contain each other, so that their sum may be larger than any time.
     */
    to->finished_ns = from->finished_ns < INT64_MAX - to->finished_ns
                          ? to->finished_ns + from->finished_ns
                          : INT64_MAX;
    to->memory_kb += from->memory_kb;
    to->variance_ns2 += from->variance_ns2;
    to->cost_error_ns += from->cost_error_ns;
    to->common_error_ns += from->common_error_ns;
    to->measured_ns += from->measured_ns;
    to->min_ns = from->min_ns < to->min_ns ? from->min_ns : to->min_ns;
    to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
}

void call_details_scale_times(struct call_details *details, double factor)
{
    details->variance_ns2 *= factor * factor;
    details->cost_error_ns *= factor;
    details->common_error_ns *= factor;
    details->measured_ns *= factor;
}

double call_details_noise_ns(const struct call_details *details)
{
    return sqrt(details->variance_ns2 + details->cost_error_ns * details->cost_error_ns);
}

double call_details_difference_ns(const struct call_details *a, const struct call_details *b)
{
    /* Of the parts that are of one function, and of those that are of all. */
    const double OWN_ALIKE = 0.7, COMMON_ALIKE = 0.5;
    double a_common = fmin(a->common_error_ns, a->cost_error_ns);
    double b_common = fmin(b->common_error_ns, b->cost_error_ns);
    double a_own2 = a->cost_error_ns * a->cost_error_ns - a_common * a_common;
    double b_own2 = b->cost_error_ns * b->cost_error_ns - b_common * b_common;
    return sqrt(a->variance_ns2 + b->variance_ns2 + a_own2 + b_own2 -
                2 * OWN_ALIKE * sqrt(a_own2 * b_own2) + a_common * a_common + b_common * b_common -
                2 * COMMON_ALIKE * a_common * b_common);
}

struct tree tree_make(uint32_t node_count, bool has_details)
{
    struct tree tree = {.node_count = node_count};
    tree.calls = mem_zeroed(node_count, sizeof *tree.calls);
    tree.call_counts = mem_zeroed(node_count, sizeof *tree.call_counts);
    tree.self_ns = mem_zeroed(node_count, sizeof *tree.self_ns);
    tree.flags = mem_zeroed(node_count, sizeof *tree.flags);
    tree.details = has_details ? mem_zeroed(node_count, sizeof *tree.details) : NULL;
    tree.calls[TREE_ROOT] = (struct call){.parent = TREE_NONE, .function = TREE_NONE};
    if (has_details)
        tree.details[TREE_ROOT] = call_details_none();
    return tree;
}

void tree_release(struct tree *tree)
{
    MEM_FREE(tree->calls,
             tree->call_counts,
             tree->total_ns,
             tree->self_ns,
             tree->flags,
             tree->outermost,
             tree->details,
             tree->samples);
    if (tree->lines != NULL)
        line_runs_free(tree->lines);
    *tree = (struct tree){0};
}

uint32_t tree_count_functions(const struct tree *tree)
{
    uint32_t count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (tree->calls[node].function >= count)
            count = tree->calls[node].function + 1;
    return count;
}

uint32_t *tree_find_roots(const struct tree *tree)
{
    uint32_t *roots = mem_zeroed(tree->node_count, sizeof *roots);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        roots[node] = call->parent == TREE_ROOT ? call->function : roots[call->parent];
    }
    return roots;
}

/* Returns all nodes but the root in order of rank, line and id, [node_count - 1]. */
static uint32_t *sort_by_rank(const struct tree *tree, const uint32_t *rank)
{
    uint32_t count = tree->node_count - 1;
    SCOPED_ARRAY struct keyed *keyed = mem_zeroed(count, sizeof *keyed);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t line = (uint32_t)call->line ^ (uint32_t)INT32_MIN;
        keyed[node - 1] = (struct keyed){(uint64_t)rank[call->function] << 32 | line, node};
    }
    key_sort(keyed, count);
    uint32_t *nodes = mem_zeroed(count, sizeof *nodes);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = keyed[i].item;
    return nodes;
}

bool *tree_find_lined(const struct tree *tree)
{
    if (tree->lines == NULL || tree->lines->count == 0)
        return NULL;
    bool *is_lined = mem_zeroed(tree_count_functions(tree), sizeof *is_lined);
    for (size_t i = 0; i < tree->lines->count; i++)
        is_lined[tree->calls[tree->lines->at[i].node].function] = true;
    return is_lined;
}

void tree_complete_lines(struct tree *tree)
{
    bool *is_lined = tree_find_lined(tree);
    if (is_lined == NULL)
        return;
    size_t known = tree->lines->count, at = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        int64_t rest_ns = tree->self_ns[node];
        for (; at < known && tree->lines->at[at].node == node; at++)
            rest_ns -= tree->lines->at[at].self_ns;
        if (rest_ns != 0 && is_lined[tree->calls[node].function])
            line_runs_add(&tree->lines, (struct line_run){.node = node, .self_ns = rest_ns});
    }
    free(is_lined);
    line_runs_sort(tree->lines);
}

/* What is known of a node while places are given: together, because they are read together. */
struct placing {
    uint32_t size;  /* the node and all below it */
    uint32_t used;  /* places below the node that its children have taken */
    uint32_t place; /* first after that of the parent, then of all */
};

void tree_order_init(struct tree_order *order, const struct tree *tree, const uint32_t *rank)
{
    SCOPED_ARRAY struct placing *placing = mem_zeroed(tree->node_count, sizeof *placing);
    for (uint32_t node = tree->node_count; node-- > TREE_ROOT;) {
        placing[node].size++;
        if (node != TREE_ROOT)
            placing[tree->calls[node].parent].size += placing[node].size;
    }
    SCOPED_ARRAY uint32_t *sorted = rank != NULL ? sort_by_rank(tree, rank) : NULL;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        uint32_t node = sorted != NULL ? sorted[i - 1] : i;
        struct placing *parent = &placing[tree->calls[node].parent];
        placing[node].place = 1 + parent->used;
        parent->used += placing[node].size;
    }
    order->nodes = mem_zeroed(tree->node_count, sizeof *order->nodes);
    order->sizes = mem_zeroed(tree->node_count, sizeof *order->sizes);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        if (node != TREE_ROOT)
            placing[node].place += placing[tree->calls[node].parent].place;
        order->nodes[placing[node].place] = node;
        order->sizes[placing[node].place] = placing[node].size;
    }
}

void tree_order_release(struct tree_order *order)
{
    MEM_FREE(order->nodes, order->sizes);
    *order = (struct tree_order){0};
}

void tree_copy_in_order(struct tree *copy, const struct tree *tree, const struct tree_order *order)
{
    *copy = tree_make(tree->node_count, tree->details != NULL);
    if (tree->samples != NULL)
        copy->samples = mem_zeroed(tree->node_count, sizeof *copy->samples);
    uint32_t *places = mem_zeroed(tree->node_count, sizeof *places);
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order->nodes[place];
        places[node] = place;
        copy->calls[place] = tree->calls[node];
        copy->calls[place].parent = places[tree->calls[node].parent];
        copy->call_counts[place] = tree->call_counts[node];
        copy->self_ns[place] = tree->self_ns[node];
        copy->flags[place] = tree->flags[node];
        if (tree->details != NULL)
            copy->details[place] = tree->details[node];
        if (tree->samples != NULL)
            copy->samples[place] = tree->samples[node];
    }
    free(places);
    tree_sum_totals(copy);
}

static uint32_t group_of(const struct tree *tree, const uint32_t *groups, uint32_t node)
{
    return groups != NULL ? groups[node] : tree->calls[node].function;
}

static uint32_t count_groups(const struct tree *tree, const uint32_t *groups)
{
    uint32_t most = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        most = group_of(tree, groups, node) > most ? group_of(tree, groups, node) : most;
    return most + 1;
}

/* Each node knows by a bit for each group which of them are above it. */
static void pass_down(bool *outermost, const struct tree *tree, const uint32_t *groups)
{
    SCOPED_ARRAY uint64_t *above = mem_zeroed(tree->node_count, sizeof *above); /* or are it */
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint64_t bit = (uint64_t)1 << groups[node], parents = above[tree->calls[node].parent];
        outermost[node] = (parents & bit) == 0;
        above[node] = parents | bit;
    }
}

/* Walks through the whole tree once; its time does not depend on the depth. */
static void walk_paths(bool *outermost, const struct tree *tree, const uint32_t *groups)
{
    SCOPED(tree_order) order;
    tree_order_init(&order, tree, NULL);
    SCOPED_ARRAY uint32_t *on_path = mem_zeroed(count_groups(tree, groups), sizeof *on_path);
    uint32_t at = TREE_ROOT;
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order.nodes[place];
        for (; at != tree->calls[node].parent; at = tree->calls[at].parent)
            on_path[group_of(tree, groups, at)]--;
        outermost[node] = on_path[group_of(tree, groups, node)]++ == 0;
        at = node;
    }
}

int64_t tree_share_ns(const struct tree *tree)
{
    int64_t all_ns = tree->total_ns[TREE_ROOT];
    return all_ns < tree->whole_ns && all_ns <= tree->whole_ns / 2 ? -1 : all_ns;
}

void tree_mark_outermost(struct tree *tree)
{
    if (tree->outermost != NULL)
        return;
    tree->outermost = mem_zeroed(tree->node_count, sizeof *tree->outermost);
    walk_paths(tree->outermost, tree, NULL);
}

void tree_sum_totals(struct tree *tree)
{
    if (tree->total_ns == NULL)
        tree->total_ns = mem_zeroed(tree->node_count, sizeof *tree->total_ns);
    tree_mark_outermost(tree);
    tree->whole_ns = 0;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        tree->total_ns[node] = tree->self_ns[node];
        tree->whole_ns += tree->self_ns[node] > 0 ? tree->self_ns[node] : 0;
    }
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
        tree->total_ns[tree->calls[node].parent] += tree->total_ns[node];
}

bool *tree_find_outermost(const struct tree *tree, const uint32_t *groups, bool are_of_functions)
{
    bool *outermost = mem_zeroed(tree->node_count, sizeof *outermost);
    if (are_of_functions && memchr(tree->outermost + 1, false, tree->node_count - 1) == NULL)
        memcpy(outermost, tree->outermost, tree->node_count);
    else if (count_groups(tree, groups) <= 64)
        pass_down(outermost, tree, groups);
    else
        walk_paths(outermost, tree, groups);
    return outermost;
}
