/*
 * watched_text.h - what a watch says of the whole game, of a report that shows it:
 *
 *     Watched: 14 of 24,310 ticks over 150 ms. #24012 (40:01.2) took 212.0 ms: 96% PlatoonThread;
 *       in one later slow run: 88% table.sort called by RebuildList; #24310 (40:31.0) took
 *       180.0 ms: 71% EngineerThread
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/*
 * Appends, of a window, which minutes the sums of threads are of, since a watch has them by the
 * minute: "; threads are known by the minute, here from 12:00 to 14:00"; where none is
 * whole, only if threads are asked for.
 */
void watched_put_minutes(struct text *text, const struct report *report);

/* Appends one sentence, with the longest ticks. */
void watched_put_sentence(struct text *text, const struct report *report);

/* Appends the same, with a line for each of the longest ticks, at most `limit`: also with where
 * their threads wait next. Of the only tick of a window, all that is known. */
void watched_put_list(struct text *text, const struct report *report, size_t limit);

/*
 * Appends whether what threads take grows, see watched_trend.h, and how ticks grow with the number
 * of units, see unit_growth.h; nothing of what is not known:
 *
 *     Trend: threads took 4.3 ms a tick at first, 19.6 ms at the end: ThreatThread 2.3 ms, then
 *       16.6 ms (7.5 runs a tick, then 55.5)
 *     Units: the median tick took 3.0 ms with 200 units, 21.0 ms with 1,000: it grows with
 *       units^1.3; EngineerThread with units^2.0
 */
void watched_put_growth(struct text *text, const struct report *report);
