#include "rebuild/running_sums.h"

#include "base/number.h"
#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/ending/overhead.h"
#include "rebuild/windowed_recording.h"

#include <math.h>

void running_sums_begin(struct running_sums *sums, size_t recording_count)
{
    function_sums_clear(&sums->functions);
    sums->ticks = (struct tick_sums){0};
    sums->time_ns = 0;
    MEM_GROW(sums->recordings, sums->recording_capacity, recording_count);
    for (size_t i = sums->recording_count; i < recording_count; i++)
        sums->recordings[i] = (struct running_recording){0};
    sums->recording_count = recording_count;
    for (size_t i = 0; i < recording_count; i++)
        sums->recordings[i].before_ns = sums->recordings[i].elapsed_ns;
}

void running_sums_end(struct running_sums *sums)
{
    int64_t advance_ns = 0;
    for (size_t i = 0; i < sums->recording_count; i++) {
        int64_t since_ns = sums->recordings[i].elapsed_ns - sums->recordings[i].before_ns;
        advance_ns = since_ns > advance_ns ? since_ns : advance_ns;
    }
    sums->clock_ns += advance_ns;
}

/*
 * Makes a tree of the nodes as they are, each the child of its parent. It takes half as much memory
 * as the nodes, until the sums are made.
 */
static void copy_nodes(struct tree *tree, const struct nodes *nodes, double unit_ns)
{
    *tree = tree_make(nodes->count - NODES_FIRST + 1, false);
    uint8_t *flags = nodes_find_recorder(nodes);
    for (uint32_t i = NODES_FIRST; i < nodes->count; i++) {
        const struct node *from = &nodes->at[i];
        uint32_t to = i - NODES_FIRST + 1;
        bool has_parent = from->parent >= NODES_FIRST;
        tree->calls[to] = (struct call){has_parent ? from->parent - NODES_FIRST + 1 : TREE_ROOT,
                                        nodes_function(nodes, i)->id, LINE_UNKNOWN};
        tree->call_counts[to] = from->calls;
        tree->self_ns[to] = number_nearest((double)from->self * unit_ns);
        tree->flags[to] = flags[i];
    }
    free(flags);
}

static void add_nodes(struct function_sums *sums, const struct nodes *nodes, double unit_ns,
                      const struct call_costs *costs)
{
    struct tree tree;
    struct overhead_sums removed;
    copy_nodes(&tree, nodes, unit_ns);
    uint8_t *kinds = nodes_call_kinds(nodes);
    overhead_remove(&tree, kinds, costs, &removed);
    free(kinds);
    tree_sum_totals(&tree);
    function_sums_add_tree(sums, &tree);
    tree_release(&tree);
}

void running_sums_add_recording(struct running_sums *sums,
                                const struct windowed_recording *windowed)
{
    const struct stacks *stacks = windowed->stacks;
    const struct nodes *nodes = &stacks->nodes;
    struct running_recording *known = &sums->recordings[windowed->number];
    double units = (double)run_units(stacks);
    double unit_ns = stacks->begin.unit_ns;
    /* As at the end of a recording: only a damaged log has more. */
    if (sums->time_ns + units * unit_ns > (double)NUMBER_TIME_MAX_NS)
        unit_ns = 0;
    sums->time_ns += units * unit_ns;
    known->unit_ns = unit_ns;
    known->tick_count = windowed->meter.count;
    int64_t tick_ns = tick_kinds[windowed->settings->state].limit_ns;
    known->elapsed_ns = known->tick_count > 0 ? (int64_t)known->tick_count * tick_ns
                                              : number_nearest(units * unit_ns);
    known_costs_update(&known->costs, windowed->stacks, windowed->settings);
    add_nodes(&sums->functions, nodes, unit_ns, &known->costs.costs);
    tick_meter_sum(&windowed->meter, 0, unit_ns, &known->costs.costs, windowed->slow.limit_ns,
                   &sums->ticks);
}

void running_sums_add_results(struct running_sums *sums, const struct rebuild_results *results)
{
    function_sums_add_tree(&sums->functions, &results->tree);
    function_sums_add_builder(&sums->functions, &results->builder);
    sums->time_ns += results->time_ns;
    for (size_t i = 0; i < sums->recording_count; i++)
        sums->recordings[i].tick_count = 0;
    for (size_t i = 0; i < results->ticks.count; i++) {
        const struct tick *tick = &results->ticks.ticks[i];
        tick_sums_add(&sums->ticks, tick->number, tick->time_ns, results->ticks.limit_ns);
        struct running_recording *recording = &sums->recordings[tick->recording];
        recording->elapsed_ns =
            (int64_t)++recording->tick_count * tick_kinds[results->ticks.state].limit_ns;
    }
}

void running_sums_add_recent_results(struct running_sums *sums,
                                     const struct rebuild_results *results)
{
    size_t *seen = mem_zeroed(sums->recording_count, sizeof *seen);
    sums->recent_ticks = (struct tick_sums){0};
    for (size_t i = 0; i < results->ticks.count; i++) {
        const struct tick *tick = &results->ticks.ticks[i];
        if (seen[tick->recording]++ >= sums->recordings[tick->recording].known_ticks)
            tick_sums_add(&sums->recent_ticks, tick->number, tick->time_ns,
                          results->ticks.limit_ns);
    }
    free(seen);
}

void running_sums_add_recent(struct running_sums *sums, const struct windowed_recording *windowed)
{
    const struct running_recording *known = &sums->recordings[windowed->number];
    tick_meter_sum(&windowed->meter, known->known_ticks, known->unit_ns, &known->costs.costs,
                   windowed->slow.limit_ns, &sums->recent_ticks);
}

void running_sums_copy(struct running_sums *to, const struct running_sums *from)
{
    function_sums_copy(&to->functions, &from->functions);
    MEM_GROW(to->recordings, to->recording_capacity, from->recording_count);
    if (from->recording_count > 0)
        memcpy(to->recordings, from->recordings, from->recording_count * sizeof *to->recordings);
    to->recording_count = from->recording_count;
    to->ticks = from->ticks;
    to->recent_ticks = from->recent_ticks;
    to->time_ns = from->time_ns;
    to->clock_ns = from->clock_ns;
}

void running_sums_release(struct running_sums *sums)
{
    function_sums_release(&sums->functions);
    free(sums->recordings);
    *sums = (struct running_sums){0};
}
