/*
 * calibration.h - what recording a call costs, estimated from calls that do nothing.
 *
 * The recorder's calibrating thread makes, in each tick, a number of calls of an empty Lua
 * function, and as many of a C function. The time from such a call to its return is the cost that
 * recording adds to the callee. The time from a return to the next call, less the time that one
 * turn of the loop takes without recording, is the cost that it adds to the caller.
 *
 * Times are whole steps of a coarse clock, so a single value means nothing: most are 0. Their sums
 * are right. So the calls of one kind in one tick are summed up as a group; groups far from the
 * median, in which something else happened, are left out; and the mean is taken over the other
 * groups.
 *
 * This gives four costs: for each of the two kinds, one in the callee and one in the caller. They
 * should be alike, since each is the way into the recorder and the way out of it. On a coarse clock
 * each may be wrong by a third, so they are moved towards their mean if their errors are larger
 * than their usual differences.
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
    /* Standard errors of the costs above; 0 where the user gave the costs. */
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

    /* Private: the group that is being filled. */
    uint32_t callee; /* the last function called, or 0 */
    enum call_kind callee_kind;
    bool is_repeated; /* the call before called it too */
    struct calibration_group group;
};

void calibration_add(struct calibration *calibration, enum call_kind kind,
                     struct calibration_group group);

/*
 * Makes groups of the calls of the calibrating function: call these for each call and for each
 * return. `callee` is any number above 0 that identifies the callee; `units` is the time since the
 * event before. The first call of each loop does not count.
 */
void calibration_call(struct calibration *calibration, uint32_t callee, enum call_kind kind,
                      uint32_t units);
void calibration_return(struct calibration *calibration, uint32_t callee, uint32_t units);

/* Ends the last group, because another function runs now. */
void calibration_end_group(struct calibration *calibration);

/*
 * Estimates the costs; they are unknown if a kind has no group. `turn_ns` is the time that one turn
 * of the loop takes without recording, negative if unknown: then it counts as 0, and the cost to
 * the caller includes it.
 */
struct call_costs calibration_estimate(const struct calibration *calibration, double unit_ns,
                                       const double turn_ns[CALL_KIND_COUNT]);

void calibration_release(struct calibration *calibration);

#endif
