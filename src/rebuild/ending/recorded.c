#include "rebuild/ending/recorded.h"

#include "base/number.h"

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
    struct node_places *sizes = mem_zeroed(tree->node_count, sizeof *sizes);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
        for (int i = 0; i < 2; i++) {
            sizes[node].on[i] += threads[node] >> i & 1;
            sizes[tree->calls[node].parent].on[i] += sizes[node].on[i];
        }
    recorded->place_count = 1 + sizes[TREE_ROOT].on[0] + sizes[TREE_ROOT].on[1];
    recorded->places = mem_zeroed(recorded->place_count, sizeof *recorded->places);
    /* `next` is where the next child of a node begins. */
    struct node_places *next = mem_zeroed(tree->node_count, sizeof *next);
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
                .root = parent == 0 ? place : recorded->places[parent].root,
                .node = node,
                .function = call->function,
                .line = call->line,
                .kind = kinds[node],
                .is_coroutine = i == 1,
            };
        }
    MEM_FREE(sizes, next);
    return places;
}

/* The mean costs in the calls of each function; `cost_ns` and `calls`, [node_count], are sums of
 * what is inside. */
static void find_function_costs(struct recorded *recorded, const struct tree *tree,
                                const double *cost_ns, const double *calls)
{
    double *sums = mem_zeroed(recorded->function_count, sizeof *sums);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        recorded->functions[tree->calls[node].function].inside_ns += cost_ns[node];
        sums[tree->calls[node].function] += calls[node];
    }
    for (uint32_t i = 0; i < recorded->function_count; i++)
        recorded->functions[i].inside_ns /= sums[i] > 0 ? sums[i] : 1;
    for (uint32_t place = 1; place < recorded->place_count; place++)
        recorded->functions[recorded->places[place].function].own_ns =
            recorded->costs.in_ns[recorded->places[place].kind];
    free(sums);
}

/* The mean costs of calls inside, as overhead.h subtracts them from durations. */
static void find_inside(struct recorded *recorded, const struct tree *tree)
{
    double *cost_ns = mem_zeroed(tree->node_count, sizeof *cost_ns);
    double *calls = mem_zeroed(tree->node_count, sizeof *calls);
    float *means = mem_zeroed(tree->node_count, sizeof *means);
    uint8_t *kind_of = mem_zeroed(tree->node_count, 1);
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
    MEM_FREE(cost_ns, calls, means, kind_of);
}

/* Entries by places -------------------------------------------------------------------------- */

/* Counts the returned calls of an entry that is packed. */
static void add_returned(void *of, uint32_t key, const struct entry_counts *counts)
{
    struct recorded *recorded = of;
    struct place *place = &recorded->places[key];
    uint64_t room = UINT32_MAX - place->returned;
    place->returned += (uint32_t)(counts->returned < room ? counts->returned : room);
    recorded->functions[place->function].returned += counts->returned;
    recorded->functions[place->function].duration_sum += (int64_t)counts->duration_sum;
}

/* Where the entries of nodes go. */
struct conversion {
    const struct durations *durations;
    struct node_moves *moves;
    uint32_t *place_of; /* [nodes->count]; 0: none */
    uint32_t *row_of;   /* [nodes->count]: 1 + the row of its line; 0: none. NULL without lines */
    struct collected places, rows;
};

static void convert_part(struct conversion *to, const struct entries *entries, size_t part)
{
    struct entry_reader reader = entries_read_part(entries, part);
    for (uint32_t i = 0; i < entries->parts[part].count; i++) {
        struct entry_reader begin = reader;
        uint32_t node = node_moves_target(to->moves, entry_skip(&reader), part);
        if (to->place_of[node] == 0)
            continue;
        collected_add(&to->places, to->place_of[node], &begin, &reader);
        if (to->row_of != NULL && to->row_of[node] != 0)
            collected_add(&to->rows, to->row_of[node], &begin, &reader);
    }
}

/* Finds the places of the long calls that returned in a part. They are asked for part by part. */
static void convert_long_calls(struct recorded *recorded, struct conversion *to, size_t part)
{
    const struct durations *from = to->durations;
    for (; recorded->long_count < from->long_count; recorded->long_count++) {
        const struct long_duration *call = &from->long_calls[recorded->long_count];
        struct recorded_call *long_call = &recorded->long_calls[recorded->long_count];
        if (call->part > part)
            break;
        *long_call = (struct recorded_call){
            .place = to->place_of[node_moves_target(to->moves, call->node, part)],
            .tick = recorded->tick_of_part[part],
            .inside = call->inside,
            .units = call->units,
        };
    }
}

