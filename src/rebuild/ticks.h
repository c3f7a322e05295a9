/*
 * ticks.h - what happened in which tick of the game.
 *
 * The game simulates ten ticks a second, so each has a budget of 100 ms. A tick's
 * time is what the profiled Lua took in it: the sum of the self times of all that
 * ran. Of every tick that is kept, and for the worst ones what each function took.
 */
#ifndef SUPPROF_TICKS_H
#define SUPPROF_TICKS_H

#include "rebuild/calibration.h"
#include "rebuild/nodes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TICK_BUDGET_NS ((int64_t)100000000)

/* The game collects the garbage of its Lua in every tick whose number this divides. */
enum { TICKS_A_COLLECTION = 70 };

/* Of functions, the dearest that are kept of one tick. */
enum { TICK_FUNCTIONS_MAX = 16 };

struct tick_function {
    uint32_t function; /* id in symbols.h */
    int64_t self_ns;
    uint64_t calls;
};

struct tick {
    int64_t number; /* of the game */
    uint32_t run;
    int64_t measured_ns; /* before the cost of recording was taken out */
    int64_t time_ns;
    uint64_t calls;
    struct tick_function *functions; /* [function_count], dearest first; NULL: not kept */
    size_t function_count;
};

/* All ticks of all runs, in the order in which the runs end. All zero is empty. */
struct tick_list {
    struct tick *ticks; /* [count] */
    size_t count, capacity;
};

void tick_list_release(struct tick_list *list);

/* One run, while it is being rebuilt: private to ticks.c but for its life. All zero is empty. */
struct ticks {
    struct measured_tick *measured; /* [count] */
    size_t count, capacity;
    size_t *kept; /* [kept_count] of those, the ones whose functions are kept */
    size_t kept_count, kept_capacity;
    int64_t least_kept;    /* the units of the cheapest of those */
    uint32_t *function_at; /* [function_capacity] by function of the run; see ticks.c */
    size_t function_capacity;
};

/* Ends a tick: takes what was touched in it. The functions of the `kept_max` worst are kept. */
void ticks_add(struct ticks *ticks, const struct nodes *nodes, int64_t number, size_t kept_max);

/* Forgets all ticks so far. */
void ticks_clear(struct ticks *ticks);

/* Appends the ticks to a list, less what recording cost. */
void ticks_finish(const struct ticks *ticks, struct tick_list *list, uint32_t run, double unit_ns,
                  const struct call_costs *costs);

void ticks_release(struct ticks *ticks);

#endif
