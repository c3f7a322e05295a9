/*
 * report_checks.h - lines about what a player's game is like, as the checks of
 * supprof-recorder(7) print it, and what follows for recordings of it.
 */
#ifndef SUPPROF_REPORT_CHECKS_H
#define SUPPROF_REPORT_CHECKS_H

#include "base/text.h"
#include "report/report.h"

/* Appends them. Nothing without checks. */
void checks_put(struct text *text, const struct report *report);

#endif
