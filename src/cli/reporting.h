/*
 * reporting.h - all reports that the options ask for, written to where they go.
 */
#ifndef SUPPROF_REPORTING_H
#define SUPPROF_REPORTING_H

#include "base/error.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "report/report.h"

#include <stdbool.h>

/* Fails where an output would replace what is read, or is nothing for a terminal. */
bool reporting_check(const struct options *options, struct error *err);

/*
 * Writes all reports, and says how that went. `old` and `old_tree`, which belong together,
 * are NULL where nothing is compared; trees lose their calling lines where no report looks
 * at them.
 */
enum exit_status reporting_write(struct subject *subject, const struct report_old *old,
                                 struct tree *old_tree, const struct options *options,
                                 struct console *console);

#endif
