/*
 * limits.h - checks the limits of --fail-if, and prints the broken ones.
 */
#ifndef SUPPROF_LIMITS_H
#define SUPPROF_LIMITS_H

#include "cli/console.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "report/report.h"

/* Checks all limits, and gives the results to the report. Prints a message if it fails. */
enum exit_status limits_check(struct report *report, const struct options *options,
                              struct console *console);

/* Prints the broken limits. Returns LIMIT_BROKEN if there are any, else DONE. */
enum exit_status limits_say(const struct report *report, struct console *console);

/* Frees the results that the report got. */
void limits_release(struct report *report);

#endif
