/*
 * finder.h - what the rows of finding_rows.h use to measure a profile and to write sentences. For
 * the files of findings only.
 */
#pragma once

#include "report/sentences/finding.h"
#include "report/sentences/function_name.h"
#include "tree/function_sums.h"

struct finder {
    const struct findings_source *source;
    struct function_sums sums; /* of the whole profile, [function_count] */
    uint32_t function_count;
    int64_t all_ns;
    int64_t usual_ns;            /* the same at usual prices, see finder_usual_ns() */
    double call_cost_ns;         /* that was subtracted: the mean of all calls; 0: none */
    const struct finding *found; /* [found_count] by the rows before */
    size_t found_count;
    double least; /* of the row that measures */
};

static inline double finder_percent(int64_t part, int64_t whole)
{
    return whole <= 0 ? 0 : 100 * (double)part / (double)whole;
}

static inline struct known_functions finder_known(const struct finder *finder)
{
    const struct findings_source *source = finder->source;
    return (struct known_functions){source->tree, source->symbols, source->labels,
                                    source->wrong_callers, source->long_calls};
}

static inline const char *finder_name(const struct finder *finder, uint32_t function)
{
    return function_name(finder->source->labels, function);
}

/*
 * Of the time of calls of a function: what it would be at the usual price of a call (prices.h), so
 * that a slow computer counts less.
 */
static inline int64_t finder_usual_ns(const struct finder *finder, uint32_t function,
                                      int64_t time_ns)
{
    const struct work_sums *work = finder->source->work;
    return function < work->function_count
               ? (int64_t)((double)time_ns * work->functions[function].usual_part)
               : time_ns;
}

/* Appends a name as function_name_put() does. */
static inline void finder_put_name(struct text *text, const struct finder *finder,
                                   uint32_t function, const char *scope)
{
    struct known_functions known = finder_known(finder);
    function_name_put(text, &known, function, scope);
}

/* Whether no finding may be about a function. */
static inline bool finder_forbids(const struct finder *finder, uint32_t function)
{
    struct known_functions known = finder_known(finder);
    return function_is_unfit(&known, function);
}

/* Adds a number of the sentence. The name is a literal. */
static inline void finding_add(struct finding *finding, const char *name, double value)
{
    finding->numbers[finding->number_count++] = (struct finding_number){name, value};
}

/* The rows: see finding_rows.h. */
double measure_slow_ticks(struct finder *finder, struct finding *finding);
double measure_what_if(struct finder *finder, struct finding *finding);
double measure_distance(struct finder *finder, struct finding *finding);
double measure_interrupted(struct finder *finder, struct finding *finding);
double measure_long_calls(struct finder *finder, struct finding *finding);
double measure_same_work(struct finder *finder, struct finding *finding);
double measure_growth(struct finder *finder, struct finding *finding);
double measure_loop(struct finder *finder, struct finding *finding);
double measure_many_calls(struct finder *finder, struct finding *finding);
double measure_errors(struct finder *finder, struct finding *finding);
double measure_ended_threads(struct finder *finder, struct finding *finding);
double measure_heap(struct finder *finder, struct finding *finding);
double measure_no_names(struct finder *finder, struct finding *finding);
double measure_clock(struct finder *finder, struct finding *finding);

void put_slow_ticks(const struct finder *finder, const struct finding *finding, struct text *text);
void put_what_if(const struct finder *finder, const struct finding *finding, struct text *text);
void put_distance(const struct finder *finder, const struct finding *finding, struct text *text);
void put_interrupted(const struct finder *finder, const struct finding *finding, struct text *text);
void put_long_calls(const struct finder *finder, const struct finding *finding, struct text *text);
void put_same_work(const struct finder *finder, const struct finding *finding, struct text *text);
void put_growth(const struct finder *finder, const struct finding *finding, struct text *text);
void put_loop(const struct finder *finder, const struct finding *finding, struct text *text);
void put_many_calls(const struct finder *finder, const struct finding *finding, struct text *text);
void put_errors(const struct finder *finder, const struct finding *finding, struct text *text);
void put_ended_threads(const struct finder *finder, const struct finding *finding,
                       struct text *text);
void put_heap(const struct finder *finder, const struct finding *finding, struct text *text);
void put_no_names(const struct finder *finder, const struct finding *finding, struct text *text);
void put_clock(const struct finder *finder, const struct finding *finding, struct text *text);
