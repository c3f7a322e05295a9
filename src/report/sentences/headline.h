/*
 * headline.h - the first lines of a report for people: the answers to the first questions, each
 * with the option that shows more of it.
 *
 *     loud.log: 61.842 s of Lua in 600 ticks (1:00.0 to 1:59.9), 3,918,220 calls of 1,204 functions
 *     Slow ticks: 14 of 600 over 100 ms, median 61.2 ms. The longest, #912 (1:31.2), took
 *       480.3 ms: 81% BuildThreatMap                                              add --tick 912
 *     1. BuildThreatMap is 72% of the time of the 14 slow ticks (over 100 ms), and 11% of all
 *       other ticks                                                      add --peek BuildThreatMap
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"
#include "report/sentences/findings.h"

/* Of fewer ticks that were chosen by chance, shares of ticks are not said. */
enum { TICKS_ENOUGH = 20 };

/*
 * The option that shows more of what a line of a report says.
 *
 *     a tick          --tick 912, or --run 2 --tick 912 if there are several recordings
 *     a function      --peek BuildThreatMap, or --peek "^next " where others have that text, too
 */

/* Appends the option that shows one tick. */
void next_option_put_tick(struct text *text, const struct report *report, const struct tick *tick);

/* Appends the line that names the logs, with their time; of a comparison, with both times. */
void headline_put_profile(struct text *text, const struct report *report);

/* Appends how many ticks were slow, and which one was the longest; nothing without ticks. */
void headline_put_ticks(struct text *text, const struct report *report);

/* Of a comparison: appends that both sides made the same calls, if they did and times differ. */
void headline_put_same_work(struct text *text, const struct report *report);

/*
 * Appends the log of a recording between two texts, or its run if there is one log with several;
 * nothing if there is one run only.
 */
void headline_put_log(struct text *text, const struct report *report, uint32_t recording,
                      const char *before, const char *after);

/* Appends that nothing is slow, or the function with the most self time, if neither ticks nor
 * findings name one. */
void headline_put_most(struct text *text, const struct report *report,
                       const struct findings *findings);

/* Of a comparison: appends what became of the old findings, and the new ones; see judged.h. On a
 * terminal, those of the first lines. */
void headline_put_judged(struct text *text, const struct report *report);

/* Appends the most important findings. */
void headline_put_findings(struct text *text, const struct report *report,
                           const struct findings *findings);
