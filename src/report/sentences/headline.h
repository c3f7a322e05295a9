/*
 * headline.h - how much was it, what was slow, and what to look at first? The first lines of a
 * report for people, each with the option that shows more of it.
 *
 *     loud.log: 600 ticks, 1:00.0 to 1:59.9 of the game, 3,918,220 calls of 1,204 functions
 *     Lua took 21.842 s, 36% of the real time. 14 of 600 ticks were slow (over 100 ms), the
 *       longest, #912 (1:31.2), took 480.3 ms: 81% BuildThreatMap. ...          add --tick 912
 *
 *     [1] BuildThreatMap is 72% of the time of the 14 slow ticks (over 100 ms), and 11% of all
 *       other ticks                                                      add --peek BuildThreatMap
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"
#include "report/sentences/findings.h"
#include "report/sentences/verdict.h"

/* Appends a part of the verdict, as one paragraph. `style`: see wrap.h. */
void headline_put_part(struct text *text, const struct report *report, const char *style,
                       const struct verdict_part *part);

/* Of a comparison: appends that both sides made the same calls, if they did and times differ. */
void headline_put_same_work(struct text *text, const struct report *report);

/* Of a comparison: appends what became of the old findings, and the new ones; see
 * judged_findings.h. On a terminal, those of the first lines. */
void headline_put_judged(struct text *text, const struct report *report);

/*
 * Appends the most important findings, numbered from 1 on: two at most, the first one in any case,
 * others in `lines_max` lines. Returns how many, and sets the functions whose rows they are of.
 * What the verdict says is left out, and functions without names, which summary_put_also() has.
 */
enum { HEADLINE_FINDINGS_MAX = 2 };
size_t headline_put_findings(struct text *text, const struct report *report,
                             const struct findings *findings, size_t lines_max,
                             uint32_t functions[HEADLINE_FINDINGS_MAX]);
