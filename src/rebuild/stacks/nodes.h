/*
 * nodes.h - the call tree of one recording, while it is being rebuilt.
 *
 * Like struct tree it is arrays indexed by node, and a parent's id is smaller than its children's.
 * But it is made for one step down or up for every event, tens of millions in a second. So an event
 * touches one struct of 64 bytes, times are in the recording's own units, and the called child is
 * guessed first: the last one at its place in a table that needs no hash, as sites of one caller
 * have numbers close to each other. What nearly every event needs is inline.
 *
 * Three nodes always exist. NODES_UNATTRIBUTED is the current node while no frame runs, so its self
 * time is the unattributed time. The other two are the parents of the roots.
 */
#pragma once

#include "base/hash_index.h"
#include "base/mem.h"
#include "read/events.h"
#include "rebuild/stacks/calibration.h"

enum { NODES_UNATTRIBUTED, NODES_MAIN, NODES_COROUTINE, NODES_FIRST };

/* Its counts are those of the present part only: see nodes_take_counts(). */
struct node {
    int64_t self; /* in units, as all times here; NODES_UNATTRIBUTED has the whole recording's */
    /*
     * Total times of the calls that returned.
     */
    uint64_t duration_sum;
    int64_t duration_min, duration_max; /* INT64_MAX and -1: no call returned */
    uint32_t calls, returned;
    uint32_t min_calls, max_calls; /* calls made inside the shortest and the longest */
    uint32_t parent;
    uint32_t site;             /* id in the log, with or without SITE_IS_OPEN and SITE_IS_WATCHED */
    uint32_t origin;           /* index of its struct node_origin; 0: of all zeros */
    uint32_t next_of_function; /* another node of the same function, or 0 */
};

/* The fields that are zero in nearly all nodes: only the others have this struct. */
struct node_origin {
    uint64_t memory_kb;    /* of the part, of NODES_UNATTRIBUTED of the whole recording */
    uint32_t errors;       /* of the part */
    uint32_t runs, begins; /* of a line, of the part: see line_runs.h */
    uint32_t moved_to;     /* see nodes_move() */
    bool is_listed;        /* in the list that its thread keeps for nodes_move() */
};

/* What a node did in all parts that have ended. */
struct node_past {
    int64_t units;
    uint64_t calls, runs;
};

/* Bits of 64 nodes. They fit into the cache, which the nodes do not. */
struct node_bits {
    uint64_t touched;  /* in this part */
    uint64_t has_past; /* see nodes_has_past() */
};

/*
 * A root that may turn out to be the callee of the root below it. Its calls are counted in a node
 * whose site has one of these bits, and are moved as soon as its caller is known. There are several
 * bits, since two threads may have such roots of the same function. Sites have 24 bits, as they
 * have in the log.
 */
#define SITE_IS_OPEN ((uint32_t)0x7f << 24)

enum { SITE_OPEN_SHIFT = 24, SITE_OPEN_MAX = 0x7e };

/* Set in a node once it is watched, see nodes_is_watched(): no guess finds it after that. */
#define SITE_IS_WATCHED ((uint32_t)1 << 31)

/*
 * While a function whose lines are recorded is at a line, its frame has a node of this line, below
 * the node of the call: with all of these bits, and the site that says which line it is. So time
 * and calls count where they are made, as everywhere, and a line has no calls. When the recording
 * has ended, the entries of a line become part of those of its call, and what lines had stays
 * known.
 *
 *     Update  {self 5, calls 1}             Update  {self 42, calls 1}
 *       line 12  {self 30, runs 4}            Find                          lines of Update:
 *         Find                         =>                                   12 {self 30, runs 4}
 *       line 13  {self 7, runs 3}                                           13 {self 7, runs 3}
 */
#define SITE_IS_LINE SITE_IS_OPEN

/* What a node did in a part of the recording, or in several. */
struct entry_counts {
    int64_t units; /* self */
    int64_t memory_kb;
    uint64_t calls, errors;
    uint64_t returned;     /* calls that returned; their durations follow */
    uint64_t duration_sum; /* with the calls inside */
    int64_t shortest, longest;
    uint32_t shortest_calls, longest_calls; /* calls inside */
    uint64_t runs, begins;                  /* of the node of a line: see line_runs.h */
};

