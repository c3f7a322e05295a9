/*
 * report_summary.h - the lines above and below a table for people: how much was read, the
 * part that is shown, and warnings.
 */
#ifndef SUPPROF_REPORT_SUMMARY_H
#define SUPPROF_REPORT_SUMMARY_H

#include "base/text.h"
#include "report/report.h"

/* Whether the logs have benchmarks, but no profile. */
bool summary_is_empty(const struct report *report);

/*
 * Appends the lines above the table: those of headline.h, and with --verbose more. If the table
 * would be empty, only lines about benchmarks.
 */
void summary_put_head(struct text *text, const struct report *report);

/* Appends only those of these lines that name the profile and the part that is shown. */
void summary_put_start(struct text *text, const struct report *report);

/* Appends lines about the part of the profile that is shown; nothing if that is all. */
void summary_put_selection(struct text *text, const struct report *report, size_t width);

/* Appends the notes below the table, in lines of at most `width` columns (0: no limit). */
void summary_put_notes(struct text *text, const struct report *report, enum report_unit unit,
                       size_t width);

/*
 * Appends what a comparison of sums cannot tell; nothing without one. With `has_option` for a
 * terminal, with the option that compares repeated games.
 */
void summary_put_chance(struct text *text, const struct report *report, bool has_option);

/* Appends the overhead of recording and the notes, as they stand below a table. */
void summary_put_foot(struct text *text, const struct report *report, enum report_unit unit,
                      bool has_marks);

#endif
