/*
 * edge_table.h - the callers and callees of one function.
 *
 *     total ms  total%  calls  callers
 *        3.000   75.00      1  A  lua/a.lua:1  from line 2
 *     total ms  total%  calls  callees
 *        2.000   50.00         (self)
 *        2.000   50.00      1  C  lua/c.lua:20  from line 11
 *
 * If calls come from several lines of a caller, each line has a row below that of their sum. A line
 * is always in the caller; among callees that is the function itself. edges.h explains the numbers.
 */
#pragma once

#include "report/figures/edges.h"
#include "report/tables/table.h"

struct edge_table {
    const struct report *report;
    const struct edges *edges;
    const struct edge_function *function;
    struct table table;
    struct edge_row {
        const struct edge *edge;      /* NULL: the function itself */
        const struct edge_line *line; /* of the edge; NULL: not one of several */
        bool is_caller;
    } * rows; /* [table.row_count] */
    struct table_group groups[2];
};

/* It must not move, and is to be released. */
void edge_table_init(struct edge_table *table, const struct report *report,
                     const struct edges *edges, size_t function, enum table_reader reader);
void edge_table_release(struct edge_table *table);
