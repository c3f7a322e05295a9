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
    sums.cost_error_ns = tree->details != NULL ? tree->details[node].cost_error_ns : 0;
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

/* What 95 of 100 values of Student's t do not exceed, up or down. */
static double student_t(int degrees)
{
    static const double values[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                    2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                    2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                    2.060,  2.056, 2.052, 2.048, 2.045};
    enum { COUNT = sizeof values / sizeof values[0] };
    return values[degrees <= COUNT ? degrees - 1 : COUNT - 1];
}

double sample_error_ns(const struct sample_sums *sum, const struct sample_sums *all)
{
    double all_ns = add_up(all), squares = 0;
    double share = all_ns > 0 ? add_up(sum) / all_ns : 0;
    int count = 0;
    for (int part = 0; part < SAMPLE_PARTS; part++) {
        double difference_ns = sum->ns[part] - share * all->ns[part];
        squares += difference_ns * difference_ns;
        count += all->ns[part] > 0;
    }
    if (count < 2)
        return add_up(sum);
    double error_ns = sqrt(squares * count / (count - 1));
    double cost_error_ns = sum->cost_error_ns - share * all->cost_error_ns;
    return student_t(count - 1) * hypot(error_ns, cost_error_ns);
}
