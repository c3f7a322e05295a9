/*
 * tree.h - the call tree of a profile.
 *
 * A node is one way to reach a function: its parent node, the line of the parent
 * that made the call, and the function. Node 0 is the root, which stands for the
 * whole profile and has no function.
 *
 * A parent's id is smaller than its children's. So a loop over rising ids sees
 * parents first, a loop over falling ids sees children first, and no function
 * here recurses, even if the stacks are deep:
 *
 *     for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
 *         sum[tree->calls[node].parent] += sum[node];
 *
 * Times add up: log lines of one stack that differ only in the line from which the
 * last frame returned are one node. If no log line was read for a node (profiling
 * began in the middle, or the line was lost), its total is the sum of its children.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TREE_ROOT = 0 };

#define TREE_NONE UINT32_MAX

/* The self time of a node in each subsample: see samples.h. */
enum { SUBSAMPLES = 30 };

struct subsamples {
    float ns[SUBSAMPLES];
};

/* Add to another node, or sum, and scale. */
void subsamples_add(struct subsamples *to, const struct subsamples *from);
struct subsamples subsamples_scaled(const struct subsamples *from, double factor);

struct call {
    uint32_t parent;   /* node id */
    uint32_t function; /* function id, see symbols.h */
    int32_t line;      /* calling line, in the parent's function; see tree/stacks.h */
};

enum node_flags {
    NODE_MAIN = 1 << 0,      /* seen on the main thread */
    NODE_COROUTINE = 1 << 1, /* seen on a coroutine */
    NODE_TIMED = 1 << 2,     /* a log line with a time was read for it */
    NODE_SEEN = 1 << 3,      /* a log line was read for it */
    NODE_RECORDER = 1 << 4,  /* a call of the recorder itself: in no tree that is rebuilt */
    NODE_CALLED = 1 << 6,    /* it was called, although a scale has made its calls 0 */
};

/* The largest sum of durations of one node; a sum of several nodes stops at INT64_MAX. From here on
 * the sum is not known. */
#define CALL_DETAILS_MAX_NS (INT64_MAX / 2)

/* Facts about a node's calls that only recordings have. Finished calls are those that returned. */
struct call_details {
    uint64_t errors;        /* calls that an error ended */
    uint64_t finished;      /* calls that returned, and were seen to begin */
    int64_t finished_ns;    /* total time of those calls */
    int64_t min_ns, max_ns; /* the shortest and the longest; INT64_MAX and -1 if there are none */
    uint64_t memory_kb;     /* heap growth, without callees */
    /*
     * The uncertainty of the self time, as a variance: from the clock's step, and from the
     * error of the recording overhead that was subtracted.
     */
    double variance_ns2;
    double cost_error_ns;
    double common_error_ns; /* of that, what is wrong in all times in the same direction */
    double measured_ns;     /* self time before the recorder's cost was subtracted */
};

/* The details of zero calls, to add others to. */
struct call_details call_details_none(void);
void call_details_add(struct call_details *to, const struct call_details *from);

/* Whether the mean of the calls that returned is known. */
static inline bool call_details_has_mean(const struct call_details *details)
{
    return details->finished > 0 && details->finished_ns < CALL_DETAILS_MAX_NS;
}

/* What scaled nodes of a function have lost by rounding so far: its next node gets it. */
struct scaled_rests {
    double calls, errors, memory_kb;
};

/* Multiplies the measured time and the errors. */
void call_details_scale_times(struct call_details *details, double factor);

/* The standard error of the self time that the details belong to. */
double call_details_noise_ns(const struct call_details *details);

/*
 * The same of the difference of two, of the same function in two recordings. What an event costs
 * more in its code than elsewhere is mostly the same in both, so this part of the errors is taken
 * as correlated by 0.7, and what is wrong in all times, with the computer's speed, by 0.5: of pairs
 * of recordings of one program, 135 of 4,951 functions of 2 % and more are called different (70 if
 * nothing were correlated), of functions changed by a fifth, 17 of 144 (5), by a half, 77 (58).
 */
