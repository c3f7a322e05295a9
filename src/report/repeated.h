/*
 * repeated.h - several logs of the same thing in rows: what each row of a table has in each log,
 * summed up by its middle and its spread, and what has changed since the old logs.
 *
 * What a row has in a log is exactly what the table of that log alone says. A row that a log does
 * not have is 0 there.
 */
#ifndef SUPPROF_REPEATED_H
#define SUPPROF_REPEATED_H

#include "report/report.h"
#include "select/samples.h"

#include <stddef.h>

/* What is summed up: times are in nanoseconds. */
enum repeated_kind {
    REPEATED_SELF,
    REPEATED_TOTAL,
    REPEATED_CALLS,
    REPEATED_AVERAGE, /* self time of a call */
    REPEATED_KIND_COUNT
};

struct repeated_value {
    struct sample_summary now;
    struct sample_summary old; /* with old logs, and so is the shift */
    struct sample_shift shift;
};

struct repeated_row {
    const struct row *row; /* of `table`: says what it stands for; its numbers mean nothing */
    struct repeated_value values[REPEATED_KIND_COUNT];
};

enum repeated_total_kind {
    TOTAL_TIME,
    TOTAL_CALLS,
    TOTAL_TICKS,
    TOTAL_TICKS_OVER, /* ticks longer than their budget */
    TOTAL_OVER,       /* by so much, in all */
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
    bool has_ticks; /* all logs have some: totals from TOTAL_TICKS on are known */

    /* Private. */
    struct tree shape;
};

/*
 * Rows are in order of the column that the report sorts by: of its median, or, where there are old
 * logs, first those whose change can be told from chance, the largest change first.
 */
void repeated_init(struct repeated *repeated, const struct report *report);
void repeated_release(struct repeated *repeated);

/* What a column is here; REPEATED_KIND_COUNT for one that is not summed up. */
enum repeated_kind repeated_kind_of(enum column_kind kind);

/* "total time" and so on, and whether it is a time. */
const char *repeated_total_name(enum repeated_total_kind kind);
bool repeated_total_is_time(enum repeated_total_kind kind);

#endif
