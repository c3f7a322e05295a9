#include "rebuild/ending/overhead.h"

#include "base/mem.h"
#include "base/number.h"
#include "tree/line_runs.h"

#include <math.h>

/* Sums of one function over all of its nodes. */
struct function_overhead {
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

double *overhead_costs(const struct tree *tree, const uint8_t *kinds,
                       const struct call_costs *costs)
{
    double *cost_ns = mem_zeroed(tree->node_count, sizeof *cost_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint8_t kind = kinds[node];
        double calls = (double)tree->call_counts[node];
        cost_ns[node] += calls * costs->in_ns[kind];
        cost_ns[call->parent] += calls * costs->out_ns[kind];
    }
    for (size_t i = 0; tree->lines != NULL && i < tree->lines->count; i++)
        cost_ns[tree->lines->at[i].node] += (double)tree->lines->at[i].runs * line_cost_ns(costs);
    return cost_ns;
}

static void add_errors(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        double calls = (double)tree->call_counts[node];
        uint32_t parent = tree->calls[node].parent;
        tree->details[node].cost_error_ns += calls * costs->in_error_ns[kinds[node]];
        tree->details[parent].cost_error_ns += calls * costs->out_error_ns[kinds[node]];
    }
}

/* What is wrong in the same direction in all calls of a node does not become less with these. */
static void add_bias(struct tree *tree, const double *cost_ns, const struct call_costs *costs)
{
    for (uint32_t node = 1; costs->fraction > 0 && node < tree->node_count; node++) {
        struct call_details *details = &tree->details[node];
        double self_ns = fmax((double)tree->self_ns[node], 0);
        double measured_ns = fmax(details->measured_ns, self_ns);
        double event_ns = OVERHEAD_EVENT_BIAS * fmin(cost_ns[node], measured_ns);
        double excess_ns = costs->excess * self_ns;
        double time_ns = costs->time_bias * self_ns;
        /* Without timed wakes all events cost more than is subtracted. */
        double untimed_ns = costs->untimed * event_ns;
        event_ns -= untimed_ns;
        untimed_ns += fmin(costs->untimed_bias * self_ns, OVERHEAD_MOST_EXCESS * cost_ns[node]);
        double error2_ns2 = event_ns * event_ns + excess_ns * excess_ns + time_ns * time_ns;
        details->cost_error_ns += (untimed_ns + sqrt(error2_ns2)) / 2;
        details->common_error_ns += (untimed_ns + time_ns) / 2;
    }
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

/* What a node keeps in any case. */
static int64_t kept_ns_of(int64_t self_ns, const struct call_costs *costs)
{
    return costs->keeps_fraction && self_ns > 0
               ? number_nearest((double)self_ns * OVERHEAD_LEAST_FRACTION)
               : 0;
}

static void sum_up(const struct tree *tree, const double *cost_ns, const struct call_costs *costs,
                   struct function_overhead *functions)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct function_overhead *function = &functions[tree->calls[node].function];
        int64_t self_ns = tree->self_ns[node] - kept_ns_of(tree->self_ns[node], costs);
        int64_t rest_ns = rest_of(self_ns, cost_ns[node]);
        if (rest_ns >= 0)
            add_ns(&function->left_ns, rest_ns);
        else
            add_ns(&function->lacking_ns, self_ns > 0 ? -rest_ns : whole_ns(cost_ns[node]));
    }
}

/* The part of lacking_ns that the nodes up to the current one must supply. */
static int64_t share(const struct function_overhead *function)
{
    if (function->lacking_ns >= function->left_ns)
        return function->seen_ns;
    return (int64_t)((long double)function->lacking_ns * (long double)function->seen_ns /
                     (long double)function->left_ns);
}

static void take_out(struct tree *tree, const double *cost_ns, const struct call_costs *costs,
                     struct function_overhead *functions)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct function_overhead *function = &functions[tree->calls[node].function];
        int64_t kept_ns = kept_ns_of(tree->self_ns[node], costs);
        int64_t rest_ns = rest_of(tree->self_ns[node] - kept_ns, cost_ns[node]);
        if (rest_ns < 0) {
            if (tree->self_ns[node] > 0)
                tree->self_ns[node] = kept_ns;
            continue;
        }
        add_ns(&function->seen_ns, rest_ns);
        int64_t taken_ns = share(function) - function->taken_ns;
        function->taken_ns += taken_ns;
        tree->self_ns[node] = kept_ns + rest_ns - taken_ns;
    }
}

