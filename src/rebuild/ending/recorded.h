/*
 * recorded.h - a recording that has ended: what each tick did on each call stack, in nanoseconds,
 * with the recorder's cost taken out once.
 *
 * How much of a node is left in the whole recording is found as overhead.h says, and does not
 * depend on ticks. It is divided among the entries of the node: each keeps
 *
 *     max(0, time - factor * cost)
 *
 * where the cost is that of the events in this tick, and the factor, 1 or more and one for each
 * node (less only where a node keeps more than its time without the cost), makes the kept times add
 * up to what is left (two steps of Newton, the rest in proportion). Rounding goes to the next
 * entry, so the entries of a node add up to it to the nanosecond, and none is below 0. All of it is
 * done with doubles, and costs as floats, in one order, halves of the ticks by themselves: the
 * result is the same everywhere.
 *
 * Entries stay as they were counted. Several of a tick can be of the same place: of a call and its
 * lines, or of parts of the tick. Who reads a tick gets their times and calls added up.
 */
#pragma once

#include "base/number.h"
#include "rebuild/stacks/durations.h"
#include "rebuild/stacks/entries.h"
#include "tree/tree.h"

/* A node of the tree on the main thread, or on coroutines. Parents come first. */
struct place {
    uint32_t parent;
    uint32_t node;     /* of the recording's tree */
    uint32_t function; /* its first number in the recording: see nodes.h */
    uint32_t root;     /* function of the first place of its stack */
    int32_t line;      /* from which the parent calls it: see tree/stacks.h */
    float scale;       /* see reference.h; 1 without one */
    float inside_ns;   /* mean cost of a call inside its calls, in the whole recording */
    uint32_t returned; /* calls, at most UINT32_MAX; by tree_sums_make() */
    uint8_t kind;      /* enum call_kind */
    bool is_coroutine;
    bool has_entries;
};

/* `threads`: NODE_MAIN, NODE_COROUTINE, or both. */
static inline bool place_is_of_thread(const struct place *place, uint8_t threads)
{
    return (threads & (place->is_coroutine ? NODE_COROUTINE : NODE_MAIN)) != 0;
}

/* A call of it begins a thread, which is a wake. */
static inline bool place_begins_thread(const struct place *place)
{
    return place->parent == 0 && place->is_coroutine;
}

/* What is left of a node, and how its entries share it. */
struct divided_node {
    double factor, room; /* room: the sum over its entries of max(0, time - factor * cost) */
    int64_t left_ns;
};

struct recorded_tick {
    int64_t number;      /* of the game; -1: outside of ticks */
    int64_t time_ns;     /* the sum of its entries */
    int64_t measured_ns; /* with the recorder's cost */
    double cost_ns;      /* of recording its events, but for the recorder's own */
    uint64_t calls;
    uint32_t weight;     /* game ticks that it stands for: see entries.h */
    uint32_t kept_count; /* of its times in `kept` */
};

/* A line of a node's function; line 0: at no known line. See line_runs.h. */
struct recorded_line {
    uint32_t node;
    int32_t line;
    bool is_coroutine;
};

/* The durations of a function's calls: see durations.h. */
struct recorded_function {
    uint64_t returned;        /* by tree_sums_make() */
    int64_t duration_sum;     /* of those, in units */
    double own_ns, inside_ns; /* mean costs of a call, and of a call inside it */
};

/* A thread takes longer to start than to read so many, or than to divide them in four steps. */
enum { RECORDED_FEW_ENTRIES = 1 << 14, RECORDED_UNDIVIDED_ENTRIES = 1 << 17 };

