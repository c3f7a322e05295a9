#include "rebuild/run_costs.h"

#include "rebuild/ending/cheapest_calls.h"
#include "rebuild/stacks/run.h"

#include <math.h>

/*
 * Bursts are short, and how much is in the processor's cache differs: a tenth is what calls of one
 * kind differ by.
 */
static void widen(struct call_costs *costs)
{
    const double PART = 0.1;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        costs->in_error_ns[kind] = fmax(costs->in_error_ns[kind], PART * costs->in_ns[kind]);
        costs->out_error_ns[kind] = fmax(costs->out_error_ns[kind], PART * costs->out_ns[kind]);
    }
}

struct call_costs run_costs(const struct run *run, const struct rebuild_settings *settings)
{
    if (settings->keeps_costs || settings->costs.is_known)
        return settings->costs;
    struct call_costs costs =
        calibration_estimate(&run->calibration, run->begin.unit_ns, run->begin.turn_ns);
    if (costs.is_known)
        cheapest_calls_fit(&costs, run);
    if (run->sampling.is_on)
        widen(&costs);
    return costs;
}

void known_costs_update(struct known_costs *known, const struct run *run,
                        const struct rebuild_settings *settings)
{
    size_t count = 0;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        count += run->calibration.kinds[kind].count;
    if (known->group_count > 0 && count - known->group_count <= known->group_count / 8)
        return;
    known->costs = run_costs(run, settings);
    known->group_count = count;
}