double *overhead_left(const struct tree *tree, const double *cost_ns, double fraction)
{
    uint32_t count = tree_count_functions(tree);
    double *left_ns = mem_zeroed(tree->node_count, sizeof *left_ns);
    SCOPED_ARRAY double *rests_ns = mem_zeroed(count, sizeof *rests_ns);
    SCOPED_ARRAY double *lacking_ns = mem_zeroed(count, sizeof *lacking_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t function = tree->calls[node].function;
        double self_ns = fmax((double)tree->self_ns[node], 0);
        left_ns[node] = self_ns * (1 - OVERHEAD_LEAST_FRACTION) - cost_ns[node] * fraction;
        *(left_ns[node] > 0 ? &rests_ns[function] : &lacking_ns[function]) += fabs(left_ns[node]);
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t function = tree->calls[node].function;
        double self_ns = fmax((double)tree->self_ns[node], 0);
        double kept = 1 - fmin(lacking_ns[function] / fmax(rests_ns[function], 1), 1);
        left_ns[node] = fmax(left_ns[node], 0) * kept + self_ns * OVERHEAD_LEAST_FRACTION;
    }
    return left_ns;
}

static int64_t less(int64_t ns, double cost_ns)
{
    double left_ns = (double)ns - cost_ns;
    return left_ns > 0 ? number_nearest(left_ns) : 0;
}

/*
 * Sets the sum of the calls that returned, all of which had `measured_part` of the node's time, or
 * 0: then they have as much of what is left of it. So the mean is the total time by the calls, and
 * neither below the shortest nor above the longest, which are less exact. Otherwise `sum_ns` is a
 * guess, and the mean stays between these.
 */
static void set_mean(struct call_details *details, int64_t sum_ns, double measured_part,
                     int64_t total_ns)
{
    const double MOSTLY = 0.9, ALL = 0.999;
    double finished = (double)details->finished;
    if (measured_part >= MOSTLY && total_ns >= 0)
        sum_ns = whole_ns((double)total_ns * fmin(measured_part, 1));
    if (measured_part >= ALL && total_ns >= 0) {
        int64_t mean_ns = whole_ns((double)sum_ns / finished);
        details->min_ns = mean_ns < details->min_ns ? mean_ns : details->min_ns;
        details->max_ns = mean_ns > details->max_ns ? mean_ns : details->max_ns;
    } else {
        double least_ns = (double)details->min_ns * finished;
        double most_ns = (double)details->max_ns * finished;
        sum_ns = (double)sum_ns < least_ns ? whole_ns(least_ns) : sum_ns;
        sum_ns = (double)sum_ns > most_ns ? whole_ns(most_ns) : sum_ns;
    }
    details->finished_ns = sum_ns;
}

/*
 * Durations include the cost of all calls made inside. No call takes more time than all calls of
 * its node.
 */
static void shorten_durations(struct tree *tree, const uint8_t *kinds,
                              const struct call_costs *costs, const float *scales)
{
    SCOPED_ARRAY double *inside_ns = mem_zeroed(tree->node_count, sizeof *inside_ns);
    SCOPED_ARRAY double *measured_ns = mem_zeroed(tree->node_count, sizeof *measured_ns);
    SCOPED_ARRAY int64_t *total_ns = mem_zeroed(tree->node_count, sizeof *total_ns);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        const struct call *call = &tree->calls[node];
        struct call_details *details = &tree->details[node];
        total_ns[node] += tree->self_ns[node];
        total_ns[call->parent] += total_ns[node];
        measured_ns[node] += details->measured_ns;
        measured_ns[call->parent] += measured_ns[node];
        uint8_t kind = kinds[node];
        double calls = (double)tree->call_counts[node];
        double finished = (double)details->finished;
        if (details->finished > 0) {
            int64_t most_of_node_ns = total_ns[node] > 0 ? total_ns[node] : 0;
            if (details->max_ns > most_of_node_ns)
                details->max_ns = most_of_node_ns;
            if (details->min_ns > most_of_node_ns)
                details->min_ns = most_of_node_ns;
        }
        double part = calls > 0 ? fmin(finished / calls, 1) : 1;
        int64_t sum_ns =
            less(details->finished_ns, finished * costs->in_ns[kind] + inside_ns[node] * part);
        if (scales != NULL)
            sum_ns = whole_ns((double)sum_ns * scales[node]);
        double measured_part = (double)details->finished_ns / fmax(measured_ns[node], 1);
        if (call_details_has_mean(details))
            set_mean(details,
                     sum_ns,
                     finished >= calls && measured_ns[node] > 0 ? measured_part : 0,
                     total_ns[node]);
        inside_ns[call->parent] +=
            inside_ns[node] + calls * (costs->in_ns[kind] + costs->out_ns[kind]);
    }
}

