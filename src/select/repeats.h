/*
 * repeats.h - logs of the same thing, kept apart: what each node of a tree has in each of them.
 *
 * Several logs are otherwise one profile. To tell a change from chance, one has to know by how much
 * logs of the same thing differ. So each log is read by itself, exactly as if it were the only
 * one; its functions are found in those before it (see diff.h), and one tree gets the nodes
 * of all. Of each log only what its nodes have of their own is kept, and its ticks:
 *
 *     tree          log 1   log 2   log 3
 *     A             5 ms    6 ms    5 ms
 *     A;B           1 ms    -       2 ms
 */
#ifndef SUPPROF_REPEATS_H
#define SUPPROF_REPEATS_H

#include "profile/profile.h"
#include "tree/tree.h"

#include <stddef.h>
#include <stdint.h>

/* What a node has of its own in a log. */
struct repeat_node {
    uint32_t node;
    uint64_t calls;
    int64_t self_ns;
    uint64_t errors, memory_kb;
};

struct repeat {
    struct repeat_node *nodes; /* [count], by node; those that the log has */
    size_t count;
    int64_t total_ns;
    uint64_t calls, errors;
    uint64_t damaged, missing_lines; /* of the log */
    struct tick_list ticks;
    double scale; /* times, calls, errors and memory are to be multiplied by this; 1 at first */
};

/* All zero is none. */
struct repeats {
    struct repeat *all; /* [count] */
    size_t count, capacity;
};

/* Takes what `tree` has, and the ticks of its profile, which loses them. */
void repeats_add(struct repeats *repeats, const struct tree *tree, struct profile *profile);

/* To be called when the nodes of the tree have become others: `nodes` is by the old ones. */
void repeats_move(struct repeats *repeats, const uint32_t *nodes);

/*
 * Makes a tree of the same nodes as `shape`, for the next two. It has the thread flags of
 * `shape`, and details if that has, but only errors and memory.
 */
void repeats_tree_init(struct tree *tree, const struct tree *shape);

/* Sets the calls and times of such a tree to those of a log. */
void repeats_fill(const struct repeats *repeats, size_t index, struct tree *tree);

/* Adds to the calls of such a tree the number of logs that have the node; times stay 0. */
void repeats_count(const struct repeats *repeats, struct tree *tree);

/*
 * Sets what a tree has, of any kind, to the means of all logs. A call in one of many logs is still
 * a call. Its details are sums of those of all logs at first; the calls that returned stay sums.
 */
void repeats_average(const struct repeats *repeats, struct tree *tree);

void repeats_release(struct repeats *repeats);

#endif
