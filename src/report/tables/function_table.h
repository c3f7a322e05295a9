/*
 * function_table.h - the table of functions, files, mods, lines, stacks or threads.
 */
#pragma once

#include "report/tables/row_keys.h"

struct function_table {
    const struct report *report;
    struct row_sums sums;
    struct table table;
    struct row_keys keys; /* private */
};

/*
 * Makes the table; the report asks for that by report->show.by. A unit that is not chosen suits the
 * report's time. For JSON, rows of functions have no name, and one after the last is row_none. It
 * must not move, and is to be released.
 */
void function_table_init(struct function_table *functions, const struct report *report,
                         enum table_by by, enum table_reader reader);
void function_table_release(struct function_table *functions);

/* Adds the columns that JSON has: those of threads or all others; `has` as columns_add_usual(). */
void function_table_add_json(struct table *table, enum column_aspect aspect, bool are_threads,
                             unsigned has);
