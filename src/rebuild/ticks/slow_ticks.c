#include "rebuild/ticks/slow_ticks.h"

static int64_t units_in_tick(const struct nodes *nodes, const struct touched_node *touched)
{
    return nodes->at[touched->node].self - touched->before.self;
}

void slow_ticks_begin(struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->touched_count; i++)
        nodes_part(nodes, nodes->touched[i].node)->outside +=
            units_in_tick(nodes, &nodes->touched[i]);
}

/* Returns whether the callers of all nodes of the tick are known: none will be moved. */
static bool keep_units(struct waiting_tick *waiting, const struct nodes *nodes)
{
    bool has_callers = true;
    waiting->units = mem_zeroed(nodes->touched_count, sizeof *waiting->units);
    for (size_t i = 0; i < nodes->touched_count; i++) {
        uint32_t node = nodes->touched[i].node;
        int64_t units = units_in_tick(nodes, &nodes->touched[i]);
        has_callers &= !nodes_known_origin(nodes, node)->is_listed;
        if (units != 0)
            waiting->units[waiting->count++] = (struct node_units){node, units};
    }
    return has_callers;
}

static void decide(struct slow_ticks *slow, struct nodes *nodes, struct waiting_tick *tick,
                   bool is_slow)
{
    for (size_t i = 0; is_slow && i < tick->count; i++)
        nodes_part(nodes, tick->units[i].node)->slow += tick->units[i].units;
    free(tick->units);
    struct decided_tick decided = {tick->index, is_slow};
    MEM_APPEND(slow->decided, slow->decided_count, slow->decided_capacity, decided);
}

/* A waiting tick, and how far it is from the limit. */
struct distant_tick {
    struct waiting_tick tick;
    int64_t over_ns; /* negative: below the limit */
};

static int compare_distances(const void *left, const void *right)
{
    const struct distant_tick *a = left, *b = right;
    int64_t near = llabs(a->over_ns), far = llabs(b->over_ns);
    return ORDER(near, far, ORDER(a->tick.index, b->tick.index, 0));
}

/* Decides those that are farthest from the limit, all but `left` of them. */
static void decide_farthest(struct slow_ticks *slow, struct nodes *nodes,
                            const struct tick_meter *meter, double unit_ns,
                            const struct call_costs *costs, size_t left)
{
    struct distant_tick distant[SLOW_TICKS_WAITING_MAX];
    for (size_t i = 0; i < slow->waiting_count; i++) {
        size_t index = slow->waiting[i].index;
        distant[i].tick = slow->waiting[i];
        distant[i].over_ns = tick_meter_time_ns(meter, index, unit_ns, costs) - slow->limit_ns;
    }
    qsort(distant, slow->waiting_count, sizeof *distant, compare_distances);
    for (size_t i = 0; i < slow->waiting_count; i++)
        if (i < left)
            slow->waiting[i] = distant[i].tick;
        else
            decide(slow, nodes, &distant[i].tick, distant[i].over_ns > 0);
    if (slow->waiting_count > left)
        slow->waiting_count = left;
}

void slow_ticks_add(struct slow_ticks *slow, struct nodes *nodes, const struct tick_meter *meter,
                    double unit_ns, const struct call_costs *costs)
{
    struct waiting_tick tick = {.index = meter->count - 1};
    bool has_callers = keep_units(&tick, nodes);
    slow->is_wrong |= nodes->has_moved_older;
    if (!has_callers) {
        int64_t time_ns = tick_meter_time_ns(meter, tick.index, unit_ns, costs);
        decide(slow, nodes, &tick, time_ns > slow->limit_ns);
        return;
    }
    if (slow->waiting_count == SLOW_TICKS_WAITING_MAX)
        decide_farthest(slow, nodes, meter, unit_ns, costs, SLOW_TICKS_WAITING_MAX / 2);
    slow->waiting[slow->waiting_count++] = tick;
}

void slow_ticks_finish(struct slow_ticks *slow, struct nodes *nodes, const struct tick_meter *meter,
                       double unit_ns, const struct call_costs *costs)
{
    decide_farthest(slow, nodes, meter, unit_ns, costs, 0);
    for (size_t i = 0; i < slow->decided_count; i++) {
        const struct decided_tick *tick = &slow->decided[i];
        int64_t time_ns = tick_meter_time_ns(meter, tick->index, unit_ns, costs);
        slow->is_wrong |= tick->is_slow != (time_ns > slow->limit_ns);
    }
}

void slow_ticks_release(struct slow_ticks *slow)
{
    for (size_t i = 0; i < slow->waiting_count; i++)
        free(slow->waiting[i].units);
    free(slow->decided);
    *slow = (struct slow_ticks){0};
}
