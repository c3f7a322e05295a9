/*
 * function_sums.h - the values of each function: those of its nodes, added up.
 */
#pragma once

#include "tree/tree.h"

#include <stddef.h>

struct function_sum {
    uint64_t calls;
    int64_t self_ns;  /* can be negative in logs of delins' profiler */
    int64_t total_ns; /* of its outermost calls */
    /* 0 without details; the last is of the self time. See tree.h. */
    uint64_t memory_kb;
    double variance_ns2;
    uint8_t flags; /* or of its nodes' flags */
    bool is_used;  /* it has nodes */
};

/* All zero is empty. */
struct function_sums {
    struct function_sum *at; /* [count] by function id */
    size_t count, capacity;
};

/* Adds sums of 0 until there are `count`. */
void function_sums_grow(struct function_sums *sums, size_t count);

void function_sums_release(struct function_sums *sums);

/* Adds the nodes of a finished tree; all but their total times. */
void function_sums_add_own(struct function_sums *sums, const struct tree *tree);

/* Adds the nodes of a finished tree. */
void function_sums_add_tree(struct function_sums *sums, const struct tree *tree);

/* Returns the sum of a function; 0 for one that was never added. */
static inline struct function_sum function_sums_get(const struct function_sums *sums,
                                                    uint32_t function)
{
    return function < sums->count ? sums->at[function] : (struct function_sum){0};
}
