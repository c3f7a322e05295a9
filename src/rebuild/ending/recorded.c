#include "rebuild/ending/recorded.h"

#include "base/crew.h"

/* Places ------------------------------------------------------------------------------------- */

/* The places of a node of the tree on the main thread and on coroutines; 0: none. */
struct node_places {
    uint32_t on[2];
};

/* Numbers the places depth first, in the order of the nodes; sets all but costs. */
static struct node_places *make_places(struct recorded *recorded, const struct tree *tree,
                                       const uint8_t *threads, const uint8_t *kinds)
{
    struct node_places *places = mem_zeroed(tree->node_count, sizeof *places);
    SCOPED_ARRAY struct node_places *sizes = mem_zeroed(tree->node_count, sizeof *sizes);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
        for (int i = 0; i < 2; i++) {
            sizes[node].on[i] += threads[node] >> i & 1;
            sizes[tree->calls[node].parent].on[i] += sizes[node].on[i];
        }
    recorded->place_count = 1 + sizes[TREE_ROOT].on[0] + sizes[TREE_ROOT].on[1];
    recorded->places = mem_zeroed(recorded->place_count, sizeof *recorded->places);
    /* `next` is where the next child of a node begins. */
    SCOPED_ARRAY struct node_places *next = mem_zeroed(tree->node_count, sizeof *next);
    next[TREE_ROOT] = (struct node_places){{1, 1 + sizes[TREE_ROOT].on[0]}};
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        for (int i = 0; i < 2; i++) {
            const struct call *call = &tree->calls[node];
            uint32_t place = next[call->parent].on[i], parent = places[call->parent].on[i];
            if ((threads[node] >> i & 1) == 0)
                continue;
            next[call->parent].on[i] += sizes[node].on[i];
            next[node].on[i] = place + 1;
            places[node].on[i] = place;
            recorded->places[place] = (struct place){
                .parent = parent,
                .node = node,
                .function = call->function,
                .root = parent == 0 ? call->function : recorded->places[parent].root,
                .line = call->line,
                .kind = kinds[node],
                .scale = 1,
                .is_coroutine = i == 1,
            };
        }
    return places;
}

/* The mean costs in the calls of each function; `cost_ns` and `calls`, [node_count], are sums of
 * what is inside. */
static void find_function_costs(struct recorded *recorded, const struct tree *tree,
                                const double *cost_ns, const double *calls)
{
    SCOPED_ARRAY double *sums = mem_zeroed(recorded->function_count, sizeof *sums);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        recorded->functions[tree->calls[node].function].inside_ns += cost_ns[node];
        sums[tree->calls[node].function] += calls[node];
    }
    for (uint32_t i = 0; i < recorded->function_count; i++)
        recorded->functions[i].inside_ns /= sums[i] > 0 ? sums[i] : 1;
    for (uint32_t place = 1; place < recorded->place_count; place++)
        recorded->functions[recorded->places[place].function].own_ns =
            recorded->costs.in_ns[recorded->places[place].kind];
}

/* The mean costs of calls inside, as overhead.h subtracts them from durations. */
static void find_inside(struct recorded *recorded, const struct tree *tree)
{
    SCOPED_ARRAY double *cost_ns = mem_zeroed(tree->node_count, sizeof *cost_ns);
    SCOPED_ARRAY double *calls = mem_zeroed(tree->node_count, sizeof *calls);
    SCOPED_ARRAY float *means = mem_zeroed(tree->node_count, sizeof *means);
    SCOPED_ARRAY uint8_t *kind_of = mem_zeroed(tree->node_count, 1);
    for (uint32_t place = 1; place < recorded->place_count; place++)
        kind_of[recorded->places[place].node] = recorded->places[place].kind;
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        uint32_t parent = tree->calls[node].parent;
        double own = (double)tree->call_counts[node];
        double one_ns =
            recorded->costs.in_ns[kind_of[node]] + recorded->costs.out_ns[kind_of[node]];
        means[node] = calls[node] > 0 ? (float)(cost_ns[node] / calls[node]) : 0;
        cost_ns[parent] += cost_ns[node] + own * one_ns;
        calls[parent] += calls[node] + own;
    }
    for (uint32_t place = 1; place < recorded->place_count; place++)
        recorded->places[place].inside_ns = means[recorded->places[place].node];
    find_function_costs(recorded, tree, cost_ns, calls);
}

