/*
 * slow_ticks.h - adds up what each node took in all slow ticks of a run, while it is rebuilt.
 *
 * Whether a tick is slow (ticks.h) is known only at the end of the run, with its recording
 * overhead. Until then the ticks that are nearest to the limit wait, with the times of their nodes.
 * The others are decided by the overhead as far as it is known. In the end all decisions are
 * checked; if one was wrong, the sums cannot be used.
 *
 * The sums are in the nodes (node_part in nodes.h), because nodes_move() must move them.
 */
#pragma once

#include "rebuild/stacks/calibration.h"
#include "rebuild/stacks/nodes.h"
#include "rebuild/ticks/tick_meter.h"

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

/* Decides all ticks. Call it before tick_meter_finish(). `costs` are those of the whole run. */
void slow_ticks_finish(struct slow_ticks *slow, struct nodes *nodes, const struct tick_meter *meter,
                       double unit_ns, const struct call_costs *costs);

void slow_ticks_release(struct slow_ticks *slow);
