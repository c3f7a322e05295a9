/*
 * row.h - a row of a table: its sums, and the values computed from them.
 */
#pragma once

#include "rebuild/ending/thread_sums.h"
#include "tree/line_runs.h"
#include "tree/tree.h"

struct row {
    uint64_t calls;
    int64_t self_ns, total_ns;
    int64_t sum_ns;  /* self time of this row and those above it in the table */
    uint32_t group;  /* index of table->groups; BY_STACK: a node of table->tree */
    uint32_t order;  /* position in the order of labels, which decides between equal rows */
    uint8_t flags;   /* or of the flags of its nodes */
    bool is_sampled; /* its values are estimates: see tree/samples.h */
    const struct call_details *details; /* not owned; NULL where the tree has none */
    const struct thread_sum *threads;   /* not owned; of a table of threads, otherwise NULL */
    const struct line_run *line;        /* not owned; BY_LINE, if the line itself ran, or NULL */
    double total_error_ns;              /* if sampled, the standard error of the total */
    double line_error_ns;               /* and that of line->self_ns; 0: not known */
};

/* The details of a row; those of zero calls if it has none. */
const struct call_details *row_details(const struct row *row);

/* Whether the row is in its own profile, not only in the other profile of a comparison. */
bool row_is_used(const struct row *row);

/*
 * Whether none of its calls was recorded, although it ran: they began before the recording, or
 * before the part of it that is shown.
 */
bool row_began_before(const struct row *row);

/*
 * Whether it was called, but its calls, scaled to the number of ticks of the other profile, are
 * rounded to 0.
 */
bool row_is_below_one_call(const struct row *row);

/* The self time of a call, or 0. */
int64_t row_average_ns(const struct row *row);

/* The uncertainty of a row's self time, as a standard error. */
double row_noise_ns(const struct row *row);

/* Whether the uncertainties of both rows are known; a row that is not used has none. */
bool rows_have_noise(const struct row *row, const struct row *old);

/*
 * Whether the self times of a row differ by no more than twice the standard error of the
 * difference. False if neither profile has uncertainties.
 */
bool row_is_alike(const struct row *row, const struct row *old);
