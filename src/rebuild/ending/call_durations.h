/*
 * call_durations.h - how long the calls of each function took, and the long calls of each tick: in
 * nanoseconds, with the recorder's cost taken out as recorded.h does.
 */
#pragma once

#include "rebuild/ending/recorded.h"
#include "tree/tree.h"

/* All zero is empty. The whole of all recordings, whichever ticks are chosen. The caller frees the
 * arrays. */
struct call_durations {
    double unit_ns; /* of the clock, the longest of all recordings */
    struct call_histogram {
        uint64_t *calls; /* [count]: in each step of nanoseconds: see durations.h; 0 is below 2 */
        size_t count;
        uint64_t returned, inside; /* sums of the calls, and of the calls that were made in them */
        int64_t shortest_ns, longest_ns; /* by call_durations_fit(); else both 0 */
    } * of;                              /* [count] by id of symbols.h */
    size_t count;
    struct long_call *long_calls; /* [long_count], by recordings, and by the order of returns */
    size_t long_count, long_capacity;
};

/* Adds a recording, and takes its durations. Its long calls are in a chosen tick if `is_chosen`,
 * [tick count], says so. */
void call_durations_add(struct call_durations *durations, struct recorded *recorded,
                        uint32_t recording, const uint8_t *is_chosen, uint8_t threads);

/*
 * Finds the shortest and the longest calls; `tree` is that of all ticks. Calls in steps outside of
 * these are moved, and one into the step of each: they are elsewhere only because a step has one
 * mean cost.
 */
void call_durations_fit(struct call_durations *durations, const struct tree *tree);

/* The histogram of a function; NULL if none of its calls has returned. */
const struct call_histogram *call_durations_of(const struct call_durations *durations,
                                               uint32_t function);

/* Half of the calls took this or less: the middle of a step, so that it is 12 % from the truth at
 * most, but for calls of a few units, which a step's mean cost describes badly. 0: less than the
 * clock can tell. */
int64_t call_histogram_median_ns(const struct call_histogram *histogram);
