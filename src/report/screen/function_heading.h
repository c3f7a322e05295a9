/*
 * function_heading.h - what stands above the rows of one function.
 *
 *     Peek: '^B' matches 1 function
 *
 *     B  lua/b.lua:10
 *       self 2.000 ms (50.00%), total 3.000 ms (75.00%), 2 calls, recursive
 */
#pragma once

#include "report/figures/edges.h"
#include "report/figures/report.h"

/* Appends how many functions a pattern matches, and an empty line. */
void function_heading_put_pattern(struct text *text, const struct report *report, const char *what,
                                  const struct pattern *pattern, size_t count);

/* Appends the name and the sums of a function. */
void function_heading_put(struct text *text, const struct report *report,
                          const struct edge_function *function, enum report_unit unit);