/* Entries by places -------------------------------------------------------------------------- */

/* Finds the places of the long calls. */
static void find_long_calls(struct recorded *recorded)
{
    struct target_reader reader;
    target_reader_begin(&reader, &recorded->targets);
    for (size_t i = 0; i < recorded->durations.long_count; i++) {
        struct long_call *call = &recorded->durations.long_calls[i];
        target_reader_go(&reader, call->part);
        call->place = reader.of[call->node].place;
        call->tick_at = recorded->tick_of_part[call->part];
    }
    target_reader_end(&reader);
}

/* Finds the long calls around others: on the same thread, these return later and began before. */
static void find_outer(struct recorded *recorded)
{
    size_t count = recorded->durations.long_count, thread_count = 0;
    struct long_call *calls = recorded->durations.long_calls;
    SCOPED_ARRAY uint32_t *before = mem_zeroed(count, sizeof *before), *last = NULL;
    for (size_t i = 0; i < count; i++) {
        struct long_call *call = &calls[i];
        uint32_t thread = call->thread;
        MEM_GROW_ZEROED(last, thread_count, (size_t)thread + 1);
        call->outer = 0;
        /* 1 + a call that may have one around it; `before` links it to an earlier one. */
        uint32_t open = last[thread];
        for (; open != 0 && calls[open - 1].start >= call->start; open = before[open - 1])
            calls[open - 1].outer = (uint32_t)i + 1;
        before[i] = open;
        last[thread] = (uint32_t)i + 1;
    }
}

static void find_ticks(struct recorded *recorded)
{
    const struct entries *entries = &recorded->entries;
    recorded->tick_of_part = mem_zeroed(entries->part_count, sizeof *recorded->tick_of_part);
    for (size_t i = 0; i < entries->part_count; i++) {
        const struct entry_part *part = &entries->parts[i];
        struct recorded_tick tick = {.number = part->number, .weight = part->weight};
        bool goes_on = i > 0 && part->number == part[-1].number && part->serial == part[-1].serial;
        if (!goes_on)
            MEM_APPEND(recorded->ticks, recorded->tick_count, recorded->tick_capacity, tick);
        recorded->tick_of_part[i] = (uint32_t)(recorded->tick_count - 1);
    }
}

static uint32_t add_row(struct recorded *recorded, uint32_t node, int32_t line, bool is_coroutine)
{
    struct recorded_line row = {node, line, is_coroutine};
    MEM_APPEND(recorded->line_rows, recorded->line_row_count, recorded->line_row_capacity, row);
    return (uint32_t)recorded->line_row_count;
}

/* Rows for the nodes of lines, and for the calls of such nodes. */
static void make_line_rows(struct recorded *recorded, const struct nodes *nodes,
                           const uint32_t *tree_nodes, const uint8_t *flags)
{
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        uint32_t call = nodes_call_of(nodes, node), tree_node = tree_nodes[call];
        bool is_coroutine = (flags[call] & NODE_COROUTINE) != 0;
        if (call == node)
            continue;
        if (recorded->targets.first[call].row == 0)
            recorded->targets.first[call].row = add_row(recorded, tree_node, 0, is_coroutine);
        int32_t line = nodes->sites[node_site(&nodes->at[node])].line;
        recorded->targets.first[node].row = add_row(recorded, tree_node, line, is_coroutine);
    }
}

/* What entries keep --------------------------------------------------------------------------- */

/*
 * An item is the time of a place in a tick. One walk reads the costs of all entries, and makes an
 * item of those that may keep time, about half. What follows reads only the items. The last walk
 * writes what they keep, and frees them: of a recording of many ticks they are the largest list.
 */
enum { ITEM_BLOCK = 256, STEP_MAX = UINT8_MAX };

