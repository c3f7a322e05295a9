/*
 * report_recording.h - lines about recordings, shared by several reports for people:
 * slow ticks, and the uncertainty of the numbers.
 */
#ifndef SUPPROF_REPORT_RECORDING_H
#define SUPPROF_REPORT_RECORDING_H

#include "rebuild/ticks.h"
#include "report/report.h"

/* Appends "1:31.2". */
void recording_put_game_time(struct text *text, double seconds);

/* Appends "#912 (1:31.2)": a tick and its game time. */
void recording_put_tick(struct text *text, const struct report *report, const struct tick *tick);

/* Appends milliseconds, with the decimals that suit the ticks. */
void recording_put_ms(struct text *text, const struct tick_statistics *statistics, int64_t ns);

/*
 * Appends the functions with the most self time in a tick, on one line: at most `limit`,
 * and only those that matter.
 */
void recording_put_functions(struct text *text, const struct report *report,
                             const struct tick_statistics *statistics, const struct tick *tick,
                             size_t limit);

/*
 * Appends lines about all ticks, after a title: number, number over budget, percentiles;
 * nothing without ticks.
 */
void recording_put_ticks(struct text *text, const struct profile *profile, const char *title,
                         const struct tick_statistics *statistics);

/* Appends the overhead of recording that was subtracted, and the clock's step. */
void recording_put_trust(struct text *text, const struct report *report);

/* Appends a "Note:" line for each thing that is missing or damaged in the recordings. */
void recording_put_losses(struct text *text, const struct report *report);

#endif
