/*
 * findings.h - what are the most important facts about a profile? Sentences with numbers, of which
 * supprof-sentences(7) has all:
 *
 *     BuildThreatMap is 92% of the time of the 4 slow ticks (over 100 ms), and 35% of others
 *
 * Each is a row of finding.h: what it measures, from which value on it is found, its sentence,
 * and where to see more. There are at most FINDINGS_MAX, one of each kind; the first ones would
 * save the most in a slow tick, at the usual prices of its calls; if none is slow, in the slowest
 * 1 %. Where no tick is slow, nothing is said that would save less than 5 ms there and is less than
 * 10 % of the time, but of ticks that get longer, errors and memory. Those about the log come last,
 * and only if there is room; candidates, of which there is one line at most, come after all.
 */
#pragma once

#include "report/figures/report.h"
#include "report/sentences/finding.h"

enum { FINDINGS_MAX = 5 };

struct findings {
    struct finding all[FINDING_KIND_COUNT]; /* [count], in the order in which they are shown */
    size_t count;
};

/* How many threads that began with each function an error has ended; the caller frees it. */
uint64_t *ended_threads_count(const struct tree *tree, uint32_t function_count);

/* Appends a line about recordings with memory whose heap has no trend, or that cannot tell. */
void findings_put_steady_heap(struct text *lines, const struct report *report);

/* The findings of a report; none if they are not wanted. */
void findings_find(struct findings *findings, const struct report *report);
void findings_release(struct findings *findings);
