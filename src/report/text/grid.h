/*
 * grid.h - a table of texts: columns as wide as their widest cell, right-aligned except the last.
 *
 *     struct grid grid = {.column_count = 3};
 *     grid_put(&grid, "total time s");
 *     text_printf(&grid.texts, "%.1f", seconds);
 *     grid_end_cell(&grid);
 */
#ifndef SUPPROF_GRID_H
#define SUPPROF_GRID_H

#include "base/output.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { GRID_COLUMNS_MAX = 10 };

/* All zero except for column_count is empty. */
struct grid {
    struct text texts; /* of all cells, line by line; the last one may be appended to */
    size_t *ends;      /* [count]: where each cell ends in `texts` */
    size_t count, capacity, column_count;
    size_t widths[GRID_COLUMNS_MAX];
    size_t line_width; /* of a terminal; 0: no limit. Then columns are left out, and paths cut */
    size_t drop[GRID_COLUMNS_MAX]; /* [drop_count]: pairs of columns to leave out, in this order */
    size_t drop_count;
};

/* Makes a cell of what was appended to `texts` after the cell before. */
void grid_end_cell(struct grid *grid);

/* Appends a cell. */
void grid_put(struct grid *grid, const char *string);

/* Appends all lines; the first cell of each is left-aligned if `is_left` is set. */
void grid_put_lines(const struct grid *grid, struct text *text, bool is_left);

/* The same, to an output. */
void grid_write(const struct grid *grid, struct output *out, bool is_left);

void grid_release(struct grid *grid);

#endif
