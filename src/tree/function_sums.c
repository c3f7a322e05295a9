#include "tree/function_sums.h"

#include "base/mem.h"

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
