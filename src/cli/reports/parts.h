/*
 * parts.h - the steps of writing reports, each of which has a file of its own.
 */
#pragma once

#include "cli/logs/comparison.h"
#include "cli/logs/subject.h"
#include "cli/messages/console.h"
#include "cli/options/options.h"
#include "report/figures/report.h"
#include "report/figures/report_format.h"

/*
 * reporting.c - writes all reports that the options ask for.
 */

/*
 * Writes all reports, and says what was written. `comparison` is NULL if nothing is compared. Trees
 * lose their calling lines if no report uses them. The console has the exit status.
 */
void reporting_write(struct subject *subject, struct comparison *comparison,
                     const struct options *options);

/*
 * limits.c - checks the limits of --fail-if, and prints the broken ones.
 */

/* Checks all limits, and gives the results to the report. If it fails, the console has said why. */
bool limits_check(struct report *report, const struct options *options, struct console *console);

/* Prints the broken limits, and sets the exit status if there are any. */
void limits_say(const struct report *report, struct console *console);

/* Frees the results that the report got. */
void limits_release(struct report *report);

/*
 * written.c - messages about the reports: what was written, and how it differs from the measured
 * data. With --quiet there are none.
 */

/* Lists the filters that matched nothing. */
void written_say_filters(const struct filters *filters, struct console *console);

/* Warns if --max-depth=0 makes outputs very large. */
void written_say_all_frames(const struct listed_stacks *listed, struct console *console);

/*
 * Says what was written to a file, and how the file (or standard output, "-") differs from the
 * measured data. The message depends on that output alone.
 */
void written_say_result(const struct report *report, const char *path,
                        const struct report_result *result, struct console *console);

/* Prints a line about the logs. */
void written_say_summary(const struct report *report, struct console *console);
