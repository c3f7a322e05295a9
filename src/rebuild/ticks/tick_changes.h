/*
 * tick_changes.h - what each tick of a recording added to the nodes of its call tree, so that the
 * sums of any range of ticks can be made later. For pages in which a reader chooses ticks.
 *
 * Times are in units of the recording, before the recording overhead is subtracted: for a range of
 * ticks, the units of a node are added up and converted, and its share of the overhead of the whole
 * recording is found as overhead.h says.
 *
 * The calls of an open root (nodes.h) are moved when its caller is known, perhaps many ticks later:
 * each tick's part of them is moved.
 */
#pragma once

#include "rebuild/stacks/nodes.h"

struct tick_change {
    uint32_t part;
    int32_t calls, errors;
    int64_t units;
    int64_t memory_kb;
};

/* All zero is empty. */
struct tick_changes {
    struct tick_change *all; /* [count], tick by tick */
    size_t count, capacity;
    size_t *ends; /* [tick_count]: where the changes of each tick end */
    size_t tick_count, tick_capacity;
    double unit_ns;

    /* A node of the tree has one part for each node of the rebuild that it was made of. */
    struct tick_part {
        uint32_t node;         /* of the recording's tree; TREE_ROOT: of none */
        int64_t units;         /* of the whole recording */
        int64_t longest_units; /* of its calls that returned; 0: none took any */
        uint32_t longest_in;   /* 1 + the index of the tick in which that call ended; 0: of none */
    } * parts;                 /* [part_count] */
    size_t part_count;

    /* Private: errors, memory and the longest call before the tick, by node. */
    struct tick_before {
        uint32_t errors;
        uint32_t longest_in;
        uint64_t memory_kb;
        int64_t longest_units;
    } * before; /* [before_count] */
    size_t before_count, before_capacity;
    size_t known_moves; /* of nodes->moves */
};

/*
 * Adds the changes of the nodes that were touched in this tick. Call it before each
 * nodes_end_tick(). The first call is for the time before the first tick, which
 * tick_changes_finish() removes.
 */
void tick_changes_add(struct tick_changes *changes, const struct nodes *nodes);

/* Call it once, at the end of the recording. `tree_nodes` are those of nodes_to_tree(). */
void tick_changes_finish(struct tick_changes *changes, const struct nodes *nodes,
                         const uint32_t *tree_nodes, double unit_ns);

void tick_changes_release(struct tick_changes *changes);
