/*
 * flags.h - what may be wrong with the numbers of a row: one table for all formats.
 */
#pragma once

#include "report/figures/report.h"

enum flag {
    FLAG_NONE,
    FLAG_ENDED,     /* its function has time in frames that an error had ended: wrong_callers.h */
    FLAG_LONG_CALL, /* one call has most of its function's time: long_calls.h */
    FLAG_NOISE,     /* its self time, or the change of it, is less than the errors of the clock and
                       of the recording overhead that was subtracted */
    FLAG_COUNT
};

extern const struct flag_info {
    const char *sign; /* for people; "" for none */
    const char *word; /* for programs */
    /* A clause that explains the sign: also in a comparison, and where ticks were chosen by chance.
     */
    const char *text, *compared, *sampled;
} flag_infos[FLAG_COUNT];

/* The clause for a report. */
const char *flag_text(enum flag flag, const struct report *report);

/* The flag of a function, by what is known of it as a whole. */
enum flag flag_of_function(const struct report *report, uint32_t function);

/* The flag of a row of one of the report's tables. */
enum flag flag_of_row(const struct report *report, const struct row_sums *table,
                      const struct row *row);

/* Whether rows can have any flag. */
bool flags_are_possible(const struct report *report);
