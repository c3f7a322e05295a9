/*
 * verdict.h - whether Lua makes the game slow: the first sentences of each report.
 *
 *     loud.log: 600 ticks, 1:00.0 to 1:59.9 of the game
 *     Lua took 21.842 s, 36% of the real time. 14 of 600 ticks were slow (over 100 ms), the
 *       longest, #912 (1:31.2), took 480.3 ms: 81% BuildThreatMap. Ticks: half take up to
 *       31.2 ms, 95% up to 81.4, 99% up to 121.3                                  add --tick 912
 *
 * Of a watched game, what the watch says comes before what was recorded with its calls.
 *
 * It is made once from the data of the report, and each format prints it as it is: the test
 * `sentences` compares them.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"
#include "report/sentences/findings.h"

/* To be released. */
struct verdict {
    struct verdict_part {
        struct text text;   /* clean sentences without a full stop, a line feed between two */
        struct text option; /* that shows more; empty: none */
    } subject,              /* see subject.h */
        watch,              /* what a watch says of the whole game; no option */
        answer;             /* nothing of a comparison without ticks */
};

/* `findings` are those of the report. Without calls, there is only what a watch says; of repeated
 * logs nothing, since the report has only the first of them. */
void verdict_make(struct verdict *verdict, const struct report *report,
                  const struct findings *findings);
void verdict_release(struct verdict *verdict);
