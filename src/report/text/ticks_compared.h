/*
 * ticks_compared.h - the ticks of two recordings, old and new side by side, and tick by tick if
 * both recordings have the same ticks.
 *
 *                                  old    new  change
 *     ticks                         21     21
 *     over 100 ms                    4      1      -3
 *     ms over 100 ms in all      143.2   12.1  -131.1
 *     median ms                   21.4   20.0    -1.4
 *     ...
 *     18 of 21 ticks that both recordings have took less time, and 3 took more: 411.3 ms in all,
 *       old 713.2 ms (-42.3%)
 *
 *     largest change           old ms  new ms  change
 *     #41 (0:04.1)              149.3    12.2  -137.1  94.2 BuildThreatMap, ...
 */
#ifndef SUPPROF_TICKS_COMPARED_H
#define SUPPROF_TICKS_COMPARED_H

#include "report/report.h"

/* Appends the comparison, with at most `limit` ticks. */
void ticks_put_compared(struct text *text, const struct report *report, size_t limit);

/* Writes the format ticks-csv of a comparison: a line for each tick that either recording has. */
void ticks_write_compared_csv(const struct report *report, struct output *out);

#endif
