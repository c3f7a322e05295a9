/*
 * table.h - a table: typed columns and rows. Who makes one knows no writer, and a writer knows no
 * table. So each table can be shown on a screen, in Markdown, as CSV and as JSON.
 *
 * A table does not hold its cells: a writer asks for them, row by row, in any order of columns.
 *
 *     self ms  self%   calls    function
 *     550.052  71.56       5    BuildThreatMap        tests/spikes.lua:77
 */
#pragma once

#include "base/output.h"
#include "base/text.h"
#include "names/labels.h"
#include "report/figures/edges.h"

enum { TABLE_COLUMNS_MAX = 4 * COLUMNS_MAX + 8 };

struct table_column {
    const struct column_info *info; /* column_infos, or a row of the table's own */
    enum column_aspect aspect;
    unsigned order; /* when a narrow terminal leaves it out: see grid.h */
};

/* What an expensive, better or unimportant cell looks like. */
enum cell_style { CELL_PLAIN, CELL_MUCH, CELL_SOME, CELL_LESS, CELL_DIM };

/* All zero is empty: "-" for people, nothing for programs. The texts keep their memory. */
struct cell {
    enum column_aspect aspect; /* the column's; get() changes it if a row is a difference */
    bool is_known;
    enum column_type type; /* that of its column, unless rows of the table have other ones, ... */
    enum report_unit unit; /* ... and the unit of a time, for people */
    int64_t number;        /* see enum column_type */
    double real; /* TYPE_REAL, _RATE and _CHANCE, and all types if the aspect is a percentage */
    const char *word; /* for people, in place of the number; NULL: none */
    enum cell_style style;
    struct text text;   /* TYPE_TEXT, and the name of TYPE_LABEL: clean */
    struct text place;  /* TYPE_LABEL */
    struct text suffix; /* TYPE_LABEL: is cut only where there is nearly no room */
    size_t room;        /* for get(), of the writer: columns for the label; SIZE_MAX: no limit */
};

/*
 * Who reads it: it has other usual columns. Programs read CSV. The page of html compares sides, and
 * sums the call tree up, itself.
 */
enum table_reader { FOR_PEOPLE, FOR_PROGRAMS, FOR_JSON, FOR_PAGE };

/* Rows below titles of their own, for people. */
struct table_group {
    size_t first_row;        /* up to that of the next group, or the last */
    size_t hidden_count;     /* rows that the limit has left out */
    const char *label_title; /* NULL: that of the table */
};

struct table {
    struct table_column columns[TABLE_COLUMNS_MAX]; /* [column_count] */
    size_t column_count;
    size_t row_count;
    const char *one, *many; /* what its rows are: "row", "rows" */

    /* Fills an empty cell. Rows are fast if they are asked for in their order. */
    void (*get)(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell);
    void *of; /* for get() */

    enum report_unit unit;      /* of TYPE_SUM, for people; not UNIT_AUTO */
    int decimals;               /* of TYPE_SUM, for people; 0: those that suit the unit */
    enum report_unit call_unit; /* of TYPE_CALL */
    int64_t all_ns, old_all_ns; /* of which TYPE_PERCENT is a part; -1: it is not known */
    size_t ticks, old_ticks;    /* of TYPE_RATE; 0: there are none */
    bool is_compared;
    bool has_samples;            /* values are of several logs: medians and spreads */
    bool is_estimate;            /* sums and counts have two digits, for people */
    const char *const *prefixes; /* of titles for people, by ASPECT_NEW, _OLD and _DIFFERENCE */

    const struct table_group *groups; /* [group_count]; NULL: all rows are one */
    size_t group_count;

    /* The function that it is of, and how many have such a table; NULL: it is of the whole. */
    const struct edge_function *function;
    size_t function_count;

    /* For people. */
    enum table_by by;        /* the kind of labels, which says how they are cut: see grid.h */
    const char *label_title; /* NULL: none */
    size_t label_wanted;     /* labels have this room before a column is kept, or as they need */
    size_t label_enough;     /* no column is left out for more room than this; 0: two thirds */
    size_t name_width_max;   /* places are aligned after names up to this width; 0: not at all */
    size_t indent;           /* blanks before each line */
    struct text above;       /* lines that fit the report's width; of who made the table */
    struct text below;       /* notes, a line each; the same */
};

void table_add_column(struct table *table, const struct column_info *info,
                      enum column_aspect aspect, unsigned order);

/* Adds a column of both sides, which is left out as it says itself. */
void table_add(struct table *table, const struct column_info *info);

/*
 * The columns that name a function, for programs; the engine is TREE_NONE. JSON has an index of its
 * list in place of the others, and people a label. table_get_function() returns false if the column
 * is none of them.
 */
enum name_part { NAME_FUNCTION, NAME_SOURCE, NAME_LINE, NAME_INDEX, NAME_PARTS };

void table_add_function(struct table *table, enum table_reader reader);
bool table_get_function(const struct report *report, uint32_t function,
                        const struct column_info *info, struct cell *cell);
void cell_put_name(struct cell *cell, const struct report *report, uint32_t function,
                   enum name_part part);

/* Fills a cell, which keeps its memory: release its texts after the last one. */
void table_get(const struct table *table, size_t row, const struct table_column *column,
               struct cell *cell);
void cell_release(struct cell *cell);

/* Of which a cell of TYPE_PERCENT is a part. */
int64_t cell_all_ns(const struct table *table, const struct cell *cell);

/*
 * Names of columns for programs, and numbers for CSV: times as decimal microseconds with three
 * digits, which is exact, and game time in seconds.
 */
void column_put_key(struct text *text, const struct table *table,
                    const struct table_column *column);
void cell_put_exactly(struct text *text, const struct table *table, const struct cell *cell);

/*
 * Titles and cells for people, as text that is not yet aligned.
 *
 *     self ms    diff ms    diff%
 *     1,204.551    -0.31    -4.2%
 */

/* Appends the title of a column; and of a cell, with its unit, if it has one. */
void column_put_title(struct text *text, const struct table *table,
                      const struct table_column *column);
void cell_put_title(struct text *text, const struct table *table,
                    const struct table_column *column);

/* Appends a cell that is no label; "-" if its value is not known. */
void cell_put(struct text *text, const struct table *table, const struct cell *cell);
