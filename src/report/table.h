/*
 * table.h - a call tree summed up in rows, for the reports that are tables.
 *
 * Every node below the root belongs to one row. Its calls and self time are added
 * up there, so that over all rows they are those of the profile. A row's total is
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
#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum table_by {
    BY_FUNCTION,
    BY_FILE,   /* all functions of a source; the C functions together */
    BY_MOD,    /* see paths.h */
    BY_LINE,   /* the line a call was made from: what was called there, with its callees */
    BY_STACK,  /* a path of functions */
    BY_THREAD, /* a function that a thread or an engine callback began with, and where it ran */
};

enum table_sort {
    SORT_SELF,
    SORT_TOTAL,
    SORT_CALLS,
    SORT_AVERAGE, /* self time per call */
    /* Only recordings tell these apart. */
    SORT_MAX, /* the longest call, with callees */
    SORT_ERRORS,
    SORT_ALLOC, /* memory */
};

struct row {
    uint64_t calls;
    int64_t self_ns, total_ns;
    uint32_t group; /* index of table->groups; BY_STACK: a node of table->tree */
    uint32_t order; /* position in the order of labels, which decides between equal rows */
    uint8_t flags;  /* or of those of its nodes */
    const struct call_details *details; /* not owned; NULL where the tree has none */
};

/* The details of a row, those of no call where it has none. */
const struct call_details *row_details(const struct row *row);

/* Whether the row is in its profile, and not only in the one that it is compared with. */
bool row_is_used(const struct row *row);

/* The self time of a call, or 0. */
int64_t row_average_ns(const struct row *row);

/* How far the self time of a row may be off, as a standard error. */
double row_noise_ns(const struct row *row);

/* What a row stands for; which members mean something depends on `by`. */
struct row_group {
    uint32_t function; /* BY_FUNCTION, BY_LINE: the caller, BY_THREAD; TREE_NONE: the engine */
    uint32_t text;     /* text id: BY_FILE, BY_MOD */
    int32_t line;      /* BY_LINE, see stacks.h */
    uint8_t flags;     /* BY_THREAD: or of NODE_MAIN and NODE_COROUTINE */
};

struct table {
    enum table_by by;
    struct row *rows; /* [row_count], most expensive first */
    size_t row_count;
    struct row_group *groups; /* [group_count] */
    size_t group_count, group_capacity;
    struct row *old_rows; /* [row_count] by row.order, or NULL: see table_compare() */
    /* Private: the details of rows, where they are not those of a tree. */
    struct call_details *details, *old_details, *scaled_details;
    const struct tree *tree;     /* not owned */
    const struct labels *labels; /* not owned */
};

/* `tree` is settled, and for BY_STACK without lines unless those are to tell stacks apart. */
void table_init(struct table *table, enum table_by by, enum table_sort sort,
                const struct tree *tree, const struct labels *labels);
/*
 * Like table_init(), and compares with an old tree that has the same nodes (see diff.h).
 * Rows are in order of how much they differ, in what `sort` names. `scales_calls`: the old
 * times are made those of as many calls as the new row has, where both have some.
 */
void table_compare(struct table *table, enum table_by by, enum table_sort sort,
                   const struct tree *tree, const struct tree *old_tree, bool scales_calls,
                   const struct labels *labels);

/* What a row was in the old tree; NULL when nothing is compared. */
static inline const struct row *table_old(const struct table *table, const struct row *row)
{
    return table->old_rows == NULL ? NULL : &table->old_rows[row->order];
}

/*
 * Whether the self times of a row differ by no more than twice the standard error of the
 * difference. False where neither profile says how far it may be off.
 */
bool row_is_alike(const struct row *row, const struct row *old);

void table_release(struct table *table);

/*
 * Appends the frames of a node's stack, root first, joined by ';'. With
 * `call_sites` a frame stands between a caller and its callee that is the caller's
 * label, "->" and the calling line, negative for a tail call, where it is known.
 */
void table_put_stack(struct text *text, const struct tree *tree, const struct labels *labels,
                     uint32_t node, bool call_sites);

/* Appends the call site frame for a call out of `function`; nothing when the line is unknown. */
void table_put_call_site(struct text *text, const struct labels *labels, uint32_t function,
                         int32_t line);

#endif
