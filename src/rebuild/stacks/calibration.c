#include "rebuild/stacks/calibration.h"

#include "base/mem.h"
#include "base/number.h"

#include <math.h>

void calibration_add(struct calibration *calibration, enum call_kind kind,
                     struct calibration_group group)
{
    struct calibration_kind *to = &calibration->kinds[kind];
    MEM_APPEND(to->groups, to->count, to->capacity, group);
}

void calibration_end_group(struct calibration *calibration)
{
    bool is_of_loop = calibration->callee != CALIBRATION_OF_ITSELF;
    bool is_unwanted =
        calibration->calls_itself && is_of_loop && calibration->callee_kind == CALL_OF_LUA;
    if (calibration->group.calls > 1 && !is_unwanted)
        calibration_add(calibration, calibration->callee_kind, calibration->group);
    calibration->group = (struct calibration_group){0};
    calibration->callee = 0;
}

void calibration_call(struct calibration *calibration, uint32_t callee, enum call_kind kind,
                      uint32_t units)
{
    calibration->is_same_callee = calibration->callee == callee;
    if (!calibration->is_same_callee) {
        calibration_end_group(calibration);
        calibration->callee = callee;
        calibration->callee_kind = kind;
    }
    if (callee == CALIBRATION_OF_ITSELF) {
        calibration->is_same_callee = true;
        if (!calibration->calls_itself)
            calibration->kinds[CALL_OF_LUA].count = 0;
        calibration->calls_itself = true;
    }
    if (calibration->is_same_callee)
        calibration->group.out_units += units;
}

static double median(double *values, size_t count)
{
    number_sort(values, count);
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
    SCOPED_ARRAY double *deviations = mem_zeroed(count, sizeof *deviations);
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
    /* Where no call showed a step, the next one may. */
    cost->error = sum > 0 ? sqrt(variance / kept_count) : 1 / (calls * kept_count);
}

/* The two costs of a kind. */
struct cost_pair {
    struct cost in, out;
};

static void estimate_loops(const struct calibration_kind *kind, struct cost_pair *costs)
{
    SCOPED_ARRAY double *values = mem_zeroed(kind->count, sizeof *values);
    double calls = (double)kind->groups[0].calls;
    for (size_t i = 0; i < kind->count; i++)
        values[i] = (double)kind->groups[i].in_units / (double)kind->groups[i].calls;
    estimate(values, kind->count, calls, &costs->in);
    for (size_t i = 0; i < kind->count; i++)
        values[i] = (double)kind->groups[i].out_units / (double)kind->groups[i].calls;
    estimate(values, kind->count, calls, &costs->out);
}

static void estimate_recursion(const struct calibration_kind *kind, struct cost_pair *costs)
{
    SCOPED_ARRAY double *values = mem_zeroed(kind->count, sizeof *values);
    for (size_t i = 0; i < kind->count; i++) {
        const struct calibration_group *group = &kind->groups[i];
        values[i] =
            ((double)group->in_units + (double)group->out_units) / (2 * (double)group->calls);
    }
    estimate(values, kind->count, 2 * (double)kind->groups[0].calls, &costs->in);
    costs->out = costs->in;
}

/*
 * Moves the costs towards their mean. Each is the cost of one way into the recorder and one way out
 * of it, so they are nearly alike: their standard deviation is assumed to be LIKENESS of the mean.
 * The larger the error of a cost, the further it is moved.
 */
static void pool(struct cost_pair *pairs, int count)
{
    const double LIKENESS = 0.1;
    struct cost *costs[2 * CALL_KIND_COUNT];
    for (int i = 0; i < count; i++) {
        costs[2 * i] = &pairs[i].in;
        costs[2 * i + 1] = &pairs[i].out;
    }
    double sum = 0, variances = 0, known = 0;
    for (int i = 0; i < 2 * count; i++) {
        if (costs[i]->is_upper_limit)
            continue;
        known++;
        sum += costs[i]->mean;
        variances += costs[i]->error * costs[i]->error;
    }
    double mean = fmax(sum / known, 0);
    double variance = variances / known;
    double prior = pow(LIKENESS * mean, 2);
    double weight = variance > 0 ? prior / (prior + variance) : 1;
    for (int i = 0; i < 2 * count; i++) {
        costs[i]->mean = mean + weight * (costs[i]->mean - mean);
        costs[i]->error = sqrt(weight * costs[i]->error * costs[i]->error +
                               pow(1 - weight, 2) * variance / known);
    }
}

