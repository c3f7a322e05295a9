/*
 * work_sums.h - what the calls of the only recording did over time, for findings. With several
 * recordings there is nothing: the sums of one would look like those of all.
 *
 * The ticks are divided into stretches of an equal number. An invocation of a function is a call,
 * or a wake of a thread that began with it: the loop of a thread's first function may never return.
 *
 * The usual time of a stretch is the sum over all functions of their invocations, times the median
 * of self time per invocation over the ticks of the stretch. So single calls that took longer,
 * because of a garbage collection or another program, do not count. It is as measured: what is left
 * without the recorder's cost is less, but no less uncertain.
 */
#pragma once

#include "rebuild/ending/tick_reader.h"
#include "rebuild/stacks/lives.h"
#include "rebuild/ticks/prices.h"

enum { WORK_STRETCHES = 12 };

/* All zero is empty. The caller frees the arrays. */
struct work_sums {
    /* How often a line called; not what a loop calls at each turn. */
    struct line_sum {
        uint32_t caller, callee;
        int32_t line;                /* as in tree/stacks.h */
        uint64_t calls, invocations; /* invocations: of the caller */
        uint32_t ticks, run_ticks;   /* in which it called, at most; in which the caller ran */
        int64_t time_ns;             /* of its calls, with what they called */
        uint32_t calls_in[WORK_STRETCHES], invocations_in[WORK_STRETCHES];
    } * lines; /* [line_count] */
    size_t line_count;
    struct function_work {
        double measured_ns; /* self time, before the recording overhead is subtracted */
        double
            usual_fraction; /* of that: at the usual price of its calls (prices.h); 1: not known */
        double price_ns;    /* of one call; 0: not known */
        double tick_calls;  /* in the mean of the ticks that are not slow */
        /* Threads that began with it: how many have woken in each stretch, and how many of them
         * for the first time. */
        uint32_t woke_in[WORK_STRETCHES], first_in[WORK_STRETCHES];
    } * functions; /* [function_count] by id of symbols.h */
    size_t function_count;
    double usual_ns[WORK_STRETCHES];      /* of a tick, the mean */
    double kept_fraction[WORK_STRETCHES]; /* of the time, when the recorder's cost is subtracted */
    size_t tick_count;                    /* of the game */
    size_t recording_count;               /* recordings that were added */
};

/* While a recording is added: work_begin(), work_add() for each chosen part, and work_end(). */
struct work_walk {
    struct work_sums *work; /* NULL: nothing is wanted */
    const struct recorded *recorded;
    struct function_total {
        double calls, units;
        uint32_t run_ticks;
    } * totals;            /* [work->function_count] */
    uint32_t *place_calls; /* [WORK_STRETCHES * place_count]; NULL: too many, or no ticks */
    int64_t *place_ns;     /* [place_count]; NULL: the same */
    uint32_t *place_ticks; /* [place_count], in which it was called; NULL: the same */
    uint32_t *invocations; /* [WORK_STRETCHES * work->function_count] */
    struct invocation_price {
        uint32_t function;
        float ns;        /* per invocation of a tick */
        bool is_of_none; /* the tick had none */
    } * prices;          /* [price_count] of the stretch */
    size_t price_count, price_capacity;
    double stretch_ns, stretch_kept_ns; /* measured, and without the recorder's cost */
    size_t at, stretch, stretch_ticks;
};

/* `tick_count`: ticks that work_add() will get. */
void work_begin(struct work_walk *walk, struct work_sums *work, const struct recorded *recorded,
                size_t tick_count);

/* The stretch of a tick, `at` being its number among those that are counted. */
static inline size_t work_stretch(size_t tick_count, size_t at)
{
    return at * WORK_STRETCHES / tick_count;
}

/*
 * Begins a second walk, which gets the ticks from `at` on, of which the first one begins a stretch.
 * Both may be done side by side. work_join() ends it.
 */
void work_begin_later(struct work_walk *later, const struct work_walk *walk, size_t at);
void work_join(struct work_walk *walk, struct work_walk *later);

/* Adds the part that was read: `functions` have what they did in it, and get the invocations at
 * wakes; `wakes`, [wake_count], are those in it. Something must be wanted. */
void work_add(struct work_walk *walk, const struct tick_reader *reader,
              struct tick_function_sums *functions, bool is_tick, const struct wake *wakes,
              size_t wake_count);

/* After the last part. */
void work_end_stretch(struct work_walk *walk);

/* `wakes` are all that work_add() got; `stretches` have that of each tick of the recording. */
void work_end(struct work_walk *walk, const struct prices *prices, const struct wakes *wakes,
              const uint8_t *stretches);
