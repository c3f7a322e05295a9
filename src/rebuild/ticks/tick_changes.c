#include "rebuild/ticks/tick_changes.h"

#include "base/mem.h"

static void add_change(struct tick_changes *changes, struct tick_change change)
{
    if (change.calls != 0 || change.errors != 0 || change.units != 0 || change.memory_kb != 0)
        MEM_APPEND(changes->all, changes->count, changes->capacity, change);
}

static void end_tick(struct tick_changes *changes)
{
    MEM_APPEND(changes->ends, changes->tick_count, changes->tick_capacity, changes->count);
}

static struct tick_change change_of(const struct tick_changes *changes, const struct nodes *nodes,
                                    const struct touched_node *touched)
{
    uint32_t number = touched->node;
    const struct node *node = &nodes->at[number];
    const struct node_origin *origin = nodes_known_origin(nodes, number);
    const struct tick_before *before = &changes->before[number];
    return (struct tick_change){
        .part = nodes_call_of(nodes, number),
        .calls = (int32_t)(node->calls - touched->before.calls),
        .errors = (int32_t)(origin->errors - before->errors),
        .units = node->self - touched->before.self,
        .memory_kb = (int64_t)(origin->memory_kb - before->memory_kb),
    };
}

void tick_changes_add(struct tick_changes *changes, const struct nodes *nodes)
{
    MEM_GROW(changes->before, changes->before_capacity, nodes->count);
    for (; changes->before_count < nodes->count; changes->before_count++)
        changes->before[changes->before_count] = (struct tick_before){0};
    for (size_t i = 0; i < nodes->touched_count; i++) {
        uint32_t node = nodes->touched[i].node;
        if (node < NODES_FIRST)
            continue;
        struct tick_change change = change_of(changes, nodes, &nodes->touched[i]);
        const struct node_origin *origin = nodes_known_origin(nodes, node);
        changes->before[node] = (struct tick_before){origin->errors, origin->memory_kb};
        add_change(changes, change);
    }
    end_tick(changes);
}

/* The changes of one node, as a list, and their sum. */
struct node_list {
    size_t first, last; /* indexes of changes, or NO_CHANGE */
    struct tick_change sum;
};

#define NO_CHANGE SIZE_MAX

/* Moves what nodes_move() has moved in all ticks before. */
struct mover {
    struct tick_changes moved; /* the result */
    struct node_list *lists;   /* [node count] */
    size_t *next;              /* [moved.count]: the next change of the same list */
    size_t next_count, next_capacity;
};

static void add_sum(struct tick_change *sum, const struct tick_change *change, int sign)
{
    sum->calls += sign * change->calls;
    sum->errors += sign * change->errors;
    sum->units += sign * change->units;
    sum->memory_kb += sign * change->memory_kb;
}

/* Adds a change to the result, and to the list of its node. */
static void put_change(struct mover *mover, struct tick_change change)
{
    size_t index = mover->moved.count;
    struct node_list *list = &mover->lists[change.part];
    add_change(&mover->moved, change);
    if (mover->moved.count == index)
        return;
    MEM_GROW(mover->next, mover->next_capacity, index + 1);
    mover->next[index] = NO_CHANGE;
    if (list->first == NO_CHANGE)
        list->first = index;
    else
        mover->next[list->last] = index;
    list->last = index;
    add_sum(&list->sum, &change, 1);
}

/*
 * A move in the present tick: the changes of the ticks before go with it. What the node and its
 * target had gained from them in this tick is put right.
 */
static void move_list(struct mover *mover, uint32_t from, uint32_t to)
{
    struct node_list *list = &mover->lists[from], *target = &mover->lists[to];
    struct tick_change moved = list->sum;
    if (list->first == NO_CHANGE || from == to)
        return;
    if (target->first == NO_CHANGE)
        target->first = list->first;
    else
        mover->next[target->last] = list->first;
    target->last = list->last;
    add_sum(&target->sum, &moved, 1);
    *list = (struct node_list){.first = NO_CHANGE, .last = NO_CHANGE};
    moved.part = from;
    put_change(mover, moved);
    struct tick_change lost = {.part = to};
    add_sum(&lost, &moved, -1);
    put_change(mover, lost);
}

static void apply_moves(struct tick_changes *changes, const struct nodes *nodes)
{
    struct mover mover = {.lists = mem_zeroed(nodes->count, sizeof *mover.lists)};
    for (uint32_t node = 0; node < nodes->count; node++)
        mover.lists[node].first = mover.lists[node].last = NO_CHANGE;
    for (size_t tick = 0, at = 0, move = 0; tick < changes->tick_count; tick++) {
        for (; move < nodes->move_count && nodes->moves[move].tick == tick; move++)
            move_list(&mover, nodes->moves[move].from, nodes->moves[move].to);
        for (; at < changes->ends[tick]; at++)
            put_change(&mover, changes->all[at]);
        end_tick(&mover.moved);
    }
    for (uint32_t node = 0; node < nodes->count; node++)
        for (size_t i = mover.lists[node].first; i != NO_CHANGE; i = mover.next[i])
            mover.moved.all[i].part = node;
    free(mover.lists);
    free(mover.next);
    tick_changes_release(changes);
    *changes = mover.moved;
}

/* Forgets what was before the first tick. */
static void drop_early(struct tick_changes *changes)
{
    size_t early = changes->tick_count > 0 ? changes->ends[0] : 0;
    if (changes->tick_count == 0)
        return;
    changes->count -= early;
    /* Without changes there is no array. */
    if (early > 0)
        memmove(changes->all, changes->all + early, changes->count * sizeof *changes->all);
    changes->tick_count--;
    for (size_t i = 0; i < changes->tick_count; i++)
        changes->ends[i] = changes->ends[i + 1] - early;
}

void tick_changes_finish(struct tick_changes *changes, const struct nodes *nodes,
                         const uint32_t *tree_nodes, double unit_ns)
{
    if (nodes->move_count > 0)
        apply_moves(changes, nodes);
    drop_early(changes);
    changes->unit_ns = unit_ns;
    changes->part_count = nodes->count;
    changes->parts = mem_zeroed(nodes->count, sizeof *changes->parts);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        changes->parts[node] = (struct tick_part){tree_nodes[node], nodes->at[node].self};
}

void tick_changes_release(struct tick_changes *changes)
{
    free(changes->all);
    free(changes->ends);
    free(changes->parts);
    free(changes->before);
    *changes = (struct tick_changes){0};
}
