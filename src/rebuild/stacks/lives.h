/*
 * lives.h - what is kept about the threads of a recording: how often they woke, and how they ended.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The life of a thread, as far as it was seen. All zero before it is met. */
struct life {
    uint32_t root; /* 1 + the function of the recording that it began with; 0: not met */
    bool has_begun, has_ended, has_failed; /* seen; `has_failed`: an error has ended it */
    bool has_slept;                        /* it was resumed */
    bool is_awake;                         /* the last fields are of a wake that has not ended */
    uint32_t begin_tick, end_tick;         /* stacks->tick_count */
    uint32_t calls;
    int64_t clock;   /* this and `calls` as in struct cursor, when the wake began */
    size_t wake;     /* index of the wake */
    uint32_t number; /* of the lives of the recording, from 1 */
};

/* What a thread did until it waited again. */
struct wake {
    uint32_t function; /* the root: its number in the recording; by stacks_finish_lives() the
                          first one, by tick_sums_end() its id of symbols.h */
    uint32_t calls;    /* with that of the root, and that of the function that suspends */
    union {
        int64_t units;
        int64_t ns; /* by tick_sums_read() */
    };
    uint32_t tick;   /* of the game */
    uint32_t part;   /* of the recording, in which it began: see entries.h */
    uint32_t life;   /* number of its thread's life */
    uint32_t number; /* of the wakes of the recording, in the order of their begins */
};

/* A thread that was met. */
struct ended_life {
    uint32_t function; /* the same */
    uint32_t number;   /* of the lives of the recording, from 1 */
    uint32_t ticks;    /* from begin to end; LIFE_UNKNOWN: one of them was not seen */
    bool has_ended, has_failed;
    bool is_short; /* it had one wake, and ended in it */
};
#define LIFE_UNKNOWN UINT32_MAX

/* All zero is empty. */
struct wakes {
    struct wake *all; /* [count] */
    size_t count, capacity;
    struct ended_life *lives; /* [life_count], by stacks_finish_lives() */
    size_t life_count, life_capacity;
    uint32_t last_life; /* number of the last life */
};
