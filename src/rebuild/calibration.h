/*
 * calibration.h - what recording a call costs, estimated from calls that do nothing.
 *
 * The recorder's calibrating thread makes, in each tick, a number of calls of an
 * empty Lua function, and as many of a C function. The time between the call and
 * the return of these is what recording adds to a callee, the time from one's
 * return to the next one's call, less what a turn of the loop takes anyway, what
 * it adds to the caller.
 *
 * Times are whole steps of a coarse clock, so single values say nothing: most are
 * 0. Their sums are right, though, so a group (the calls of one kind in one tick)
 * is summed up; groups far from the median, in which something else happened, are
 * left out; and the mean is taken over all that is left.
 *
 * That gives four costs, of the two kinds in the callee and in the caller, which
 * are of the same making: the way into the recorder and the way out of it. On a
 * coarse clock each may be wrong by a third, so they are moved towards their mean, as
 * far as their errors are larger than what they usually differ by.
 */
#ifndef SUPPROF_CALIBRATION_H
#define SUPPROF_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum call_kind { CALL_OF_LUA, CALL_OF_C, CALL_KIND_COUNT };

/* What a recorded call adds; arrays are indexed by the callee's enum call_kind. */
struct call_costs {
    bool is_known;
    double in_ns[CALL_KIND_COUNT];  /* to the callee */
    double out_ns[CALL_KIND_COUNT]; /* to the caller */
    /* Standard errors of those; 0 where they were given. */
    double in_error_ns[CALL_KIND_COUNT];
    double out_error_ns[CALL_KIND_COUNT];
};

struct calibration_group {
    uint32_t in_units, out_units, calls;
};

/* All zero is empty. */
struct calibration {
    struct calibration_kind {
        struct calibration_group *groups; /* [count] */
        size_t count, capacity;
    } kinds[CALL_KIND_COUNT];

    /* Private: the group that is being made. */
    uint32_t callee; /* what was called last, or 0 */
    enum call_kind callee_kind;
    bool is_repeated; /* and the time before as well */
    struct calibration_group group;
};

void calibration_add(struct calibration *calibration, enum call_kind kind,
                     struct calibration_group group);

/*
 * Makes groups of the calls of the calibrating function: to be called for each, with
 * some number above 0 that the callee has, and for its return. `units` passed before.
 * The first call of each loop does not count.
 */
void calibration_call(struct calibration *calibration, uint32_t callee, enum call_kind kind,
                      uint32_t units);
void calibration_return(struct calibration *calibration, uint32_t callee, uint32_t units);

/* Ends the last group, for something else runs now. */
void calibration_end_group(struct calibration *calibration);

/*
 * Estimates the costs; they are not known when there is no group of either kind.
 * `turn_ns` is what a turn of the loop takes without recording, negative when that
 * is not known: then it counts as nothing, and is in the cost outside.
 */
struct call_costs calibration_estimate(const struct calibration *calibration, double unit_ns,
                                       const double turn_ns[CALL_KIND_COUNT]);

void calibration_release(struct calibration *calibration);

#endif
