#include "rebuild/recording_costs.h"

#include "base/number.h"
#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/stacks/stacks.h"

#include <math.h>

/*
 * Fits what recording a call is taken to cost to the cheapest calls of the game.
 *
 * The calibration makes its calls once in a tick, and what a call costs there is not what it costs
 * in the code of the game.
 *
 * - A function that calls nothing, and is called often, cannot take less time than the cost in it:
 *   so the cheapest of those limit the cost of their kind. With the calibrated cost, `type` and
 *   `next` in a hot loop took no time at all.
 * - The calibrated costs of Lua functions are halves of a sum. The cheapest functions tell how to
 *   divide it.
 * - Where a single tick has millions of calls, the calibrations before and after it say little. If
 *   the cheapest functions take more than the cost, all costs are too small.
 */

/* A function of the game. */
struct called {
    double units, calls;
    double mean; /* of its units, as large as it may be by chance */
    enum call_kind kind;
    bool is_unfit; /* it calls others, or waits */
};

/* Returns the sums of each function, [nodes->function_count]. */
static struct called *sum_functions(const struct stacks *stacks)
{
    const struct nodes *nodes = &stacks->nodes;
    struct called *functions = mem_zeroed(nodes->function_count, sizeof *functions);
    SCOPED_ARRAY uint8_t *recorder = nodes_find_recorder(nodes);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        uint32_t parent = nodes->at[node].parent;
        struct called *called = &functions[nodes->sites[node_site(&nodes->at[node])].function];
        if (recorder[node] != 0)
            continue;
        if (parent >= NODES_FIRST && !node_is_line(&nodes->at[node]))
            functions[nodes->sites[node_site(&nodes->at[parent])].function].is_unfit = true;
        called->kind = nodes_kind(nodes, node);
        called->units += (double)nodes->past[node].units;
        called->calls += (double)nodes->past[node].calls;
        called->is_unfit |= nodes_function(nodes, node)->suspends;
    }
    return functions;
}

static int compare_means(const void *left, const void *right)
{
    const struct called *a = left;
    const struct called *b = right;
    return (a->mean > b->mean) - (a->mean < b->mean);
}

/* Moves the functions that can limit a cost to the front, cheapest first. Returns their count. */
static size_t sort_fit(struct called *functions, size_t count)
{
    const double CALLS_MIN = 1000;
    size_t fit = 0;
    for (size_t i = 0; i < count; i++) {
        struct called *called = &functions[i];
        if (called->is_unfit || called->calls < CALLS_MIN || called->units < 0)
            continue;
        /* The clock shows whole units, by chance: Poisson's distribution. The true sum is hardly
         * ever larger than this, and where none was seen it may be 5. */
        called->mean = (called->units + 3 * sqrt(called->units) + 5) / called->calls;
        functions[fit++] = *called;
    }
    qsort(functions, fit, sizeof *functions, compare_means);
    return fit;
}

/* The cheapest calls of a kind. */
struct cheapest {
    double ns;    /* that a call takes; HUGE_VAL: not known */
    double calls; /* of functions that can limit a cost */
};

/* The cheapest fiftieth of the calls does not count. */
static struct cheapest find_cheapest(const struct called *functions, size_t count,
                                     enum call_kind kind, double unit_ns)
{
    const double PART = 0.02;
    struct cheapest cheapest = {.ns = HUGE_VAL};
    for (size_t i = 0; i < count; i++)
        cheapest.calls += functions[i].kind == kind ? functions[i].calls : 0;
    double calls = 0;
    for (size_t i = 0; i < count && cheapest.ns == HUGE_VAL; i++) {
        calls += functions[i].kind == kind ? functions[i].calls : 0;
        if (calls > 0 && calls >= cheapest.calls * PART)
            cheapest.ns = functions[i].mean * unit_ns;
    }
    return cheapest;
}

/*
 * By how much all costs are too small, where there are too many calls to each of the calibrations,
 * of which there are `groups`, to believe these. The calibrated cost in a C function is all of the
 * time of one that does next to nothing. No iterator of a game does so little.
 */
static double find_raise(const struct call_costs *costs, const struct cheapest *cheapest,
                         double lua_own_ns, size_t groups)
{
    const double TOO_MANY = 20e3;
    const double MOST = 1.5;
    const double UNLIKELY = 2; /* then they do something */
    double sum = 0;
    double calls = 0;
    for (int kind = CALL_OF_LUA; kind <= CALL_OF_C; kind++) {
        double own_ns = kind == CALL_OF_LUA ? lua_own_ns : 0;
        double ratio = (cheapest[kind].ns - own_ns) / costs->in_ns[kind];
        if (!(ratio <= UNLIKELY))
            continue;
        sum += ratio * cheapest[kind].calls;
        calls += cheapest[kind].calls;
    }
    return calls > TOO_MANY * (double)groups ? fmin(fmax(sum / calls, 1), MOST) : 1;
}

/*
 * Lowers or raises calibrated costs. All ticks count, also those that are left out, so that each
 * part of a recording has the same costs.
 */
static void fit_cheapest_calls(struct call_costs *costs, const struct stacks *stacks)
{
    SCOPED_ARRAY struct called *functions = sum_functions(stacks);
    size_t count = sort_fit(functions, stacks->nodes.function_count);
    struct cheapest cheapest[CALL_KIND_COUNT];
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        cheapest[kind] =
            find_cheapest(functions, count, (enum call_kind)kind, stacks->begin.unit_ns);
    double lua_own_ns = fmax(stacks->begin.turn_ns[CALL_OF_LUA], 0) / 3;
    double raise =
        find_raise(costs, cheapest, lua_own_ns, stacks->calibration.kinds[CALL_OF_LUA].count);
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        costs->in_ns[kind] *= raise;
        costs->out_ns[kind] *= raise;
    }
    struct cost_limits limits = {.undivided_in_ns = HUGE_VAL};
    if (stacks->calibration.calls_itself)
        limits.undivided_in_ns = cheapest[CALL_OF_LUA].ns - lua_own_ns;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        limits.most_in_ns[kind] = cheapest[kind].ns;
    call_costs_limit(costs, &limits);
}

/* A call has two events, and its caller and itself have one way out of the hook and one into it. */
static struct call_costs costs_of_hook(double hook_ns)
{
    struct call_costs costs = {.is_known = hook_ns > 0, .fraction = 1};
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        costs.in_ns[kind] = costs.out_ns[kind] = hook_ns;
    return costs.is_known ? costs : (struct call_costs){0};
}

struct call_costs recording_costs(const struct stacks *stacks,
                                  const struct rebuild_settings *settings)
{
    if (settings->keeps_costs || settings->costs.is_known)
        return settings->costs;
    struct call_costs costs =
        calibration_estimate(&stacks->calibration, stacks->begin.unit_ns, stacks->begin.turn_ns);
    /* A watch makes no calls in the wakes that it records. */
    if (!costs.is_known)
        costs = costs_of_hook(stacks->begin.hook_ns);
    if (costs.is_known)
        fit_cheapest_calls(&costs, stacks);
    return costs;
}