/*
 * Adds counts to others; zero counts are entry_counts_none(). The sum does not depend on the order:
 * of calls that took as long, the longest is the one with the fewest calls inside, and the shortest
 * the one with the most: recording these costs time.
 */
static inline struct entry_counts entry_counts_none(void)
{
    return (struct entry_counts){.shortest = INT64_MAX, .longest = -1};
}

void entry_counts_add(struct entry_counts *to, const struct entry_counts *from);

struct nodes {
    struct node *at; /* [count], in `memory`; each begins at a line of the cache */
    char *memory;
    struct node_past *past;      /* [count] */
    struct node_origin *origins; /* [origin_count]; the first stays all zero */
    uint32_t count;
    size_t origin_count;
    size_t node_capacity, past_capacity, origin_capacity;
    struct index index; /* of the children, by their parents and sites */
    uint32_t *guesses;  /* [guess_mask + 1] nodes: see nodes_guess_child() */
    size_t guess_mask;

    /* By the ids of the log; entries that are not defined are all zero. */
    struct event_site *sites;         /* [site_capacity] */
    struct event_function *functions; /* [function_count] */
    uint32_t *nodes_of;               /* [function_count] the last node of each, or 0 */
    uint32_t function_count;
    uint8_t *site_kinds; /* [site_kind_capacity] enum call_kind of what each site calls */
    size_t site_capacity, site_kind_capacity, function_capacity, nodes_of_capacity;

    /* If parts need not be told apart: what each node did in all that have ended, see
       entries_keep_part(). */
    struct entry_counts *sums; /* [sum_count]; nodes that may be missing did nothing */
    uint32_t sum_count;
    size_t sum_capacity;

    uint32_t part; /* how many parts have ended */
    struct node_move {
        uint32_t part, from, to; /* what `from` had counted before that part belongs to `to` */
    } * moves;                   /* [move_count], in order */
    size_t move_count, move_capacity;

    struct node_bits *bits; /* [count / 64, rounded up] */
    size_t bit_capacity;
    uint32_t *touched; /* [touched_count] nodes of this part */
    size_t touched_count, touched_capacity;
    int64_t units; /* that passed in this part, also while no frame ran */
    bool has_lines;

    uint32_t *first_numbers; /* [numbered_count], by nodes_number_functions() */
    uint32_t numbered_count;
    size_t first_number_capacity;
    struct id_map numbers; /* 1 + that, by id of symbols.h */
};

/* Makes nodes without calls. */
void nodes_init(struct nodes *nodes);
void nodes_release(struct nodes *nodes);

/*
 * Ends the last tick, and numbers the functions. Frees what only finding children and counting
 * need: neither is possible after that.
 */
void nodes_end(struct nodes *nodes);

/* A function is defined before the sites that call it. Both are defined once. */
void nodes_define_site(struct nodes *nodes, uint32_t site, struct event_site definition);
void nodes_define_function(struct nodes *nodes, uint32_t function,
                           struct event_function definition);

/*
 * A recording may define a function of symbols.h several times. Finds the first number of each
 * function that is defined until now; nodes_end() calls it.
 *
 * When the recording has ended, first numbers are the ids in all that is known of its functions: a
 * log of many recordings has many functions, and arrays of all of them for each recording would
 * take time in proportion to the square of the log.
 */
void nodes_number_functions(struct nodes *nodes);

/* Returns the first number of a function of symbols.h; UINT32_MAX: the recording has it not. */
uint32_t nodes_find_function(const struct nodes *nodes, uint32_t id);

static inline uint32_t node_site(const struct node *node)
{
    return node->site & ~(SITE_IS_OPEN | SITE_IS_WATCHED);
}

/* The function of a node, and a number of it in the recording. The first three nodes have none. */
static inline uint32_t nodes_function_number(const struct nodes *nodes, uint32_t node)
{
    return nodes->sites[node_site(&nodes->at[node])].function;
}

static inline const struct event_function *nodes_function(const struct nodes *nodes, uint32_t node)
{
    return &nodes->functions[nodes_function_number(nodes, node)];
}

static inline enum call_kind function_kind(const struct event_function *function)
{
    return function->is_lua ? CALL_OF_LUA : function->is_iterator ? CALL_OF_ITERATOR : CALL_OF_C;
}