/* Finds the long calls around others: on the same thread, these return later and began before. */
static void find_outer(struct recorded *recorded, const struct durations *from)
{
    uint32_t *before = mem_zeroed(from->long_count, sizeof *before), *last = NULL;
    size_t thread_count = 0;
    for (size_t i = 0; i < recorded->long_count; i++) {
        const struct long_duration *call = &from->long_calls[i];
        MEM_GROW_ZEROED(last, thread_count, (size_t)call->thread + 1);
        /* 1 + a call that may have one around it; `before` links it to an earlier one. */
        uint32_t open = last[call->thread];
        for (; open != 0 && from->long_calls[open - 1].start >= call->start;
             open = before[open - 1])
            recorded->long_calls[open - 1].outer = (uint32_t)i + 1;
        before[i] = open;
        last[call->thread] = (uint32_t)i + 1;
    }
    MEM_FREE(before, last);
}

static void add_steps(struct recorded *recorded, const struct durations *from,
                      const struct nodes *nodes)
{
    for (size_t i = 0; i < from->count && i < nodes->function_count; i++) {
        uint32_t id = nodes->functions[i].id;
        if (from->of[i].count == 0 || id >= recorded->function_count)
            continue;
        struct recorded_function *function = &recorded->functions[id];
        MEM_GROW_ZEROED(function->steps, function->step_count, from->of[i].count);
        for (size_t step = 0; step < from->of[i].count; step++) {
            const struct duration_sum *sum = &from->of[i].steps[step];
            function->steps[step].calls += sum->calls;
            function->steps[step].inside += sum->inside;
            function->steps[step].units += sum->units;
        }
    }
}

static void convert(struct recorded *recorded, const struct entries *entries, struct conversion *to)
{
    struct recorded_tick tick = {0};
    size_t tick_count = 0, capacity = 0;
    for (size_t i = 0; i < entries->part_count; i++) {
        const struct entry_part *part = &entries->parts[i];
        convert_part(to, entries, i);
        recorded->tick_of_part[i] = (uint32_t)tick_count;
        convert_long_calls(recorded, to, i);
        if (!entries_continue_tick(entries, i))
            tick = (struct recorded_tick){.number = part->number, .weight = part->weight};
        tick.joined += part->is_joined;
        tick.last_number = part->number;
        if (i + 1 < entries->part_count && entries_continue_tick(entries, i + 1))
            continue;
        struct entry_part packed = {.number = tick.number};
        collected_pack(&to->places, &recorded->entries, packed, false);
        if (to->row_of != NULL)
            collected_pack(&to->rows, &recorded->lines, packed, true);
        MEM_APPEND(recorded->ticks, tick_count, capacity, tick);
    }
}

/* Rows for the nodes of lines, and for the calls of such nodes. */
static uint32_t *make_line_rows(struct recorded *recorded, const struct nodes *nodes,
                                const uint32_t *tree_nodes, const uint8_t *flags)
{
    if (nodes->lines == NULL)
        return NULL;
    uint32_t *row_of = mem_zeroed(nodes->count, sizeof *row_of);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        uint32_t call = nodes_call_of(nodes, node);
        if (call == node)
            continue;
        struct recorded_line none = {tree_nodes[call], 0, (flags[call] & NODE_COROUTINE) != 0};
        struct recorded_line line = none;
        line.line = nodes->sites[node_site(&nodes->at[node])].line;
        if (row_of[call] == 0) {
            MEM_APPEND(recorded->line_rows, recorded->line_row_count, recorded->line_row_capacity,
                       none);
            row_of[call] = (uint32_t)recorded->line_row_count;
        }
        MEM_APPEND(recorded->line_rows, recorded->line_row_count, recorded->line_row_capacity,
                   line);
        row_of[node] = (uint32_t)recorded->line_row_count;
    }
    return row_of;
}

/* Costs -------------------------------------------------------------------------------------- */

/* An event of a line costs what any event does. */
static double own_cost_ns(const struct recorded *recorded, const struct entry_head *entry)
{
    const struct call_costs *costs = &recorded->costs;
    return (double)entry->calls * costs->in_ns[recorded->places[entry->node].kind] +
           (double)entry->runs * costs->in_ns[CALL_OF_C];
}

