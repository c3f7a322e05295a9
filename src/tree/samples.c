#include "tree/samples.h"

#include "base/mem.h"

#include <math.h>

void sample_sums_add(struct sample_sums *to, const struct sample_sums *from)
{
    for (int i = 0; i < SUBSAMPLES; i++)
        to->ns[i] += from->ns[i];
    to->cost_error_ns += from->cost_error_ns;
    to->clock_variance_ns2 += from->clock_variance_ns2;
}

struct sample_sums sample_sums_of(const struct tree *tree, uint32_t node)
{
    struct sample_sums sums = {0};
    for (int i = 0; i < SUBSAMPLES; i++)
        sums.ns[i] = (double)tree->samples[node].ns[i];
    if (tree->details != NULL) {
        sums.cost_error_ns = tree->details[node].cost_error_ns;
        sums.clock_variance_ns2 = tree->details[node].variance_ns2;
    }
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
    for (int i = 0; i < SUBSAMPLES; i++)
        ns += sums->ns[i];
    return ns;
}

/* What 95 of 100 values of Student's t do not exceed, up or down. */
static double student_t(double degrees)
{
    static const double values[] = {12.706,
                                    4.303,
                                    3.182,
                                    2.776,
                                    2.571,
                                    2.447,
                                    2.365,
                                    2.306,
                                    2.262,
                                    2.228,
                                    2.201,
                                    2.179,
                                    2.160,
                                    2.145,
                                    2.131,
                                    2.120};
    enum { COUNT = sizeof values / sizeof values[0] };
    double at = fmin(fmax(degrees, 1), COUNT);
    int below = (int)at - 1, above = below + 1 < COUNT ? below + 1 : below;
    return values[below] + (at - floor(at)) * (values[above] - values[below]);
}

/*
 * How well the variance is known: if all subsamples differ alike, their number less 1; the fewer of
 * them carry it, the less. Measured on recordings of games, where few ticks carry much of the time,
 * that promises too much, and half of it is right.
 */
static double degrees_of(double squares, double fourth_powers, int count)
{
    double excess = fourth_powers / (squares * squares) - 1.0 / count;
    double degrees = excess > 0 ? 2 / excess : count - 1;
    return 0.45 * fmin(degrees, count - 1);
}

/* What the subsamples differ by. A single one tells nothing. */
static double chance_error_ns(const struct sample_sums *sum, const struct sample_sums *all,
                              double share)
{
    double all_ns = add_up(all), squares = 0, fourth_powers = 0;
    int count = 0;
    for (int i = 0; i < SUBSAMPLES; i++) {
        double difference = all_ns > 0 ? (sum->ns[i] - share * all->ns[i]) / all_ns : 0;
        squares += difference * difference;
        fourth_powers += pow(difference, 4);
        count += all->ns[i] > 0;
    }
    if (count < 2)
        return add_up(sum);
    double t = squares > 0 ? student_t(degrees_of(squares, fourth_powers, count)) : 0;
    return sqrt(squares * count / (count - 1)) * t * all_ns;
}

double sample_error_ns(const struct sample_sums *sum, const struct sample_sums *all)
{
    double all_ns = add_up(all), share = all_ns > 0 ? add_up(sum) / all_ns : 0;
    double clock_variance_ns2 =
        sum->clock_variance_ns2 * (1 - 2 * share) + share * share * all->clock_variance_ns2;
    double clock_error_ns = 2 * sqrt(fmax(clock_variance_ns2, 0));
    /* What is wrong in one function need not be so in the others: no number of ticks helps. */
    double cost_error_ns = 2 * fmax(fabs(sum->cost_error_ns - share * all->cost_error_ns),
                                    sum->cost_error_ns * (1 - share));
    double error_ns = fmax(chance_error_ns(sum, all, share), clock_error_ns);
    /* No share is below 0, nor above 1. */
    return fmin(hypot(error_ns, cost_error_ns), fmax(share, 1 - share) * all_ns);
}
