/*
 * written.h - messages about the reports: what was written, and how it differs from the measured
 * data. With --quiet there are none.
 */
#pragma once

#include "cli/messages/console.h"
#include "report/figures/report.h"
#include "report/figures/report_format.h"

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
