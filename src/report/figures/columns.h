/*
 * columns.h - the columns of numbers in tables and files: their names, and the value of a row in
 * each. columns.c has a row for each column.
 *
 * When two profiles are compared, a word stands for four columns: the old value, the new one, the
 * difference, and the difference as a percentage of the old value.
 */
#pragma once

#include "base/error.h"
#include "rebuild/ending/thread_sums.h"
#include "tree/line_runs.h"
#include "tree/sums.h"

/*
 * A row of a table: its sums, and the values computed from them.
 */

struct row {
    struct sum sum; /* of its nodes */
    int64_t sum_ns; /* self time of this row and those above it in the table */
    uint32_t group; /* index of table->groups; BY_STACK: a node of table->tree */
    uint32_t order; /* position in the order of labels, which decides between equal rows */
    const struct thread_sum *threads;     /* not owned; of a table of threads, otherwise NULL */
    const struct line_run *line;          /* not owned; BY_LINE, if the line itself ran, or NULL */
    bool is_sampled;                      /* its sums are estimates */
    bool has_errors;                      /* half of the 95% intervals of its times: */
    double self_error_ns, total_error_ns; /* see sample_error_ns(), or two standard errors */
};

/* A row without values, such as that of a function that only ticks have; its old row is the same.
 */
extern const struct row row_none;

/* Whether the row is in its own profile, not only in the other profile of a comparison. */
bool row_is_used(const struct row *row);

/*
 * Whether none of its calls was recorded, although it ran: they began before the recording, or
 * before the part of it that is shown.
 */
bool row_began_before(const struct row *row);

/*
 * Whether it was called, but its calls, scaled to the number of ticks of the other profile, are
 * rounded to 0.
 */
bool row_is_below_one_call(const struct row *row);

/* The uncertainty of a row's self time, as a standard error. */
double row_noise_ns(const struct row *row);

/* Whether the uncertainties of both rows are known; a row that is not used has none. */
bool rows_have_noise(const struct row *row, const struct row *old);

/*
 * Whether the self times of a row differ by no more than twice the standard error of the
 * difference; a time of which all was subtracted may be as much as was measured. False if neither
 * profile has uncertainties.
 */
bool row_is_alike(const struct row *row, const struct row *old);

/* An index of column_infos. Only the first ones are named here; others are known by their words. */
enum column_kind {
    COLUMN_SELF,
    COLUMN_SELF_PERCENT,
    COLUMN_SUM_PERCENT,
    COLUMN_TOTAL,
    COLUMN_TOTAL_PERCENT,
    COLUMN_CALLS,
    COLUMN_TICK_CALLS,
    COLUMN_AVERAGE,
    COLUMN_MIN,
    COLUMN_MEAN,
    COLUMN_MAX,
    COLUMN_ERRORS,
    COLUMN_ALLOC,
    COLUMN_NOISE,
    COLUMN_SELF_ERROR, /* this and the one below: of recordings */
    COLUMN_TOTAL_ERROR,
    COLUMN_MAIN,
    COLUMN_COROUTINE,
    COLUMNS_MAX = 32 /* of all columns */
};

/* What the cells of a column are. */
enum column_type {
    TYPE_SUM,     /* nanoseconds that add up over rows: shown in the unit of the table */
    TYPE_CALL,    /* nanoseconds of a call: in microseconds */
    TYPE_PERCENT, /* nanoseconds, shown as a percentage of the profile's */
    TYPE_COUNT,
    TYPE_RATE,    /* a count, shown as so many a tick */
    TYPE_FLAG,    /* 0 or 1 */
    TYPE_NUMBER,  /* a line or the number of a tick: not grouped */
    TYPE_SECONDS, /* nanoseconds of game time: in seconds with a tenth */
    TYPE_REAL,    /* a number that is no whole one */
    TYPE_CHANCE,  /* a probability */
    TYPE_TEXT,
    TYPE_FUNCTION, /* an id of symbols.h, for JSON: it has a list of functions */
    TYPE_MARK,     /* a sign beside the label, see flags.h */
    TYPE_LABEL,    /* a name and a place; for people, the last column, which takes the rest */
};

/* The recorded data that a column needs. */
enum column_needs {
    NEEDS_NOTHING,
    NEEDS_RECORDING,
    NEEDS_MEMORY,
    NEEDS_THREADS,
    NEEDS_SAMPLES,
    NEEDS_ERRORS,
    NEEDS_LINES,
};

