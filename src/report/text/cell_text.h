/*
 * cell_text.h - the titles and numbers of a table for people, as text that is not yet aligned.
 *
 *     self ms    diff ms    diff%
 *     1,204.551    -0.31    -4.2%
 */
#ifndef SUPPROF_CELL_TEXT_H
#define SUPPROF_CELL_TEXT_H

#include "base/text.h"
#include "report/columns.h"
#include "report/report.h"
#include "report/table.h"

/* What the numbers of a table have in common. */
struct cell_texts {
    const struct report *report;
    const struct table *table;
    enum report_unit unit;         /* of sums */
    enum report_unit average_unit; /* of times per call */
};

/* Appends the title of a column, with its unit. */
void cell_put_title(struct text *text, const struct cell_texts *cells, struct column column);

/* Appends the value of a column; "-" if it is not known, or of calls that began before. */
void cell_put_value(struct text *text, const struct cell_texts *cells, struct column column,
                    const struct row *row);

#endif
