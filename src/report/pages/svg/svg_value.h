/*
 * svg_value.h - the numbers of a flame graph, for sentences that text_printf() makes: see
 * amounts.h.
 */
#pragma once

#include "report/figures/report.h"
#include "report/sentences/amounts.h"

/* "12.345 ms", "1 call" or "1,234 KB". */
struct amount svg_value(const struct report *report, uint64_t value);

/* A change, with its sign: "+1 call". */
struct amount svg_change(const struct report *report, uint64_t now, uint64_t old);

double svg_percent(uint64_t value, uint64_t all);
