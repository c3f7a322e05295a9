#include "rebuild/ending/reference.h"

#include "base/mem.h"
#include "base/number.h"
#include "rebuild/ending/overhead.h"

#include <math.h>

static const double WAKES_MIN = 20;             /* of a function, recorded and not */
static const double WATCHED_WAKES_MIN = 3;      /* in a watch */
static const double DIFFERENCE_MAX = 2;         /* in times, of the mean before and after */
static const double DIFFERENCE_FRACTION = 0.25; /* or that, of the mean recorded */
/* In times of the calibrated costs. */
static const double LEAST_COST_FRACTION = 0.5, MOST_COST_FRACTION = 1.05;
/* Where no wake says what recording has added: in times of the calibrated costs, more than these at
 * most; and as a part of the time that is left. */
static const double UNTIMED_EXCESS = 1.7, MOST_UNTIMED_BIAS = 0.3;
/* There, what it usually has added beside the calibrated costs: as a part of the time that is left,
 * and in times of these costs at most. */
static const double USUAL_EXCESS = 0.25, MOST_USUAL_EXCESS = 0.15;
/* How wrong the time of a function can be, since no event says to which what was added belongs: in
 * times of that, and of what is usual at least, since the computer's speed may have hidden it. */
static const double EXCESS_ERROR = 0.8, USUAL_ERROR = 1.5;
/* In times of its cost, what scales take from a stack at most where timed wakes want it: what
 * events make slower goes on in code of few events. Otherwise OVERHEAD_MOST_EXCESS, also in a
 * watch: the wakes of a suspect that were recorded may be its longest. */
static const double MOST_TAKEN = 10;
/* How much the scales of functions differ, as standard deviation of their logarithms. */
static const double LIKENESS = 0.3;

/* What is known of the stacks that begin with a function. */
struct root {
    double measured_ns, left_ns; /* recorded; without the recorder's cost */
    double wakes, wake_units, wake_squares;
    double timed_wakes[2], timed_ns[2], squares_ns2; /* before and after */
    double wake_ns;                                  /* of an unrecorded wake; 0: not known */
};

static void sum_measured(struct root *roots, const struct tree *tree, const uint32_t *root_of)
{
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        if (tree->self_ns[node] > 0)
            roots[root_of[node]].measured_ns += (double)tree->self_ns[node];
}

/* Of all roots, what is left if a fraction of the costs is subtracted. */
static void sum_left(struct root *roots, uint32_t count, const struct tree *tree,
                     const uint32_t *root_of, const double *cost_ns, double fraction)
{
    SCOPED_ARRAY double *left_ns = overhead_left(tree, cost_ns, fraction);
    for (uint32_t i = 0; i < count; i++)
        roots[i].left_ns = 0;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        roots[root_of[node]].left_ns += left_ns[node];
}

static void sum_wakes(struct root *roots, uint32_t count, const struct wakes *wakes)
{
    for (size_t i = 0; i < wakes->count; i++) {
        if (wakes->all[i].function >= count)
            continue;
        double units = (double)wakes->all[i].units;
        struct root *root = &roots[wakes->all[i].function];
        root->wakes++;
        root->wake_units += units;
        root->wake_squares += units * units;
    }
}

/* Adds so many wakes of those. */
static void add_timed(struct root *root, const struct event_reference *timed, double wakes)
{
    double mean_ns = timed->ns / timed->wakes, deviation_ns = timed->deviation_ns;
    root->timed_wakes[timed->is_after] += wakes;
    root->timed_ns[timed->is_after] += wakes * mean_ns;
    root->squares_ns2 += wakes * (mean_ns * mean_ns + deviation_ns * deviation_ns);
}

static void sum_timed(struct root *roots, uint32_t count, const struct reference *reference)
{
    for (size_t i = 0; i < reference->count; i++)
        if (reference->all[i].function < count)
            add_timed(
                &roots[reference->all[i].function], &reference->all[i], reference->all[i].wakes);
}

