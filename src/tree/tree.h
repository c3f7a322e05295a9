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

#include "base/index.h"
#include "base/intern.h"
#include "tree/stacks.h"

#include <stdbool.h>
#include <stddef.h>
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

/* Every array is [node_count]. May be moved by assignment: nothing in it points into it. */
struct tree {
    uint32_t node_count;
    struct call *calls;
    uint64_t *call_counts;
    int64_t *total_ns;            /* with callees; before tree_settle() only the sum of the lines */
    int64_t *self_ns;             /* without callees, signed; NULL before tree_settle() */
    uint8_t *flags;               /* or of enum node_flags */
    uint64_t *hashes;             /* of the path to the node; NULL after tree_settle() */
    struct call_details *details; /* NULL when nothing in it was recorded */
    bool folds_recursion;         /* only where self times are added: see fold.h */
    struct intern steps;          /* then: pairs of caller and callee that are in the tree */
    size_t capacity;
    struct index index; /* of the calls */
};

/* Makes a tree of nothing but the root. */
void tree_init(struct tree *tree);
void tree_release(struct tree *tree);

/* Gives a new tree details, and with them whatever is added to it. */
void tree_keep_details(struct tree *tree);

/*
 * Returns the child of `parent` with this function and calling line, made if need be. In
 * a tree that folds recursion it may be a child of an ancestor instead: see fold.h.
 */
uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t function, int32_t line);

/* Adds the stacks of a batch. They may come in any order and more than once. */
void tree_add(struct tree *tree, const struct stacks *stacks);

/*
 * Derives self times and the totals of nodes without a time of their own. A node
 * that no line was read for gets the thread flags of its descendants. The root's
 * total is that of the whole profile, and is the sum of all self times. No more
 * children can be added afterwards.
 */
void tree_settle(struct tree *tree);

/*
 * The same for a tree whose nodes' total_ns are self times: those are kept, and the
 * totals are their sums.
 */
void tree_settle_self(struct tree *tree);

/* Sets the totals of a settled tree to the sums of its self times. */
void tree_sum_totals(struct tree *tree);

/*
 * Adds a settled tree to one that is not, and that has self times in total_ns: see
 * tree_settle_self(). What has no details adds none.
 */
void tree_add_tree(struct tree *to, const struct tree *from);

/*
 * Makes a settled tree in which nodes that differ only in calling lines are one:
 * a node is a path of functions. All lines are LINE_UNKNOWN.
 */
void tree_without_lines(struct tree *merged, const struct tree *tree);

/*
 * Keeps, of a settled tree, the nodes with `is_kept`, [node_count]. Another that leads
 * to one of them is left without calls and time of its own.
 */
void tree_keep(struct tree *tree, const uint8_t *is_kept);

/*
 * Keeps, of a settled tree, what was seen on a thread: `flags` is NODE_MAIN or
 * NODE_COROUTINE. Nodes seen on both stay, since their time is not told apart.
 */
void tree_keep_thread(struct tree *tree, uint8_t flags);

/*
 * The tree in depth-first order. `rank` gives the order of siblings: a node's
 * rank is that of its function, [function_count]; NULL leaves them in order of id.
 * Siblings of one rank are ordered by line, then id.
 */
struct tree_links {
    uint32_t *first_child;  /* [node_count], TREE_NONE for none */
    uint32_t *next_sibling; /* [node_count], TREE_NONE for none */
};

void tree_link(struct tree_links *links, const struct tree *tree, const uint32_t *rank);
void tree_links_release(struct tree_links *links);

/*
 * Steps through the tree below the root: returns the node after `node`, or
 * TREE_NONE after the last; begin with TREE_ROOT. leave() is called for each node
 * whose descendants have all been returned, before the next is.
 */
uint32_t tree_next(const struct tree *tree, const struct tree_links *links, uint32_t node,
                   void (*leave)(void *context, uint32_t node), void *context);

#endif