/* Who has a list of usual columns, in columns.c. */
enum column_list {
    LIST_PEOPLE,
    LIST_PEOPLE_THREADS, /* --threads */
    LIST_CSV,
    LIST_CSV_STACKS, /* BY_STACK */
    LIST_PAGE        /* what the page of html cannot make from its call tree */
};

/* A number in a table, if it is known. */
struct column_value {
    bool is_known;
    int64_t number; /* see enum column_type; 0 if it is not known */
};

struct column_info {
    const char *word;  /* as --columns and --sort take it */
    const char *title; /* in a table, without a unit */
    const char *name;  /* for programs; times end in _ns, and in CSV in _us */
    enum column_type type;
    enum column_needs needs;
    const char *text;    /* for --help, the manual and JSON's schema */
    bool is_sort_key;    /* --sort takes it */
    const char *alias;   /* an older word that they take, too; NULL for none */
    const char *none;    /* of a sort key: what it means that all rows have 0 */
    bool may_be_unknown; /* for the schema */
    uint8_t order;       /* when a narrow terminal leaves it out: see grid.h */
    struct column_value (*of)(const struct row *row); /* NULL: see who makes the table */
};

extern const struct column_info column_infos[]; /* [column_count] */
extern const int column_count;

enum column_aspect {
    ASPECT_NEW, /* also if nothing is compared */
    ASPECT_OLD,
    ASPECT_DIFFERENCE,
    ASPECT_PERCENT, /* the difference as a percentage of the old value */
    ASPECT_BOTH,    /* it belongs to both sides, as the name of a row does */
    /* Of samples, whose medians are ASPECT_NEW and _OLD: see statistics.h. */
    ASPECT_NEW_SPREAD,
    ASPECT_NEW_MIN,
    ASPECT_NEW_MAX,
    ASPECT_OLD_SPREAD,
    ASPECT_OLD_MIN,
    ASPECT_OLD_MAX,
    ASPECT_SHIFT,
    ASPECT_SHIFT_LOW,
    ASPECT_SHIFT_HIGH,
    ASPECT_SHIFT_PERCENT, /* of the old median */
    ASPECT_P,
    ASPECT_IS_EXACT,
    ASPECT_TOLD_APART,
    ASPECT_COUNT
};

/* How the titles and the values of a column depend on its aspect. */
extern const struct aspect_info {
    const char *prefix, *suffix; /* in CSV: the first if compared, the other before the unit */
    const char *title;           /* for people; NULL: that of the column, with its unit */
    const char *group, *key;     /* in JSON, where a value has several aspects */
    bool has_no_unit;
    bool is_change;  /* has a sign */
    bool is_percent; /* of the old value: a real number */
} aspect_infos[ASPECT_COUNT];

struct column {
    enum column_kind kind;
    enum column_aspect aspect;
};

/* All zero is an empty list: the default columns of a format. */
struct columns {
    struct column list[4 * COLUMNS_MAX]; /* [count] */
    size_t count;
};

/* Adds a column unless it is there. */
void columns_add(struct columns *columns, enum column_kind kind, enum column_aspect aspect);

/*
 * Adds the usual columns of a list in their order; with `is_compared`, those that compare each of
 * them. Those that the rows cannot have are left out: `has` has a bit 1 << enum column_needs for
 * lines, threads and errors.
 */
void columns_add_usual(struct columns *columns, enum column_list list, unsigned has,
                       bool is_compared);

/* Adds the columns that compare a value: four, or fewer if some would have no meaning. */
void columns_add_compared(struct columns *columns, enum column_kind kind);

/* Reads words with commas between them. Fails on an unknown one, or one named twice. */
bool columns_parse(struct columns *columns, const char *words, struct error *err);

/* The value of a row. */
struct column_value column_of(enum column_kind kind, const struct row *row);

/* The value that rows are sorted by, the largest first; 0 if it is not known. */
double column_sort_key(enum column_kind kind, const struct row *row);

/*
 * The value of a row in a column, except percentages, which are made from the number. `old` is the
 * same row of the old profile, or NULL. A difference is known only if both values are.
 */
struct column_value column_value(struct column column, const struct row *row,
                                 const struct row *old);

/* Whether the values of a column of self times differ, but only within the clocks' error. */
bool columns_are_alike(enum column_kind kind, const struct row *row, const struct row *old);

/*
 * The difference as a percentage of the old value, rounded to tenths. Fails if there is no
 * old value, if nothing is compared, or if the values are equal.
 */
bool column_percent(enum column_kind kind, const struct row *row, const struct row *old,
                    double *percent);
