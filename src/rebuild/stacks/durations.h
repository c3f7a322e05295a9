/*
 * durations.h - how long single calls took, while a recording is read: in units, with the
 * recorder's cost. call_durations.h makes nanoseconds of them.
 *
 * Steps are four an octave: 1, 1.25, 1.5, 1.75, 2, 2.5 ... Nearly all calls of a game take 0 or 1
 * units of the clock. Those are not counted here, where each would cost: how many there were
 * follows from the sums of the entries.
 *
 * A call of DURATION_LONG_NS or more is kept by itself, too. Each needs an event in the log.
 */
#pragma once

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DURATION_UNITS_MIN = 2, DURATION_LONG_NS = 500000 };

/* The step of a number from 1 on. A float's first bits are its exponent and quarters. */
static inline uint32_t duration_step(int64_t number)
{
    enum { MANTISSA_BITS = 23, QUARTER_BITS = 2, EXPONENT_OF_1 = 127 };
    float value = (float)number;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> (MANTISSA_BITS - QUARTER_BITS)) - (EXPONENT_OF_1 << QUARTER_BITS);
}

/* The number at which a step begins. */
static inline double duration_step_begin(uint32_t step)
{
    double octave = 1;
    for (uint32_t i = 0; i < step / 4; i++)
        octave *= 2;
    return octave * (1 + (double)(step % 4) / 4);
}

/* The calls of a function in one step. */
struct duration_sum {
    uint64_t calls, inside; /* inside: calls that were made in them */
    int64_t units;
};

/* What is known of a long call: while it is read; then by recorded_join_durations(); at last by
 * call_durations_add(). A hostile log has one in a few bytes, so it is never there twice. */
struct long_call {
    union {
        uint32_t node;  /* of the call or of its last line */
        uint32_t place; /* then */
        uint32_t function;
    };
    union {
        uint32_t part;    /* in which it returned: see entries.h */
        uint32_t tick_at; /* then: index of the tick */
        uint32_t recording;
    };
    uint32_t inside; /* calls that were made in it */
    union {
        uint32_t thread;
        uint32_t outer; /* then: 1 + the next one around it, which is later; 0: none */
    };
    union {
        int64_t start; /* on the clock of its thread */
        int64_t tick;  /* of the game; -1: outside of ticks */
    };
    union {
        int64_t units;
        int64_t ns; /* may be below DURATION_LONG_NS: kept for what is around it */
    };
    bool is_chosen;     /* its tick and its thread are, and it is long by itself */
    bool is_usual_here; /* 90 % of the calls of its stack are long, and three or more */
};

/* All zero is empty, and all calls are long. */
struct durations {
    struct function_durations {
        struct duration_sum *steps; /* [count] */
        size_t count;
    } * of; /* [count] by number in the recording; by recorded_join_durations() the first one */
    size_t count;
    int64_t long_units;
    struct long_call *long_calls; /* [long_count], in the order of their returns */
    size_t long_count, long_capacity;
};

/* Call it before the first call is counted: when the length of a unit is known. */
void durations_begin(struct durations *durations, double unit_ns);
void durations_release(struct durations *durations);

static inline void duration_sum_add(struct duration_sum *sum, int64_t units, uint32_t inside)
{
    sum->calls++;
    sum->inside += inside;
    sum->units += units;
}

/*
 * Counts a call of DURATION_UNITS_MIN or more units. Returns false, and counts nothing, if it is
 * long, or there is no room: then stacks_add_duration() is needed.
 */
static inline bool durations_count(struct durations *durations, uint32_t function, int64_t units,
                                   uint32_t inside)
{
    uint32_t step = duration_step(units);
    if (units >= durations->long_units || function >= durations->count ||
        step >= durations->of[function].count)
        return false;
    duration_sum_add(&durations->of[function].steps[step], units, inside);
    return true;
}