/* Reads the entries of the next tick, with their costs. */
static bool load(struct tick_reader *reader)
{
    const struct recorded *recorded = reader->recorded;
    if (reader->next_tick == recorded->entries.part_count)
        return false;
    const struct entry_part *part = &recorded->entries.parts[reader->next_tick];
    struct entry_reader at = entries_read_part(&recorded->entries, reader->next_tick);
    MEM_GROW(reader->entries, reader->capacity, part->count);
    for (uint32_t i = 0; i < part->count; i++) {
        struct entry_head head = entry_next_head(&at);
        const struct place *place = &recorded->places[head.node];
        reader->cost_ns[head.node] += own_cost_ns(recorded, &head);
        reader->cost_ns[place->parent] += (double)head.calls * recorded->costs.out_ns[place->kind];
        reader->entries[i] =
            (struct tick_entry){.place = head.node, .calls = head.calls, .units = head.units};
    }
    /* Callers come first. One without an entry had no time that its cost could be taken from. */
    for (uint32_t i = 0; i < part->count; i++) {
        struct tick_entry *entry = &reader->entries[i];
        entry->cost_ns = reader->cost_ns[entry->place];
        reader->cost_ns[entry->place] = 0;
        reader->cost_ns[recorded->places[entry->place].parent] = 0;
    }
    reader->count = part->count;
    reader->tick = reader->next_tick++;
    return true;
}

static double room_of(const struct recorded *recorded, const struct tick_entry *entry,
                      const struct fitted_node *node)
{
    double room = (double)entry->units * recorded->unit_ns - node->price * entry->cost_ns;
    return room > 0 ? room : 0;
}

/* Sums up the room of all nodes, and the costs of the entries that have some, [node_count]. */
static void sum_rooms(struct recorded *recorded, double *costs_ns)
{
    struct tick_reader reader;
    for (uint32_t node = 0; node < recorded->node_count; node++)
        recorded->nodes[node].room = costs_ns[node] = 0;
    tick_reader_begin(&reader, recorded);
    while (load(&reader))
        for (size_t i = 0; i < reader.count; i++) {
            const struct tick_entry *entry = &reader.entries[i];
            uint32_t node = recorded->places[entry->place].node;
            double room = room_of(recorded, entry, &recorded->nodes[node]);
            recorded->nodes[node].room += room;
            costs_ns[node] += room > 0 ? entry->cost_ns : 0;
        }
    tick_reader_end(&reader);
}

/* What a call has cost on the average below each root function; `measured_ns` is [node_count]. */
static void find_root_costs(struct recorded *recorded, const struct tree *tree,
                            const int64_t *measured_ns)
{
    uint32_t *roots = mem_zeroed(tree->node_count, sizeof *roots);
    double *calls = mem_zeroed(recorded->function_count, sizeof *calls);
    recorded->root_costs_ns = mem_zeroed(recorded->function_count, sizeof *recorded->root_costs_ns);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        roots[node] = call->parent == TREE_ROOT ? call->function : roots[call->parent];
        recorded->root_costs_ns[roots[node]] += (double)(measured_ns[node] - tree->self_ns[node]);
        calls[roots[node]] += (double)tree->call_counts[node];
    }
    for (uint32_t i = 0; i < recorded->function_count; i++)
        recorded->root_costs_ns[i] /= calls[i] > 0 ? calls[i] : 1;
    MEM_FREE(roots, calls);
}

static void fit(struct recorded *recorded, const struct tree *tree)
{
    enum { STEPS = 2 };
    /* The last step stays a little short, so that there is never less room than is left. */
    const double SHORT = 0.999999;
    double *costs_ns = mem_zeroed(recorded->node_count, sizeof *costs_ns);
    for (uint32_t node = 0; node < recorded->node_count; node++)
        recorded->nodes[node] = (struct fitted_node){.price = 1, .left_ns = tree->self_ns[node]};
    for (int step = 0; step < STEPS && recorded->costs.is_known; step++) {
        sum_rooms(recorded, costs_ns);
        for (uint32_t i = 0; i < recorded->node_count; i++) {
            struct fitted_node *node = &recorded->nodes[i];
            double excess = node->room - (double)node->left_ns;
            if (excess > 0 && costs_ns[i] > 0)
                node->price += excess / costs_ns[i] * (step + 1 < STEPS ? 1 : SHORT);
        }
    }
    sum_rooms(recorded, costs_ns);
    free(costs_ns);
}

static void sum_ticks(struct recorded *recorded)
{
    struct tick_reader reader;
    tick_reader_begin(&reader, recorded);
    while (tick_reader_next(&reader)) {
        struct recorded_tick *tick = &recorded->ticks[reader.tick];
        int64_t units = 0;
        for (size_t i = 0; i < reader.count; i++) {
            tick->time_ns += reader.entries[i].self_ns;
            tick->calls += reader.entries[i].calls;
            units += reader.entries[i].units;
        }
        tick->measured_ns = number_nearest((double)units * recorded->unit_ns);
    }
    tick_reader_end(&reader);
}

