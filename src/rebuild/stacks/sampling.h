/*
 * sampling.h - sampled runs: what was seen in bursts becomes an estimate of the whole.
 *
 * A sampled recording is recorded in bursts, and not between them. No stack and no time goes on
 * from one burst to the next: what passes between them is a gap, in which no frame runs. A burst
 * has a weight, which says in sixteenths how often what it shows has happened in the recording:
 *
 *     @3<(AB)C5.7...>192:2 -90000 @3<...    each call and unit of this burst stands for 12
 *
 * When a burst ends, the self times and calls that its nodes got are multiplied by the weight.
 * Durations, errors and memory are those that were seen. A burst of weight 0 is for the calibration
 * alone. In a burst without events, the time is of the line that its stack ends at.
 *
 * One call that was interrupted by the computer, or a very rare long one, would count as often as
 * all others. So the largest burst of each function has at most 4 times what the next has; for a
 * function that was in one burst, the largest next one of all functions is in place of its own, if
 * there is any. That is decided for the whole recording, so that its parts, such as windows, add up
 * to it.
 */
#pragma once

#include "rebuild/stacks/nodes.h"

/* Units of a function in bursts, with their weights. */
struct sampled_function {
    uint64_t burst;         /* the last one that it was in, */
    double units;           /* and what it had there */
    double largest, second; /* of the other bursts */
    double all;             /* of the other bursts, together */
    double factor;          /* set at the end */
};

/* All zero is a recording that is not sampled. */
struct sampling {
    bool is_on;
    bool is_open;         /* a burst is */
    bool leaves_out;      /* the present tick is left out; an open burst may be of an earlier one */
    uint64_t burst_count; /* with a weight, in ticks that are not left out */
    uint64_t end_count;   /* of all bursts */
    double sum_units;     /* of all nodes, with the weights */
    double sum_calls;
    struct sampled_function *functions; /* [function_capacity] by the ids of the log */
    size_t function_capacity;
    int64_t gap_units; /* that passed outside of bursts */
};

/* A burst begins. */
void sampling_begin(struct sampling *sampling);

/*
 * It ends: multiplies what the touched nodes have counted by the weight; what is in no burst, by 0.
 * Then no node may stay touched.
 */
void sampling_end(struct sampling *sampling, struct nodes *nodes, uint32_t weight);

/* By which times and calls must be multiplied, since weights are whole numbers. */
double sampling_factor(const struct sampling *sampling);

/* The recording overhead of what was seen. */
double sampling_cost_ns(const struct nodes *nodes, const struct call_costs *costs);

/* Multiplies all nodes by it, at the end of the recording. */
void sampling_finish(struct sampling *sampling, struct nodes *nodes);
