/*
 * ticks.h - what happened in which tick of the game, and statistics of that.
 *
 * The game simulates ten ticks a second, so each has a budget of 100 ms. A tick's
 * time is what the profiled Lua took in it: the sum of the self times of all that
 * ran. Of every tick that is kept, and for the worst ones what each function took.
 */
#ifndef SUPPROF_TICKS_H
#define SUPPROF_TICKS_H

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

/* How the ticks of a list lie against their budget. */
struct tick_statistics {
    size_t count;
    size_t over_count; /* of those, longer than TICK_BUDGET_NS */
    int64_t over_ns;   /* by which they were, in all */
    /* The time that half, 95 and 99 of 100 ticks do not exceed (nearest rank). */
    int64_t median_ns, percentile_95_ns, percentile_99_ns, longest_ns;
    const struct tick **worst; /* [count], the longest first */
};

/* The list must outlive the statistics. */
void tick_statistics_init(struct tick_statistics *statistics, const struct tick_list *list);
void tick_statistics_release(struct tick_statistics *statistics);

#endif
