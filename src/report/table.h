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
#ifndef SUPPROF_TABLE_H
#define SUPPROF_TABLE_H

#include "names/labels.h"
#include "report/columns.h"
#include "report/row.h"
#include "report/row_groups.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
    enum table_by by;
    struct row *rows; /* [row_count], most expensive first */
    size_t row_count;
    struct row_groups groups; /* none BY_STACK */
    struct row *old_rows;     /* [row_count] by row.order, or NULL: see table_compare() */
    /* Private: the details of rows, if they are not those of a tree. */
    struct call_details *details, *old_details, *scaled_details;
    const struct tree *tree;     /* not owned */
    const struct labels *labels; /* not owned */
};

/*
 * Rows are in order of a column, the largest first; equal ones by self time, then by label.
 * For BY_STACK, `tree` has lines only if they shall distinguish stacks. `joins_recorder`: see
 * row_groups_init().
 */
void table_init(struct table *table, enum table_by by, enum column_kind sort,
                const struct tree *tree, const struct labels *labels, bool joins_recorder);

/*
 * Like table_init(), and compares with an old tree that has the same nodes (see diff.h).
 * Rows are in order of their difference in the column. `scales_calls`: if both rows have
 * calls, the old times are scaled to the number of calls of the new row.
 */
void table_compare(struct table *table, enum table_by by, enum column_kind sort,
                   const struct tree *tree, const struct tree *old_tree, bool scales_calls,
                   const struct labels *labels, bool joins_recorder);

/* The same row in the old tree; NULL if nothing is compared. */
static inline const struct row *table_old(const struct table *table, const struct row *row)
{
    return table->old_rows == NULL ? NULL : &table->old_rows[row->order];
}

void table_release(struct table *table);

#endif
