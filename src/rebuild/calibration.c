#include "rebuild/calibration.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void calibration_add(struct calibration *calibration, enum call_kind kind,
                     struct calibration_group group)
{
    struct calibration_kind *to = &calibration->kinds[kind];
    to->groups = mem_append(to->groups, &to->count, &to->capacity, &group, sizeof group);
}

void calibration_end_group(struct calibration *calibration)
{
    if (calibration->group.calls > 1)
        calibration_add(calibration, calibration->callee_kind, calibration->group);
    calibration->group = (struct calibration_group){0};
    calibration->callee = 0;
}

void calibration_call(struct calibration *calibration, uint32_t callee, enum call_kind kind,
                      uint32_t units)
{
    calibration->is_repeated = calibration->callee == callee;
    if (calibration->is_repeated) {
        calibration->group.out_units += units;
        return;
    }
    calibration_end_group(calibration);
    calibration->callee = callee;
    calibration->callee_kind = kind;
}

void calibration_return(struct calibration *calibration, uint32_t callee, uint32_t units)
{
    if (callee != calibration->callee || !calibration->is_repeated)
        return;
    calibration->group.in_units += units;
    calibration->group.calls++;
}

static int compare_values(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_values);
    return values[count / 2];
}

/* In units per call. */
struct cost {
    double mean, error;  /* the standard error of the mean */
    bool is_upper_limit; /* includes an unknown part that is not recording */
};

/* `values` is [count]: the units of each group, divided by its calls; it is sorted. */
static void estimate(double *values, size_t count, double calls, struct cost *cost)
{
    double *deviations = mem_zeroed(count, sizeof *deviations);
    double middle = median(values, count);
    for (size_t i = 0; i < count; i++)
        deviations[i] = fabs(values[i] - middle);
    /*
     * The limit is generous: on a coarse clock nearly all groups are 0, and the few others carry
     * all of the cost. The factor 1.48 converts a median deviation into a standard deviation; a
     * step of the clock is one unit in one call of a group.
     */
    double limit = 8 * fmax(1.48 * median(deviations, count), 1 / calls);
    double sum = 0, squares = 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (fabs(values[i] - middle) > limit)
            continue;
        kept++;
        sum += values[i];
        squares += values[i] * values[i];
    }
    double kept_count = (double)kept;
    cost->mean = sum / kept_count;
    double variance = fmax(squares / kept_count - cost->mean * cost->mean, 0);
    cost->error = sqrt(variance / kept_count);
    free(deviations);
}

static void estimate_kind(const struct calibration_kind *kind, struct cost *in, struct cost *out)
{
    double *values = mem_zeroed(kind->count, sizeof *values);
    double calls = (double)kind->groups[0].calls;
    for (size_t i = 0; i < kind->count; i++)
        values[i] = (double)kind->groups[i].in_units / (double)kind->groups[i].calls;
    estimate(values, kind->count, calls, in);
    for (size_t i = 0; i < kind->count; i++)
        values[i] = (double)kind->groups[i].out_units / (double)kind->groups[i].calls;
    estimate(values, kind->count, calls, out);
    free(values);
}

/*
 * Moves the costs towards their mean. Each is the cost of one way into the recorder and one way out
 * of it, so they are nearly alike: their standard deviation is assumed to be LIKENESS of the mean.
 * The larger the error of a cost, the further it is moved.
 */
static void pool(struct cost *costs, size_t count)
{
    const double LIKENESS = 0.1;
    double sum = 0, variances = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (costs[i].is_upper_limit)
            continue;
        known++;
        sum += costs[i].mean;
        variances += costs[i].error * costs[i].error;
    }
    double mean = fmax(sum / (double)known, 0);
    double variance = variances / (double)known;
    double prior = pow(LIKENESS * mean, 2);
    double weight = variance > 0 ? prior / (prior + variance) : 1;
    for (size_t i = 0; i < count; i++) {
        costs[i].mean = mean + weight * (costs[i].mean - mean);
        costs[i].error = sqrt(weight * costs[i].error * costs[i].error +
                              pow(1 - weight, 2) * variance / (double)known);
    }
}

struct call_costs calibration_estimate(const struct calibration *calibration, double unit_ns,
                                       const double turn_ns[CALL_KIND_COUNT])
{
    struct cost estimates[2 * CALL_KIND_COUNT] = {{0}};
    struct cost *in = estimates, *out = estimates + CALL_KIND_COUNT;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        if (calibration->kinds[kind].count == 0)
            return (struct call_costs){0};
        estimate_kind(&calibration->kinds[kind], &in[kind], &out[kind]);
        out[kind].is_upper_limit = turn_ns[kind] < 0;
        if (!out[kind].is_upper_limit)
            out[kind].mean -= turn_ns[kind] / unit_ns;
    }
    pool(estimates, 2 * CALL_KIND_COUNT);
    struct call_costs costs = {.is_known = true};
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        costs.in_ns[kind] = fmax(in[kind].mean, 0) * unit_ns;
        costs.in_error_ns[kind] = in[kind].error * unit_ns;
        costs.out_ns[kind] = fmax(out[kind].mean, 0) * unit_ns;
        costs.out_error_ns[kind] = out[kind].error * unit_ns;
    }
    return costs;
}

void calibration_release(struct calibration *calibration)
{
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        free(calibration->kinds[kind].groups);
    *calibration = (struct calibration){0};
}
