/*
 * long_calls.h - single calls of C functions that took much longer than all others.
 *
 * Some C functions do the same small amount of work in each call: no call of math.min() can need
 * 81 ms. If one took as long, the computer was busy with something else, or the game collected the
 * garbage of its Lua just then; the function is not to blame. It is such a call if
 *
 * - the function is one of these, and calls nothing;
 * - it had more than 1,000 calls;
 * - the call took 10 ms or more;
 * - it took at least as long as all other calls together: at least 1,000 times their mean.
 *
 * For others nothing is known: a long call of table.sort() may sort a long table.
 */
#pragma once

#include "tree/symbols.h"
#include "tree/tree.h"

/* All zero: there are none. */
struct long_calls {
    uint8_t *is_long; /* [function_count]: whether a function has such a call */
    uint32_t function_count;
    uint32_t worst;   /* the function with the longest, if there is one */
    int64_t worst_ns; /* its time; 0: there is none */
};

void long_calls_find(struct long_calls *calls, const struct tree *tree,
                     const struct symbols *symbols);

/* Whether a function has such a call. `calls` may be NULL. */
bool long_calls_have(const struct long_calls *calls, uint32_t function);

void long_calls_release(struct long_calls *calls);
