/*
 * limits.h - the limits of --fail-if: checked, and said which are broken.
 */
#ifndef SUPPROF_LIMITS_H
#define SUPPROF_LIMITS_H

#include "cli/console.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "report/report.h"

/* Checks all limits, and lets the report have the results. What went wrong has been said. */
enum exit_status limits_check(struct report *report, const struct options *options,
                              struct console *console);

/* Says which limits are broken: LIMIT_BROKEN if any is, or DONE. */
enum exit_status limits_say(const struct report *report, struct console *console);

/* Frees what the report got. */
void limits_release(struct report *report);

#endif
