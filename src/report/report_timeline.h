/*
 * report_timeline.h - names in time lines, for the formats that have them.
 */
#ifndef SUPPROF_REPORT_TIMELINE_H
#define SUPPROF_REPORT_TIMELINE_H

#include "report/report.h"

#include <stdint.h>

/*
 * A time line has a function's name in every slice, so longer names than this are cut and
 * end in an ellipsis: one long name and a million calls would make gigabytes.
 */
enum { TIMELINE_NAME_MAX = 200 };

/* Appends the label of a slice's function, or "(truncated)", as a JSON string. */
void timeline_put_function(struct text *text, const struct report *report, uint32_t function);

/*
 * Appends "main", or the thread's first function and its number, as a JSON string:
 * "EngineerManagerThread tests/spikes.lua:65 #3". With `names_run`, and if there are
 * several runs, "run 2, " comes before it.
 */
void timeline_put_track(struct text *text, const struct report *report,
                        const struct timeline_track *track, bool names_run);

/*
 * Appends the names of the logs, and the number of the run if there are several, as a JSON
 * string.
 */
void timeline_put_run(struct text *text, const struct report *report, uint32_t run);

#endif
