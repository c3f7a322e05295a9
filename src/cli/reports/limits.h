/*
 * limits.h - checks the limits of --fail-if, and prints the broken ones.
 */
#pragma once

#include "cli/messages/console.h"
#include "cli/options/options.h"
#include "report/figures/report.h"

/* Checks all limits, and gives the results to the report. If it fails, the console has said why. */
bool limits_check(struct report *report, const struct options *options, struct console *console);

/* Prints the broken limits, and sets the exit status if there are any. */
void limits_say(const struct report *report, struct console *console);

/* Frees the results that the report got. */
void limits_release(struct report *report);
