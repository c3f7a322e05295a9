/*
 * sampling.h - sampled runs: what was seen in bursts becomes an estimate of the whole.
 *
 * A sampled run is recorded in bursts, each of the same time of Lua, and not between them. No stack
 * and no time goes on from one burst to the next: what passes between them is a gap, in which no
 * frame runs. A burst has a weight, which says how much of the run it stands for:
 *
 *     @3<40000(AB)C5.7...>12:2 -90000 @3<41000...   40,000 units of Lua have passed; weight 12
 *
 * When a burst ends, the self times and calls that its nodes got are multiplied by the weight. When
 * the run ends, all are multiplied by one factor more, so that their sum is the time of Lua that
 * the recorder saw pass. Durations, errors and memory are those that were seen. A burst of weight 0
 * is for the calibration alone.
 */
#pragma once

#include "rebuild/stacks/nodes.h"

/* All zero is a run that is not sampled. */
struct sampling {
    bool is_on;
    bool is_open;         /* a burst is */
    bool leaves_out;      /* the present tick is left out; an open burst may be of an earlier one */
    uint64_t burst_count; /* with a weight, in ticks that are not left out */
    double lua_units;     /* that passed, as the recorder says */
    double sum_units;     /* of all nodes, with the weights */
    double sum_calls;
    int64_t gap_units; /* that passed outside of bursts */
};

/* A burst begins; so many units of Lua have passed since the one before. */
void sampling_begin(struct sampling *sampling, uint32_t lua_units);

/*
 * It ends: multiplies what the touched nodes have counted by the weight; what is in no burst, by 0.
 * Then no node may stay touched.
 */
void sampling_end(struct sampling *sampling, struct nodes *nodes, uint32_t weight);

/*
 * By which times and calls must be multiplied. `cost_units`: of all times, the recording overhead,
 * which the recorder did not count as Lua's time.
 */
double sampling_factor(const struct sampling *sampling, double cost_units);

/* The recording overhead of what was seen. */
double sampling_cost_ns(const struct nodes *nodes, const struct call_costs *costs);

/* Multiplies all nodes by it, at the end of the run. */
void sampling_finish(const struct sampling *sampling, struct nodes *nodes,
                     const struct call_costs *costs, double unit_ns);
