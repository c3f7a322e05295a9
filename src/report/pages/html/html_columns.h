/*
 * html_columns.h - columns of whole numbers that are made row by row: the arrays of a page's data.
 *
 *     struct html_columns columns = {.keys = {"calls", "self"}};
 *     html_columns_add(&columns, (int64_t[]){1, 0});
 *     html_columns_add(&columns, (int64_t[]){2, 0});
 *     html_columns_put(&columns, json);                                   "calls":[1,2]
 */
#pragma once

#include "base/json_writer.h"

enum { HTML_COLUMNS_MAX = 9 };

struct html_columns {
    /* Set by the caller; all else is 0 at first. */
    const char *keys[HTML_COLUMNS_MAX]; /* of columns, in order; NULL after the last */
    size_t kept_count;                  /* so many columns stay if all their numbers are 0 */

    /* Private. */
    struct html_column {
        struct text numbers; /* up to the last that is not 0 */
        size_t zero_count;   /* after those */
    } columns[HTML_COLUMNS_MAX];
};

/* Adds a number to each column. */
void html_columns_add(struct html_columns *columns, const int64_t *row);

/* Puts each column as a member of an object, and leaves out columns of zeros; releases them. */
void html_columns_put(struct html_columns *columns, struct json_writer *json);