/* The same of a watch: of each minute as many wakes as were recorded in it. */
static void sum_watched(struct root *roots, uint32_t count, const struct reference *reference,
                        const struct wakes *wakes)
{
    SCOPED_ARRAY uint32_t *recorded = mem_zeroed(count, sizeof *recorded);
    size_t first = 0, end = 0;
    for (size_t i = 0; i < reference->count; i++) {
        const struct event_reference *timed = &reference->all[i];
        if (i == 0 || timed->first_tick != reference->all[i - 1].first_tick) {
            for (; first < end; first++)
                if (wakes->all[first].function < count)
                    recorded[wakes->all[first].function] = 0;
            for (; end < wakes->count && wakes->all[end].tick <= timed->last_tick; end++)
                if (wakes->all[end].function < count && wakes->all[end].tick >= timed->first_tick)
                    recorded[wakes->all[end].function]++;
        }
        if (timed->function < count && recorded[timed->function] * 2 <= timed->wakes)
            add_timed(&roots[timed->function], timed, recorded[timed->function]);
    }
}

/* The square of the standard error of a mean, in times of the mean. */
static double relative_error2(double count, double sum, double squares)
{
    double mean = sum / count;
    double variance = fmax(squares / count - mean * mean, 0);
    return mean > 0 ? variance / (count * mean * mean) : HUGE_VAL;
}

/* Returns whether there are enough wakes, but those before and after differ too much. */
static bool find_wake(struct root *root, double wakes_min)
{
    double before = root->timed_wakes[0], after = root->timed_wakes[1];
    double wakes = before + after, ns = root->timed_ns[0] + root->timed_ns[1];
    if (wakes < wakes_min || root->wakes < wakes_min || !(ns > 0) || root->measured_ns <= 0)
        return false;
    if (before >= WAKES_MIN && after >= WAKES_MIN) {
        double before_ns = root->timed_ns[0] / before, after_ns = root->timed_ns[1] / after;
        double least_ns = fmin(before_ns, after_ns), most_ns = fmax(before_ns, after_ns);
        /* Runs that take next to nothing differ by what a step of the clock is. */
        double far_ns = DIFFERENCE_FRACTION * root->measured_ns / root->wakes;
        if (!(most_ns <= least_ns * DIFFERENCE_MAX) && most_ns - least_ns > far_ns)
            return true;
    }
    root->wake_ns = ns / wakes;
    return false;
}

/* The logarithm of what a function's stacks are to be multiplied with. */
static double wanted_log(const struct root *root)
{
    return log(fmin(fmax(root->wake_ns * root->wakes / root->left_ns, 1 / REFERENCE_SCALE_MAX),
                    REFERENCE_SCALE_MAX));
}

/* The square of the relative error of what the recorded wakes of a function are to take. */
static double error2_of(const struct root *root)
{
    return relative_error2(root->timed_wakes[0] + root->timed_wakes[1],
                           root->timed_ns[0] + root->timed_ns[1],
                           root->squares_ns2) +
           relative_error2(root->wakes, root->wake_units, root->wake_squares);
}

/* How much of that is believed; the rest is what all stacks need. */
static double belief_in(double error2)
{
    return LIKENESS * LIKENESS / (LIKENESS * LIKENESS + error2);
}

/* Sums of the timed functions, and of all. */
struct sums {
    double wanted_ns, left_ns, all_ns;
    double error2_ns2; /* of wanted_ns */
};

static struct sums sum_up(const struct root *roots, uint32_t count)
{
    struct sums sums = {0};
    for (uint32_t i = 0; i < count; i++) {
        sums.all_ns += roots[i].left_ns;
        if (!(roots[i].wake_ns > 0))
            continue;
        double wanted_ns = roots[i].wake_ns * roots[i].wakes;
        sums.wanted_ns += wanted_ns;
        sums.left_ns += roots[i].left_ns;
        sums.error2_ns2 += wanted_ns * wanted_ns * error2_of(&roots[i]);
    }
    return sums;
}

/* Sums over all stacks. */
struct all_times {
    double left_ns; /* of what was measured, without the calibrated costs; at least 1 */
    double calibrated_ns;
};

