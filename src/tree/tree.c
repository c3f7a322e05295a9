#include "tree/tree.h"

#include "base/mem.h"
#include "tree/line_runs.h"

#include <math.h>

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
    if (from->min_ns < to->min_ns) {
        to->min_ns = from->min_ns;
        to->min_calls = from->min_calls;
    }
    if (from->max_ns > to->max_ns) {
        to->max_ns = from->max_ns;
        to->max_calls = from->max_calls;
    }
}

double call_details_noise_ns(const struct call_details *details)
{
    return sqrt(details->variance_ns2 + details->cost_error_ns * details->cost_error_ns);
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
    MEM_FREE(tree->calls, tree->call_counts, tree->total_ns, tree->self_ns, tree->flags,
             tree->details, tree->samples);
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

void tree_forget_totals(struct tree *tree)
{
    free(tree->total_ns);
    tree->total_ns = NULL;
}

void tree_sum_totals(struct tree *tree)
{
    if (tree->total_ns == NULL)
        tree->total_ns = mem_zeroed(tree->node_count, sizeof *tree->total_ns);
    for (uint32_t node = 0; node < tree->node_count; node++)
        tree->total_ns[node] = tree->self_ns[node];
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
        tree->total_ns[tree->calls[node].parent] += tree->total_ns[node];
}
