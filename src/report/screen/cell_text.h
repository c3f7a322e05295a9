/*
 * cell_text.h - the titles and numbers of a table for people, as text that is not yet aligned.
 *
 *     self ms    diff ms    diff%
 *     1,204.551    -0.31    -4.2%
 */
#pragma once

#include "base/text.h"
#include "report/figures/columns.h"
#include "report/figures/report.h"
#include "report/figures/table.h"

/* A table, and how it is shown. */
struct cell_texts {
    const struct report *report;
    struct table table;
    struct columns columns; /* the usual ones, until others are added */
    enum report_unit unit;  /* of sums */
};

/* The unit of a column of times, if `unit` is that of sums; UNIT_AUTO: it has none. */
enum report_unit cell_unit(const struct report *report, enum column_kind kind,
                           enum report_unit unit);

/* Appends the title of a column with a unit, if it has one. */
void cell_put_unit(struct text *text, const char *title, enum report_unit unit);

/* Makes the table that the report asks for: release it. A unit that is not chosen suits
 * `longest_ns`. */
void cell_texts_init(struct cell_texts *cells, const struct report *report, int64_t longest_ns);

/* Appends the title of a column, with its unit. */
void cell_put_title(struct text *text, const struct cell_texts *cells, struct column column);

/* Appends the value of a column; "-" if it is not known, or of calls that began before. */
void cell_put_value(struct text *text, const struct cell_texts *cells, struct column column,
                    const struct row *row);