void recorded_make(struct recorded *recorded, const struct entries *entries,
                   const struct durations *durations, const struct nodes *nodes,
                   const struct tree *tree, const uint32_t *tree_nodes, const uint8_t *flags,
                   const uint8_t *kinds, const int64_t *measured_ns, double unit_ns,
                   const struct call_costs *costs)
{
    *recorded =
        (struct recorded){.unit_ns = unit_ns, .costs = *costs, .node_count = tree->node_count};
    if (!costs->is_known)
        recorded->costs = (struct call_costs){0};
    uint8_t *threads = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        threads[tree_nodes[node]] |= flags[node] & (NODE_MAIN | NODE_COROUTINE);
    struct node_places *places = make_places(recorded, tree, threads, kinds);
    recorded->function_count = tree_count_functions(tree);
    recorded->functions = mem_zeroed(recorded->function_count, sizeof *recorded->functions);
    find_inside(recorded, tree);
    find_root_costs(recorded, tree, measured_ns);
    struct node_moves moves;
    node_moves_init(&moves, nodes);
    struct conversion to = {.durations = durations,
                            .places = {.see = add_returned, .of = recorded},
                            .moves = &moves,
                            .place_of = mem_zeroed(nodes->count, sizeof *to.place_of),
                            .row_of = make_line_rows(recorded, nodes, tree_nodes, flags)};
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        if (tree_nodes[node] != TREE_ROOT)
            to.place_of[node] = places[tree_nodes[node]].on[(flags[node] & NODE_COROUTINE) != 0];
    MEM_FREE(threads, places);
    recorded->tick_of_part = mem_zeroed(entries->part_count, sizeof *recorded->tick_of_part);
    recorded->long_calls = mem_zeroed(durations->long_count, sizeof *recorded->long_calls);
    convert(recorded, entries, &to);
    find_outer(recorded, durations);
    add_steps(recorded, durations, nodes);
    MEM_FREE(to.place_of, to.row_of);
    collected_release(&to.places);
    collected_release(&to.rows);
    node_moves_release(&moves);
}

void recorded_fit(struct recorded *recorded, const struct tree *tree)
{
    recorded->nodes = mem_zeroed(recorded->node_count, sizeof *recorded->nodes);
    fit(recorded, tree);
    sum_ticks(recorded);
}

void recorded_release(struct recorded *recorded)
{
    for (size_t i = 0; i < recorded->function_count; i++)
        free(recorded->functions[i].steps);
    MEM_FREE(recorded->places, recorded->nodes, recorded->ticks, recorded->tick_of_part,
             recorded->line_rows, recorded->root_costs_ns, recorded->functions,
             recorded->long_calls);
    entries_release(&recorded->entries);
    entries_release(&recorded->lines);
    *recorded = (struct recorded){0};
}

/* Reading ------------------------------------------------------------------------------------ */

void tick_reader_begin(struct tick_reader *reader, const struct recorded *recorded)
{
    *reader = (struct tick_reader){
        .recorded = recorded,
        .shared = mem_zeroed(recorded->node_count, sizeof *reader->shared),
        .cost_ns = mem_zeroed(recorded->place_count, sizeof *reader->cost_ns),
    };
}

/* Divides what is left of the nodes among the entries of this tick. */
static void share(struct tick_reader *reader)
{
    const struct recorded *recorded = reader->recorded;
    for (size_t i = 0; i < reader->count; i++) {
        struct tick_entry *entry = &reader->entries[i];
        uint32_t number = recorded->places[entry->place].node;
        const struct fitted_node *node = &recorded->nodes[number];
        struct shared_node *shared = &reader->shared[number];
        double room = room_of(recorded, entry, node);
        /* A node without room has next to nothing left: its first entry gets it. */
        if (room <= 0 && node->room > 0)
            continue;
        shared->room += room;
        int64_t until_ns =
            shared->room >= node->room
                ? node->left_ns
                : number_nearest((double)node->left_ns * (shared->room / node->room));
        entry->self_ns = until_ns - shared->given_ns;
        shared->given_ns = until_ns;
    }
}

bool tick_reader_next(struct tick_reader *reader)
{
    if (!load(reader))
        return false;
    share(reader);
    return true;
}

void tick_reader_end(struct tick_reader *reader)
{
    MEM_FREE(reader->entries, reader->shared, reader->cost_ns);
    *reader = (struct tick_reader){0};
}

int64_t recorded_duration_ns(const struct recorded *recorded, uint32_t at, int64_t units,
                             uint32_t calls)
{
    const struct place *place = &recorded->places[at];
    double cost_ns = recorded->costs.in_ns[place->kind] + (double)place->inside_ns * calls;
    double ns = (double)units * recorded->unit_ns - cost_ns;
    return ns > 0 ? number_nearest(ns) : 0;
}