double call_details_difference_ns(const struct call_details *a, const struct call_details *b);

/*
 * Every array is [node_count]. The root's total is that of the whole profile, and is the sum
 * of all self times. May be moved by assignment: it has no pointers into itself. Trees are
 * made by a builder: see tree_builder.h.
 */
struct tree {
    uint32_t node_count;
    struct call *calls;
    uint64_t *call_counts;
    int64_t *total_ns;            /* with callees */
    int64_t *self_ns;             /* without callees; can be negative in logs of delins' profiler */
    uint8_t *flags;               /* or of enum node_flags */
    bool *outermost;              /* no node above has its function; made with the totals */
    int64_t whole_ns;             /* the sum of self times that are not negative; as well */
    struct call_details *details; /* NULL if no recording was read */
    struct subsamples *samples;   /* of recordings by chance, see samples.h; NULL: exact */
    struct line_runs *lines;      /* NULL if no lines were recorded: see line_runs.h */
};

/* Returns a tree of a root and zeros. It has no totals until tree_sum_totals(), and no samples. */
struct tree tree_make(uint32_t node_count, bool has_details);
void tree_release(struct tree *tree);

/* Returns the function that the stack of each node begins with, [node_count]. The caller frees it.
 */
uint32_t *tree_find_roots(const struct tree *tree);

/* Returns one more than the largest function id. */
uint32_t tree_count_functions(const struct tree *tree);

/* Makes `outermost` if it is NULL. */
void tree_mark_outermost(struct tree *tree);

/* Computes the totals, again after the self times were changed. The calls stay as they are then. */
void tree_sum_totals(struct tree *tree);

/*
 * What shares of the time are parts of: that of the whole profile. -1: negative self times are half
 * of the others or more, so that a share would mean nothing.
 */
int64_t tree_share_ns(const struct tree *tree);

/* Whether the lines of each function are known, [tree_count_functions()]; NULL: of none. */
bool *tree_find_lined(const struct tree *tree);

/*
 * Gives the self time that is at no line to the line 0 of its node, where the lines of the function
 * are known: so its lines add up to its self time. The list of lines must be in order, and is then.
 */
void tree_complete_lines(struct tree *tree);

/*
 * All nodes depth first, as an array.
 *
 * A large tree has its nodes in the order in which the log named them. A walk from node to node
 * waits for memory at each step, because only the last node tells where the next one is. An order
 * is made in loops whose steps do not wait for each other, and what reads nodes in its order can
 * ask for them ahead.
 *
 * Nodes that were entered are left again like this:
 *
 *     for (; at != tree->calls[node].parent; at = tree->calls[at].parent)
 *         leave(at);
 *     enter(at = node);
 */

struct tree_order {
    uint32_t *nodes; /* [node_count]: depth first; the first one is the root */
    uint32_t *sizes; /* [node_count] by place in `nodes`: the node and all below it */
};

/*
 * `rank` gives the order of siblings: a node's rank is that of its function, [function_count].
 * Siblings of one rank are ordered by line, then id. NULL: siblings are in order of id.
 */
void tree_order_init(struct tree_order *order, const struct tree *tree, const uint32_t *rank);
void tree_order_release(struct tree_order *order);

/*
 * Makes a copy of a tree in which nodes are numbered by their places in an order: that of this
 * tree, or of another that has the same nodes. The root has no values, and the copy no
 * lines. The first child of a node is the next node then, and its other children follow so:
 *
 *     for (uint32_t child = node + 1; child < node + sizes[node]; child += sizes[child])
 */
void tree_copy_in_order(struct tree *copy, const struct tree *tree, const struct tree_order *order);

/*
 * Which nodes of a tree have no node of their own group above them. Only the total times of those
 * count for the group, so that each stack counts once. For functions, tree->outermost has it.
 *
 * Returns it for each node, [node_count]; false for the root. `groups` has the group of each node,
 * [node_count]. `are_of_functions`: all nodes of a group have the same function, which saves the
 * walk if no function is above itself.
 */
bool *tree_find_outermost(const struct tree *tree, const uint32_t *groups, bool are_of_functions);