static inline enum call_kind nodes_kind(const struct nodes *nodes, uint32_t node)
{
    return nodes->site_kinds[node_site(&nodes->at[node])];
}

/*
 * The first node of the recorder in a stack that ends with a call of the calibrating function, or
 * of one that starts or stops it: the root of a thread that does little but call it, or the call.
 */
uint32_t nodes_recorder_top(const struct nodes *nodes, uint32_t node);

/* Returns the child of `parent` that is called from `site`; creates it if necessary. */
uint32_t nodes_child(struct nodes *nodes, uint32_t parent, uint32_t site);

static inline uint32_t nodes_hash(const struct nodes *nodes, uint32_t parent, uint32_t site)
{
    return (uint32_t)hash_number((uint64_t)parent << 32 | site, nodes->index.seed);
}

/* Returns the slot of a child in the index, or the free slot for it. `hash` is its nodes_hash(). */
static inline size_t nodes_find_slot(const struct nodes *nodes, uint32_t parent, uint32_t site,
                                     uint32_t hash)
{
    const struct index *index = &nodes->index;
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        const struct node *child = &nodes->at[index->slots[slot].id];
        if (index->slots[slot].hash == hash && (child->site & ~SITE_IS_WATCHED) == site &&
            child->parent == parent)
            break;
    }
    return slot;
}

/*
 * Returns the child of `parent` that is called from `site`, or NODES_UNATTRIBUTED if there is none.
 * At least one child must have been made before. `*is_watched` is set if it is watched, and left as
 * it is otherwise.
 */
static inline uint32_t nodes_guess_child(struct nodes *nodes, uint32_t parent, uint32_t site,
                                         bool *is_watched)
{
    uint32_t *guess = &nodes->guesses[(parent * 0x9e3779b1u + site) & nodes->guess_mask];
    const struct node *guessed = &nodes->at[*guess];
    /* One that is watched has another site. */
    if (guessed->site == site && guessed->parent == parent)
        return *guess;
    uint32_t hash = nodes_hash(nodes, parent, site);
    uint32_t child = nodes->index.slots[nodes_find_slot(nodes, parent, site, hash)].id;
    if (child == INDEX_FREE)
        return NODES_UNATTRIBUTED;
    *is_watched = (nodes->at[child].site & SITE_IS_WATCHED) != 0;
    *guess = child;
    return child;
}

static inline bool node_is_line(const struct node *node)
{
    return (node->site & SITE_IS_LINE) == SITE_IS_LINE;
}

/* The node of the call that a frame's node belongs to: another one if that is of a line. */
static inline uint32_t nodes_call_of(const struct nodes *nodes, uint32_t node)
{
    return node_is_line(&nodes->at[node]) ? nodes->at[node].parent : node;
}

/* The site that a frame was called from. */
static inline uint32_t nodes_called_from(const struct nodes *nodes, uint32_t node)
{
    return node_site(&nodes->at[nodes_call_of(nodes, node)]);
}

/* Returns the node of a line in the call of a frame's node. */
uint32_t nodes_line(struct nodes *nodes, uint32_t node, uint32_t site);

/* Counts that a line is run; `is_first`: it begins its call. */
void nodes_count_run(struct nodes *nodes, uint32_t node, bool is_first);

/* The number by which calibration.h knows what the calibrating function has called. */
static inline uint32_t nodes_calibrated(const struct nodes *nodes, uint32_t node)
{
    return nodes_function(nodes, node)->calibrates ? CALIBRATION_OF_ITSELF : node;
}

/*
 * Whether each call of a node needs a check: its function or its caller's is the calibrating one,
 * or its function suspends its thread.
 */
static inline bool nodes_is_watched(const struct nodes *nodes, uint32_t node)
{
    return (nodes->at[node].site & SITE_IS_WATCHED) != 0;
}

/* Records that the function of this node suspends its thread. */
void nodes_set_suspending(struct nodes *nodes, uint32_t node);

/*
 * Returns what a touched node has counted in this part, and sets it back to 0; it is not touched
 * after that.
 */
struct entry_counts nodes_take_counts(struct nodes *nodes, uint32_t node);

static inline bool nodes_is_touched(const struct nodes *nodes, uint32_t node)
{
    return nodes->bits[node / 64].touched >> node % 64 & 1;
}

