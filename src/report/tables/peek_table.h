/*
 * peek_table.h - the callers and callees of one function: TABLE_PEEK, see tables.h.
 *
 *     total ms  total%  calls  callers
 *        3.000   75.00      1  A  lua/a.lua:1  from line 2
 *     total ms  total%  calls  callees
 *        2.000   50.00         (self)
 *        2.000   50.00      1  C  lua/c.lua:20  from line 11
 *
 * If calls come from several lines of a caller, each line has a row below that of their sum; in
 * JSON, all lines have one. A line is always in the caller; among callees that is the function
 * itself. edges.h explains the numbers.
 */
#pragma once

#include "report/tables/table.h"

enum { EDGE_CALLERS, EDGE_CALLEES, EDGE_GROUPS };

struct peek_table {
    const struct report *report;
    const struct edges *edges;
    enum table_reader reader;
    struct table table; /* of the function that was chosen last */
    struct table parts; /* for JSON, the columns of those rows that are lines */
    struct edge_row {
        const struct edge *edge;      /* NULL: the function itself */
        const struct edge_line *line; /* of the edge; NULL: it is all of it */
        bool is_caller;
    } * rows; /* [table.row_count] */
    size_t capacity;
    struct table_group groups[EDGE_GROUPS];
};

/* It must not move, and is to be released. */
void peek_table_init(struct peek_table *table, const struct report *report,
                     const struct edges *edges, enum table_reader reader);

/* Makes it the table of one of the functions of `edges`. */
void peek_table_choose(struct peek_table *table, const struct edge_function *function);
void peek_table_release(struct peek_table *table);
