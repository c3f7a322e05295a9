#include "rebuild/running_sums.h"

#include "base/mem.h"
#include "base/number.h"
#include "rebuild/windowed_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The units of one function. */
struct function_units {
    int64_t self;
    uint64_t calls;
    uint64_t made[CALL_KIND_COUNT]; /* calls made by it */
};

void running_sums_begin(struct running_sums *sums, size_t run_count)
{
    function_sums_clear(&sums->functions);
    sums->ticks = (struct tick_sums){0};
    sums->time_ns = 0;
    sums->runs = mem_grow(sums->runs, &sums->run_capacity, run_count, sizeof *sums->runs);
    for (size_t i = sums->run_count; i < run_count; i++)
        sums->runs[i] = (struct running_run){0};
    sums->run_count = run_count;
    for (size_t i = 0; i < run_count; i++)
        sums->runs[i].before_ns = sums->runs[i].elapsed_ns;
}

void running_sums_end(struct running_sums *sums)
{
    int64_t advance_ns = 0;
    for (size_t i = 0; i < sums->run_count; i++) {
        int64_t run_ns = sums->runs[i].elapsed_ns - sums->runs[i].before_ns;
        advance_ns = run_ns > advance_ns ? run_ns : advance_ns;
    }
    sums->clock_ns += advance_ns;
}

/* Returns the units of each function of the run, [function_count]. */
static struct function_units *sum_nodes(const struct nodes *nodes)
{
    struct function_units *units = mem_zeroed(nodes->function_count, sizeof *units);
    for (uint32_t i = NODES_FIRST; i < nodes->count; i++) {
        const struct node *node = &nodes->at[i];
        if (node->calls == 0 && node->self == 0)
            continue;
        const struct event_function *function = nodes_function(nodes, i);
        struct function_units *sum = &units[function - nodes->functions];
        sum->self += node->self;
        sum->calls += node->calls;
        if (node->parent >= NODES_FIRST && (node->site & SITE_IS_OPEN) == 0) {
            const struct event_function *caller = nodes_function(nodes, node->parent);
            units[caller - nodes->functions].made[nodes_kind(nodes, i)] += node->calls;
        }
    }
    return units;
}

/* The time between the first and the last event, in units. */
static int64_t elapsed_units(const struct nodes *nodes)
{
    int64_t units = 0;
    for (uint32_t i = 0; i < nodes->count; i++)
        units += nodes->at[i].self;
    return units;
}

/*
 * The estimate sorts all groups, three to six a tick, and later groups change little: it is made
 * again only when there are an eighth more.
 */
static void estimate_costs(struct running_run *known, const struct windowed_run *windowed)
{
    const struct run *run = windowed->run;
    const struct rebuild_settings *settings = windowed->settings;
    const struct calibration *calibration = &run->calibration;
    size_t count = 0;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        count += calibration->kinds[kind].count;
    if (settings->keeps_costs || settings->costs.is_known)
        known->costs = settings->costs;
    else if (!known->costs.is_known || count - known->group_count > known->group_count / 8)
        known->costs = calibration_estimate(calibration, run->begin.unit_ns, run->begin.turn_ns);
    else
        return;
    known->group_count = count;
}

/* Like overhead_remove(): each function keeps its time less its cost, or 0. */
static int64_t self_ns_of(const struct function_units *units, enum call_kind kind, double unit_ns,
                          const struct call_costs *costs)
{
    double self_ns = (double)units->self * unit_ns;
    if (costs->is_known)
        self_ns -= (double)units->calls * costs->in_ns[kind];
    for (int made = 0; made < CALL_KIND_COUNT && costs->is_known; made++)
        self_ns -= (double)units->made[made] * costs->out_ns[made];
    return self_ns > 0 ? (int64_t)llround(self_ns) : 0;
}

void running_sums_add_run(struct running_sums *sums, const struct windowed_run *windowed)
{
    const struct run *run = windowed->run;
    const struct nodes *nodes = &run->nodes;
    struct running_run *known = &sums->runs[windowed->number];
    double units = (double)elapsed_units(nodes);
    double unit_ns = run->begin.unit_ns;
    /* As at the end of a run: only a damaged log has more. */
    if (sums->time_ns + units * unit_ns > (double)NUMBER_TIME_MAX_NS)
        unit_ns = 0;
    sums->time_ns += units * unit_ns;
    known->unit_ns = unit_ns;
    known->tick_count = windowed->meter.count;
    known->elapsed_ns = known->tick_count > 0 ? (int64_t)known->tick_count * TICK_BUDGET_NS
                                              : (int64_t)llround(units * unit_ns);
    estimate_costs(known, windowed);
    struct function_units *all = sum_nodes(nodes);
    for (uint32_t i = 0; i < nodes->function_count; i++) {
        const struct event_function *function = &nodes->functions[i];
        if (all[i].calls > 0 || all[i].self != 0)
            function_sums_add(&sums->functions, function->id, all[i].calls,
                              self_ns_of(&all[i], function_kind(function), unit_ns, &known->costs));
    }
    free(all);
    tick_meter_sum(&windowed->meter, 0, unit_ns, &known->costs, &sums->ticks);
}

void running_sums_add_results(struct running_sums *sums, const struct rebuild_results *results)
{
    function_sums_add_tree(&sums->functions, &results->tree);
    function_sums_add_builder(&sums->functions, &results->builder);
    sums->time_ns += results->time_ns;
    for (size_t i = 0; i < sums->run_count; i++)
        sums->runs[i].tick_count = 0;
    for (size_t i = 0; i < results->ticks.count; i++) {
        const struct tick *tick = &results->ticks.ticks[i];
        tick_sums_add(&sums->ticks, tick->number, tick->time_ns);
        struct running_run *run = &sums->runs[tick->run];
        run->elapsed_ns = (int64_t)++run->tick_count * TICK_BUDGET_NS;
    }
}

void running_sums_add_recent_results(struct running_sums *sums,
                                     const struct rebuild_results *results)
{
    size_t *seen = mem_zeroed(sums->run_count, sizeof *seen);
    sums->recent_ticks = (struct tick_sums){0};
    for (size_t i = 0; i < results->ticks.count; i++) {
        const struct tick *tick = &results->ticks.ticks[i];
        if (seen[tick->run]++ >= sums->runs[tick->run].known_ticks)
            tick_sums_add(&sums->recent_ticks, tick->number, tick->time_ns);
    }
    free(seen);
}

void running_sums_add_recent(struct running_sums *sums, const struct windowed_run *windowed)
{
    const struct running_run *known = &sums->runs[windowed->number];
    tick_meter_sum(&windowed->meter, known->known_ticks, known->unit_ns, &known->costs,
                   &sums->recent_ticks);
}

void running_sums_copy(struct running_sums *to, const struct running_sums *from)
{
    function_sums_copy(&to->functions, &from->functions);
    to->runs = mem_grow(to->runs, &to->run_capacity, from->run_count, sizeof *to->runs);
    if (from->run_count > 0)
        memcpy(to->runs, from->runs, from->run_count * sizeof *to->runs);
    to->run_count = from->run_count;
    to->ticks = from->ticks;
    to->recent_ticks = from->recent_ticks;
    to->time_ns = from->time_ns;
    to->clock_ns = from->clock_ns;
}

void running_sums_release(struct running_sums *sums)
{
    function_sums_release(&sums->functions);
    free(sums->runs);
    *sums = (struct running_sums){0};
}
