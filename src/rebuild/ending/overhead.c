#include "rebuild/ending/overhead.h"

#include "base/mem.h"
#include "base/number.h"
#include "rebuild/stacks/nodes.h"
#include "tree/line_runs.h"

#include <math.h>

/* Sums of one function over all of its nodes. */
struct overhead_parts {
    int64_t left_ns;    /* sum of self time less cost, over nodes where that is positive */
    int64_t lacking_ns; /* cost that has no self time to be taken from, over the others */
    int64_t taken_ns;   /* part of left_ns that is used so far for lacking_ns */
    int64_t seen_ns;    /* part of left_ns up to the current node */
};

/* An event of a line costs what any event does: entering the hook and leaving it. */
static double line_cost_ns(const struct call_costs *costs)
{
    return costs->in_ns[CALL_OF_C];
}

/* Returns the cost in each node's self time, [node_count]. */
static double *costs_of_nodes(const struct tree *tree, const uint8_t *kinds,
                              const struct call_costs *costs)
{
    double *cost_ns = mem_zeroed(tree->node_count, sizeof *cost_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint8_t kind = kinds[call->function];
        double calls = (double)tree->call_counts[node];
        cost_ns[node] += calls * costs->in_ns[kind];
        cost_ns[call->parent] += calls * costs->out_ns[kind];
        if (tree->details == NULL)
            continue;
        tree->details[node].cost_error_ns += calls * costs->in_error_ns[kind];
        tree->details[call->parent].cost_error_ns += calls * costs->out_error_ns[kind];
    }
    for (size_t i = 0; tree->lines != NULL && i < tree->lines->count; i++)
        cost_ns[tree->lines->at[i].node] += (double)tree->lines->at[i].runs * line_cost_ns(costs);
    return cost_ns;
}

/* A log may claim 10^15 calls: larger sums become the largest value. */
static int64_t whole_ns(double cost_ns)
{
    static const int64_t most = INT64_MAX / 2;
    return cost_ns < (double)most ? number_nearest(cost_ns) : most;
}

static int64_t rest_of(int64_t self_ns, double cost_ns)
{
    int64_t cost = whole_ns(cost_ns);
    return self_ns < -INT64_MAX + cost ? -INT64_MAX : self_ns - cost;
}

/* Adds values that are not negative. */
static void add_ns(int64_t *sum_ns, int64_t ns)
{
    *sum_ns = ns < INT64_MAX - *sum_ns ? *sum_ns + ns : INT64_MAX;
}

static void sum_up(const struct tree *tree, const double *cost_ns, struct overhead_parts *functions)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct overhead_parts *function = &functions[tree->calls[node].function];
        int64_t self_ns = tree->self_ns[node];
        int64_t rest_ns = rest_of(self_ns, cost_ns[node]);
        if (rest_ns >= 0)
            add_ns(&function->left_ns, rest_ns);
        else
            add_ns(&function->lacking_ns, self_ns > 0 ? -rest_ns : whole_ns(cost_ns[node]));
    }
}

/* The part of lacking_ns that the nodes up to the current one must supply. */
static int64_t share(const struct overhead_parts *function)
{
    if (function->lacking_ns >= function->left_ns)
        return function->seen_ns;
    return (int64_t)((long double)function->lacking_ns * (long double)function->seen_ns /
                     (long double)function->left_ns);
}

static void take_out(struct tree *tree, const double *cost_ns, struct overhead_parts *functions)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct overhead_parts *function = &functions[tree->calls[node].function];
        int64_t rest_ns = rest_of(tree->self_ns[node], cost_ns[node]);
        if (rest_ns < 0) {
            if (tree->self_ns[node] > 0)
                tree->self_ns[node] = 0;
            continue;
        }
        add_ns(&function->seen_ns, rest_ns);
        int64_t taken_ns = share(function) - function->taken_ns;
        function->taken_ns += taken_ns;
        tree->self_ns[node] = rest_ns - taken_ns;
    }
}

static int64_t less(int64_t ns, double cost_ns)
{
    double left_ns = (double)ns - cost_ns;
    return left_ns > 0 ? number_nearest(left_ns) : 0;
}

/* Durations include the cost of all calls made inside. */
static void shorten_durations(struct tree *tree, const uint8_t *kinds,
                              const struct call_costs *costs)
{
    double *inside_ns = mem_zeroed(tree->node_count, sizeof *inside_ns);
    double *inside_calls = mem_zeroed(tree->node_count, sizeof *inside_calls);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        const struct call *call = &tree->calls[node];
        struct call_details *details = &tree->details[node];
        uint8_t kind = kinds[call->function];
        double calls = (double)tree->call_counts[node];
        double mean_ns = inside_calls[node] > 0 ? inside_ns[node] / inside_calls[node] : 0;
        double in_ns = costs->in_ns[kind];
        if (details->finished > 0) {
            double part = calls > 0 ? fmin((double)details->finished / calls, 1) : 1;
            details->finished_ns = less(details->finished_ns,
                                        (double)details->finished * in_ns + inside_ns[node] * part);
            details->min_ns = less(details->min_ns, in_ns + mean_ns * details->min_calls);
            details->max_ns = less(details->max_ns, in_ns + mean_ns * details->max_calls);
            if (details->max_ns < details->min_ns)
                details->max_ns = details->min_ns;
        }
        inside_ns[call->parent] += inside_ns[node] + calls * (in_ns + costs->out_ns[kind]);
        inside_calls[call->parent] += inside_calls[node] + calls;
    }
    free(inside_ns);
    free(inside_calls);
}

