/*
 * long_calls.h - functions with two kinds of calls, and calls that something has interrupted.
 *
 * A call is long if it took more than 0.5 ms and 100 times the median of its function's calls. It
 * does not count if long calls inside it explain half of that or more: those count. Nor does it
 * where 90 % of the calls of its stack are as long: then its caller decides.
 *
 * A function has two kinds of calls if at least 5 are long, and
 *
 * - these are 3 % of its calls or more, or
 * - there are 4 or more distances between their ticks, and 80 % of these are equal;
 *
 * or if 2 ticks or more have some, half of all that would be interruptions: these hit functions as
 * their time goes, so that chance hardly ever gives one of them so many.
 *
 * Nothing is said where the recorder's cost of many calls inside has left nothing of the median:
 * the usual time is not known then.
 *
 * All other long calls that are at most 1 % of their function's calls are interruptions, by a
 * garbage collection or by another program, unless they made ten times as many calls as usual, or
 * took longer by more than twice the self time of all calls: then the code had more to do. Only if
 * they are of three functions, none with more than half of the time, does the log show that;
 * else a loop without calls may have been long.
 */
#pragma once

#include "base/sort.h"
#include "profile/profile.h"

struct long_function {
    uint64_t count;   /* of its long calls in the chosen ticks */
    int64_t ns;       /* they took */
    int64_t usual_ns; /* the median of all its calls */
    int64_t distance; /* of their ticks; 0: none */
    bool has_two_kinds;
    bool makes_more; /* the long calls make more calls than the others: twice as many, or of
                        interruptions ten times */
    bool has_interruptions;
    bool is_most;   /* the long calls are few of its calls, and at least half of its self time */
    bool is_marked; /* a C function: interruptions took at least half of its self time */
};

/* All zero: there are none. The caller frees both arrays. */
struct long_calls {
    struct long_function *of; /* [function_count] */
    uint32_t function_count;
    /* Interruptions: the indices of the calls in call_durations.h, those that took most beyond the
     * usual first. */
    struct keyed *interrupted;         /* [count] */
    uint64_t count, interrupted_count; /* and functions that have some */
    int64_t over_ns;                   /* what they took beyond the medians */
    bool is_spread;                    /* over functions: they are no loops of one */
    uint32_t worst;                    /* the function with the longest, by and large */
    int64_t worst_ns, worst_tick;      /* 0: there is none; tick -1: outside of ticks */
    uint32_t worst_recording;
};

void long_calls_find(struct long_calls *calls, const struct profile *profile);

/* Whether a function is marked: interruptions are most of its self time. */
bool long_calls_have(const struct long_calls *calls, uint32_t function);

/* Whether few calls are most of a function's self time, so that the number of all does not matter.
 */
bool long_calls_are_most(const struct long_calls *calls, uint32_t function);
