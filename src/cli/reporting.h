/*
 * reporting.h - writes all reports that the options ask for.
 */
#ifndef SUPPROF_REPORTING_H
#define SUPPROF_REPORTING_H

#include "base/error.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "report/report.h"

#include <stdbool.h>

/* Fails if an output would replace an input, or must not be written to a terminal. */
bool reporting_check(const struct options *options, struct error *err);

/*
 * Writes all reports, and prints what was written. `old` and `old_tree`, which belong
 * together, are NULL if nothing is compared; trees lose their calling lines if no report
 * uses them.
 */
enum exit_status reporting_write(struct subject *subject, const struct report_old *old,
                                 struct tree *old_tree, const struct options *options,
                                 struct console *console);

#endif
