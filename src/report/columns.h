/*
 * columns.h - the columns of numbers that tables and CSV have: which there are, what
 * they are called, and what a row has in them.
 *
 *     word      top          csv            what
 *     self      self ms      self_us        time in the row itself
 *     self%     self%        self_percent   as part of the profile's
 *     sum%      sum%         sum_percent    of this row and those above it
 *     total     total ms     total_us       time with callees, each stack counted once
 *     total%    total%       total_percent
 *     calls     calls        calls
 *     avg       self/call us avg_us         self time of a call
 *     min       shortest us  min_us         of the calls that returned, with callees;
 *     mean      mean us      mean_us          recordings only, and so are all below but
 *     max       longest us   max_us           the last two
 *     errors    errors       errors         calls that an error ended
 *     heap      heap KB      alloc_kb       heap growth: by how much the memory in use grew
 *     noise     noise us     noise_us       how far the self time may be off
 *     main      main         main           whether it ran on the main thread,
 *     coroutine coroutine    coroutine        and on coroutines
 *
 * When two profiles are compared, a word stands for four columns: the old value, the new
 * one, the difference, and the difference as a percentage of the old value.
 */
#ifndef SUPPROF_COLUMNS_H
#define SUPPROF_COLUMNS_H

#include "base/error.h"
#include "report/row.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum column_kind {
    COLUMN_SELF,
    COLUMN_SELF_PERCENT,
    COLUMN_SUM_PERCENT,
    COLUMN_TOTAL,
    COLUMN_TOTAL_PERCENT,
    COLUMN_CALLS,
    COLUMN_AVERAGE,
    COLUMN_MIN,
    COLUMN_MEAN,
    COLUMN_MAX,
    COLUMN_ERRORS,
    COLUMN_ALLOC,
    COLUMN_NOISE,
    COLUMN_MAIN,
    COLUMN_COROUTINE,
    COLUMN_KIND_COUNT
};

/* What a number in a column is. */
enum column_type {
    TYPE_SUM,     /* nanoseconds that add up over rows: shown in the unit of the table */
    TYPE_CALL,    /* nanoseconds of a call: in microseconds */
    TYPE_PERCENT, /* nanoseconds, to be shown as part of the profile's */
    TYPE_COUNT,
    TYPE_FLAG, /* 0 or 1 */
};

/* What has to be recorded for a column. */
enum column_needs { NEEDS_NOTHING, NEEDS_RECORDING, NEEDS_MEMORY };

/* A number in a table, if it is known. */
struct column_value {
    bool is_known;
    int64_t number; /* see enum column_type */
};

struct column_info {
    const char *word;  /* as --columns and --sort take it */
    const char *alias; /* an older word that they take, too; NULL for none */
    const char *title; /* in a table, without a unit */
    const char *name;  /* in CSV */
    enum column_type type;
    const char *text; /* for --help and the manual */
    enum column_needs needs;
    bool is_sort_key;                                    /* --sort takes it */
    struct column_value (*value)(const struct row *row); /* what a row has in it */
};

extern const struct column_info column_infos[COLUMN_KIND_COUNT];

enum column_aspect {
    ASPECT_NEW, /* or the only one */
    ASPECT_OLD,
    ASPECT_DIFFERENCE,
    ASPECT_PERCENT, /* the difference, of the old value */
};

struct column {
    enum column_kind kind;
    enum column_aspect aspect;
};

enum { COLUMNS_MAX = 4 * COLUMN_KIND_COUNT };

/* All zero is none: whatever a format has by default. */
struct columns {
    struct column list[COLUMNS_MAX]; /* [count] */
    size_t count;
};

/* Adds a column unless it is there. */
void columns_add(struct columns *columns, enum column_kind kind, enum column_aspect aspect);

/* Adds the columns that compare a value: four, or fewer where some would say nothing. */
void columns_add_compared(struct columns *columns, enum column_kind kind);

/* Whether the words of --columns and --sort name this column so. */
bool column_is_called(enum column_kind kind, const char *word, size_t length);

/* Reads words with commas between them. Fails on an unknown one, or one named twice. */
bool columns_parse(struct columns *columns, const char *words, struct error *err);

/* What rows are sorted by, the largest first; 0 for what is not known. */
double column_sort_key(enum column_kind kind, const struct row *row);

/*
 * What a row has in a column, except its percentage: that is made from the number. `old` is the
 * same row of the old profile, or NULL. Differences of what is not known are not known.
 */
struct column_value column_value(struct column column, const struct row *row,
                                 const struct row *old);

/* Whether the values of a column of self times differ, but not more than the clocks can tell. */
bool columns_are_alike(enum column_kind kind, const struct row *row, const struct row *old);

/*
 * The difference as a percentage of the old value, rounded to tenths. Fails when there is
 * no old value, or nothing to compare, or when they are alike.
 */
bool column_percent(enum column_kind kind, const struct row *row, const struct row *old,
                    double *percent);

#endif
