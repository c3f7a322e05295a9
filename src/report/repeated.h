/*
 * repeated.h - several logs of the same thing in rows: the median and the spread of each row's
 * values over all logs, and the change since the old logs.
 *
 * A row's value in a log is exactly the value in the table of that log alone. If a log does not
 * have the row, its value there is 0.
 */
#ifndef SUPPROF_REPEATED_H
#define SUPPROF_REPEATED_H

#include "report/report.h"
#include "select/samples.h"

#include <stddef.h>

/* The summarized values; times are in nanoseconds. */
enum repeated_kind {
    REPEATED_SELF,
    REPEATED_TOTAL,
    REPEATED_CALLS,
    REPEATED_AVERAGE, /* self time of a call */
    REPEATED_KIND_COUNT
};

struct repeated_value {
    struct sample_summary now;
    struct sample_summary old; /* only with old logs, like the shift */
    struct sample_shift shift;
};

struct repeated_row {
    const struct row *row; /* of `table`: identifies the row; its numbers are not used */
    struct repeated_value values[REPEATED_KIND_COUNT];
};

enum repeated_total_kind {
    TOTAL_TIME,
    TOTAL_CALLS,
    TOTAL_TICKS,
    TOTAL_TICKS_OVER, /* ticks longer than their budget */
    TOTAL_OVER,       /* the sum of their time over budget */
    TOTAL_TICK_MEDIAN,
    TOTAL_TICK_95, /* percentiles */
    TOTAL_TICK_99,
    TOTAL_TICK_LONGEST,
    TOTAL_KIND_COUNT
};

struct repeated {
    size_t new_count, old_count; /* logs; old_count is 0 where nothing is compared */
    struct table table;
    struct repeated_row *rows; /* [table.row_count] */

    struct repeated_value totals[TOTAL_KIND_COUNT];
    bool has_ticks; /* all logs have ticks: totals from TOTAL_TICKS on are known */

    /* Private. */
    struct tree shape;
};

/*
 * Rows are in order of the median of the report's sort column. With old logs, rows whose change is
 * larger than chance come first, and then the largest change.
 */
void repeated_init(struct repeated *repeated, const struct report *report);
void repeated_release(struct repeated *repeated);

/* The kind of a column; REPEATED_KIND_COUNT for one that is not summarized. */
enum repeated_kind repeated_kind_of(enum column_kind kind);

/* "total time" and so on, and whether it is a time. */
const char *repeated_total_name(enum repeated_total_kind kind);
bool repeated_total_is_time(enum repeated_total_kind kind);

#endif
