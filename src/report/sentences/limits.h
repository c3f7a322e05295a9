/*
 * limits.h - are the limits of --fail-if broken? The sentences about it.
 */
#pragma once

#include "report/figures/report.h"

/*
 * Checks limits, [count], and gives the results to the report, also after an error: the report
 * lacks what a limit needs, no function matches, or, with `is_too_hard`, a pattern reached its
 * limits. `scales_ticks`: old values are scaled to the new number of ticks.
 */
bool limits_check(struct report *report, const struct limit *limits, size_t count,
                  bool scales_ticks, bool *is_too_hard, struct error *err);

/* Appends a line about a limit that is broken, or unsure; without a line feed. */
void limit_put_result(struct text *text, const struct limit_result *result);
