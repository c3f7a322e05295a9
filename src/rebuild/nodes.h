/*
 * nodes.h - the call tree of one recording, while it is being rebuilt.
 *
 * Like struct tree it is arrays indexed by node, and a parent's id is smaller
 * than its children's. It differs in what it is made for: a step down or up for
 * every event, a hundred million in a second. So what an event touches is one
 * struct of 64 bytes, times are in the recording's own units, and which child is
 * called is guessed: most calls are followed by the call, or one of the two, that
 * followed them before.
 *
 * Three nodes are always there. NODES_UNATTRIBUTED is on top when no frame is running, so
 * that its self time is the unattributed time; the other two are parents of the roots.
 */
#ifndef SUPPROF_NODES_H
#define SUPPROF_NODES_H

#include "base/intern.h"
#include "base/mem.h"
#include "read/events.h"
#include "rebuild/calibration.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NODES_UNATTRIBUTED, NODES_MAIN, NODES_COROUTINE, NODES_FIRST };

struct node {
    int64_t self; /* units, and so are all times here */
    uint64_t calls;
    /* Of the calls that returned: how long they took, with their callees. */
    int64_t duration_sum, duration_min, duration_max;
    uint32_t min_calls, max_calls; /* calls made inside the shortest and the longest */
    uint32_t parent;
    uint32_t site;    /* of the log, with or without SITE_IS_OPEN */
    uint32_t next[2]; /* the nodes that were asked for behind it, the last one first */
};

/* What is needed less often. */
struct node_origin {
    uint64_t unfinished; /* of the calls: did not return */
    uint64_t memory_kb;
    uint32_t errors;
    uint32_t moved_to;         /* see nodes_move() */
    uint32_t next_of_function; /* another node of the same function, or 0 */
    bool is_listed;            /* in the list that its thread keeps for nodes_move() */
};

/* Bits of 64 nodes, which fit into the cache where the nodes do not. */
struct node_bits {
    uint64_t touched; /* in this tick */
    uint64_t watched; /* see nodes_is_watched() */
};

/*
 * A root that may turn out to be the callee of the root below it. Its calls are
 * counted in a node with one of these bits in its site, and moved when it is known
 * which it is. There are several, since two threads may have such roots of the same
 * functions. Sites have 24 bits, as they have in the log.
 */
#define SITE_IS_OPEN ((uint32_t)0xff << 24)
enum { SITE_OPEN_SHIFT = 24, SITE_OPEN_MAX = 0xff };

struct node_slot {
    uint32_t parent, site;
    uint32_t node; /* 0: nothing is here */
};

/* What a node had when the tick began, or when it was first touched in it. */
struct touched_node {
    uint32_t node;
    int64_t self;
    uint64_t calls;
};

/* All zero, then nodes_init(). */
struct nodes {
    struct node *at;             /* [count] */
    struct node_origin *origins; /* [count] */
    uint32_t count;
    size_t node_capacity, origin_capacity;
    /*
     * A hash table of the children. It is not struct index, since a slot that holds the
     * whole key saves a look at the node, which is in no cache.
     */
    struct node_slot *slots;      /* [slot_mask + 1], a power of two; at least half are free */
    size_t slot_mask, slot_count; /* slot_count are taken */
    uint32_t last;                /* node that was asked for last */

    /* By the ids of the log; what is not defined is all zero. */
    struct event_site *sites;         /* [site_capacity] */
    struct event_function *functions; /* [function_count] */
    uint32_t *nodes_of;               /* [function_count] the last node of each, or 0 */
    uint32_t function_count;
    size_t site_capacity, function_capacity, nodes_of_capacity;

    /* What nodes_keep() has kept; NULL at first. */
    struct node *kept;                /* [kept_count] */
    struct node_origin *kept_origins; /* [kept_count] */
    uint32_t kept_count;
    size_t kept_capacity, kept_origin_capacity;

    struct node_bits *bits; /* [count / 64, rounded up] */
    size_t bit_capacity;
    struct touched_node *touched; /* [touched_count] of this tick */
    size_t touched_count, touched_capacity;
};

