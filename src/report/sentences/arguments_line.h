/*
 * arguments_line.h - how often did arguments of a function come again? Below its line in --peek.
 *
 *       arguments: 200 different in 4,000 calls; 2,800 (70%) have those of an earlier call of the
 *         tick: 2,800 equal results, 0 others
 */
#pragma once

#include "report/figures/report.h"

/* Appends nothing if it is not known: see report_arguments(). */
void arguments_line_put(struct text *text, const struct report *report, uint32_t function);
