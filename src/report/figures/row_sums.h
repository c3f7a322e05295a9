/*
 * row_sums.h - sums a call tree up in rows, for the reports that are tables.
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

#include "base/sort.h"
#include "names/labels.h"
#include "report/figures/columns.h"
#include "tree/symbols.h"
#include "tree/tree.h"

/*
 * The row of a table to which each node of a tree belongs.
 */

/* The kinds of table rows. */
enum table_by {
    BY_FUNCTION,
    BY_FILE,   /* all functions of a source, with the C functions that they call */
    BY_MOD,    /* see paths.h */
    BY_LINE,   /* a line: the functions called there, with their callees; and its own runs */
    BY_STACK,  /* a path of functions */
    BY_THREAD, /* the first function of a thread or an engine callback, and the kind of thread */
};

/* By enum table_by. */
extern const struct table_by_info {
    const char *name;  /* as --by takes it */
    const char *title; /* of the column of labels, for people */
} table_by_infos[];

/* What a row stands for; `by` decides which members are used. */
struct row_group {
    uint32_t function; /* BY_FUNCTION, BY_LINE: the caller, BY_THREAD; TREE_NONE: the engine */
    uint32_t text;     /* text id: BY_FILE, BY_MOD */
    int32_t line;      /* BY_LINE, see tree/stacks.h */
    uint8_t flags;     /* BY_THREAD: or of NODE_MAIN and NODE_COROUTINE */
};

struct row_groups {
    struct row_group *all; /* [count] */
    size_t count, capacity;
    uint32_t *of_nodes; /* [node_count]: index of `all`; not set for the root */
    bool *outermost;    /* [node_count]: no node above is in the group */
    /* BY_LINE, [count of tree->lines]: index of `all`; NULL if the tree has none. */
    uint32_t *of_lines, *of_old_lines;
};

/* The threads of a node as files of data name them: "main", "main+coroutine", "?". */
const char *threads_name(uint8_t flags);

struct row_sums {
    /* Set by the caller; nothing is owned. */
    enum table_by by;
    enum column_kind sort;       /* the column that rows are sorted by */
    const struct tree *tree;     /* BY_STACK: with lines only if they shall distinguish stacks */
    const struct tree *old_tree; /* to compare with: has the same nodes (see diff.h); or NULL */
    const struct labels *labels;
    const struct symbols *charging;    /* see row_sums_owners() */
    const struct thread_sums *threads; /* BY_THREAD: only rows of these threads; NULL: all rows */
    bool scales_calls;       /* old times are scaled to the number of calls of the new row */
    bool wants_total_errors; /* of exact recordings: not set otherwise, since they take long */

    struct row *rows; /* [row_count], most expensive first */
    size_t row_count;
    struct row_groups groups;   /* none BY_STACK */
    struct row *old_rows;       /* [row_count] by row.order; NULL if nothing is compared */
    struct line_run *lines;     /* BY_LINE: row.line points here; NULL if no lines are known */
    struct line_run *old_lines; /* private */
};

/*
 * Returns the function that each node counts for, [node_count], for the caller: BY_THREAD that of
 * its ancestor without a caller; BY_FILE and BY_MOD, for C functions, that of the caller, unless
 * `charging` is NULL.
 */
uint32_t *row_sums_owners(const struct tree *tree, enum table_by by,
                          const struct symbols *charging);

/*
 * Makes the rows of a table whose first members are set. They are in order of the column, or of
 * their difference in it, the largest first; equal ones by self time, then by label.
 */
void row_sums_init(struct row_sums *table);

/* Puts the rows into another order, [row_count]: each item is a place among them until now. */
void row_sums_sort(struct row_sums *table, const struct keyed *order);

/* The same row in the old tree; NULL if nothing is compared. */
static inline const struct row *row_sums_old(const struct row_sums *table, const struct row *row)
{
    return table->old_rows == NULL ? NULL : row == &row_none ? row : &table->old_rows[row->order];
}

/* A row, or row_none after the last one. */
static inline const struct row *row_sums_row(const struct row_sums *table, size_t row)
{
    return row < table->row_count ? &table->rows[row] : &row_none;
}

/* What a row stands for; not BY_STACK. */
static inline const struct row_group *row_sums_group(const struct row_sums *table, size_t row)
{
    return &table->groups.all[table->rows[row].group];
}

void row_sums_release(struct row_sums *table);

/*
 * The figures of a summary of a whole profile.
 */

/* The figures of a summary, from the tree with calling lines. */
struct report_totals {
    uint64_t stacks; /* for which a log line was read */
    uint64_t functions, calls;
    int64_t main_ns, coroutine_ns,
        both_ns;             /* self times by the thread on which the stack was seen */
    int64_t c_ns;            /* self times of C functions */
    uint64_t negative_count; /* stacks with a self time below 0 that rounding does not explain */
    int64_t negative_ns;     /* the sum of those */
};

struct report_totals totals_sum_up(const struct tree *tree, const struct symbols *symbols);