/* `turn` is in units. */
static void estimate_kind(const struct calibration *calibration, enum call_kind kind, double turn,
                          struct cost_pair *costs)
{
    bool is_recursion = kind == CALL_OF_LUA && calibration->calls_itself;
    if (is_recursion)
        estimate_recursion(&calibration->kinds[kind], costs);
    else
        estimate_loops(&calibration->kinds[kind], costs);
    costs->out.is_upper_limit = turn < 0;
    costs->in.is_upper_limit = turn < 0 && is_recursion;
    if (turn < 0)
        return;
    costs->in.mean -= is_recursion ? turn / 2 : 0;
    costs->out.mean -= is_recursion ? turn / 2 : turn;
}

struct call_costs calibration_estimate(const struct calibration *calibration, double unit_ns,
                                       const double turn_ns[CALL_KIND_COUNT])
{
    struct cost_pair pairs[CALL_KIND_COUNT] = {{.in = {.mean = 0}}};
    bool has_iterators = calibration->kinds[CALL_OF_ITERATOR].count > 0;
    int count = has_iterators ? CALL_KIND_COUNT : CALL_OF_ITERATOR;
    for (int kind = 0; kind < count; kind++) {
        if (calibration->kinds[kind].count == 0)
            return (struct call_costs){0};
        estimate_kind(calibration, (enum call_kind)kind, turn_ns[kind] / unit_ns, &pairs[kind]);
    }
    pool(pairs, count);
    struct call_costs costs = {.is_known = true, .fraction = 1};
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        const struct cost_pair *from = &pairs[kind < count ? kind : CALL_OF_C];
        costs.in_ns[kind] = fmax(from->in.mean, 0) * unit_ns;
        costs.in_error_ns[kind] = from->in.error * unit_ns;
        costs.out_ns[kind] = fmax(from->out.mean, 0) * unit_ns;
        costs.out_error_ns[kind] = from->out.error * unit_ns;
    }
    return costs;
}

static void divide_of_lua_by_c(struct call_costs *costs)
{
    const double MOVED = 0.1;
    double moved_ns = MOVED * costs->out_ns[CALL_OF_LUA];
    costs->in_ns[CALL_OF_LUA_BY_C] = costs->in_ns[CALL_OF_LUA] + moved_ns;
    costs->out_ns[CALL_OF_LUA_BY_C] = costs->out_ns[CALL_OF_LUA] - moved_ns;
    costs->in_error_ns[CALL_OF_LUA_BY_C] = costs->in_error_ns[CALL_OF_LUA];
    costs->out_error_ns[CALL_OF_LUA_BY_C] = costs->out_error_ns[CALL_OF_LUA];
}

static void keep_to_limits(struct call_costs *costs)
{
    const double LEAST = 2.0 / 3;
    double calibrated_ns = costs->in_ns[CALL_OF_LUA];
    /* Of the recursion only the sum of both costs is known: less in the callee is more in the
       caller. */
    double in_ns = fmax(costs->limits.undivided_in_ns, LEAST * calibrated_ns);
    costs->in_ns[CALL_OF_LUA] = fmin(in_ns, calibrated_ns);
    costs->out_ns[CALL_OF_LUA] += calibrated_ns - costs->in_ns[CALL_OF_LUA];
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        costs->in_ns[kind] = fmin(costs->in_ns[kind], costs->limits.most_in_ns[kind]);
}

void call_costs_limit(struct call_costs *costs, const struct cost_limits *limits)
{
    costs->limits = *limits;
    costs->limits.is_known = true;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        costs->limits.in_ns[kind] = costs->in_ns[kind];
        costs->limits.out_ns[kind] = costs->out_ns[kind];
    }
    keep_to_limits(costs);
    divide_of_lua_by_c(costs);
}

void call_costs_take_fraction(struct call_costs *costs, double fraction)
{
    bool is_limited = fraction < 1 && costs->limits.is_known;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        costs->in_ns[kind] =
            fraction * (is_limited ? costs->limits.in_ns[kind] : costs->in_ns[kind]);
        costs->out_ns[kind] =
            fraction * (is_limited ? costs->limits.out_ns[kind] : costs->out_ns[kind]);
    }
    costs->fraction = fraction;
    if (is_limited)
        keep_to_limits(costs);
    divide_of_lua_by_c(costs);
}

void calibration_release(struct calibration *calibration)
{
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        free(calibration->kinds[kind].groups);
    *calibration = (struct calibration){0};
}