struct item_block {
    float costs_ns[ITEM_BLOCK];
    uint32_t units[ITEM_BLOCK]; /* UNITS_ARE_LARGE: the next ones of items.large */
    uint32_t nodes[ITEM_BLOCK]; /* of the tree */
    uint8_t steps[ITEM_BLOCK];  /* from the entry of the item before it, as in recorded.kept */
};
#define UNITS_ARE_LARGE UINT32_MAX

struct items {
    struct item_block **blocks; /* [block_count] */
    size_t block_count, block_capacity;
    size_t count;   /* in all blocks, of which only the last is not full */
    int64_t *large; /* [large_count]: units that need more than 4 bytes, as four seconds do */
    size_t large_count, large_capacity;
};

static inline int64_t units_of(const struct items *items, const struct item_block *block, size_t at,
                               size_t *next_large)
{
    return block->units[at] != UNITS_ARE_LARGE ? block->units[at] : items->large[(*next_large)++];
}

static inline double room_of(double measured_ns, double cost_ns, double factor)
{
    double room = measured_ns - factor * cost_ns;
    return room > 0 ? room : 0;
}

static void put_item(struct items *items, size_t step, uint32_t node, int64_t units, float cost_ns)
{
    size_t at = items->count++ % ITEM_BLOCK;
    if (at == 0) {
        struct item_block *added = mem_zeroed(1, sizeof *added);
        MEM_APPEND(items->blocks, items->block_count, items->block_capacity, added);
    }
    struct item_block *block = items->blocks[items->block_count - 1];
    block->units[at] = (uint32_t)units;
    if (units < 0 || units >= UNITS_ARE_LARGE) {
        block->units[at] = UNITS_ARE_LARGE;
        MEM_APPEND(items->large, items->large_count, items->large_capacity, units);
    }
    block->steps[at] = (uint8_t)step;
    block->nodes[at] = node;
    block->costs_ns[at] = cost_ns;
}

/* What the items of a node add up to. */
struct item_sum {
    double room;     /* see divided_node */
    double costs_ns; /* of the items that have some */
};

/*
 * A half of the ticks. Both are divided side by side, or one after the other: their sums are added
 * to each other in either case.
 */
struct half {
    struct recorded *recorded;
    struct byte_blocks *kept; /* what its items keep */
    size_t from_tick, to_tick, from_part, to_part;
    struct items items;
    struct item_sum *sums; /* [node_count] */
    bool *has_item;        /* [node_count] */
    /* What the items of a node have until now, of the half before, too. */
    struct shared_node {
        double room;
        int64_t given_ns;
    } * shared; /* [node_count] */
};

/* The tick that is read for its costs. */
struct cost_walk {
    struct half *half;
    struct target_reader targets;
    struct place_cost {
        double cost_ns;
        int64_t units;
        bool is_found;
    } * at;          /* [place_count]: all zero between ticks */
    uint32_t *found; /* [count]: places */
    size_t count, capacity;
};

/* Counts are below 2^63, and a number with a sign becomes a double in fewer steps. */
static inline double double_of(uint64_t count)
{
    return (double)(int64_t)count;
}

static void find_costs(struct cost_walk *walk, size_t part)
{
    struct recorded *recorded = walk->half->recorded;
    const struct call_costs *costs = &recorded->costs;
    struct entry_reader reader = entries_read_part(&recorded->entries, part);
    struct place_cost *all = walk->at;
    uint32_t entry_count = recorded->entries.parts[part].count;
    uint64_t calls = 0;
    size_t count = walk->count;
    target_reader_go(&walk->targets, part);
    MEM_GROW(walk->found, walk->capacity, count + entry_count);
    for (uint32_t i = 0; i < entry_count; i++) {
        struct entry_head head = entry_next_head(&reader);
        uint32_t number = walk->targets.of[head.node].place;
        const struct place *place = &recorded->places[number];
        struct place_cost *at = &all[number];
        if (number == 0)
            continue;
        walk->found[count] = number;
        count += !at->is_found;
        at->is_found = true;
        at->units += head.units;
        calls += head.calls;
        at->cost_ns += double_of(head.calls) * costs->in_ns[place->kind];
        /* An event of a line costs what any event does. */
        if (head.runs > 0)
            at->cost_ns += double_of(head.runs) * costs->in_ns[CALL_OF_C];
        all[place->parent].cost_ns += double_of(head.calls) * costs->out_ns[place->kind];
    }
    walk->count = count;
    recorded->ticks[recorded->tick_of_part[part]].calls += calls;
}

