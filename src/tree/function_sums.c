#include "tree/function_sums.h"

#include "base/mem.h"

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

void function_sums_add(struct function_sums *sums, uint32_t function, uint64_t calls,
                       int64_t self_ns)
{
    if (function >= sums->count) {
        sums->at = mem_grow(sums->at, &sums->capacity, (size_t)function + 1, sizeof *sums->at);
        memset(sums->at + sums->count, 0, (function + 1 - sums->count) * sizeof *sums->at);
        sums->count = (size_t)function + 1;
    }
    sums->at[function].calls += calls;
    sums->at[function].self_ns += self_ns;
}

void function_sums_add_tree(struct function_sums *sums, const struct tree *tree)
{
    for (uint32_t node = 1; node < tree->node_count; node++)
        function_sums_add(sums, tree->calls[node].function, tree->call_counts[node],
                          tree->self_ns[node]);
}

static void add_totals(struct function_sums *sums, const struct tree_builder *builder)
{
    /* Children come first, so the sum of a node's children is complete when it is reached. */
    int64_t *children_ns = mem_zeroed(builder->node_count, sizeof *children_ns);
    for (uint32_t node = builder->node_count; --node > TREE_ROOT;) {
        const struct call *call = &builder->calls[node];
        bool is_timed = (builder->flags[node] & NODE_TIMED) != 0;
        int64_t total_ns = is_timed ? builder->times_ns[node] : children_ns[node];
        function_sums_add(sums, call->function, builder->call_counts[node],
                          total_ns - children_ns[node]);
        children_ns[call->parent] += total_ns;
    }
    free(children_ns);
}

void function_sums_add_builder(struct function_sums *sums, const struct tree_builder *builder)
{
    if (builder->node_count == 0)
        return;
    if (builder->times == TIMES_TOTAL) {
        add_totals(sums, builder);
        return;
    }
    for (uint32_t node = 1; node < builder->node_count; node++)
        function_sums_add(sums, builder->calls[node].function, builder->call_counts[node],
                          builder->times_ns[node]);
}

void function_sums_copy(struct function_sums *to, const struct function_sums *from)
{
    to->at = mem_grow(to->at, &to->capacity, from->count, sizeof *to->at);
    if (from->count > 0)
        memcpy(to->at, from->at, from->count * sizeof *to->at);
    to->count = from->count;
}
