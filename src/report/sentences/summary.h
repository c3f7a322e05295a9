/*
 * summary.h - how much was read, and which part of it is shown? The lines above and below a table
 * for people, with warnings.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"
#include "report/sentences/findings.h"
#include "report/sentences/verdict.h"

/* In all of these, `findings` are those of the report. */

/*
 * Appends the lines above the table: the verdict, and with --verbose more. If the table would be
 * empty, only those about benchmarks, or about the game.
 */
void summary_put_head(struct text *text, const struct report *report,
                      const struct findings *findings);

/* Appends the lines of a report that has no calls, see report.h. */
void summary_put_empty(struct text *text, const struct report *report);

/* Appends those of these lines that say what was read, and what stands out. */
void summary_put_answers(struct text *text, const struct report *report,
                         const struct findings *findings);

/* Appends those of them that a report of ticks has: the verdict, with at most `limit` ticks of a
 * watch, also without calls. */
void summary_put_ticks(struct text *text, const struct report *report, size_t limit);

/* The next four are for other formats, of a report_plain(): a line for each sentence. */

/* Appends the sentences of the verdict. */
void summary_put_verdict(struct text *lines, const struct verdict *verdict);

/* Appends these and those around them without findings, which other formats have in full. */
void summary_put_sentences(struct text *text, const struct report *report,
                           const struct verdict *verdict);

/* Appends those of these lines that come before the verdict, with warnings, and those after it. */
void summary_put_warned(struct text *lines, const struct report *report);
void summary_put_after(struct text *lines, const struct report *report);

/* Appends only those of these lines that name the profile and the part that is shown. */
void summary_put_start(struct text *text, const struct report *report);

/*
 * Appends which part of the time is shown, and why not all of it is: the filters, and the files
 * that asked for those that are not on the command line.
 */
void summary_put_shown(struct text *text, const struct report *report);

/* Appends lines about the part of the profile that is shown; nothing if that is all. */
void summary_put_selection(struct text *text, const struct report *report);

/* Appends a line of what there is besides: the speed of the sim, errors, functions without names,
 * and what the recorder took; not with --verbose, which says it all. */
void summary_put_also(struct text *text, const struct report *report,
                      const struct findings *findings);

/* Appends a line of what the signs of these flags mean (1u << FLAG_NOISE), and a dash in place of
 * calls, if `dash` is not NULL; and how many of the first rows may be in any order, if two or more.
 * Nothing without any. */
void summary_put_marks(struct text *text, const struct report *report, unsigned flags,
                       const char *dash, size_t in_any_order);
