/*
 * tick_meter.h - the ticks of one run, measured while it is rebuilt.
 */
#pragma once

#include "base/text.h"
#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/nodes.h"
#include "rebuild/ticks/prices.h"
#include "rebuild/ticks/ticks.h"

/* Private, and all zero is empty. */
struct tick_meter {
    struct measured_tick *measured; /* [count] */
    size_t count, capacity;
    size_t *kept; /* [kept_count] indexes in `measured` whose functions are kept */
    size_t kept_count, kept_capacity;
    int64_t least_kept; /* units of the shortest of the kept ticks */
    /* Buffers for one tick, by function of the run. The first two are all zero between ticks. */
    struct meter_sum *sums; /* [function_capacity] */
    bool *is_found;         /* [function_capacity] */
    size_t function_capacity;
    uint32_t *found; /* [found_count] those with a sum, in the order in which they were found */
    size_t found_count, found_capacity;
    struct text packed; /* buffer */
    struct prices prices;
};

/*
 * Ends a tick, in which functions ran for `units`. The functions are kept for the `kept_max`
 * longest. If `has_prices` is set, the tick counts for the prices of its functions.
 */
void tick_meter_add(struct tick_meter *meter, const struct nodes *nodes, int64_t number,
                    int64_t units, size_t kept_max, bool has_prices);

/* The same for a tick of a sampled run: its calls and functions are not known. */
void tick_meter_add_sampled(struct tick_meter *meter, int64_t number, int64_t units);

/* The time of a tick, by its index in `measured`, with the recording overhead subtracted. */
int64_t tick_meter_time_ns(const struct tick_meter *meter, size_t index, double unit_ns,
                           const struct call_costs *costs);

/* Adds the ticks from `first` on to sums, with the recording overhead subtracted. */
void tick_meter_sum(const struct tick_meter *meter, size_t first, double unit_ns,
                    const struct call_costs *costs, int64_t limit_ns, struct tick_sums *sums);

/*
 * Moves the ticks to a list, whose limit is set, with the recording overhead subtracted. The
 * `kept_max` longest have their functions there; those over `all_over_ns` have all functions, if
 * they were kept.
 */
void tick_meter_finish(struct tick_meter *meter, struct tick_list *list, uint32_t run,
                       double unit_ns, const struct call_costs *costs, size_t kept_max,
                       int64_t all_over_ns);

void tick_meter_release(struct tick_meter *meter);