/* Adds items of what may keep time, and the room at the factor of 1, as sum_rooms() does. */
static void add_items(struct cost_walk *walk, struct recorded_tick *tick)
{
    struct half *half = walk->half;
    const struct recorded *recorded = half->recorded;
    struct items *items = &half->items;
    size_t items_before = items->count, last = 0;
    int64_t units = 0;
    for (size_t i = 0; i < walk->count; i++) {
        uint32_t place = walk->found[i], number = recorded->node_of[place];
        struct place_cost *at = &walk->at[place],
                          *parent = &walk->at[recorded->places[place].parent];
        double measured_ns = (double)at->units * recorded->unit_ns;
        double room = room_of(measured_ns, at->cost_ns, 1);
        units += at->units;
        tick->cost_ns += at->cost_ns;
        half->sums[number].room += room;
        half->sums[number].costs_ns += room > 0 ? at->cost_ns : 0;
        /* What is left of a node without room goes to its first entry. */
        if (room > 0 || !half->has_item[number]) {
            put_item(items, i + 1 - last, number, at->units, (float)at->cost_ns);
            last = i + 1;
        } else if (i + 1 - last == STEP_MAX) {
            put_item(items, STEP_MAX, number, 0, 0);
            last = i + 1;
        }
        half->has_item[number] = true;
        /* A caller without an entry had no time that its cost could be taken from. */
        *at = (struct place_cost){0};
        parent->cost_ns = parent->is_found ? parent->cost_ns : 0;
    }
    tick->kept_count = (uint32_t)(items->count - items_before);
    tick->measured_ns = number_nearest((double)units * recorded->unit_ns);
}

static void find_items(void *context)
{
    struct half *half = context;
    struct recorded *recorded = half->recorded;
    struct cost_walk walk = {.half = half,
                             .at = mem_zeroed(recorded->place_count, sizeof *walk.at)};
    half->sums = mem_zeroed(recorded->node_count, sizeof *half->sums);
    half->has_item = mem_zeroed(recorded->node_count, sizeof *half->has_item);
    target_reader_begin(&walk.targets, &recorded->targets);
    size_t part = half->from_part;
    for (size_t tick = half->from_tick; tick < half->to_tick; tick++) {
        walk.count = 0;
        for (; part < half->to_part && recorded->tick_of_part[part] == tick; part++)
            find_costs(&walk, part);
        add_items(&walk, &recorded->ticks[tick]);
    }
    target_reader_end(&walk.targets);
    MEM_FREE(walk.at, walk.found);
}

/* Sums up the items at the factors of their nodes. */
static void sum_rooms(void *context)
{
    struct half *half = context;
    const struct recorded *recorded = half->recorded;
    const struct divided_node *nodes = recorded->nodes;
    const struct items *items = &half->items;
    size_t large = 0;
    memset(half->sums, 0, recorded->node_count * sizeof *half->sums);
    for (size_t begin = 0; begin < items->count; begin += ITEM_BLOCK) {
        const struct item_block *block = items->blocks[begin / ITEM_BLOCK];
        for (size_t at = 0; at < ITEM_BLOCK && begin + at < items->count; at++) {
            uint32_t node = block->nodes[at];
            double cost_ns = (double)block->costs_ns[at];
            double measured_ns = (double)units_of(items, block, at, &large) * recorded->unit_ns;
            double room = room_of(measured_ns, cost_ns, nodes[node].factor);
            half->sums[node].room += room;
            half->sums[node].costs_ns += room > 0 ? cost_ns : 0;
        }
    }
}

