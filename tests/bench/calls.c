/*
 * A program for uftrace to record: CALLS calls of 32 functions on a call tree of some
 * thousand stacks, much like a recorded game's. Build it with -pg and without inlining.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 12 };

static uint32_t seed = 1;
static long left;

static void call(int depth);

#define FUNCTION(name)                                                                             \
    static __attribute__((noinline)) void name(int depth)                                          \
    {                                                                                              \
        if (depth < DEEPEST)                                                                       \
            call(depth);                                                                           \
        seed ^= (uint32_t)depth;                                                                   \
    }
#define FOUR(name) FUNCTION(name##0) FUNCTION(name##1) FUNCTION(name##2) FUNCTION(name##3)
/* clang-format off */
FOUR(a) FOUR(b) FOUR(c) FOUR(d) FOUR(e) FOUR(f) FOUR(g) FOUR(h)
/* clang-format on */

#define NAMES(name) name##0, name##1, name##2, name##3
    static void (*const functions[])(int) = {NAMES(a), NAMES(b), NAMES(c), NAMES(d),
                                             NAMES(e), NAMES(f), NAMES(g), NAMES(h)};

static __attribute__((no_instrument_function)) void call(int depth)
{
    for (int i = 0; i < 2 && left > 0; i++) {
        seed = seed * 1664525 + 1013904223;
        left--;
        /* Few callees at each depth, so that the stacks recur. */
        functions[(seed >> 28 & 1) + 2 * depth](depth + 1);
    }
}

int main(int argc, char **argv)
{
    left = argc > 1 ? atol(argv[1]) : 1000000;
    while (left > 0)
        call(0);
    printf("%u\n", (unsigned)seed);
    return 0;
}