/* A line has the cost of its events, that of calling, and that of its function's begin. */
static void take_out_of_lines(struct tree *tree, const uint8_t *kinds,
                              const struct call_costs *costs)
{
    SCOPED_ARRAY double *cost_ns = mem_zeroed(tree->lines->count, sizeof *cost_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        const struct line_run *line = line_runs_find(tree->lines, call->parent, call->line);
        if (line != NULL)
            cost_ns[line - tree->lines->at] +=
                (double)tree->call_counts[node] * costs->out_ns[kinds[node]];
    }
    for (size_t i = 0; i < tree->lines->count; i++) {
        struct line_run *line = &tree->lines->at[i];
        cost_ns[i] += (double)line->runs * line_cost_ns(costs) +
                      (double)line->begins * costs->in_ns[CALL_OF_LUA];
        line->self_ns = less(line->self_ns, cost_ns[i]);
        line->begins = 0;
    }
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

void overhead_remove(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     struct overhead_sums *sums)
{
    *sums = (struct overhead_sums){.measured_ns = sum_self(tree)};
    if (!costs->is_known)
        return;
    SCOPED_ARRAY double *cost_ns = overhead_costs(tree, kinds, costs);
    SCOPED_ARRAY struct function_overhead *functions =
        mem_zeroed(tree_count_functions(tree), sizeof *functions);
    sum_up(tree, cost_ns, costs, functions);
    take_out(tree, cost_ns, costs, functions);
    double wanted_ns = sum_costs(tree, cost_ns);
    tree_sum_totals(tree);
    sums->removed_ns = sums->measured_ns - sum_self(tree);
    sums->clamped_ns = fmax(wanted_ns - sums->removed_ns, 0);
}

float *overhead_first_factors(const struct tree *tree, const uint8_t *kinds,
                              const struct call_costs *costs, const int64_t *measured_ns)
{
    /* A little less than the exact one, so that there is never less room than is left. */
    const double SHORT = 0.99999;
    float *factors = mem_zeroed(tree->node_count, sizeof *factors);
    SCOPED_ARRAY double *cost_ns = overhead_costs(tree, kinds, costs);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        double taken_ns = (double)(measured_ns[node] - tree->self_ns[node]);
        factors[node] = cost_ns[node] > taken_ns ? (float)(taken_ns / cost_ns[node] * SHORT) : 1;
    }
    return factors;
}

void overhead_finish(struct tree *tree, const uint8_t *kinds, const struct call_costs *costs,
                     const float *scales, double measured_ns, struct overhead_sums *sums)
{
    SCOPED_ARRAY double *cost_ns = overhead_costs(tree, kinds, costs);
    add_errors(tree, kinds, costs);
    add_bias(tree, cost_ns, costs);
    if (tree->lines != NULL) {
        take_out_of_lines(tree, kinds, costs);
        line_runs_fit(tree->lines, tree->self_ns);
    }
    shorten_durations(tree, kinds, costs, scales);
    /* What is left of a part may be a few nanoseconds more than was measured: each is rounded. */
    double self_ns = sum_self(tree);
    sums->measured_ns = costs->is_known ? fmax(measured_ns, self_ns) : self_ns;
    sums->removed_ns = sums->measured_ns - self_ns;
    sums->clamped_ns = fmax(sum_costs(tree, cost_ns) - sums->removed_ns, 0);
}
