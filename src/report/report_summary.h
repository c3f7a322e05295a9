/*
 * report_summary.h - what stands above and below a table for people: how much was read,
 * what of it is shown, and what to mind.
 */
#ifndef SUPPROF_REPORT_SUMMARY_H
#define SUPPROF_REPORT_SUMMARY_H

#include "base/output.h"
#include "report/report.h"

/* Whether there is no profile to report, but benchmarks. */
bool summary_is_empty(const struct report *report);

/* Writes the lines above the table: where it would be empty, only those about benchmarks. */
void summary_write_head(const struct report *report, struct output *out);

/* Writes of those only what is reported, and what of it is shown. */
void summary_write_start(const struct report *report, struct output *out);

/* Appends what of the profile is shown, and why not all of it: a line, or nothing. */
void summary_put_selection(struct text *text, const struct report *report);

/* Appends the notes below the table; the second writes them. */
void summary_put_notes(struct text *text, const struct report *report, enum report_unit unit);
void summary_write_notes(const struct report *report, struct output *out, enum report_unit unit);

#endif
