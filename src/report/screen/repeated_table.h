/*
 * repeated_table.h - tables of several logs of the same game, for people.
 *
 *     a1.log and 7 more: 8 logs of the same game; medians; half of the logs lie within ±
 *     Old:     b1.log and 7 more: 8 logs
 *                       old      ±      new      ±   change      from        to  change%
 *     total time s    65.01   0.50    61.80   0.40    -3.21     -3.90     -2.40    -4.9%
 *     ...
 *     old self s  ±  new self s  ±  change  from  to  change%  function
 */
#pragma once

#include "report/figures/report_format.h"

/* Writes the format top of a report with --repeated. */
void repeated_table_write(const struct report *report, struct output *out);
