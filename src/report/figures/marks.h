/*
 * marks.h - what may be wrong with the numbers of a row: one table for all formats.
 */
#pragma once

#include "report/figures/report.h"

enum mark {
    MARK_NONE,
    MARK_ENDED,     /* its function has time in frames that an error had ended: wrong_callers.h */
    MARK_LONG_CALL, /* one call has most of its function's time: long_calls.h */
    MARK_NOISE,     /* its self time, or the change of it, is less than the errors of the clock and
                       of the recording overhead that was subtracted */
    MARK_COUNT
};

extern const struct mark_info {
    const char *sign;            /* for people; "" for none */
    const char *word;            /* for programs */
    const char *text, *compared; /* a clause that explains the sign, also in a comparison */
} mark_infos[MARK_COUNT];

/* The mark of a function, by what is known of it as a whole. */
enum mark mark_of_function(const struct report *report, uint32_t function);

/* The mark of a row of one of the report's tables. */
enum mark mark_of_row(const struct report *report, const struct table *table,
                      const struct row *row);

/* Whether rows can have the mark of noise, and whether they can have any mark. */
bool marks_show_noise(const struct report *report);
bool marks_are_possible(const struct report *report);