static struct all_times sum_all(const struct tree *tree, const double *cost_ns)
{
    double measured_ns = 0, calibrated_ns = 0;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        measured_ns += fmax((double)tree->self_ns[node], 0);
        calibrated_ns += cost_ns[node];
    }
    return (struct all_times){fmax(measured_ns - calibrated_ns, 1), calibrated_ns};
}

/* What recording usually has added beside the calibrated costs. */
static double usual_ns(const struct all_times *all)
{
    return fmin(USUAL_EXCESS * all->left_ns, MOST_USUAL_EXCESS * all->calibrated_ns);
}

/* The logarithm of what times are to be multiplied with where no wake tells, if a fraction of the
 * calibrated costs is subtracted. */
static double usual_log(const struct all_times *all, double fraction)
{
    double taken_ns = fmin((fraction - 1) * all->calibrated_ns, usual_ns(all));
    return log((all->left_ns - usual_ns(all)) / (all->left_ns - taken_ns));
}

/* How much what timed wakes need says about all others, 0 to 1. */
static double belief_for_others(double covered)
{
    return fmin(2 * covered, 1);
}

static void set_scales(struct reference_fit *fit, const struct root *roots, double all_log,
                       double usual)
{
    double belief = belief_for_others(fit->covered);
    double other_log = all_log * belief + usual * (1 - belief);
    fit->scales = mem_zeroed(fit->function_count, sizeof *fit->scales);
    fit->is_timed = mem_zeroed(fit->function_count, sizeof *fit->is_timed);
    for (uint32_t i = 0; i < fit->function_count; i++) {
        fit->is_timed[i] = roots[i].wake_ns > 0;
        double weight = roots[i].wake_ns > 0 ? belief_in(error2_of(&roots[i])) : 0;
        double log_scale =
            weight > 0 ? weight * wanted_log(&roots[i]) + (1 - weight) * all_log : other_log;
        /* No time becomes longer than it is without the cost. */
        fit->scales[i] = (float)fmin(exp(log_scale), 1);
    }
}

/*
 * How cold the code is, 0 to 1: the events are of how many functions, each weighted by its fraction
 * of them (the exponential of the entropy).
 */
static double find_coldness(const struct tree *tree)
{
    const double WARM = 24, COLD = 48;
    uint32_t function_count = tree_count_functions(tree);
    SCOPED_ARRAY double *events = mem_zeroed(function_count, sizeof *events);
    double all = 0, entropy = 0;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        double calls = (double)tree->call_counts[node];
        events[call->function] += calls;
        if (call->parent != TREE_ROOT)
            events[tree->calls[call->parent].function] += calls;
        all += call->parent != TREE_ROOT ? 2 * calls : calls;
    }
    for (uint32_t i = 0; i < function_count; i++)
        if (events[i] > 0)
            entropy -= events[i] / all * log(events[i] / all);
    return fmin(fmax(log(exp(entropy) / WARM) / log(COLD / WARM), 0), 1);
}

/* What the parts of a fit are made of. */
struct comparison {
    struct root *roots; /* [count] */
    uint32_t count;
    const struct tree *tree;
    const uint32_t *root_of; /* [tree->node_count], and the next two */
    const uint8_t *kinds;
    const double *cost_ns;
    const struct all_times *all;
    bool is_sampled, is_watch;
};

static double find_ratio(const struct comparison *comparison, double fraction)
{
    sum_left(comparison->roots,
             comparison->count,
             comparison->tree,
             comparison->root_of,
             comparison->cost_ns,
             fraction);
    struct sums sums = sum_up(comparison->roots, comparison->count);
    if (!(sums.wanted_ns > 0))
        return 0;
    double ratio = sums.left_ns / sums.wanted_ns;
    double error2 = sums.error2_ns2 / (sums.wanted_ns * sums.wanted_ns);
    return comparison->is_watch ? pow(ratio, belief_in(error2)) : ratio;
}

/* Where the costs take more than the reference has: the fraction of them that does not. */
static double find_less(const struct comparison *comparison)
{
    enum { STEPS = 6 };
    double least = LEAST_COST_FRACTION, most = 1;
    for (int step = 0; step < STEPS; step++) {
        double middle = (least + most) / 2;
        *(find_ratio(comparison, middle) < 1 ? &most : &least) = middle;
    }
    return least;
}

