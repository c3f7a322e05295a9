#include "tree/function_sums.h"

#include "base/mem.h"
#include "tree/tree_links.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void function_sums_clear(struct function_sums *sums)
{
    sums->count = 0;
}

void function_sums_release(struct function_sums *sums)
{
    free(sums->at);
    *sums = (struct function_sums){0};
}

static struct function_sum *sum_of(struct function_sums *sums, uint32_t function)
{
    if (function >= sums->count) {
        sums->at = mem_grow(sums->at, &sums->capacity, (size_t)function + 1, sizeof *sums->at);
        memset(sums->at + sums->count, 0, (function + 1 - sums->count) * sizeof *sums->at);
        sums->count = (size_t)function + 1;
    }
    return &sums->at[function];
}

/* The number of nodes of each function on the path to the current node. */
struct path_counts {
    const struct call *calls; /* [node_count] */
    uint32_t *on_path;        /* [function_count] */
};

static void leave_node(void *context, uint32_t node)
{
    struct path_counts *counts = context;
    counts->on_path[counts->calls[node].function]--;
}

/* Adds the totals of nodes that have no node of the same function above them. */
static void add_totals(struct function_sums *sums, const struct tree *tree)
{
    struct tree_links links;
    tree_link(&links, tree, NULL);
    struct path_counts counts = {tree->calls, mem_zeroed(sums->count, sizeof(uint32_t))};
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &links, node, leave_node, &counts)) != TREE_NONE) {
        uint32_t function = tree->calls[node].function;
        bool is_outermost = counts.on_path[function]++ == 0;
        if (is_outermost && (tree->flags[node] & NODE_RECORDER) == 0)
            sums->at[function].total_ns += tree->total_ns[node];
    }
    free(counts.on_path);
    tree_links_release(&links);
}

void function_sums_add_tree(struct function_sums *sums, const struct tree *tree)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct function_sum *sum = sum_of(sums, tree->calls[node].function);
        sum->calls += tree->call_counts[node];
        sum->self_ns += tree->self_ns[node];
        if (tree->flags[node] & NODE_RECORDER) {
            sum->recorder_calls += tree->call_counts[node];
            sum->recorder_ns += tree->self_ns[node];
        }
    }
    if (tree->node_count > 1)
        add_totals(sums, tree);
}

/* Sets the times of each node from those of the builder. */
static void settle(struct tree *tree, const struct tree_builder *builder)
{
    /* Children come first, so the sum of a node's children is complete when it is reached. */
    int64_t *children_ns = mem_zeroed(tree->node_count, sizeof *children_ns);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        bool has_total = builder->times == TIMES_TOTAL && (builder->flags[node] & NODE_TIMED);
        bool has_self = builder->times == TIMES_SELF;
        int64_t time_ns = has_self || has_total ? builder->times_ns[node] : 0;
        tree->total_ns[node] = has_total ? time_ns : time_ns + children_ns[node];
        tree->self_ns[node] = tree->total_ns[node] - children_ns[node];
        children_ns[tree->calls[node].parent] += tree->total_ns[node];
    }
    free(children_ns);
}

void function_sums_add_builder(struct function_sums *sums, const struct tree_builder *builder)
{
    uint32_t count = builder->node_count;
    if (count == 0)
        return;
    struct tree tree = {.node_count = count,
                        .calls = builder->calls,
                        .call_counts = builder->call_counts,
                        .self_ns = mem_zeroed(count, sizeof *tree.self_ns),
                        .total_ns = mem_zeroed(count, sizeof *tree.total_ns),
                        .flags = builder->flags};
    settle(&tree, builder);
    function_sums_add_tree(sums, &tree);
    free(tree.self_ns);
    free(tree.total_ns);
}

void function_sums_copy(struct function_sums *to, const struct function_sums *from)
{
    to->at = mem_grow(to->at, &to->capacity, from->count, sizeof *to->at);
    if (from->count > 0)
        memcpy(to->at, from->at, from->count * sizeof *to->at);
    to->count = from->count;
}