/* All zero is empty. */
struct recorded {
    struct place *places; /* [place_count]; the first is the root of all */
    uint32_t place_count;
    uint32_t *node_of;          /* [place_count]: places[].node, close together */
    struct divided_node *nodes; /* [node_count] of the recording's tree; NULL: dropped */
    uint32_t node_count;
    struct entries entries; /* of the nodes of nodes.h */
    struct targets targets;
    struct entry_counts *sums; /* [sum_count] by the nodes of nodes.h: see entries.h */
    uint32_t sum_count;
    /* The self times that entries keep, tick by tick, and before each the step from the entry of
       the tick that has the last one; of the first, from before all. Entries between keep nothing.
     */
    struct byte_blocks kept[2]; /* of the ticks before half_tick, and of the others */
    size_t half_tick;
    struct recorded_tick *ticks; /* [tick_count] */
    uint32_t *tick_of_part;      /* [entries.part_count] */
    size_t tick_count, tick_capacity;
    struct recorded_line *line_rows; /* [line_row_count] */
    size_t line_row_count, line_row_capacity;
    /* Functions are known by their first numbers until sums are added to those of others. */
    uint32_t *function_ids; /* [function_count]: of symbols.h */
    double *root_costs_ns;  /* [function_count]: see recorded_find_root_costs(); NULL before */
    struct recorded_function *functions; /* [function_count] */
    uint32_t function_count;
    bool has_scales;
    /* Private, [node_count] or NULL: where factors begin, see overhead.h, and what is left of each
       node before it is scaled. */
    float *first_factors;
    int64_t *unscaled_ns;
    struct durations durations; /* with the recorder's cost */
    double unit_ns;
    struct call_costs costs;
};

/*
 * Begins it with the parts of a recording that has ended: takes `entries` and `durations`. Their
 * times are in units, and recording its calls has cost so much.
 */
void recorded_begin(struct recorded *recorded, struct entries *entries, struct durations *durations,
                    double unit_ns, const struct call_costs *costs);

/*
 * Makes its places, and notes where the entries of each node go: the nodes are not needed any more
 * after that. `tree` is that of the whole recording; `tree_nodes`, [nodes->count], are those of
 * nodes_to_tree(); `flags`, [nodes->count], have the thread of each node, and which are the
 * recorder's; `kinds` has an enum call_kind for each node of the tree.
 */
void recorded_make_places(struct recorded *recorded, const struct nodes *nodes,
                          const struct tree *tree, const uint32_t *tree_nodes, const uint8_t *flags,
                          const uint8_t *kinds);

/* Takes over the sums of nodes. */
void recorded_take_sums(struct recorded *recorded, struct nodes *nodes);

/* Once it has its places. Of several numbers of a function, the first gets the durations of all,
 * and long calls get their places, ticks, and the calls around them. */
void recorded_join_durations(struct recorded *recorded, const struct nodes *nodes);

/*
 * Finds what a call has cost on the average below each root function of the same tree, for sums of
 * wakes. `measured_ns`, [tree->node_count], are the self times with the recorder's cost.
 */
void recorded_find_root_costs(struct recorded *recorded, const struct tree *tree,
                              const int64_t *measured_ns);

/*
 * Completes it: divides what is left of each node of the same tree among its entries. `has_thread`:
 * another thread may do half of it.
 */
void recorded_divide(struct recorded *recorded, const struct tree *tree, bool has_thread);

/*
 * For a tree that was scaled, before recorded_divide(): sets the scale of each node, [node_count].
 * Takes over where factors begin, and what was left of each node before.
 */
void recorded_scale(struct recorded *recorded, const float *scales, float *first_factors,
                    int64_t *unscaled_ns);

/* Gives the functions of symbols.h other ids: `functions` has them by the old ones. */
void recorded_move_functions(struct recorded *recorded, const uint32_t *functions);

/* Returns one more than the largest id of symbols.h that its functions have. */
uint32_t recorded_count_ids(const struct recorded *recorded);

void recorded_release(struct recorded *recorded);

/*
 * The duration of a call of a place that took `units`, in which so many calls were made, with the
 * recorder's cost taken out. It can have begun in another tick.
 */
static inline int64_t recorded_duration_ns(const struct recorded *recorded, uint32_t at,
                                           int64_t units, uint32_t calls)
{
    const struct place *place = &recorded->places[at];
    double cost_ns = recorded->costs.in_ns[place->kind] + (double)place->inside_ns * calls;
    double ns = ((double)units * recorded->unit_ns - cost_ns) * place->scale;
    return ns > 0 ? number_nearest(ns) : 0;
}