/* Does a step of both halves, and adds up their sums. */
static void divide_both(struct half halves[2], void (*step)(void *half), bool has_thread)
{
    struct recorded *recorded = halves->recorded;
    crew_run_both(step, &halves[0], step, &halves[1], has_thread);
    for (uint32_t node = 0; node < recorded->node_count; node++)
        recorded->nodes[node].room = halves[0].sums[node].room + halves[1].sums[node].room;
}

static void find_factors(struct half halves[2], const struct tree *tree, bool has_thread)
{
    enum { STEPS = 2 };
    /* The last step stays a little short, so that there is never less room than is left. */
    const double SHORT = 0.999999;
    struct recorded *recorded = halves->recorded;
    for (uint32_t node = 0; node < recorded->node_count; node++)
        recorded->nodes[node] = (struct divided_node){
            .factor = recorded->first_factors != NULL ? recorded->first_factors[node] : 1,
            .left_ns = tree->self_ns[node],
        };
    divide_both(halves, find_items, has_thread);
    /* Entries share what is left in these proportions, also where it was scaled. */
    const int64_t *wanted_ns =
        recorded->unscaled_ns != NULL ? recorded->unscaled_ns : tree->self_ns;
    for (int step = 0; step < STEPS && recorded->costs.is_known; step++) {
        for (uint32_t i = 0; i < recorded->node_count; i++) {
            struct divided_node *node = &recorded->nodes[i];
            double excess = node->room - (double)wanted_ns[i];
            double costs_ns = halves[0].sums[i].costs_ns + halves[1].sums[i].costs_ns;
            if (excess > 0 && costs_ns > 0)
                node->factor += excess / costs_ns * (step + 1 < STEPS ? 1 : SHORT);
        }
        divide_both(halves, sum_rooms, has_thread);
    }
}

/* Returns what the items of a node keep that have that much of its room, and come first. */
static int64_t keep_until(const struct divided_node *node, double room)
{
    return room >= node->room ? node->left_ns
                              : number_nearest((double)node->left_ns * (room / node->room));
}

/* Returns what an item of a node keeps of what is left of it. */
static int64_t keep(const struct divided_node *node, struct shared_node *shared, double room)
{
    /* A node without room has next to nothing left: its first entry gets it. */
    if (room <= 0 && node->room > 0)
        return 0;
    shared->room += room;
    int64_t until_ns = keep_until(node, shared->room), kept_ns = until_ns - shared->given_ns;
    shared->given_ns = until_ns;
    return kept_ns;
}

/* Writes what the items of a tick keep; `item` is the next one. */
static void keep_tick(struct half *half, struct recorded_tick *tick, size_t *item, size_t *large)
{
    const struct recorded *recorded = half->recorded;
    uint32_t count = tick->kept_count;
    size_t step = 0;
    tick->kept_count = 0;
    for (size_t end = *item + count; *item < end; ++*item) {
        struct item_block *block = half->items.blocks[*item / ITEM_BLOCK];
        size_t at = *item % ITEM_BLOCK;
        uint32_t number = block->nodes[at];
        const struct divided_node *node = &recorded->nodes[number];
        double measured_ns = (double)units_of(&half->items, block, at, large) * recorded->unit_ns;
        double room = room_of(measured_ns, (double)block->costs_ns[at], node->factor);
        int64_t kept_ns = keep(node, &half->shared[number], room);
        step += block->steps[at];
        if (kept_ns != 0) {
            char *to = entry_put_number(byte_blocks_begin(half->kept), step);
            byte_blocks_end(half->kept, entry_put_number(to, entry_without_sign(kept_ns)));
            tick->kept_count++;
            tick->time_ns += kept_ns;
            step = 0;
        }
        if (at + 1 == ITEM_BLOCK)
            free(block);
    }
}

static void keep_half(void *context)
{
    struct half *half = context;
    struct items *items = &half->items;
    size_t item = 0, large = 0;
    for (size_t i = half->from_tick; i < half->to_tick; i++)
        keep_tick(half, &half->recorded->ticks[i], &item, &large);
    if (item % ITEM_BLOCK != 0)
        free(items->blocks[item / ITEM_BLOCK]);
    MEM_FREE(items->blocks, items->large);
}

