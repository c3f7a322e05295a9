#include "tree/function_sums.h"

#include "base/mem.h"

void function_sums_clear(struct function_sums *sums)
{
    sums->count = 0;
}

void function_sums_release(struct function_sums *sums)
{
    free(sums->at);
    *sums = (struct function_sums){0};
}

void function_sums_grow(struct function_sums *sums, size_t count)
{
    if (count <= sums->count)
        return;
    MEM_GROW(sums->at, sums->capacity, count);
    memset(sums->at + sums->count, 0, (count - sums->count) * sizeof *sums->at);
    sums->count = count;
}

void function_sums_add_own(struct function_sums *sums, const struct tree *tree)
{
    const struct tree of = *tree;
    for (uint32_t node = 1; node < of.node_count; node++) {
        uint32_t function = of.calls[node].function;
        if (function >= sums->count)
            function_sums_grow(sums, (size_t)function + 1);
        struct function_sum *sum = &sums->at[function];
        sum->calls += of.call_counts[node];
        sum->self_ns += of.self_ns[node];
        sum->flags |= of.flags[node];
        sum->is_used = true;
    }
    for (uint32_t node = 1; tree->details != NULL && node < of.node_count; node++) {
        struct function_sum *sum = &sums->at[of.calls[node].function];
        sum->memory_kb += of.details[node].memory_kb;
        sum->variance_ns2 += of.details[node].variance_ns2;
    }
}

void function_sums_add_tree(struct function_sums *sums, const struct tree *tree)
{
    bool *outermost = tree_find_outermost(tree, NULL);
    function_sums_add_own(sums, tree);
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (outermost[node])
            sums->at[tree->calls[node].function].total_ns += tree->total_ns[node];
    free(outermost);
}

/* Sets the times of each node from those of the builder. */
static void set_times(struct tree *tree, const struct tree_builder *builder)
{
    /* Children come first, so the sum of a node's children is complete when it is reached. */
    int64_t *children_ns = mem_zeroed(tree->node_count, sizeof *children_ns);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        bool has_total = builder->times == TIMES_TOTAL && (builder->tree.flags[node] & NODE_TIMED);
        bool has_self = builder->times == TIMES_SELF;
        int64_t time_ns = has_self    ? builder->tree.self_ns[node]
                          : has_total ? builder->tree.total_ns[node]
                                      : 0;
        tree->total_ns[node] = has_total ? time_ns : time_ns + children_ns[node];
        tree->self_ns[node] = tree->total_ns[node] - children_ns[node];
        children_ns[tree->calls[node].parent] += tree->total_ns[node];
    }
    free(children_ns);
}

void function_sums_add_builder(struct function_sums *sums, const struct tree_builder *builder)
{
    struct tree tree = builder->tree;
    if (tree.node_count == 0)
        return;
    tree.self_ns = mem_zeroed(tree.node_count, sizeof *tree.self_ns);
    tree.total_ns = mem_zeroed(tree.node_count, sizeof *tree.total_ns);
    tree.details = NULL;
    set_times(&tree, builder);
    function_sums_add_tree(sums, &tree);
    free(tree.self_ns);
    free(tree.total_ns);
}

void function_sums_copy(struct function_sums *to, const struct function_sums *from)
{
    MEM_GROW(to->at, to->capacity, from->count);
    if (from->count > 0)
        memcpy(to->at, from->at, from->count * sizeof *to->at);
    to->count = from->count;
}
