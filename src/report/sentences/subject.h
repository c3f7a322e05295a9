/*
 * subject.h - what a report is of: the log with its ticks, or what a comparison compares.
 *
 *     loud.log: 600 ticks, 1:00.0 to 1:59.9 of the game, 3,918,220 calls of 1,204 functions
 *     10.0% less time: 90.000 ms of Lua in new.log, old 100.000 ms in old.log
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends it, a clean sentence without an end, and the option that shows more, if there is one. */
void subject_put(struct text *text, struct text *option, const struct report *report);

/* Appends "61.842 s", or "about 62 s" of an estimate. */
void subject_put_time(struct text *text, int64_t ns, enum report_unit unit, bool is_estimate);

/*
 * Appends the log of a recording behind a text, or its run if there is one log with several;
 * nothing if there is one run only.
 */
void subject_put_log(struct text *text, const struct report *report, uint32_t recording,
                     const char *before);
