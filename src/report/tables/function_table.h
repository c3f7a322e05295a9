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
 * Makes the table that the report asks for. A unit that is not chosen suits the report's time. It
 * must not move, and is to be released.
 */
void function_table_init(struct function_table *functions, const struct report *report,
                         enum table_reader reader);
void function_table_release(struct function_table *functions);
