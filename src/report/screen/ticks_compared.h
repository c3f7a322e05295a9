/*
 * ticks_compared.h - the ticks of two recordings, old and new side by side, and tick by tick if
 * both recordings have the same ticks.
 *
 *                                  old    new  change
 *     ticks                         21     21
 *     over 100 ms                    4      1      -3
 *     overrun ms                 143.2   12.1  -131.1
 *     median ms                   21.4   20.0    -1.4
 *     ...
 *     Of 21 ticks that both recordings have, 18 took less time and 3 more: together 411.3 ms, old
 *       713.2 ms (-42.3%)
 *
 *     largest change           old ms  new ms  change
 *     #41 (0:04.1)              149.3    12.2  -137.1  94.2 BuildThreatMap, ...
 */
#pragma once

#include "report/figures/report_format.h"

/* Appends the comparison, with at most `limit` ticks. */
void ticks_put_compared(struct text *text, const struct report *report, size_t limit);
