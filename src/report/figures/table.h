/*
 * table.h - sums a call tree up in rows, for the reports that are tables.
 *
 * Every node below the root belongs to one row. Its calls and self time are added
 * to the row, so the sums over all rows are those of the profile. A row's total is
 * the time of the stacks it appears in, each stack counted once: a node's total
 * counts unless the row is already on the path above it. For the stack
 * A;B;C;B (1 ms self in each) that makes
 *
 *     row   self  total
 *     A     1     4
 *     B     2     3       not 3 + 1
 *     C     1     2
 */
#pragma once

#include "names/labels.h"
#include "report/figures/columns.h"
#include "report/figures/row.h"
#include "report/figures/row_groups.h"
#include "tree/tree.h"

struct table {
    /* Set by the caller; nothing is owned. */
    enum table_by by;
    enum column_kind sort;       /* the column that rows are sorted by */
    const struct tree *tree;     /* BY_STACK: with lines only if they shall distinguish stacks */
    const struct tree *old_tree; /* to compare with: has the same nodes (see diff.h); or NULL */
    const struct labels *labels;
    const struct symbols *charging; /* see row_groups_init() */
    bool joins_recorder;
    const struct thread_sums *threads; /* BY_THREAD: only rows of these threads; NULL: all rows */
    bool scales_calls; /* old times are scaled to the number of calls of the new row */

    struct row *rows; /* [row_count], most expensive first */
    size_t row_count;
    struct row_groups groups; /* none BY_STACK */
    struct row *old_rows;     /* [row_count] by row.order; NULL if nothing is compared */
    struct line_run *lines;   /* BY_LINE: row.line points here; NULL if no lines are known */
    /* Private: the details of rows, if they are not those of a tree. */
    struct call_details *details, *old_details, *scaled_details;
    struct line_run *old_lines;
};

/*
 * Makes the rows of a table whose first members are set. They are in order of the column, or of
 * their difference in it, the largest first; equal ones by self time, then by label.
 */
void table_init(struct table *table);

/* The same row in the old tree; NULL if nothing is compared. */
static inline const struct row *table_old(const struct table *table, const struct row *row)
{
    return table->old_rows == NULL ? NULL : &table->old_rows[row->order];
}

void table_release(struct table *table);