/* Whether a node has an entry in a part that has ended; see nodes_move(), too. */
static inline bool nodes_has_past(const struct nodes *nodes, uint32_t node)
{
    return nodes->bits[node / 64].has_past >> node % 64 & 1;
}

/* Adds an entry to the sum of a node. */
static inline void nodes_add_past(struct nodes *nodes, uint32_t node, const struct node_past *sum)
{
    nodes->bits[node / 64].has_past |= (uint64_t)1 << node % 64;
    nodes->past[node].units += sum->units;
    nodes->past[node].calls += sum->calls;
    nodes->past[node].runs += sum->runs;
}

/* Adds what a node did in a part that gets no entries. */
void nodes_add_sum(struct nodes *nodes, uint32_t node, const struct entry_counts *counts);

/* Call it when a node counts in a part; further calls do nothing. */
static inline void nodes_touch(struct nodes *nodes, uint32_t node)
{
    struct node_bits *bits = &nodes->bits[node / 64];
    uint64_t bit = (uint64_t)1 << node % 64;
    MEM_GROW(nodes->touched, nodes->touched_capacity, nodes->touched_count + 1);
    /* No branch, because processors predict it wrongly too often. */
    nodes->touched[nodes->touched_count] = node;
    nodes->touched_count += !(bits->touched & bit);
    bits->touched |= bit;
}

/* A call returned after `duration`, in which its thread made so many other calls. */
static inline void node_add_duration(struct node *node, int64_t duration, uint32_t calls)
{
    node->returned++;
    node->duration_sum += (uint64_t)duration;
    if (duration < node->duration_min) {
        node->duration_min = duration;
        node->min_calls = calls;
    }
    if (duration > node->duration_max) {
        node->duration_max = duration;
        node->max_calls = calls;
    }
}

/* The rare fields of a node, to be read. */
static inline const struct node_origin *nodes_known_origin(const struct nodes *nodes, uint32_t node)
{
    return &nodes->origins[nodes->at[node].origin];
}

/*
 * The rare fields of a node, to be changed; valid until the next call. The functions below change
 * the counts in it.
 */
struct node_origin *nodes_origin(struct nodes *nodes, uint32_t node);

/* Count a call that an error ended, and growth of memory. */
void nodes_count_error(struct nodes *nodes, uint32_t node);
void nodes_count_memory(struct nodes *nodes, uint32_t node, uint64_t memory_kb);

/* Memory that was counted for one node in this tick belongs to another. */
void nodes_move_memory(struct nodes *nodes, uint32_t from, uint32_t to, uint64_t memory_kb);

/*
 * Moves the counts of the nodes in `list`, [count], those of earlier parts included. The first is
 * moved to `target`, the others to the nodes below `target` with the same sites, without
 * SITE_IS_OPEN. In the list, parents come before children. Each item is overwritten with its new
 * node; none of those is listed.
 */
void nodes_move(struct nodes *nodes, uint32_t *list, size_t count, uint32_t target);

/*
 * Where the entries of nodes go when the recording has ended. What a node counted before
 * nodes_move() belongs to another one, so its target depends on the part.
 */
struct node_target {
    uint32_t place; /* see recorded.h; 0: nowhere */
    uint32_t row;   /* 1 + the row of its line; 0: none */
};

/* All zero is empty. The caller frees the arrays. */
struct targets {
    struct node_target *first; /* [count], by node: in the first part */
    size_t count;
    struct target_change {
        uint32_t part, node; /* from that part on, the node has another target */
        struct node_target target;
    } * changes; /* [change_count], in the order of parts */
    size_t change_count;
};

/* Makes targets of 0 for nodes without moves: `first` is to be set. */
void targets_init(struct targets *targets, const struct nodes *nodes);

/* Call it when `first` has the targets that the nodes have in the end. */
void targets_move(struct targets *targets, const struct nodes *nodes);

/* Reads the targets of one part after the other. */
struct target_reader {
    const struct targets *targets;
    const struct node_target *of; /* [targets->count], in the part that was asked for last */
    struct node_target *changed;  /* the same, to be written; NULL: they never change */
    size_t next_change;
};

void target_reader_begin(struct target_reader *reader, const struct targets *targets);

/* Parts must be asked for in their order. */
void target_reader_go(struct target_reader *reader, size_t part);
void target_reader_end(struct target_reader *reader);
