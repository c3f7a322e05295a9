/*
 * repeated_tables.h - several logs of the same game in rows, and their tables.
 */
#pragma once

#include "report/figures/report.h"
#include "report/tables/function_table.h"
#include "select/statistics.h"

/*
 * Several logs of the same game in rows: the median and the spread of each row's
 * values over all logs, and the change since the old logs.
 *
 * A row's value in a log is exactly the value in the table of that log alone. If a log does not
 * have the row, its value there is 0.
 */

/* The columns that are summarized: self, total, calls, and the self time of a call. */
enum { REPEATED_COLUMNS = 4 };

/* The place of a column in that list; REPEATED_COLUMNS if it is not there. */
size_t repeated_column_place(enum column_kind kind);

struct repeated_summary {
    struct sample_summary now;
    struct sample_summary old; /* only with old logs, like the shift */
    struct sample_shift shift;
};

enum repeated_total_kind {
    TOTAL_TIME,
    TOTAL_CALLS,
    TOTAL_TICKS,
    TOTAL_TICKS_OVER, /* slow ticks */
    TOTAL_OVER,       /* the sum of their time over the limit */
    TOTAL_TICK_MEDIAN,
    TOTAL_TICK_95, /* percentiles */
    TOTAL_TICK_99,
    TOTAL_TICK_LONGEST,
    TOTAL_KIND_COUNT
};

/* Sums of whole logs, in a table. */
struct repeated_totals {
    const struct repeated_total_info {
        const char *names[2]; /* "median tick", and for frames */
        const char *key;      /* for JSON */
        bool is_time;
    } * infos;                             /* [count] */
    const struct repeated_summary *values; /* [count] */
    size_t count;
    /* By repeated_totals_init(). */
    enum table_reader reader;
    bool is_ui;
    struct table table;
};

/* Makes the table, which must not move. */
void repeated_totals_init(struct repeated_totals *totals, const struct report *report,
                          enum table_reader reader);

/*
 * In order of the median of the report's sort column. With old logs, rows whose change is larger
 * than chance come first, and then the largest change.
 */
struct repeated_rows {
    size_t new_count, old_count; /* logs; old_count is 0 where nothing is compared */
    struct row_sums table;       /* the numbers of its rows are not used */

    struct repeated_summary totals[TOTAL_KIND_COUNT];
    bool has_ticks; /* all logs have ticks: totals from TOTAL_TICKS on are known */

    /*
     * Rows with calls; those with the same number in all logs of one side;
     * and those with the same number in all logs. If all are, the games were the same.
     */
    size_t called_count, steady_count, same_count;

    /* Private. */
    struct tree shape;               /* with the calls of the report's tree */
    struct tree folded;              /* the same without call sites, where that is shown */
    struct sample_comparer comparer; /* where there are old logs */
    /*
     * The values of the logs that have a row: part 2 * order is that of the new logs, and the next
     * one that of the old. In a part, the values of a column are side by side.
     */
    double *values; /* [REPEATED_COLUMNS * the last start] */
    size_t *starts; /* [2 * table.row_count + 1]: the logs of all parts before each */
};

/* Sums up a value; compares it if `old` has any logs. */
struct repeated_summary repeated_sum_up(const struct sample_comparer *comparer, struct sample now,
                                        struct sample old);

/* The values of the row with that `order` in the new logs, or in the old ones. */
struct sample repeated_rows_sample(const struct repeated_rows *repeated, uint32_t order,
                                   size_t column, bool is_old);

/* Fills a cell that has an aspect of a value, of the column's type; or the mark of its row. */
void repeated_value_get(const struct repeated_summary *value, enum column_aspect aspect,
                        struct cell *cell);
void repeated_mark_get(const struct repeated_summary *value, struct cell *cell);

/* Adds the columns of a value that a reader gets, and what they are called. */
void repeated_columns_add(struct table *table, enum table_reader reader,
                          const struct column_info *info, unsigned order);
extern const char *const repeated_prefixes[];

struct repeated_tables {
    const struct report *report;
    enum table_reader reader;
    struct repeated_rows sums;
    struct repeated_totals totals;
    struct table rows;
    /* Private. */
    struct row_keys keys;
    struct repeated_summary summary; /* of the cell that was asked for last */
    size_t summary_of;
};

/* It must not move, and is to be released. */
void repeated_tables_init(struct repeated_tables *repeated, const struct report *report,
                          enum table_reader reader);

/* Whether one of the first rows has "-" in place of calls, of which no log has any. */
bool repeated_tables_show_dash(const struct repeated_tables *repeated, size_t row_count);

void repeated_tables_release(struct repeated_tables *repeated);
