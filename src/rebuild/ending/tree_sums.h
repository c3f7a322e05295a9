/*
 * tree_sums.h - the call tree of the chosen ticks of a recording, and what each of them added to
 * its nodes: sums of entries.
 */
#pragma once

#include "rebuild/ending/chosen_ticks.h"
#include "rebuild/ending/overhead.h"
#include "rebuild/ending/recorded.h"

/*
 * What each tick added to the nodes of a recording's tree, for pages in which a reader chooses
 * ticks. All zero is empty. The caller frees the arrays.
 */
struct tick_changes {
    struct tick_change {
        uint32_t node;
        int32_t calls, errors;
        int64_t self_ns, memory_kb;
    } * all; /* [count], tick by tick */
    size_t count, capacity;
    size_t *ends; /* [tick_count]: where the changes of each tick end */
    size_t tick_count, tick_capacity;
    struct longest_call {
        int64_t ns;    /* 0: none */
        uint32_t tick; /* 1 + its index */
    } * longest;       /* [node_count]: of the calls of each node */
    uint32_t node_count;
};

/* The caller sets all but `overhead`. */
struct tree_sums {
    struct tree *tree;            /* of the recording */
    const uint8_t *kinds;         /* [tree->node_count]: enum call_kind */
    struct tick_changes *changes; /* NULL: not wanted */
    struct overhead_sums overhead;
};

/*
 * Makes the counts of the tree the sums of the chosen ticks, and sets changes and `overhead`. Nodes
 * that have none in or below them are dropped. The recording learns which calls have returned.
 * Where all parts count alike, this reads the sums of nodes instead of entries (see entries.h).
 *
 * It may be done beside tick_sums_read() and tick_sums_end(): neither changes what the other reads.
 */
void tree_sums_make(struct tree_sums *sums, struct recorded *recorded,
                    const struct chosen_ticks *chosen);
