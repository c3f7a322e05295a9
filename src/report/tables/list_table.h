/*
 * list_table.h - the lines of functions, with what was called from each: TABLE_LIST, see tables.h.
 *
 *       line  calls  total ms  total%    source
 *        812                             function BuildThreatMap(brain)
 *                                        ... 14 lines
 *        827  8,400   140.551   18.29  *     local threat = brain:GetThreat(x, z)  -> GetThreat
 *
 * For people, lines from which nothing was called are dim, and folded where they are not beside an
 * expensive one. `*`: the three lines with the most time. Without the source of a function, only
 * the lines with calls are there.
 */
#pragma once

#include "base/sort.h"
#include "names/source_files.h"
#include "report/figures/edges.h"
#include "report/figures/report.h"
#include "report/tables/table.h"

/*
 * The lines of chosen functions, with what was called from them.
 *
 * The numbers of a line are those of the table BY_LINE. The calls, the total time and the errors of
 * a line and of a tail call near it are added up. So in a function that is not recursive, the times
 * of all lines and its self time are its total time. Where lines were recorded, the self times of
 * the lines are together that of the function.
 *
 * In a comparison where both sides have the source, lines are matched by their text, see
 * list_table.c. Otherwise the lines of the old side have moved with the function that they are in.
 */

struct listed_value {
    uint64_t calls, errors;
    int64_t total_ns; /* of what was called */
    uint64_t runs;    /* where lines were recorded */
    int64_t self_ns;
};

struct listed_line {
    int32_t line; /* 0: calls from lines that are not known, or the line has an old number only */
    int32_t old_line; /* if lines are matched; 0: there is none */
    struct listed_value now, old;
    uint32_t callee; /* the one with the most time; TREE_NONE: nothing was called */
    uint32_t callee_count;
    int64_t callee_ns; /* its time */
    bool is_used;      /* something was called, or it ran, in one of the profiles */
    bool is_expensive; /* one of the three lines with the most time, and not with very little */
};

struct listing {
    const struct report *report;
    struct edges edges;    /* of the chosen functions */
    struct row_sums table; /* BY_LINE */
    struct keyed *rows;    /* [row_count]: those of chosen functions, by function */
    size_t row_count;
    uint32_t *old_of; /* [all functions]: their ids in the old profile, or TREE_NONE; or NULL */

    /*
     * What the functions still to be taken may have together: lines of source, as bytes, and cells
     * of tables that match lines. Functions inside one another have the same lines again and again.
     */
    uint64_t bytes_left;
    size_t cells_left;

    /* The lines of files that were matched; see list_table.c. */
    struct intern files, texts;
    uint32_t **texts_of; /* [files.count] */
    size_t file_capacity;
};

/* The lines of one function. */
struct listed_function {
    const struct edge_function *sums;
    bool has_source;                /* one side has it, or both have */
    bool is_matched;                /* lines of the old side are matched by text */
    struct source_lines source;     /* if this side has one */
    struct source_lines old_source; /* if lines are matched */
    struct error why;               /* if there is none, or in a comparison no old one */
    /* In order of line; all of the sources, or only those that are used. */
    struct listed_line *lines; /* [count] */
    size_t count;
    bool has_self; /* its lines were recorded */
    bool has_runs; /* and some ran */
    /* Half of its time or more, and a hundredth of all, is its own, and the log does not say in
       which lines. */
    bool hides_self;
};

/* Chooses functions by `is_chosen`, [all functions]; the report has calling lines. */
void listing_init(struct listing *listing, const struct report *report, const uint8_t *is_chosen);
void listing_release(struct listing *listing);

/* The table of one function. */
struct list_table {
    const struct report *report;
    struct table table;

    /* Private. */
    struct listed_function function;
    bool is_compared;
    bool *is_shown; /* [function.count] */
    /* A row is a line, or several ones that are folded. */
    struct line_row {
        size_t line, folded;
    } * rows;      /* [table.row_count] */
    size_t indent; /* blanks with which all lines begin */
};

/*
 * Makes the table of the function with this index in `listing->edges`; for people, it has at most
 * `limit` rows; SIZE_MAX: no limit. It must not move, and is to be released.
 */
void list_table_init(struct list_table *list, struct listing *listing, size_t index, size_t limit,
                     enum table_reader reader);
void list_table_release(struct list_table *list);

/* Appends a line of a file, clean; TABs become blanks up to the next multiple of four. */
void source_line_put(struct text *text, const struct source_file *file, int32_t line);
