/*
 * repeated_values.h - several logs of the same game: the values of each node of a tree in each
 * log.
 *
 * Without --repeated, several logs are added up to one profile. To tell a change from chance, one
 * must know how much logs of the same game differ. So each log is read separately, exactly as if
 * it were the only one; its functions are found in the others (see diff.h), and one tree gets the
 * nodes of all. For each log, only the own values of its nodes and its ticks are kept:
 *
 *     tree          log 1   log 2   log 3
 *     A             5 ms    6 ms    5 ms
 *     A;B           1 ms    -       2 ms
 */
#pragma once

#include "profile/profile.h"
#include "tree/tree.h"

/* The values of a node in a log, without those of its children. */
struct log_node {
    uint32_t node;
    uint64_t calls;
    int64_t self_ns;
};

struct log_node_details {
    uint64_t errors, memory_kb;
};

/* What a watch of a log says of its ticks; times are nanoseconds. */
enum watch_total {
    WATCH_TICKS,
    WATCH_SLOW_TICKS,
    WATCH_THREADS_TICK, /* what threads took in a tick, the mean */
    WATCH_TICK_MEDIAN,
    WATCH_TICK_95, /* percentiles */
    WATCH_TICK_99,
    WATCH_TICK_LONGEST,
    WATCH_TOTAL_COUNT
};

struct log_watch {
    bool is_there;
    double totals[WATCH_TOTAL_COUNT];
    struct log_thread {
        uint32_t function; /* that threads began with */
        double tick_ns;    /* what they took in a tick, the mean */
    } * threads;           /* [thread_count] */
    size_t thread_count;
};

struct log_values {
    struct log_node *nodes;           /* [count]: only nodes that the log has */
    struct log_node_details *details; /* [count]: of recordings; else NULL */
    size_t count;
    int64_t total_ns;
    uint64_t calls, errors;
    uint64_t damaged, missing_lines; /* of the log */
    double untimed_bias;             /* the largest of its recordings: see call_costs */
    struct tick_list ticks;
    struct log_watch watch;
    double scale; /* factor for times, calls, errors and memory; 1 at first */
};

/* All zero is an empty list. */
struct repeated_values {
    struct log_values *logs; /* [count] */
    size_t count, capacity;
};

/* Copies the values of `tree`, and takes the ticks of its profile, which loses them. */
void repeated_values_add(struct repeated_values *repeated, const struct tree *tree,
                         struct profile *profile);

/* Call this after ids have changed: of nodes, and of functions, `nodes` and `functions` have the
 * new ones; NULL: functions have kept theirs. */
void repeated_values_move(struct repeated_values *repeated, const uint32_t *nodes,
                          const uint32_t *functions);

/* Adds the logs of `from`, which then has none. */
void repeated_values_append(struct repeated_values *repeated, struct repeated_values *from);

/*
 * The trees of single logs: in each are the nodes that the log has and those above them, with the
 * values of the log. The time for one is in proportion to its nodes.
 */
struct log_trees {
    struct tree tree; /* of the log that was asked for last; flags are those of `shape` */
    uint32_t *nodes;  /* [tree.node_count]: their ids in `shape` */

    /* Private. */
    size_t capacity; /* of the ids */
    const struct tree *shape;
    uint32_t *places;           /* [shape->node_count]: ids in the tree, or 0 */
    struct scaled_rests *rests; /* [functions of the shape] */
};

/* `shape` has the nodes of all logs, and is needed until the trees are released. */
void log_trees_init(struct log_trees *trees, const struct tree *shape);
void log_trees_make(struct log_trees *trees, const struct log_values *log);
void log_trees_release(struct log_trees *trees);

/*
 * What the nodes of a tree have in all logs together. Counts are doubles because they may be
 * scaled.
 */
struct repeated_sums {
    struct node_sum {
        double count, amount;
    } * values,          /* [node_count]: calls and self times */
        *details;        /* [node_count]: errors and memory; NULL without has_details */
    uint32_t node_count; /* of the tree; what it gets later, no log has */
    bool has_details;
    size_t log_count;
};

/* Of the nodes that a tree has now. */
struct repeated_sums repeated_sums_of(const struct tree *tree);
/* Makes the sums; needs the tree no more. */
void repeated_sums_make(struct repeated_sums *sums, const struct repeated_values *repeated);
void repeated_sums_release(struct repeated_sums *sums);

/*
 * Sets all values of a tree to the means of all logs. Calls are never rounded to 0. The details
 * must be the sums over all logs before; those of the calls that returned stay sums.
 */
void repeated_tree_average(const struct repeated_sums *sums, struct tree *tree);

void repeated_values_release(struct repeated_values *repeated);
