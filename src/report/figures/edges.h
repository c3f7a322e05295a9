/*
 * edges.h - callers and callees of chosen functions.
 *
 * Every node below the root is an edge from a caller to a callee, made by a line of the
 * caller. An edge's calls are those of all its nodes. Its time is that of the stacks it
 * appears in, each stack counted once: a node's total counts unless the same edge is
 * already on the path above it. So the time of an edge is the time that you would save
 * without that call. A calling line has its own time and calls, by the same rule.
 *
 * For the stack A;B;C;B (1 ms self in each) that makes
 *
 *     function  self  total  calls     callers            callees
 *     A           1     4      1       (engine) 4         B 3
 *     B           2     3      2       A 3, C 1           C 2
 *     C           1     2      1       B 2                B 1
 *
 * The callers of B have more time than B: the time from C is also part of the time from A.
 * A call to a function that was already on the stack makes its edge a recursive one, as
 * C to B is here. For A;B;B;B (1 ms self in each), where B calls itself in line 7 and then
 * in line 8:
 *
 *     edge      total  calls           lines
 *     A to B      3      1
 *     B to B      2      2             line 7: 2 and 1 call, line 8: 1 and 1 call
 *
 * The edge has 2, not 2 + 1, because the call from line 8 is inside the call from line 7.
 */
#pragma once

#include "report/figures/report.h"

struct edge_line {
    int32_t line; /* in the caller, see tree/stacks.h */
    uint64_t calls;
    int64_t total_ns;
    double error_ns; /* half of the 95% interval of total_ns, if it is asked for */
};

struct edge {
    uint32_t function; /* the caller or callee; TREE_NONE: the engine, as a caller */
    uint64_t calls;
    int64_t total_ns;
    uint64_t old_calls; /* 0 without an old tree */
    int64_t old_total_ns;
    double error_ns; /* as of a line */
    bool is_recursive;
    size_t first_line, line_count; /* of edges->lines; at least one */
};

/* A chosen function. */
struct edge_function {
    uint32_t function;
    uint64_t calls;
    int64_t self_ns, total_ns;         /* as in row_sums.h */
    bool is_recursive;                 /* it is on a stack more than once */
    size_t first_caller, caller_count; /* of edges->callers; at least one */
    size_t first_callee, callee_count; /* of edges->callees */
};

/*
 * Functions and edges are in order of total time, most expensive first, then label; lines in
 * order of total time, then number.
 */
struct edges {
    struct edge_function *functions; /* [function_count] */
    size_t function_count;
    uint32_t *place_of;   /* [all functions]: index of `functions`; TREE_NONE for others */
    struct edge *callers; /* [caller_count] */
    size_t caller_count;
    struct edge *callees; /* [callee_count] */
    size_t callee_count;
    struct edge_line *lines; /* [line_count] */
    size_t line_count;
    bool has_errors; /* they were asked for, and the tree has details */
};

/*
 * Sums up the edges of the functions with `is_chosen`, [all functions], in the trees of the report;
 * NULL chooses all. Functions that are not in the tree are left out. `wants_errors`: of times,
 * which take long.
 */
void edges_init(struct edges *edges, const struct report *report, const uint8_t *is_chosen,
                bool wants_errors);

/*
 * Returns the line of the callers that makes the most calls, of equal ones the first, and its
 * caller; NULL: there is none. Callers with `is_left_out`, [all functions], do not count; NULL:
 * all do.
 */
const struct edge_line *edges_busiest_line(const struct edges *edges, const uint8_t *is_left_out,
                                           const struct edge **caller);

void edges_release(struct edges *edges);
