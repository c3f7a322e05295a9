/*
 * benchmarks_text.h - lines about benchmarks: how long parts of the game took.
 *
 *     Benchmarks: wall-clock time of parts of the game
 *       10:00.0 to 20:00.0: 312.500 s, 0.521 s per game second; old 350.000 s, 0.583 s per
 *         game second; difference -37.500 s (-10.7%), too few to tell from chance
 */
#pragma once

#include "report/figures/report.h"

/* Appends these lines, for at most `limit` parts, 0 for all; nothing without benchmarks. */
void benchmarks_put(struct text *text, const struct report *report, size_t limit);