/* The second half goes on where the first one will end. */
static void keep_both(struct half halves[2], bool has_thread)
{
    struct recorded *recorded = halves->recorded;
    for (int i = 0; i < 2; i++)
        halves[i].shared = mem_zeroed(recorded->node_count, sizeof *halves->shared);
    for (uint32_t number = 0; number < recorded->node_count; number++) {
        double room = halves[0].sums[number].room;
        if (halves[0].has_item[number])
            halves[1].shared[number] =
                (struct shared_node){room, keep_until(&recorded->nodes[number], room)};
    }
    crew_run_both(keep_half, &halves[0], keep_half, &halves[1], has_thread);
    for (int i = 0; i < 2; i++)
        MEM_FREE(halves[i].shared, halves[i].sums, halves[i].has_item);
}

/* Both have about as many entries. */
static void find_halves(struct recorded *recorded, struct half halves[2])
{
    const struct entries *entries = &recorded->entries;
    size_t part = 0;
    for (uint64_t count = 0; part < entries->part_count; part++) {
        bool is_first =
            part == 0 || recorded->tick_of_part[part] != recorded->tick_of_part[part - 1];
        if (is_first && count >= entries->count / 2)
            break;
        count += entries->parts[part].count;
    }
    recorded->half_tick =
        part < entries->part_count ? recorded->tick_of_part[part] : recorded->tick_count;
    halves[0] = (struct half){.recorded = recorded, .kept = &recorded->kept[0]};
    halves[1] = (struct half){.recorded = recorded, .kept = &recorded->kept[1]};
    halves[0].to_tick = halves[1].from_tick = recorded->half_tick;
    halves[0].to_part = halves[1].from_part = part;
    halves[1].to_tick = recorded->tick_count;
    halves[1].to_part = entries->part_count;
}

/* Sets where the entries of the nodes go. */
static void find_targets(struct recorded *recorded, const struct nodes *nodes,
                         const struct node_places *places, const uint32_t *tree_nodes,
                         const uint8_t *flags)
{
    struct targets *targets = &recorded->targets;
    targets_init(targets, nodes);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        if (tree_nodes[node] == TREE_ROOT)
            continue;
        uint32_t place = places[tree_nodes[node]].on[(flags[node] & NODE_COROUTINE) != 0];
        targets->first[node].place = place;
        recorded->places[place].has_entries |= nodes_has_past(nodes, node);
    }
    if (nodes->has_lines)
        make_line_rows(recorded, nodes, tree_nodes, flags);
    targets_move(targets, nodes);
}

void recorded_begin(struct recorded *recorded, struct entries *entries, struct durations *durations,
                    double unit_ns, const struct call_costs *costs)
{
    *recorded = (struct recorded){.unit_ns = unit_ns, .entries = *entries, .durations = *durations};
    *entries = (struct entries){0};
    *durations = (struct durations){0};
    if (costs->is_known)
        recorded->costs = *costs;
    find_ticks(recorded);
}

void recorded_join_durations(struct recorded *recorded, const struct nodes *nodes)
{
    struct durations *durations = &recorded->durations;
    for (size_t i = 0; i < durations->count && i < nodes->function_count; i++) {
        struct function_durations *from = &durations->of[i];
        struct function_durations *to = &durations->of[nodes->first_numbers[i]];
        if (from == to)
            continue;
        MEM_GROW_ZEROED(to->steps, to->count, from->count);
        for (size_t k = 0; k < from->count; k++) {
            to->steps[k].calls += from->steps[k].calls;
            to->steps[k].inside += from->steps[k].inside;
            to->steps[k].units += from->steps[k].units;
        }
        free(from->steps);
        *from = (struct function_durations){0};
    }
    if (durations->long_count > 0) {
        find_long_calls(recorded);
        find_outer(recorded);
    }
}

