/*
 * entry_sums.h - sums of the entries of chosen ticks: the call tree, functions of ticks, slow ticks
 * against others, wakes, prices.
 */
#pragma once

#include "rebuild/ending/overhead.h"
#include "rebuild/ending/work_sums.h"
#include "rebuild/ticks/ticks.h"

/* The self time of each function in the slow ticks of all recordings, and in all other ticks. Time
 * outside of ticks is in neither. */
struct slow_sum {
    int64_t slow_ns, other_ns;
    int64_t removed_ns; /* the cost of recording that was subtracted, of all ticks */
};

/* All zero is empty. The caller frees `at`. */
struct slow_sums {
    struct slow_sum *at; /* [count] by function id; functions without time may be missing */
    size_t count;
    struct slow_sum all; /* of all functions, without `removed_ns` */
};

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

/* Which ticks of a recording count. */
struct chosen_ticks {
    uint8_t *is_chosen;  /* [tick count] */
    uint8_t threads;     /* NODE_MAIN, NODE_COROUTINE, or both */
    uint32_t *weights;   /* [tick count]: game ticks that each stands for; NULL: 1 each */
    struct tick **ticks; /* [tick count]: where the results of a chosen tick go; NULL: nowhere */
    int64_t limit_ns;    /* longer ticks are slow */
    bool keeps_all;      /* all functions of all ticks, not only of slow ones */
};

/* Where sums of all recordings go. */
struct entry_sums {
    struct slow_sums *slow; /* NULL, and `work`, too: not wanted */
    struct work_sums *work;
    struct tick_changes *changes;  /* NULL: not wanted */
    struct overhead_sums overhead; /* of the recording that was added last */
};

/*
 * Two walks over the entries of a recording add it: neither changes what the other one reads, so
 * they may be done side by side.
 *
 * In one, the recording learns which calls have returned, the counts of its tree become the sums of
 * the chosen ticks, and changes are those of each tick. Nodes that have none in or below them are
 * dropped. `kinds` has an enum call_kind for each node. Where all parts count alike, it reads the
 * sums of nodes instead of entries (see entries.h).
 */
void entry_sums_make_tree(struct entry_sums *sums, struct recorded *recorded,
                          const struct chosen_ticks *chosen, struct tree *tree,
                          const uint8_t *kinds);

/*
 * The other one:
 *
 *  - What the functions did in the chosen ticks is added to slow and other ticks, to calls of
 *    lines, and to prices, with which slow ticks are compared; and ticks with `function_count` of 1
 *    or more get their most expensive functions.
 *  - The time that the stacks of a root had in a tick is divided among its wakes there, in
 *    proportion to their times less the cost of their calls: that sets their `ns`. Wakes of
 *    ticks that are not chosen are dropped.
 *
 * All ticks are read at first, half of them by another thread if `has_thread`. To end it changes
 * nothing that entry_sums_make_tree() reads, either.
 */
struct other_sums *entry_sums_read_others(struct entry_sums *sums, const struct recorded *recorded,
                                          const struct chosen_ticks *chosen, struct wakes *wakes,
                                          bool has_thread);
void entry_sums_end_others(struct other_sums *others);
