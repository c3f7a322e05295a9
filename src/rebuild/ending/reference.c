#include "rebuild/ending/reference.h"

#include "base/mem.h"
#include "base/number.h"
#include "rebuild/ending/overhead.h"

#include <math.h>

static const double RUNS_MIN = 20;      /* of a function, recorded and not */
static const double DIFFERENCE_MAX = 2; /* in times, of the mean before and after */
static const double SCALE_MAX = 4;      /* in times, larger or smaller */
/* How much the scales of functions differ, as standard deviation of their logarithms. */
static const double LIKENESS = 0.3;

/* What is known of the stacks that begin with a function. */
struct root {
    double measured_ns, cost_ns; /* recorded; the cost that can be subtracted */
    double runs, wake_squares;   /* recorded */
    double wake_units;
    double timed_runs[2], timed_ns[2], squares_ns2; /* before and after */
    double run_ns;                                  /* of an unrecorded run; 0: not known */
};

/* Returns the function that the stack of each node begins with, [node_count]. */
static uint32_t *find_roots(const struct tree *tree)
{
    uint32_t *roots = mem_zeroed(tree->node_count, sizeof *roots);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        roots[node] = call->parent == TREE_ROOT ? call->function : roots[call->parent];
    }
    return roots;
}

static void sum_tree(struct root *roots, const struct tree *tree, const uint8_t *kinds,
                     const struct call_costs *costs)
{
    SCOPED_ARRAY double *cost_ns = overhead_costs(tree, kinds, costs);
    SCOPED_ARRAY uint32_t *root_of = find_roots(tree);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        struct root *root = &roots[root_of[node]];
        double measured_ns = (double)tree->self_ns[node];
        if ((tree->flags[node] & NODE_RECORDER) != 0 || measured_ns <= 0)
            continue;
        root->measured_ns += measured_ns;
        root->cost_ns += fmin(cost_ns[node], measured_ns * (1 - OVERHEAD_LEAST_PART));
    }
}

static void sum_wakes(struct root *roots, uint32_t count, const struct wakes *wakes)
{
    for (size_t i = 0; i < wakes->count; i++) {
        if (wakes->all[i].function >= count)
            continue;
        double units = (double)wakes->all[i].units;
        struct root *root = &roots[wakes->all[i].function];
        root->runs++;
        root->wake_units += units;
        root->wake_squares += units * units;
    }
}

static void sum_timed(struct root *roots, uint32_t count, const struct reference *reference)
{
    for (size_t i = 0; i < reference->count; i++) {
        const struct event_reference *timed = &reference->all[i];
        double mean_ns = timed->ns / timed->runs, deviation_ns = timed->deviation_ns;
        if (timed->function >= count)
            continue;
        struct root *root = &roots[timed->function];
        root->timed_runs[timed->is_after] += timed->runs;
        root->timed_ns[timed->is_after] += timed->ns;
        root->squares_ns2 += timed->runs * (mean_ns * mean_ns + deviation_ns * deviation_ns);
    }
}

/* The square of the standard error of a mean, in times of the mean. */
static double relative_error2(double count, double sum, double squares)
{
    double mean = sum / count;
    double variance = fmax(squares / count - mean * mean, 0);
    return mean > 0 ? variance / (count * mean * mean) : HUGE_VAL;
}

static void find_run(struct root *root)
{
    double before = root->timed_runs[0], after = root->timed_runs[1];
    double runs = before + after, ns = root->timed_ns[0] + root->timed_ns[1];
    if (runs < RUNS_MIN || root->runs < RUNS_MIN || !(ns > 0) || root->measured_ns <= 0)
        return;
    if (before >= RUNS_MIN && after >= RUNS_MIN) {
        double ratio = root->timed_ns[0] / before / (root->timed_ns[1] / after);
        if (!(ratio <= DIFFERENCE_MAX && ratio >= 1 / DIFFERENCE_MAX))
            return;
    }
    root->run_ns = ns / runs;
}

/* The logarithm of what a function's stacks are to be multiplied with. */
static double wanted_log(const struct root *root)
{
    double left_ns = root->measured_ns - root->cost_ns;
    return log(fmin(fmax(root->run_ns * root->runs / left_ns, 1 / SCALE_MAX), SCALE_MAX));
}

