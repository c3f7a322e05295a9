/*
 * prices.h - what a call of each function usually takes, so that a tick in which the computer was
 * slow can be told from one in which the game did more.
 *
 * The price of a function is the self time per call that half of its calls do not exceed, where
 * each call counts with the mean of its tick. Prices and times are in units, with the cost of
 * recording, which a slow computer makes larger, too. Only ticks that are not slow (ticks.h) give
 * prices. On a coarse clock most calls take 0 steps, so that the prices are too low: all are
 * multiplied by what is missing in these ticks together.
 *
 * A tick is dear if it took more than 3 times what its calls usually take, and if most of its
 * functions were slower, too. For the second test, the function with the most additional time is
 * left out: it may just have had more to do. Functions without calls in other ticks are not
 * compared.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Half octaves of units per call, from a 1024th of a unit on. */
enum { PRICE_BINS = 72 };

struct price_bin {
    uint64_t calls;
    int64_t units;
};

/* All zero is empty. */
struct prices {
    struct function_price {
        struct price_bin bins[PRICE_BINS];
        uint64_t calls;
        double price; /* units per call, by prices_finish() */
    } * *at;          /* [count] by function of the recording; NULL: no price */
    size_t count;
    size_t tick_count;     /* with prices */
    double units;          /* of all ticks that were added */
    double callless_units; /* of those, of functions without a call in the tick */
    double scale;          /* by prices_finish() */
};

/* Adds what a function did in a tick that is not slow. */
void prices_add(struct prices *prices, uint32_t function, uint64_t calls, int64_t units);

/* Adds those of other ticks; `later` becomes empty. */
void prices_join(struct prices *prices, struct prices *later);

/* The price of a function, or NULL. */
static inline struct function_price *prices_find(const struct prices *prices, uint32_t function)
{
    return function < prices->count ? prices->at[function] : NULL;
}

/* Call it before the first function of a tick is asked for. */
void prices_finish(struct prices *prices);

void prices_release(struct prices *prices);

/* A tick that is compared with the prices. All zero is an empty one. */
struct priced_tick {
    double units, usual_units; /* of all its functions */
    double faster_units;       /* by which functions took less than usual */
    struct compared_units {
        double now, usual;
        double slower; /* the part of `usual` of functions that took 1.5 times as long */
    } all, most;       /* of functions with a price, and of the one with the most additional time */
};

/* Calls that take more or less than the usual depending on what they find have no usual price: a
 * computer is not faster than usual. */
static inline bool priced_tick_is_known(const struct priced_tick *tick)
{
    enum { PARTS = 2 };
    return tick->faster_units * PARTS <= tick->units;
}

void priced_tick_add(struct priced_tick *tick, const struct prices *prices, uint32_t function,
                     uint64_t calls, int64_t units);

/*
 * Whether most of the tick was slower than usual. The function with the most additional time is
 * left out. The others must have more than a tenth of the tick's usual time; together they must
 * have taken more than 1.5 times theirs; and functions with at least half of that usual time must
 * each have done so.
 */
bool priced_tick_is_slower(const struct priced_tick *tick);