void recorded_make_places(struct recorded *recorded, const struct nodes *nodes,
                          const struct tree *tree, const uint32_t *tree_nodes, const uint8_t *flags,
                          const uint8_t *kinds)
{
    recorded->function_count = nodes->function_count;
    recorded->functions = mem_zeroed(recorded->function_count, sizeof *recorded->functions);
    recorded->function_ids = mem_zeroed(recorded->function_count, sizeof *recorded->function_ids);
    for (uint32_t i = 0; i < recorded->function_count; i++)
        recorded->function_ids[i] = nodes->functions[i].id;
    recorded->node_count = tree->node_count;
    SCOPED_ARRAY uint8_t *threads = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        threads[tree_nodes[node]] |= flags[node] & (NODE_MAIN | NODE_COROUTINE);
    SCOPED_ARRAY struct node_places *places = make_places(recorded, tree, threads, kinds);
    find_targets(recorded, nodes, places, tree_nodes, flags);
}

void recorded_take_sums(struct recorded *recorded, struct nodes *nodes)
{
    recorded->sums = nodes->sums;
    recorded->sum_count = nodes->sum_count;
    nodes->sums = NULL;
    nodes->sum_count = 0;
    nodes->sum_capacity = 0;
}

void recorded_scale(struct recorded *recorded, const float *scales, float *first_factors,
                    int64_t *unscaled_ns)
{
    recorded->first_factors = first_factors;
    recorded->unscaled_ns = unscaled_ns;
    recorded->has_scales = true;
    for (uint32_t i = 1; i < recorded->place_count; i++)
        recorded->places[i].scale = scales[recorded->places[i].node];
}

void recorded_find_root_costs(struct recorded *recorded, const struct tree *tree,
                              const int64_t *measured_ns)
{
    SCOPED_ARRAY uint32_t *roots = tree_find_roots(tree);
    SCOPED_ARRAY double *calls = mem_zeroed(recorded->function_count, sizeof *calls);
    recorded->root_costs_ns = mem_zeroed(recorded->function_count, sizeof *recorded->root_costs_ns);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        recorded->root_costs_ns[roots[node]] += (double)(measured_ns[node] - tree->self_ns[node]);
        calls[roots[node]] += (double)tree->call_counts[node];
    }
    for (uint32_t i = 0; i < recorded->function_count; i++)
        recorded->root_costs_ns[i] /= calls[i] > 0 ? calls[i] : 1;
}

void recorded_divide(struct recorded *recorded, const struct tree *tree, bool has_thread)
{
    find_inside(recorded, tree);
    recorded->nodes = mem_zeroed(recorded->node_count, sizeof *recorded->nodes);
    recorded->node_of = mem_zeroed(recorded->place_count, sizeof *recorded->node_of);
    for (uint32_t place = 0; place < recorded->place_count; place++)
        recorded->node_of[place] = recorded->places[place].node;
    struct half halves[2];
    find_halves(recorded, halves);
    find_factors(halves, tree, has_thread);
    MEM_FREE(recorded->first_factors, recorded->unscaled_ns);
    recorded->first_factors = NULL;
    recorded->unscaled_ns = NULL;
    keep_both(halves, has_thread);
}

void recorded_move_functions(struct recorded *recorded, const uint32_t *functions)
{
    for (uint32_t i = 0; i < recorded->function_count; i++)
        recorded->function_ids[i] = functions[recorded->function_ids[i]];
}

uint32_t recorded_count_ids(const struct recorded *recorded)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < recorded->function_count; i++)
        if (recorded->function_ids[i] >= count)
            count = recorded->function_ids[i] + 1;
    return count;
}

void recorded_release(struct recorded *recorded)
{
    durations_release(&recorded->durations);
    MEM_FREE(recorded->places,
             recorded->node_of,
             recorded->nodes,
             recorded->ticks,
             recorded->tick_of_part,
             recorded->line_rows,
             recorded->function_ids,
             recorded->root_costs_ns,
             recorded->functions,
             recorded->first_factors,
             recorded->unscaled_ns,
             recorded->sums,
             recorded->targets.first,
             recorded->targets.changes);
    byte_blocks_release(&recorded->kept[0]);
    byte_blocks_release(&recorded->kept[1]);
    entries_release(&recorded->entries);
    *recorded = (struct recorded){0};
}
