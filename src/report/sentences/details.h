/*
 * details.h - the lines above a table that --verbose adds: where stacks ran, the slowest
 * ticks, how functions were matched with those of an old log, and the overhead of recording.
 */
#pragma once

#include "report/figures/report.h"

void details_put(struct text *text, const struct report *report);

/* Appends only those about how each recording was made, at most four. */
void details_put_runs(struct text *text, const struct profile *profile);
