#include "rebuild/ticks/tick_changes.h"

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

/* The longest calls of nodes that nodes_move() has moved in this tick. */
static void move_longest(struct tick_changes *changes, const struct nodes *nodes)
{
    for (; changes->known_moves < nodes->move_count; changes->known_moves++) {
        const struct node_move *move = &nodes->moves[changes->known_moves];
        const struct tick_before *from = &changes->before[move->from];
        struct tick_before *to = &changes->before[move->to];
        if (from->longest_units > to->longest_units) {
            to->longest_units = from->longest_units;
            to->longest_in = from->longest_in;
        }
    }
}

static void find_longest(struct tick_before *before, const struct node *node, size_t tick)
{
    int64_t units = node->duration_max > 0 ? node->duration_max : 0;
    if (units == before->longest_units)
        return;
    before->longest_units = units;
    before->longest_in = units > 0 ? (uint32_t)tick : 0;
}

void tick_changes_add(struct tick_changes *changes, const struct nodes *nodes)
{
    MEM_GROW(changes->before, changes->before_capacity, nodes->count);
    for (; changes->before_count < nodes->count; changes->before_count++)
        changes->before[changes->before_count] = (struct tick_before){0};
    move_longest(changes, nodes);
    for (size_t i = 0; i < nodes->touched_count; i++) {
        uint32_t node = nodes->touched[i].node;
        if (node < NODES_FIRST)
            continue;
        struct tick_change change = change_of(changes, nodes, &nodes->touched[i]);
        const struct node_origin *origin = nodes_known_origin(nodes, node);
        struct tick_before *before = &changes->before[node];
        before->errors = origin->errors;
        before->memory_kb = origin->memory_kb;
        /* The first is the time before the first tick. */
        find_longest(before, &nodes->at[node], changes->tick_count);
        add_change(changes, change);
    }
    end_tick(changes);
}

static void add_sum(struct tick_change *sum, const struct tick_change *change, int sign)
{
    sum->calls += sign * change->calls;
    sum->errors += sign * change->errors;
    sum->units += sign * change->units;
    sum->memory_kb += sign * change->memory_kb;
}

/*
 * What the ticks before have counted in a node was moved to another one in the present tick: puts
 * right what both have lost and gained from that. `sums`, [node count], are of these ticks.
 */
static void put_move(struct tick_changes *changes, struct tick_change *sums,
                     const struct node_move *move)
{
    struct tick_change moved = sums[move->from], gained = {.part = move->to};
    if (move->from == move->to)
        return;
    add_sum(&sums[move->to], &moved, 1);
    sums[move->from] = (struct tick_change){0};
    moved.part = move->from;
    add_change(changes, moved);
    add_sum(&gained, &moved, -1);
    add_change(changes, gained);
}

/* Gives the changes before each of the first `move` moves to the node where they were moved. */
static void follow_moves(struct tick_changes *changes, const struct nodes *nodes, size_t move)
{
    uint32_t *target = mem_zeroed(nodes->count, sizeof *target);
    for (uint32_t node = 0; node < nodes->count; node++)
        target[node] = node;
    for (size_t tick = changes->tick_count, at = changes->count; tick-- > 0;) {
        for (size_t first = tick > 0 ? changes->ends[tick - 1] : 0; at > first; at--)
            changes->all[at - 1].part = target[changes->all[at - 1].part];
        for (; move > 0 && nodes->moves[move - 1].tick == tick; move--)
            target[nodes->moves[move - 1].from] = target[nodes->moves[move - 1].to];
    }
    free(target);
}

/* Does what nodes_move() has done, in all ticks before. */
static void apply_moves(struct tick_changes *changes, const struct nodes *nodes)
{
    struct tick_changes moved = {0};
    struct tick_change *sums = mem_zeroed(nodes->count, sizeof *sums);
    size_t move = 0;
    for (size_t tick = 0, at = 0; tick < changes->tick_count; tick++) {
        size_t first = moved.count;
        for (; move < nodes->move_count && nodes->moves[move].tick == tick; move++)
            put_move(&moved, sums, &nodes->moves[move]);
        for (; at < changes->ends[tick]; at++)
            add_change(&moved, changes->all[at]);
        for (size_t i = first; i < moved.count; i++)
            add_sum(&sums[moved.all[i].part], &moved.all[i], 1);
        end_tick(&moved);
    }
    free(sums);
    follow_moves(&moved, nodes, move);
    moved.before = changes->before;
    moved.before_count = changes->before_count;
    changes->before = NULL;
    tick_changes_release(changes);
    *changes = moved;
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
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        static const struct tick_before nothing;
        const struct tick_before *before =
            node < changes->before_count ? &changes->before[node] : &nothing;
        changes->parts[node] = (struct tick_part){.node = tree_nodes[node],
                                                  .units = nodes->at[node].self,
                                                  .longest_units = before->longest_units,
                                                  .longest_in = before->longest_in};
    }
}

void tick_changes_release(struct tick_changes *changes)
{
    MEM_FREE(changes->all, changes->ends, changes->parts, changes->before);
    *changes = (struct tick_changes){0};
}
