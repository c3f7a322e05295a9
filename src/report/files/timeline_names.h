/*
 * timeline_names.h - names in time lines, for the formats that have them.
 */
#pragma once

#include "report/figures/report.h"

/*
 * A time line has a function's name in every slice, so longer names than this are cut and
 * end in an ellipsis: one long name and a million calls would make gigabytes.
 */
enum { TIMELINE_NAME_MAX = 200 };

/* Appends the label of a slice's function, or "(truncated)". */
void timeline_put_function(struct text *text, const struct report *report, uint32_t function);

/*
 * Appends "main", or the thread's first function and its number: "EngineerManagerThread
 * tests/spikes.lua:65 #3". With `names_run`, and if there are several runs, "run 2, " comes before
 * it.
 */
void timeline_put_track(struct text *text, const struct report *report,
                        const struct timeline_track *track, bool names_run);