/* How much of that is believed; the rest is what all stacks need. */
static double weight_of(const struct root *root)
{
    double error2 = relative_error2(root->timed_runs[0] + root->timed_runs[1],
                                    root->timed_ns[0] + root->timed_ns[1], root->squares_ns2) +
                    relative_error2(root->runs, root->wake_units, root->wake_squares);
    return LIKENESS * LIKENESS / (LIKENESS * LIKENESS + error2);
}

/* Sums of the timed functions, and of all. */
struct sums {
    double wanted_ns, left_ns, all_ns;
};

static struct sums sum_up(const struct root *roots, uint32_t count)
{
    struct sums sums = {0};
    for (uint32_t i = 0; i < count; i++) {
        double left_ns = roots[i].measured_ns - roots[i].cost_ns;
        sums.all_ns += left_ns;
        if (!(roots[i].run_ns > 0))
            continue;
        sums.wanted_ns += roots[i].run_ns * roots[i].runs;
        sums.left_ns += left_ns;
    }
    return sums;
}

static void set_scales(struct reference_fit *fit, const struct root *roots, double all_log)
{
    double other_log = all_log * fmin(2 * fit->covered, 1);
    fit->scales = mem_zeroed(fit->function_count, sizeof *fit->scales);
    for (uint32_t i = 0; i < fit->function_count; i++) {
        double weight = roots[i].run_ns > 0 ? weight_of(&roots[i]) : 0;
        double log_scale =
            weight > 0 ? weight * wanted_log(&roots[i]) + (1 - weight) * all_log : other_log;
        /* No time becomes longer than it is without the cost. */
        fit->scales[i] = (float)exp(fmin(log_scale, 0));
    }
}

/* The costs of single functions differ from the mean by more than the mean is uncertain. */
static void set_errors(struct call_costs *costs)
{
    const double PART = OVERHEAD_EVENT_BIAS / 2;
    costs->keeps_part = true;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        costs->in_error_ns[kind] = hypot(costs->in_error_ns[kind], PART * costs->in_ns[kind]);
        costs->out_error_ns[kind] = hypot(costs->out_error_ns[kind], PART * costs->out_ns[kind]);
    }
}

void reference_fit(struct reference_fit *fit, const struct reference *reference,
                   const struct wakes *wakes, const struct tree *tree, const uint8_t *kinds,
                   struct call_costs *costs)
{
    *fit = (struct reference_fit){.function_count = tree_count_functions(tree)};
    if (reference->count == 0 || !costs->is_known)
        return;
    uint32_t count = fit->function_count;
    SCOPED_ARRAY struct root *roots = mem_zeroed(count, sizeof *roots);
    sum_tree(roots, tree, kinds, costs);
    sum_wakes(roots, count, wakes);
    sum_timed(roots, count, reference);
    for (uint32_t i = 0; i < count; i++)
        find_run(&roots[i]);
    struct sums sums = sum_up(roots, count);
    if (!(sums.wanted_ns > 0 && sums.left_ns > 0))
        return;
    fit->is_known = true;
    fit->ratio = sums.left_ns / sums.wanted_ns;
    fit->covered = sums.left_ns / sums.all_ns;
    for (size_t i = 0; i < reference->count; i++)
        *(reference->all[i].is_after ? &fit->has_after : &fit->has_before) = true;
    set_errors(costs);
    set_scales(fit, roots, log(sums.wanted_ns / sums.left_ns));
}

void reference_apply(const struct reference_fit *fit, struct tree *tree, const int64_t *measured_ns)
{
    if (!fit->is_known)
        return;
    SCOPED_ARRAY uint32_t *root_of = find_roots(tree);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        double measured = (double)measured_ns[node];
        if ((tree->flags[node] & NODE_RECORDER) != 0 || measured <= 0)
            continue;
        double self_ns = (double)tree->self_ns[node] * fit->scales[root_of[node]];
        self_ns = fmin(fmax(self_ns, measured * OVERHEAD_LEAST_PART), measured);
        tree->self_ns[node] = number_nearest(self_ns);
    }
    tree_sum_totals(tree);
}
