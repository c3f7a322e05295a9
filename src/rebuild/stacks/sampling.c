#include "rebuild/stacks/sampling.h"

#include "base/number.h"

#include <math.h>

/* Sums that are larger are of a damaged log. */
static const double SUM_MAX = 4e18;

void sampling_begin(struct sampling *sampling)
{
    sampling->is_on = sampling->is_open = true;
}

/* Ends what a function had in the burst that it was in last. */
static void end_function(struct sampled_function *function)
{
    double less = fmin(function->units, function->largest);
    function->largest = fmax(function->units, function->largest);
    function->second = fmax(function->second, less);
    function->all += function->units;
    function->units = 0;
}

static void add_to_function(struct sampling *sampling, const struct nodes *nodes, uint32_t node,
                            double units)
{
    size_t id = (size_t)(nodes_function(nodes, node) - nodes->functions);
    MEM_GROW_ZEROED(sampling->functions, sampling->function_capacity, id + 1);
    struct sampled_function *function = &sampling->functions[id];
    if (function->burst != sampling->end_count)
        end_function(function);
    function->burst = sampling->end_count;
    function->units += units;
}

/* A node has counted `seen` in a burst, which stands for `units`. */
static void sample(const struct sampling *sampling, struct nodes *nodes, uint32_t node,
                   struct node_counts seen, double units)
{
    MEM_GROW_ZEROED(nodes->samples, nodes->sample_capacity, nodes->count);
    nodes->samples[node].calls += seen.calls;
    nodes->samples[node].units[sampling->burst_count % SAMPLE_PARTS] += (float)units;
    if (node_is_line(&nodes->at[node]))
        nodes->lines[node].squares += units * units;
}

/* After an event, no frame is known to be at its line any more. */
static void leave_lines(struct nodes *nodes)
{
    size_t count = nodes->touched_count;
    for (size_t i = 0; count > 1 && i < count; i++) {
        struct touched_node from = nodes->touched[i];
        if (from.node < NODES_FIRST || !node_is_line(&nodes->at[from.node]))
            continue;
        uint32_t call = nodes_call_of(nodes, from.node);
        nodes_touch(nodes, call);
        nodes->at[call].self += nodes->at[from.node].self - from.before.self;
        nodes->at[from.node].self = from.before.self;
    }
}

static void weigh(struct sampling *sampling, struct nodes *nodes,
                  const struct touched_node *touched, uint32_t weight)
{
    struct node *node = &nodes->at[touched->node];
    struct node_counts seen = {node->self - touched->before.self,
                               node->calls - touched->before.calls};
    double units = (double)seen.self * weight, calls = (double)seen.calls * weight;
    node->self = touched->before.self;
    node->calls = touched->before.calls;
    if (units < 0 || sampling->sum_units + units > SUM_MAX || sampling->sum_calls + calls > SUM_MAX)
        return;
    sampling->sum_units += units;
    sampling->sum_calls += calls;
    node->self += seen.self * weight;
    node->calls += seen.calls * weight;
    add_to_function(sampling, nodes, touched->node, units);
    if (!nodes->is_left_out)
        sample(sampling, nodes, touched->node, seen, units);
}

void sampling_end(struct sampling *sampling, struct nodes *nodes, uint32_t weight)
{
    if (!sampling->is_open)
        weight = 0;
    leave_lines(nodes);
    for (size_t i = 0; i < nodes->touched_count; i++)
        if (nodes->touched[i].node >= NODES_FIRST)
            weigh(sampling, nodes, &nodes->touched[i], weight);
    sampling->burst_count += weight > 0 && !nodes->is_left_out;
    sampling->end_count++;
    sampling->is_open = false;
}

double sampling_factor(const struct sampling *sampling)
{
    enum { WEIGHT_ONE = 16 };
    return sampling->is_on ? 1.0 / WEIGHT_ONE : 1;
}

double sampling_cost_ns(const struct nodes *nodes, const struct call_costs *costs)
{
    double cost_ns = 0;
    for (uint32_t i = NODES_FIRST; i < nodes->count && i < nodes->sample_capacity; i++) {
        enum call_kind kind = nodes_kind(nodes, i);
        cost_ns += (double)nodes->samples[i].calls * (costs->in_ns[kind] + costs->out_ns[kind]);
    }
    return cost_ns;
}

/* Cuts what the largest burst of each function has to LARGEST_TIMES what the next has. */
static void cut_largest(struct sampling *sampling)
{
    enum { LARGEST_TIMES = 4 };
    double most = 0;
    for (size_t i = 0; i < sampling->function_capacity; i++) {
        end_function(&sampling->functions[i]);
        most = fmax(most, sampling->functions[i].second);
    }
    for (size_t i = 0; i < sampling->function_capacity; i++) {
        struct sampled_function *function = &sampling->functions[i];
        double next = function->second > 0 ? function->second : most;
        double cut = function->largest - LARGEST_TIMES * next;
        function->factor = next > 0 && cut > 0 ? 1 - cut / function->all : 1;
    }
}

static double factor_of(const struct sampling *sampling, const struct nodes *nodes, uint32_t node)
{
    size_t id = (size_t)(nodes_function(nodes, node) - nodes->functions);
    return id < sampling->function_capacity ? sampling->functions[id].factor : 1;
}

void sampling_finish(struct sampling *sampling, struct nodes *nodes)
{
    if (!sampling->is_on)
        return;
    cut_largest(sampling);
    double factor = sampling_factor(sampling);
    for (uint32_t i = NODES_FIRST; i < nodes->count; i++) {
        double self_factor = factor * factor_of(sampling, nodes, i);
        nodes->at[i].self = number_scaled(nodes->at[i].self, self_factor);
        nodes->at[i].calls = number_scaled_count(nodes->at[i].calls, factor);
        if (i < nodes->left_out_capacity) {
            nodes->left_out[i].self = number_scaled(nodes->left_out[i].self, self_factor);
            nodes->left_out[i].calls = number_scaled_count(nodes->left_out[i].calls, factor);
        }
        for (int part = 0; i < nodes->sample_capacity && part < SAMPLE_PARTS; part++)
            nodes->samples[i].units[part] *= (float)self_factor;
        if (i < nodes->line_capacity)
            nodes->lines[i].squares *= self_factor * self_factor;
    }
}
