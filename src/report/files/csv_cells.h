/*
 * csv_cells.h - texts in CSV: cells, and the first cells of a row, which name it.
 *
 * A spreadsheet runs a cell that begins with '=', '+', '-', '@' or a TAB, and
 * names and sources come from the authors of the log. So sources are written
 * without the '@' or '=' that Lua puts before them, and any other text that
 * begins like that gets a "'" in front.
 */
#pragma once

#include "report/figures/report.h"

/* Makes the text of a line from `start` on a cell; most need no change. */
void csv_end_cell(struct text *line, size_t start);

/*
 * Whether each stack is a cell as it is: no label has a byte that needs quotes or a "'". To look
 * once, not in each stack, saves a twentieth of the CPU time that CSV of all stacks takes.
 */
bool csv_labels_are_cells(const struct report *report);

/* Appends the first cells of a row. */
void csv_put_row_key(struct text *line, const struct report *report, const struct table *table,
                     const struct row *row);
