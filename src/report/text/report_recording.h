/*
 * report_recording.h - lines about recordings, shared by several reports for people:
 * slow ticks, and the uncertainty of the numbers.
 */
#ifndef SUPPROF_REPORT_RECORDING_H
#define SUPPROF_REPORT_RECORDING_H

#include "rebuild/ticks.h"
#include "report/findings.h"
#include "report/report.h"

/* Appends "1:31.2". */
void recording_put_game_time(struct text *text, double seconds);

/* Appends "#912 (1:31.2)": a tick and its game time. */
void recording_put_tick(struct text *text, const struct report *report, const struct tick *tick);

/* Appends the tick's game time alone. */
void recording_put_tick_time(struct text *text, const struct report *report,
                             const struct tick *tick);

/* Appends milliseconds, with the decimals that suit the ticks. */
void recording_put_ms(struct text *text, const struct tick_statistics *statistics, int64_t ns);

/*
 * Appends the functions with the most self time in a tick, on one line: at most `limit`,
 * only those that matter, and as many as take at most `room` columns. The places
 * of those that have names are left out unless that is SIZE_MAX.
 */
void recording_put_functions(struct text *text, const struct report *report,
                             const struct tick_statistics *statistics, const struct tick *tick,
                             size_t limit, size_t room);

/*
 * Appends lines about all ticks, after a title: number, number over budget, percentiles;
 * nothing without ticks.
 */
void recording_put_ticks(struct text *text, const struct profile *profile, const char *title,
                         const struct tick_statistics *statistics);

/* Makes the findings of the report's profile. */
void recording_find(struct findings *findings, const struct report *report);

/* Says why a function that ran has no calls. */
const char *recording_no_calls_reason(const struct report *report);

/*
 * Appends the overhead of recording that was subtracted, and the clock's step; with `has_marks`,
 * what "~" marks in a table for people.
 */
void recording_put_trust(struct text *text, const struct report *report, bool has_marks);

/* Appends a line with the overhead of recording, and the option that shows more. */
void recording_put_overhead(struct text *text, const struct report *report, bool has_marks);

/*
 * Appends "Note: " and a sentence; the lines of `width` columns (0: no limit) after the first are
 * indented.
 */
void recording_put_note(struct text *text, size_t width, const char *sentence);

/* Appends a "Note:" for each thing that is missing or damaged in the recordings. */
void recording_put_losses(struct text *text, const struct report *report, size_t width);

#endif
