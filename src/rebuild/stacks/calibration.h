/*
 * calibration.h - what recording a call costs, estimated from calls that do nothing.
 *
 * In each tick the recorder's calibrating thread makes calls of three kinds: of C functions and of
 * iterators in loops, and of Lua functions by calling itself. (Older recorders call an empty Lua
 * function in a loop, and no iterator, which then counts as a C function.) In a loop the time from
 * a call to its return is the cost that recording adds to the callee. The time from a return to the
 * next call, less the time that one turn of the loop takes without recording, is the cost that it
 * adds to the caller. For calls of itself, only the sum of both costs is known, and each is taken
 * to be half of it.
 *
 * It calls itself because the cost of a call depends on how well the processor predicts what comes
 * next, and a loop around an empty function is the easiest case: there a call cost half of what
 * other calls cost.
 *
 * Times are whole steps of a coarse clock, so a single value means nothing: most are 0. Their sums
 * are right. So the calls of one kind in one tick are summed up as a group; groups far from the
 * median, in which something else happened, are left out; and the mean is taken over the other
 * groups.
 *
 * This gives six costs: for each of the three kinds, one in the callee and one in the caller. They
 * should be alike, since each is the way into the recorder and the way out of it. On a coarse clock
 * each may be wrong by a third, so they are moved towards their mean if their errors are larger
 * than their usual differences.
 *
 * A Lua function that a C function calls, as table.sort does, has the same costs, divided in
 * another way: a tenth of what its caller would have is its own. This was measured with FAF's Lua.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum call_kind {
    CALL_OF_LUA,
    CALL_OF_C,
    CALL_OF_ITERATOR,
    CALL_KIND_COUNT, /* of those that are calibrated */
    CALL_OF_LUA_BY_C = CALL_KIND_COUNT,
    COST_COUNT
};

/* What a call adds to the callee at most, by the cheapest calls of the game; HUGE_VAL: any. */
struct cost_limits {
    bool is_known;
    double most_in_ns[CALL_KIND_COUNT];
    double undivided_in_ns; /* of a Lua function: what is above, up to a third, is its caller's */
    double in_ns[CALL_KIND_COUNT], out_ns[CALL_KIND_COUNT]; /* the costs without limits */
};

/* What a recorded call adds; arrays are indexed by the callee's enum call_kind. */
struct call_costs {
    bool is_known;
    bool keeps_fraction; /* no self time falls below one of what was measured: see overhead.h */
    double fraction;     /* of the calibrated costs, that these are; 0: they were given */
    double in_ns[COST_COUNT];  /* to the callee */
    double out_ns[COST_COUNT]; /* to the caller */
    /* Standard errors of the costs above; 0 where the user gave the costs. */
    double in_error_ns[COST_COUNT];
    double out_error_ns[COST_COUNT];
    double time_bias;    /* part of the times, by which the computer's speed makes them uncertain */
    double untimed_bias; /* part of the times that are left, that may be the recorder's, since too
                            few unrecorded wakes were timed: see reference.h */
    double untimed;      /* how little timed wakes say of all times: 0 to 1 */
    double excess;       /* part of the times, by which what recording has added beside these
                            costs makes them uncertain, where wakes were timed */
    struct cost_limits limits;
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
    bool is_same_callee; /* the call before called it too */
    bool calls_itself;   /* then other calls of Lua functions do not count */
    struct calibration_group group;
};

/* As a callee: the calibrating function. */
#define CALIBRATION_OF_ITSELF UINT32_MAX

void calibration_add(struct calibration *calibration, enum call_kind kind,
                     struct calibration_group group);

/*
 * Makes groups of the calls of the calibrating function: call this for each call, and
 * calibration_return() for each return. `callee` is any number above 0 that identifies the callee;
 * `units` is the time since the event before. The first call of each loop does not count, unless it
 * is CALIBRATION_OF_ITSELF.
 */
void calibration_call(struct calibration *calibration, uint32_t callee, enum call_kind kind,
                      uint32_t units);

/* The same as calibration_call(), if that only adds to the group that is being filled; else it
 * returns false, and does nothing. */
static inline bool calibration_continue(struct calibration *calibration, uint32_t callee,
                                        uint32_t units)
{
    if (calibration->callee != callee)
        return false;
    calibration->is_same_callee = true;
    calibration->group.out_units += units;
    return true;
}

/* A call of `callee` returned `units` after the event before. */
static inline void calibration_return(struct calibration *calibration, uint32_t callee,
                                      uint32_t units)
{
    if (callee != calibration->callee || !calibration->is_same_callee)
        return;
    calibration->group.in_units += units;
    calibration->group.calls++;
}

/* Ends the last group, because another function runs now. */
void calibration_end_group(struct calibration *calibration);

/*
 * Estimates the costs; they are unknown if there is no group of Lua or of C functions. `turn_ns` is
 * the time that one turn of the loop takes without recording, negative if unknown: then it counts
 * as 0, and the cost to the caller includes it.
 */
struct call_costs calibration_estimate(const struct calibration *calibration, double unit_ns,
                                       const double turn_ns[CALL_KIND_COUNT]);

/* Sets the limits of costs that have none yet, and keeps to them; `limits` lacks the costs. */
void call_costs_limit(struct call_costs *costs, const struct cost_limits *limits);

/*
 * Multiplies calibrated costs by a fraction. Below 1, it multiplies what they were without limits,
 * and the limits apply after that: a cost that was above one may be below it then.
 */
void call_costs_take_fraction(struct call_costs *costs, double fraction);

void calibration_release(struct calibration *calibration);
