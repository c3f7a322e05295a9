/*
 * tree.h - the call tree of a profile.
 *
 * A node is one way to get to a function: its parent node, the line of the parent
 * that made the call, and the function. Node 0 is the root, which stands for the
 * whole profile and has no function.
 *
 * A parent's id is smaller than its children's. So a loop over rising ids meets
 * parents first, one over falling ids meets children first, and nothing here
 * recurses, however deep the stacks are:
 *
 *     for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
 *         sum[tree->calls[node].parent] += sum[node];
 *
 * Times add up: lines of one stack that differ only in where the last frame
 * returned from are one node. A node that no line was read for (profiling began
 * in the middle, or the line was lost) is as long as its children together.
 */
#ifndef SUPPROF_TREE_H
#define SUPPROF_TREE_H

#include <stdint.h>

enum { TREE_ROOT = 0 };
#define TREE_NONE UINT32_MAX

struct call {
    uint32_t parent;   /* node id */
    uint32_t function; /* function id, see symbols.h */
    int32_t line;      /* in the parent's function, where the call is; see stacks.h */
};

enum node_flags {
    NODE_MAIN = 1 << 0,      /* seen on the main thread */
    NODE_COROUTINE = 1 << 1, /* seen on a coroutine */
    NODE_TIMED = 1 << 2,     /* a line with a time was read for it */
    NODE_SEEN = 1 << 3,      /* a line was read for it */
};

/* What only recordings tell of a node's calls. Finished calls are those that returned. */
struct call_details {
    uint64_t errors;               /* calls that an error ended */
    uint64_t finished;             /* calls that returned, of those that began in the profile */
    int64_t finished_ns;           /* how long those took in all, with callees */
    int64_t min_ns, max_ns;        /* the shortest and the longest; INT64_MAX and -1 without any */
    uint32_t min_calls, max_calls; /* calls made inside those two */
    uint64_t memory_kb;            /* by which the memory in use grew, without callees */
    /*
     * How far the self time may be off: a variance, from the clock's step, and what the
     * cost of recording that was taken out may be wrong by.
     */
    double variance_ns2;
    double cost_error_ns;
};

/* Those of no call at all, to add others to. */
struct call_details call_details_none(void);
void call_details_add(struct call_details *to, const struct call_details *from);

/*
 * Every array is [node_count]. The root's total is that of the whole profile, and is the sum
 * of all self times. May be moved by assignment: nothing in it points into it. Trees are made
 * by a builder: see tree_builder.h.
 */
struct tree {
    uint32_t node_count;
    struct call *calls;
    uint64_t *call_counts;
    int64_t *total_ns;            /* with callees */
    int64_t *self_ns;             /* without callees; of delins' profiler it can be negative */
    uint8_t *flags;               /* or of enum node_flags */
    struct call_details *details; /* NULL when nothing in it was recorded */
};

void tree_release(struct tree *tree);

/* Sets the totals to the sums of the self times, after those were changed. */
void tree_sum_totals(struct tree *tree);

/*
 * Keeps the nodes with `is_kept`, [node_count]. Another that leads
 * to one of them is left without calls and time of its own.
 */
void tree_keep(struct tree *tree, const uint8_t *is_kept);

/*
 * Keeps what was seen on a thread: `flags` is NODE_MAIN or
 * NODE_COROUTINE. Nodes seen on both stay, since their time is not told apart.
 */
void tree_keep_thread(struct tree *tree, uint8_t flags);

#endif
