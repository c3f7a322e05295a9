#include "report/figures/totals.h"

#include "tree/function_sums.h"

#include <math.h>

/*
 * The largest rounding error of a log line's time: delins' profiler adds up its calls as floats
 * of 24 bits, and each addition rounds.
 */
static double rounding_ns(const struct tree *tree, uint32_t node)
{
    enum { CALLS_MAX = 1 << 14 }; /* the errors of more cancel out */
    uint64_t calls = tree->call_counts[node] + 1;
    double share = (double)(calls < CALLS_MAX ? calls : CALLS_MAX) / (1 << 24);
    return fabs((double)tree->total_ns[node]) * share + 1;
}

/* A self time is the difference between a line's time and the times below it. */
static void sum_up_negative(struct report_totals *totals, const struct tree *tree)
{
    double *unsure_ns = mem_zeroed(tree->node_count, sizeof *unsure_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        unsure_ns[node] += rounding_ns(tree, node);
        unsure_ns[tree->calls[node].parent] += rounding_ns(tree, node);
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        bool is_explained = (double)-tree->self_ns[node] <= unsure_ns[node];
        totals->negative_count += !is_explained;
        totals->negative_ns += is_explained ? 0 : tree->self_ns[node];
    }
    free(unsure_ns);
}

struct report_totals totals_sum_up(const struct tree *tree, const struct symbols *symbols)
{
    struct report_totals totals = {0};
    struct function_sums sums = {0};
    bool has_negative = false;
    int64_t of_threads_ns[(NODE_MAIN | NODE_COROUTINE) + 1] = {0};
    for (uint32_t node = 1; node < tree->node_count; node++) {
        totals.stacks += (tree->flags[node] & NODE_SEEN) != 0;
        of_threads_ns[tree->flags[node] & (NODE_MAIN | NODE_COROUTINE)] += tree->self_ns[node];
        has_negative |= tree->self_ns[node] < 0;
    }
    function_sums_add_own(&sums, tree);
    for (uint32_t i = 0; i < sums.count; i++) {
        totals.functions += sums.at[i].is_used;
        totals.calls += sums.at[i].calls;
        totals.c_ns += sums.at[i].is_used && symbols_is_c(symbols, i) ? sums.at[i].self_ns : 0;
    }
    function_sums_release(&sums);
    totals.main_ns = of_threads_ns[NODE_MAIN];
    totals.coroutine_ns = of_threads_ns[NODE_COROUTINE];
    totals.both_ns = of_threads_ns[0] + of_threads_ns[NODE_MAIN | NODE_COROUTINE];
    if (has_negative)
        sum_up_negative(&totals, tree);
    return totals;
}
