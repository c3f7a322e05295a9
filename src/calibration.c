#include "calibration.h"

#include "mem.h"

#include <math.h>
#include <stdlib.h>

void calibration_add(struct calibration *calibration, enum call_kind kind,
                     struct calibration_group group)
{
    struct calibration_kind *to = &calibration->kinds[kind];
    to->groups = mem_grow(to->groups, &to->capacity, to->count + 1, sizeof *to->groups);
    to->groups[to->count++] = group;
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

/*
 * Writes the mean units of a call to `*mean` and its standard error to `*error`.
 * `values` is [count]: the units of each group, divided by its calls; it is sorted.
 */
static void estimate(double *values, size_t count, double calls, double *mean, double *error)
{
    double *deviations = mem_zeroed(count, sizeof *deviations);
    double middle = median(values, count);
    for (size_t i = 0; i < count; i++)
        deviations[i] = fabs(values[i] - middle);
    /*
     * Generous, since on a coarse clock nearly all groups are 0 and the few that are not
     * are the whole truth. 1.48 makes a median deviation a standard one; a step of the
     * clock is one unit in one call of a group.
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
    *mean = sum / kept_count;
    double variance = fmax(squares / kept_count - *mean * *mean, 0);
    *error = sqrt(variance / kept_count);
    free(deviations);
}

static void estimate_kind(const struct calibration_kind *kind, double *in, double *in_error,
                          double *out, double *out_error)
{
    double *values = mem_zeroed(kind->count, sizeof *values);
    double calls = (double)kind->groups[0].calls;
    for (size_t i = 0; i < kind->count; i++)
        values[i] = (double)kind->groups[i].in_units / (double)kind->groups[i].calls;
    estimate(values, kind->count, calls, in, in_error);
    for (size_t i = 0; i < kind->count; i++)
        values[i] = (double)kind->groups[i].out_units / (double)kind->groups[i].calls;
    estimate(values, kind->count, calls, out, out_error);
    free(values);
}

struct call_costs calibration_estimate(const struct calibration *calibration, double unit_ns,
                                       const double turn_ns[CALL_KIND_COUNT])
{
    struct call_costs costs = {.is_known = true};
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        if (calibration->kinds[kind].count == 0)
            return (struct call_costs){0};
        double in, in_error, out, out_error;
        estimate_kind(&calibration->kinds[kind], &in, &in_error, &out, &out_error);
        double turn = turn_ns[kind] > 0 ? turn_ns[kind] : 0;
        costs.in_ns[kind] = in * unit_ns;
        costs.in_error_ns[kind] = in_error * unit_ns;
        costs.out_ns[kind] = fmax(out * unit_ns - turn, 0);
        costs.out_error_ns[kind] = out_error * unit_ns;
    }
    return costs;
}

void calibration_release(struct calibration *calibration)
{
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        free(calibration->kinds[kind].groups);
    *calibration = (struct calibration){0};
}