void nodes_init(struct nodes *nodes);
void nodes_release(struct nodes *nodes);

void nodes_define_site(struct nodes *nodes, uint32_t site, struct event_site definition);
void nodes_define_function(struct nodes *nodes, uint32_t function,
                           struct event_function definition);

/* The function of a node other than the first three. */
static inline const struct event_function *nodes_function(const struct nodes *nodes, uint32_t node)
{
    uint32_t site = nodes->at[node].site & ~SITE_IS_OPEN;
    return &nodes->functions[nodes->sites[site].function];
}

static inline enum call_kind nodes_kind(const struct nodes *nodes, uint32_t node)
{
    return nodes_function(nodes, node)->is_lua ? CALL_OF_LUA : CALL_OF_C;
}

/* Returns the child of `parent` that is called from `site`, made if need be. */
uint32_t nodes_find_child(struct nodes *nodes, uint32_t parent, uint32_t site);

static inline uint32_t nodes_child(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    struct node *last = &nodes->at[nodes->last];
    uint32_t child = last->next[0];
    if (nodes->at[child].site != site || nodes->at[child].parent != parent) {
        child = last->next[1];
        if (nodes->at[child].site != site || nodes->at[child].parent != parent) {
            child = nodes_find_child(nodes, parent, site);
            last = &nodes->at[nodes->last];
        }
        last->next[1] = last->next[0];
        last->next[0] = child;
    }
    nodes->last = child;
    return child;
}

static inline bool nodes_is_touched(const struct nodes *nodes, uint32_t node)
{
    return nodes->bits[node / 64].touched >> node % 64 & 1;
}

/*
 * Whether a node has to be looked at whenever it is called: of the calibrating function, or
 * what it calls, or of a function that suspends its thread.
 */

static inline bool nodes_is_watched(const struct nodes *nodes, uint32_t node)
{
    return nodes->bits[node / 64].watched >> node % 64 & 1;
}

/* It has shown that the function of this node suspends its thread. */
void nodes_set_suspending(struct nodes *nodes, uint32_t node);

/* To be called before a node changes for the first time in a tick, or for any. */
static inline void nodes_touch(struct nodes *nodes, uint32_t node)
{
    struct node_bits *bits = &nodes->bits[node / 64];
    uint64_t bit = (uint64_t)1 << node % 64;
    if (nodes->touched_count == nodes->touched_capacity)
        nodes->touched = mem_grow(nodes->touched, &nodes->touched_capacity,
                                  nodes->touched_count + 1, sizeof *nodes->touched);
    /* No branch, for a processor guesses it wrong too often. */
    nodes->touched[nodes->touched_count] =
        (struct touched_node){node, nodes->at[node].self, nodes->at[node].calls};
    nodes->touched_count += !(bits->touched & bit);
    bits->touched |= bit;
}

static inline void node_add_duration(struct node *node, int64_t duration, uint32_t calls)
{
    node->duration_sum += duration;
    if (duration < node->duration_min) {
        node->duration_min = duration;
        node->min_calls = calls;
    }
    if (duration > node->duration_max) {
        node->duration_max = duration;
        node->max_calls = calls;
    }
}

/* Begins the next tick: nothing is touched. */
void nodes_begin_tick(struct nodes *nodes);

/* Forgets all that was counted, but not the nodes, nor what is kept. */
void nodes_reset(struct nodes *nodes);

/* Adds what is counted to what is kept of parts of the run. */
void nodes_keep(struct nodes *nodes);

/* Makes what is kept that which is counted: nothing, where none is. */
void nodes_take_kept(struct nodes *nodes);

/*
 * Moves what was counted in the nodes of `list`, [count], the first of which becomes
 * `target`, and the others what they are below it, without SITE_IS_OPEN. Parents stand
 * before children. The list is overwritten with the nodes that they became; none is listed.
 */
void nodes_move(struct nodes *nodes, uint32_t *list, size_t count, uint32_t target);

#endif
