/*
 * tick_meter.h - the ticks of one recording, measured while it is rebuilt.
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
    /* Buffers for one tick, by function of the recording. The first two are all zero between ticks.
     */
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

/* Adds the ticks from `first` on to sums, with the recording overhead subtracted. */
void tick_meter_sum(const struct tick_meter *meter, size_t first, double unit_ns,
                    const struct call_costs *costs, int64_t limit_ns, struct tick_sums *sums);

/*
 * Moves the ticks to a list, whose limit is set, with the recording overhead subtracted. The
 * `kept_max` longest have their functions there; those over `all_over_ns` have all functions, if
 * they were kept.
 */
void tick_meter_finish(struct tick_meter *meter, struct tick_list *list, uint32_t recording,
                       double unit_ns, const struct call_costs *costs, size_t kept_max,
                       int64_t all_over_ns);

void tick_meter_release(struct tick_meter *meter);

/*
 * Adds up what each node took in all slow ticks of a recording, while it is rebuilt.
 *
 * Whether a tick is slow (ticks.h) is known only at the end of the recording, with its recording
 * overhead. Until then the ticks that are nearest to the limit wait, with the times of their nodes.
 * The others are decided by the overhead as far as it is known. In the end all decisions are
 * checked; if one was wrong, the sums cannot be used.
 *
 * The sums are in the nodes (node_part in nodes.h), because nodes_move() must move them.
 */

enum { SLOW_TICKS_WAITING_MAX = 64 };

/* With limit_ns set and all else zero it is empty. */
struct slow_ticks {
    int64_t limit_ns;
    struct waiting_tick {
        size_t index; /* of the meter */
        struct node_units {
            uint32_t node;
            int64_t units;
        } * units; /* [count] */
        size_t count;
    } waiting[SLOW_TICKS_WAITING_MAX]; /* [waiting_count] */
    size_t waiting_count;
    struct decided_tick {
        size_t index;
        bool is_slow;
    } * decided; /* [decided_count] */
    size_t decided_count, decided_capacity;
    bool is_wrong; /* the sums cannot be used */
};

/* Adds what the nodes did before the first tick. */
void slow_ticks_begin(struct nodes *nodes);

/*
 * Adds the last tick of the meter, whose measured time is above the limit. Call it before
 * nodes_end_tick(). `costs` are those that are known so far.
 */
void slow_ticks_add(struct slow_ticks *slow, struct nodes *nodes, const struct tick_meter *meter,
                    double unit_ns, const struct call_costs *costs);

/* Decides all ticks. Call it before tick_meter_finish(). `costs` are those of the whole recording.
 */
void slow_ticks_finish(struct slow_ticks *slow, struct nodes *nodes, const struct tick_meter *meter,
                       double unit_ns, const struct call_costs *costs);

void slow_ticks_release(struct slow_ticks *slow);
