/*
 * tick_functions.h - what the functions of the game did in the tick that is read. The recorder is
 * not one of them: no tick is slow because of it.
 */
#pragma once

#include "rebuild/ending/recorded.h"

/* All zero but for `sums`, `found` and `capacity` between ticks. */
struct tick_functions {
    struct tick_function_sum {
        int64_t units, self_ns;
        uint64_t calls;
        uint64_t runs; /* calls, but for those that began a thread; wakes are added by work_add() */
        bool is_found;
    } * sums;        /* [capacity] by id of symbols.h */
    uint32_t *found; /* [count]; in no order that has a meaning */
    size_t capacity, count;
    int64_t recorder_ns;
};

struct tick_functions tick_functions_make(size_t capacity);
void tick_functions_release(struct tick_functions *functions);

/* Adds the entries of the tick that is read, those of such threads (enum node_flags). */
void tick_functions_add(struct tick_functions *functions, const struct tick_reader *reader,
                        uint8_t threads);

/* Forgets the tick. */
void tick_functions_clear(struct tick_functions *functions);

/* Returns the sum of a function, which may have no entry. */
static inline struct tick_function_sum *tick_functions_find(struct tick_functions *functions,
                                                            uint32_t function)
{
    struct tick_function_sum *sum = &functions->sums[function];
    functions->found[functions->count] = function;
    functions->count += !sum->is_found;
    sum->is_found = true;
    return sum;
}
