#include "rebuild/run_costs.h"

#include "rebuild/ending/costs_of_run.h"

#include "rebuild/stacks/run.h"

struct call_costs run_costs(const struct run *run, const struct rebuild_settings *settings)
{
    if (settings->keeps_costs || settings->costs.is_known)
        return settings->costs;
    return costs_of_run(run);
}

void known_costs_update(struct known_costs *known, const struct run *run,
                        const struct rebuild_settings *settings)
{
    size_t count = 0;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        count += run->calibration.kinds[kind].count;
    if (known->costs.is_known && count - known->group_count <= known->group_count / 8)
        return;
    known->costs = run_costs(run, settings);
    known->group_count = count;
}
