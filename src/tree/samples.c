#include "tree/samples.h"

#include "base/mem.h"

#include <math.h>

void sample_parts_add(struct sample_parts *to, const struct sample_parts *from)
{
    for (int part = 0; part < SAMPLE_PARTS; part++)
        to->ns[part] += from->ns[part];
}

struct sample_parts sample_parts_scaled(const struct sample_parts *from, double factor)
{
    struct sample_parts scaled;
    for (int part = 0; part < SAMPLE_PARTS; part++)
        scaled.ns[part] = (float)((double)from->ns[part] * factor);
    return scaled;
}

void sample_sums_add(struct sample_sums *to, const struct sample_sums *from)
{
    for (int part = 0; part < SAMPLE_PARTS; part++)
        to->ns[part] += from->ns[part];
    to->cost_error_ns += from->cost_error_ns;
}

struct sample_sums sample_sums_of(const struct tree *tree, uint32_t node)
{
    struct sample_sums sums = {0};
    for (int part = 0; part < SAMPLE_PARTS; part++)
        sums.ns[part] = (double)tree->samples[node].ns[part];
    sums.cost_error_ns = tree->details[node].cost_error_ns;
    return sums;
}

struct sample_sums *sample_totals(const struct tree *tree)
{
    struct sample_sums *totals = mem_zeroed(tree->node_count, sizeof *totals);
    for (uint32_t node = tree->node_count; node-- > TREE_ROOT;) {
        struct sample_sums own = sample_sums_of(tree, node);
        sample_sums_add(&totals[node], &own);
        if (node != TREE_ROOT)
            sample_sums_add(&totals[tree->calls[node].parent], &totals[node]);
    }
    return totals;
}

static double add_up(const struct sample_sums *sums)
{
    double ns = 0;
    for (int part = 0; part < SAMPLE_PARTS; part++)
        ns += sums->ns[part];
    return ns;
}

static double share_of(const struct sample_sums *sum, const struct sample_sums *all)
{
    double all_ns = add_up(all);
    return all_ns > 0 ? add_up(sum) / all_ns : 0;
}

double sample_variance_ns2(const struct sample_sums *sum, const struct sample_sums *all)
{
    double share = share_of(sum, all), squares = 0;
    int count = 0;
    for (int part = 0; part < SAMPLE_PARTS; part++) {
        squares += pow(sum->ns[part] - share * all->ns[part], 2);
        count += all->ns[part] > 0;
    }
    return count > 1 ? squares * count / (count - 1) : pow(add_up(sum), 2);
}

double sample_error_ns(const struct sample_sums *sum, const struct sample_sums *all)
{
    double cost_error_ns = sum->cost_error_ns - share_of(sum, all) * all->cost_error_ns;
    return hypot(sqrt(sample_variance_ns2(sum, all)), cost_error_ns);
}

void samples_finish(struct tree *tree, const int64_t *measured_ns)
{
    struct sample_sums all = {0};
    for (uint32_t node = 1; node < tree->node_count; node++) {
        double before_ns = (double)measured_ns[node];
        double left = before_ns > 0 ? (double)tree->self_ns[node] / before_ns : 0;
        tree->samples[node] = sample_parts_scaled(&tree->samples[node], left);
        struct sample_sums own = sample_sums_of(tree, node);
        sample_sums_add(&all, &own);
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct sample_sums own = sample_sums_of(tree, node);
        tree->details[node].variance_ns2 += sample_variance_ns2(&own, &all);
    }
}
