/*
 * finder.h - what does a finding measure with? For the files of findings only.
 */
#pragma once

#include "report/sentences/amounts.h"
#include "report/sentences/finding.h"
#include "report/sentences/function_name.h"
#include "tree/sums.h"

enum { CANDIDATES_MAX = 2 };

struct finder {
    const struct report *report;
    const struct profile *profile; /* of the report */
    const struct sum *sums;        /* of functions in the whole profile, [function_count] */
    uint32_t function_count;
    unsigned has; /* or of enum finding_data */
    int64_t all_ns;
    int64_t usual_ns;            /* the same at usual prices, see finder_usual_ns() */
    double slow_tick_ns;         /* of a slow tick at usual prices */
    const struct finding *found; /* [found_count] by the rows before */
    size_t found_count;
    uint32_t candidates[CANDIDATES_MAX]; /* of `candidates`, which measures them */
    double least;                        /* of the row that measures */
    double tick_weight; /* of how many ticks a recorded one is, where they were chosen by chance:
                           the mean; threads and lines are counted in the recorded ones */
};

/* What all ticks have of something that is counted in the recorded ones. */
static inline double finder_scaled(const struct finder *finder, double count)
{
    return count * finder->tick_weight;
}

static inline double finder_percent(int64_t part, int64_t whole)
{
    /* Where negative times make the whole less than a part, that is no share. */
    return whole <= 0 || part > whole ? 0 : 100 * (double)part / (double)whole;
}

static inline const char *finder_name(const struct finder *finder, uint32_t function)
{
    return function_name(finder->report->labels, function);
}

/* What the wakes of threads took that began with a function. */
static inline int64_t finder_wakes_ns(const struct finder *finder, uint32_t function)
{
    const struct thread_sum *sum = thread_sums_of(&finder->profile->threads, function);
    return sum != NULL ? (int64_t)finder_scaled(finder, (double)sum->wakes_ns) : 0;
}

/* Whether a function runs at the wakes of threads that began with it: see work_sums.h. */
static inline bool finder_wakes(const struct finder *finder, uint32_t function)
{
    const struct thread_sum *sum = thread_sums_of(&finder->profile->threads, function);
    return sum != NULL &&
           finder_scaled(finder, (double)sum->wakes) > (double)finder->sums[function].calls;
}

/*
 * Of the time of calls of a function: what it would be at the usual price of a call (prices.h), so
 * that a slow computer counts less. Of one that runs at wakes the price is not known.
 */
static inline int64_t finder_usual_ns(const struct finder *finder, uint32_t function,
                                      int64_t time_ns)
{
    const struct work_sums *work = &finder->profile->work;
    return function < work->function_count && !finder_wakes(finder, function)
               ? (int64_t)((double)time_ns * work->functions[function].usual_fraction)
               : time_ns;
}

/* Whether the trend already says that a function does more, because of `other`; TREE_NONE: of
 * whatever. */
static inline bool finder_is_in_trend(const struct finder *finder, uint32_t function,
                                      uint32_t other)
{
    for (size_t i = 0; i < finder->found_count; i++)
        if (finder->found[i].kind == FINDING_TREND && finder->found[i].function == function &&
            (other == TREE_NONE || finder->found[i].caller == other))
            return true;
    return false;
}

/*
 * Whether a function has nearly all of its time in threads that wake again and again, and of which
 * many began with one function; and no more of it in slow ticks than in others: what one place does
 * comes before that.
 */
bool finder_is_of_many_threads(const struct finder *finder, uint32_t function);

/* Appends "GetKey, line 10"; without a line for 0. */
static inline void finder_put_place(struct text *text, const struct finder *finder,
                                    uint32_t function, double line)
{
    text_put_string(text, finder_name(finder, function));
    if (line > 0)
        text_printf(text, ", line %.0f", line);
}

/* Adds a number of the sentence. The name is a literal. */
static inline void finding_add(struct finding *finding, const char *name, double value)
{
    finding->numbers[finding->number_count++] = (struct finding_number){name, value};
}

/* A number of the sentence that counts something: "1,234". */
static inline struct amount finding_count(const struct finder *finder,
                                          const struct finding *finding, const char *name)
{
    return amount_sum_count(finder->report, (uint64_t)finding_number(finding, name));
}

/* Makes it about a function, and perhaps a second one, that explain more time than the best so far.
 */
static inline bool finding_take(struct finding *finding, uint32_t function, uint32_t caller,
                                int64_t time_ns)
{
    if (time_ns <= finding->time_ns)
        return false;
    finding->function = function;
    finding->caller = caller;
    finding->time_ns = time_ns;
    return true;
}