/* The fraction of the calibrated costs that is to be subtracted. */
static double find_fraction(const struct comparison *comparison, double ratio, double coldness)
{
    if (ratio < 1)
        return comparison->is_sampled ? 1 : find_less(comparison);
    double warm = fmin(ratio, MOST_COST_FRACTION);
    double cold = 1 - (1 - LEAST_COST_FRACTION) * fmin(ratio - 1, 1);
    return warm + coldness * (cold - warm);
}

/*
 * How many times as long unrecorded wakes took after the recording as before it; 0: not known for
 * half of their time. Some threads may have had more to do: most do not.
 */
static double find_change(const struct root *roots, uint32_t count)
{
    double timed_ns = 0, both_ns = 0, sum_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct root *root = &roots[i];
        double before_ns = root->timed_ns[0] / fmax(root->timed_wakes[0], 1);
        double after_ns = root->timed_ns[1] / fmax(root->timed_wakes[1], 1);
        double ns = root->wake_ns * root->wakes;
        timed_ns += ns;
        /* What takes next to nothing differs by steps of the clock. */
        if (!(ns > 0) || fmin(root->timed_wakes[0], root->timed_wakes[1]) < WAKES_MIN ||
            fmax(before_ns, after_ns) > fmin(before_ns, after_ns) * DIFFERENCE_MAX)
            continue;
        both_ns += ns;
        sum_ns += ns * log(after_ns / before_ns);
    }
    return both_ns > timed_ns / 2 ? exp(sum_ns / both_ns) : 0;
}

static double time_bias_of(double change)
{
    const double TIMES = 2.5, MOST_CHANGE = 0.3;
    return change > 0
               ? hypot(OVERHEAD_LEAST_TIME_BIAS, TIMES * fmin(fabs(log(change)), MOST_CHANGE))
               : OVERHEAD_TIME_BIAS;
}

/* Compares, and decides which fraction of the costs is subtracted. */
static void fit_costs(struct reference_fit *fit, const struct comparison *comparison,
                      struct call_costs *costs)
{
    fit->ratio = find_ratio(comparison, 1);
    fit->coldness = find_coldness(comparison->tree);
    if (!(fit->ratio > 0))
        return;
    fit->is_known = true;
    fit->cost_fraction = find_fraction(comparison, fit->ratio, fit->coldness);
    costs->keeps_fraction = true;
    call_costs_take_fraction(costs, fit->cost_fraction);
    SCOPED_ARRAY double *cost_ns = overhead_costs(comparison->tree, comparison->kinds, costs);
    struct comparison taken = *comparison;
    taken.cost_ns = cost_ns;
    double ratio = find_ratio(&taken, 1);
    struct sums sums = sum_up(comparison->roots, comparison->count);
    fit->covered = sums.left_ns / sums.all_ns;
    fit->change = find_change(comparison->roots, comparison->count);
    costs->time_bias = time_bias_of(fit->change);
    set_scales(fit, comparison->roots, -log(ratio), usual_log(comparison->all, fit->cost_fraction));
}

static void compare(struct reference_fit *fit, const struct reference *reference,
                    const struct wakes *wakes, const struct tree *tree, const uint8_t *kinds,
                    const double *cost_ns, const struct all_times *all, struct call_costs *costs)
{
    uint32_t count = fit->function_count;
    SCOPED_ARRAY struct root *roots = mem_zeroed(count, sizeof *roots);
    SCOPED_ARRAY uint32_t *root_of = tree_find_roots(tree);
    sum_measured(roots, tree, root_of);
    sum_wakes(roots, count, wakes);
    bool is_watch = reference->all[0].is_watched;
    if (is_watch) {
        sum_watched(roots, count, reference, wakes);
    } else {
        sum_timed(roots, count, reference);
        fit->most_taken = MOST_TAKEN;
    }
    for (uint32_t i = 0; i < count; i++)
        fit->unlike_count += find_wake(&roots[i], is_watch ? WATCHED_WAKES_MIN : WAKES_MIN);
    for (size_t i = 0; i < reference->count; i++)
        *(reference->all[i].is_after ? &fit->has_after : &fit->has_before) = true;
    fit_costs(fit,
              &(struct comparison){.roots = roots,
                                   .count = count,
                                   .tree = tree,
                                   .root_of = root_of,
                                   .kinds = kinds,
                                   .cost_ns = cost_ns,
                                   .all = all,
                                   .is_sampled = reference->is_sampled,
                                   .is_watch = is_watch},
              costs);
}

