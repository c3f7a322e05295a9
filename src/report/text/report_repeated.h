/*
 * report_repeated.h - tables of several logs of the same thing, for people and in CSV.
 *
 *     a1.log and 7 more: 8 logs of the same thing; medians ± what half of them are within
 *     Old:     b1.log and 7 more: 8 logs
 *                       old      ±      new      ±   change      from        to  change%
 *     total time s    65.01   0.50    61.80   0.40    -3.21     -3.90     -2.40    -4.9%
 *     ...
 *     old self s  ±  new self s  ±  change  from  to  change%  function
 */
#ifndef SUPPROF_REPORT_REPEATED_H
#define SUPPROF_REPORT_REPEATED_H

#include "report/report.h"

/* Writes the format top of a report with repeats. */
void repeated_write_top(const struct report *report, struct output *out);

/* Writes the format csv. */
void repeated_write_csv(const struct report *report, struct output *out);

#endif
