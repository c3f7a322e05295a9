/*
 * summary.h - the lines above and below a table for people: how much was read, the
 * part that is shown, and warnings.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"
#include "report/sentences/findings.h"

/*
 * Appends the lines above the table: those of headline.h, and with --verbose more. If the table
 * would be empty, only those about benchmarks, or about the game.
 */
void summary_put_head(struct text *text, const struct report *report);

/* Appends the lines of a report that has no calls, see report_is_empty(). */
void summary_put_empty(struct text *text, const struct report *report);

/* Appends those of these lines that say what was read, and what stands out. */
void summary_put_answers(struct text *text, const struct report *report);

/*
 * Appends the same sentences for other formats, a line each, without options and without findings,
 * which they have in full. `findings` are those of the report.
 */
void summary_put_sentences(struct text *text, const struct report *report,
                           const struct findings *findings);

/* Appends only those of these lines that name the profile and the part that is shown. */
void summary_put_start(struct text *text, const struct report *report);

/*
 * Appends which part of the time is shown, and why not all of it is: the filters, and the files
 * that asked for those that are not on the command line.
 */
void summary_put_shown(struct text *text, const struct report *report);

/* Appends lines about the part of the profile that is shown; nothing if that is all. */
void summary_put_selection(struct text *text, const struct report *report, size_t width);

/* Appends the recorder's cost, with the signs of these flags, and the notes, as they stand below a
 * table. */
void summary_put_foot(struct text *text, const struct report *report, enum report_unit unit,
                      unsigned flags);