/* Which part of what is left of a time may be the recorder's, since too few wakes were timed. */
static double find_untimed_bias(const struct all_times *all)
{
    return fmin(UNTIMED_EXCESS * all->calibrated_ns / all->left_ns, MOST_UNTIMED_BIAS);
}

/* Without a timed wake, all stacks get the same scale. */
static void fit_usual(struct reference_fit *fit, const struct all_times *all,
                      struct call_costs *costs)
{
    double fraction = fmin(1 + usual_ns(all) / fmax(all->calibrated_ns, 1), MOST_COST_FRACTION);
    double scale = exp(usual_log(all, fraction));
    costs->keeps_fraction = true;
    call_costs_take_fraction(costs, fraction);
    fit->scales = mem_zeroed(fit->function_count, sizeof *fit->scales);
    for (uint32_t i = 0; i < fit->function_count; i++)
        fit->scales[i] = (float)scale;
}

void reference_fit(struct reference_fit *fit, const struct reference *reference,
                   const struct wakes *wakes, const struct tree *tree, const uint8_t *kinds,
                   struct call_costs *costs)
{
    *fit = (struct reference_fit){.most_taken = OVERHEAD_MOST_EXCESS,
                                  .function_count = tree_count_functions(tree)};
    bool is_calibrated = costs->fraction > 0;
    if (!costs->is_known)
        return;
    SCOPED_ARRAY double *cost_ns = overhead_costs(tree, kinds, costs);
    costs->time_bias = OVERHEAD_TIME_BIAS;
    struct all_times all = sum_all(tree, cost_ns);
    if (reference->count > 0)
        compare(fit, reference, wakes, tree, kinds, cost_ns, &all, costs);
    if (!is_calibrated)
        return;
    costs->untimed = 1 - belief_for_others(fit->covered);
    costs->untimed_bias = costs->untimed * find_untimed_bias(&all);
    costs->excess = (1 - costs->untimed) * fmax(EXCESS_ERROR * (fit->ratio - 1),
                                                USUAL_ERROR * usual_ns(&all) / all.left_ns);
    if (!fit->is_known)
        fit_usual(fit, &all, costs);
}

/* The least that the events of a node can have left of its time. */
static double least_of(const struct reference_fit *fit, double left_ns, double measured_ns)
{
    return fmin(left_ns - fit->most_taken * (measured_ns - left_ns), left_ns);
}

float *reference_apply(struct reference_fit *fit, struct tree *tree, const int64_t *measured_ns)
{
    SCOPED_ARRAY uint32_t *root_of = tree_find_roots(tree);
    float *scales = mem_zeroed(tree->node_count, sizeof *scales);
    double wanted_sum_ns = 0, shown_sum_ns = 0;
    scales[TREE_ROOT] = 1;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        double measured = (double)measured_ns[node], left_ns = (double)tree->self_ns[node];
        scales[node] = 1;
        if (measured <= 0)
            continue;
        double wanted_ns = left_ns * fit->scales[root_of[node]];
        double shown_ns = fmax(wanted_ns, least_of(fit, left_ns, measured));
        scales[node] = left_ns > 0 ? (float)(shown_ns / left_ns) : 1;
        if (fit->is_timed != NULL && fit->is_timed[root_of[node]]) {
            wanted_sum_ns += wanted_ns;
            shown_sum_ns += shown_ns;
        }
        double self_ns = left_ns * scales[node];
        self_ns = fmin(fmax(self_ns, measured * OVERHEAD_LEAST_FRACTION), measured);
        tree->self_ns[node] = number_nearest(self_ns);
    }
    fit->rest = wanted_sum_ns > 0 ? shown_sum_ns / wanted_sum_ns : 1;
    tree_sum_totals(tree);
    return scales;
}
