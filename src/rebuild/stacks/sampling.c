#include "rebuild/stacks/sampling.h"

#include "base/number.h"

#include <math.h>

/* Sums that are larger are of a damaged log. */
static const double SUM_MAX = 4e18;

void sampling_begin(struct sampling *sampling, uint32_t lua_units)
{
    sampling->is_on = sampling->is_open = true;
    sampling->lua_units += lua_units;
}

/* A node has counted `seen` in a burst, which stands for `units`. */
static void sample(struct nodes *nodes, uint32_t node, uint64_t part, struct node_counts seen,
                   double units)
{
    MEM_GROW_ZEROED(nodes->samples, nodes->sample_capacity, nodes->count);
    nodes->samples[node].calls += seen.calls;
    nodes->samples[node].units[part % SAMPLE_PARTS] += (float)units;
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
    if (!nodes->is_left_out)
        sample(nodes, touched->node, sampling->burst_count, seen, units);
}

void sampling_end(struct sampling *sampling, struct nodes *nodes, uint32_t weight)
{
    if (!sampling->is_open)
        weight = 0;
    for (size_t i = 0; i < nodes->touched_count; i++)
        if (nodes->touched[i].node >= NODES_FIRST)
            weigh(sampling, nodes, &nodes->touched[i], weight);
    sampling->burst_count += weight > 0 && !nodes->is_left_out;
    sampling->is_open = false;
}

double sampling_factor(const struct sampling *sampling, double cost_units)
{
    /* Only a few calls, or wrong costs, leave less. */
    double units = fmax(sampling->sum_units - cost_units, sampling->sum_units / 8);
    return !sampling->is_on ? 1 : units > 0 ? sampling->lua_units / units : 0;
}

static double find_costs(const struct nodes *nodes, const struct call_costs *costs)
{
    double cost_ns = 0;
    for (uint32_t i = NODES_FIRST; i < nodes->count; i++) {
        enum call_kind kind = nodes_kind(nodes, i);
        cost_ns += (double)nodes_whole(nodes, i).calls * (costs->in_ns[kind] + costs->out_ns[kind]);
    }
    return cost_ns;
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

void sampling_finish(const struct sampling *sampling, struct nodes *nodes,
                     const struct call_costs *costs, double unit_ns)
{
    if (!sampling->is_on)
        return;
    double factor =
        sampling_factor(sampling, costs->is_known ? find_costs(nodes, costs) / unit_ns : 0);
    for (uint32_t i = NODES_FIRST; i < nodes->count; i++) {
        nodes->at[i].self = number_scaled(nodes->at[i].self, factor);
        nodes->at[i].calls = number_scaled_count(nodes->at[i].calls, factor);
        if (i < nodes->left_out_capacity) {
            nodes->left_out[i].self = number_scaled(nodes->left_out[i].self, factor);
            nodes->left_out[i].calls = number_scaled_count(nodes->left_out[i].calls, factor);
        }
        for (int part = 0; i < nodes->sample_capacity && part < SAMPLE_PARTS; part++)
            nodes->samples[i].units[part] *= (float)factor;
    }
}
