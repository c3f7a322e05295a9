/*
 * watched_comparison.h - what has changed between two watched games: see
 * report->compares_watches.
 *
 *     Watched: 6 of 3,001 ticks slow, old 14 of 3,001, over 60 ms; threads took 9.2 ms a tick, old
 *       14.0 ms: -4.8 ms WeaponThread
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

void watched_comparison_put(struct text *text, const struct report *report);
