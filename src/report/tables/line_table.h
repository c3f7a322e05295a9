/*
 * line_table.h - the lines of one function, with what was called from each.
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

#include "report/figures/listing.h"
#include "report/tables/table.h"

struct line_table {
    const struct report *report;
    struct listed_function function;
    struct table table;
    bool is_compared;
    bool *is_shown; /* [function.count] */
    /* A row is a line, or several ones that are folded. */
    struct line_row {
        size_t line, folded;
    } * rows;      /* [table.row_count] */
    size_t indent; /* blanks with which all lines begin */
};

/*
 * Takes the function with this index in the listing. For people, at most `limit` rows; SIZE_MAX: no
 * limit. It must not move, and is to be released.
 */
void line_table_init(struct line_table *lines, struct listing *listing, size_t index, size_t limit,
                     enum table_reader reader);
void line_table_release(struct line_table *lines);