/* A line has the cost of its events, that of calling, and that of its function's begin. */
static void take_out_of_lines(struct tree *tree, const uint8_t *kinds,
                              const struct call_costs *costs)
{
    if (tree->lines == NULL)
        return;
    double *cost_ns = mem_zeroed(tree->lines->count, sizeof *cost_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        const struct line_run *line = line_runs_find(tree->lines, call->parent, call->line);
        if (line != NULL)
            cost_ns[line - tree->lines->at] +=
                (double)tree->call_counts[node] * costs->out_ns[kinds[call->function]];
    }
    for (size_t i = 0; i < tree->lines->count; i++) {
        struct line_run *line = &tree->lines->at[i];
        cost_ns[i] += (double)line->runs * line_cost_ns(costs) +
                      (double)line->begins * costs->in_ns[CALL_OF_LUA];
        line->self_ns = less(line->self_ns, cost_ns[i]);
        line->begins = 0;
    }
    free(cost_ns);
}

static double sum_self(const struct tree *tree)
{
    double sum_ns = 0;
    for (uint32_t node = 0; node < tree->node_count; node++)
        sum_ns += (double)tree->self_ns[node];
    return sum_ns;
}

static double sum_costs(const struct tree *tree, const double *cost_ns)
{
    double wanted_ns = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        wanted_ns += cost_ns[node];
    return wanted_ns;
}

/*
 * What follows from the self times when those have been changed. The totals make room for what is
 * needed here, which is the most that a recording needs: 117 bytes a node, not 125.
 */
static void recompute(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                      struct overhead_sums *sums)
{
    bool has_totals = tree->total_ns != NULL;
    take_out_of_lines(tree, kinds, costs);
    if (tree->details != NULL) {
        tree_forget_totals(tree);
        shorten_durations(tree, kinds, costs);
    }
    if (has_totals)
        tree_sum_totals(tree);
    sums->removed_ns = sums->measured_ns - sum_self(tree);
}

void overhead_remove(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     struct overhead_sums *sums)
{
    *sums = (struct overhead_sums){.measured_ns = sum_self(tree)};
    if (!costs->is_known)
        return;
    double *cost_ns = costs_of_nodes(tree, kinds, costs);
    struct overhead_parts *functions = mem_zeroed(tree_count_functions(tree), sizeof *functions);
    sum_up(tree, cost_ns, functions);
    take_out(tree, cost_ns, functions);
    double wanted_ns = sum_costs(tree, cost_ns);
    free(cost_ns);
    free(functions);
    recompute(tree, kinds, costs, sums);
    sums->clamped_ns = fmax(wanted_ns - sums->removed_ns, 0);
}

int64_t overhead_share(int64_t part_ns, int64_t whole_ns, int64_t left_ns)
{
    if (whole_ns <= 0)
        return 0;
    return (int64_t)llroundl((long double)left_ns * (long double)part_ns / (long double)whole_ns);
}

void overhead_remove_part(struct tree *part, const uint32_t *whole_of, struct tree *whole,
                          const uint8_t *kinds, const struct call_costs *costs,
                          struct overhead_sums *sums)
{
    *sums = (struct overhead_sums){.measured_ns = sum_self(part)};
    if (!costs->is_known)
        return;
    int64_t *measured_ns = mem_zeroed(whole->node_count, sizeof *measured_ns);
    memcpy(measured_ns, whole->self_ns, whole->node_count * sizeof *measured_ns);
    struct overhead_sums whole_sums;
    overhead_remove(whole, kinds, costs, &whole_sums);
    double *cost_ns = costs_of_nodes(part, kinds, costs);
    for (uint32_t node = 1; node < part->node_count; node++) {
        uint32_t of = whole_of[node];
        part->self_ns[node] =
            overhead_share(part->self_ns[node], measured_ns[of], whole->self_ns[of]);
    }
    double wanted_ns = sum_costs(part, cost_ns);
    free(measured_ns);
    free(cost_ns);
    recompute(part, kinds, costs, sums);
    double whole_wanted_ns = whole_sums.removed_ns + whole_sums.clamped_ns;
    if (whole_wanted_ns > 0)
        sums->clamped_ns = whole_sums.clamped_ns * (wanted_ns / whole_wanted_ns);
}

static int64_t share_of(const struct tree *tree, uint32_t node, const int64_t *measured_ns,
                        int64_t units, double unit_ns)
{
    int64_t part_ns = number_nearest((double)units * unit_ns);
    return overhead_share(part_ns, measured_ns[node], tree->self_ns[node]);
}

void slow_sums_add(struct slow_sums *sums, const struct tree *tree, const int64_t *measured_ns,
                   const struct node_part *parts, double unit_ns)
{
    MEM_GROW_ZEROED(sums->at, sums->count, tree_count_functions(tree));
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        struct node_part part = parts == NULL ? (struct node_part){0} : parts[node];
        int64_t slow_ns = share_of(tree, node, measured_ns, part.slow, unit_ns);
        int64_t outside_ns = share_of(tree, node, measured_ns, part.outside, unit_ns);
        int64_t other_ns = tree->self_ns[node] - slow_ns - outside_ns;
        struct slow_sum *sum = &sums->at[tree->calls[node].function];
        sum->slow_ns += slow_ns;
        sum->other_ns += other_ns;
        sum->removed_ns += measured_ns[node] - tree->self_ns[node];
        sums->all.slow_ns += slow_ns;
        sums->all.other_ns += other_ns;
    }
}

void slow_sums_release(struct slow_sums *sums)
{
    free(sums->at);
    *sums = (struct slow_sums){0};
}
