/*
 * recorder_cost.h - what did the recording itself cost, and which part of that was subtracted?
 */
#pragma once

#include "report/sentences/amounts.h"

/* Sums over all runs that are shown, and the largest values of one. */
struct recorder_cost {
    double removed_ns, clamped_ns, lost_ns;
    double in_ns, out_ns; /* of Lua calls, the largest */
    double step_ns;       /* of the clock, the largest */
    size_t known_count, unknown_count;
    double reference_ratio; /* see results.h; the largest; 0: no reference */
    double reference_rest;  /* of that one, and the next */
    double reference_covered;
    double reference_change;    /* the one that differs most from 1; 0: not known, or little */
    size_t unlike_count;        /* functions whose unrecorded runs differed too much to be used */
    double cost_fraction;       /* of such a recording with the largest ratio */
    const char *reference_when; /* its runs were timed: the end of a sentence */
    bool is_cold;               /* the code of one: less was subtracted */
    double most_times;          /* the largest of recorder_cost_most_times() */
    bool has_few_timed;         /* of that one: some wakes were timed */
    size_t untimed_count;       /* recordings that have one */
};

/*
 * How many times the true ones the times of a recording can be, since no unrecorded wakes could
 * be used, or few, by its call_costs.untimed_bias. 0: no more than usual.
 */
double recorder_cost_most_times(double untimed_bias);

struct recorder_cost recorder_cost_sum_up(const struct profile *profile);

/* A cost of one call or event in microseconds. */
struct amount recorder_cost_us(double ns);

/*
 * Appends the cost that was removed, and the clock's step; with `has_flags`, what "~" marks in a
 * table for people.
 */
void recorder_cost_put_details(struct text *text, const struct report *report, bool has_flags);

/* Appends the excluded and the subtracted cost: "subtracted: 11.2 s", or why it is not. Returns
 * whether that of the calls is subtracted, and times are as exact as usual. */
bool recorder_cost_put_removed(struct text *text, const struct profile *profile);

/* Appends a note that some times, "the old times", can be too large. */
void recorder_cost_put_note(struct text *lines, const char *times, double most_times);

/* Appends a line with the cost that was removed, and the option that shows more. */
void recorder_cost_put(struct text *text, const struct report *report);
