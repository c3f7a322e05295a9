/*
 * report_summary.h - the lines above and below a table for people: how much was read, the
 * part that is shown, and warnings.
 */
#ifndef SUPPROF_REPORT_SUMMARY_H
#define SUPPROF_REPORT_SUMMARY_H

#include "base/output.h"
#include "report/report.h"

/* Whether the logs have benchmarks, but no profile. */
bool summary_is_empty(const struct report *report);

/* Writes the lines above the table; if it would be empty, only those about benchmarks. */
void summary_write_head(const struct report *report, struct output *out);

/* Writes only those of these lines that name the profile and the part that is shown. */
void summary_write_start(const struct report *report, struct output *out);

/* Appends a line about the part of the profile that is shown; nothing if that is all. */
void summary_put_selection(struct text *text, const struct report *report);

/* Appends the notes below the table; the second writes them. */
void summary_put_notes(struct text *text, const struct report *report, enum report_unit unit);
void summary_write_notes(const struct report *report, struct output *out, enum report_unit unit);

#endif
