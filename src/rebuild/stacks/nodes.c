#include "rebuild/stacks/nodes.h"

#include <assert.h>

static_assert(sizeof(struct node) == 64, "a line of the cache");

/* Makes room for the guesses of twice as many nodes, and forgets those there are. */
static void grow_guesses(struct nodes *nodes)
{
    enum { FEWEST = 16 };
    size_t count = nodes->guesses == NULL ? FEWEST : 2 * (nodes->guess_mask + 1);
    free(nodes->guesses);
    nodes->guesses = mem_zeroed(count, sizeof *nodes->guesses);
    nodes->guess_mask = count - 1;
}

/*
 * Makes room for one more node. Each begins at a line of the cache, to which `memory` need not be
 * aligned: nodes that are in two lines made reading a recording take 8 % longer.
 */
static void make_room(struct nodes *nodes)
{
    size_t shift = (size_t)((uintptr_t)nodes->at - (uintptr_t)nodes->memory);
    size_t needed = (size_t)nodes->count + 2; /* one is lost to the shift */
    if (needed <= nodes->node_capacity)
        return;
    nodes->memory = mem_grow(nodes->memory, &nodes->node_capacity, needed, sizeof *nodes->at);
    size_t moved = (size_t) - (uintptr_t)nodes->memory % sizeof *nodes->at;
    if (moved != shift)
        memmove(nodes->memory + moved, nodes->memory + shift, nodes->count * sizeof *nodes->at);
    nodes->at = (void *)(nodes->memory + moved);
}

static uint32_t add_node(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    make_room(nodes);
    uint32_t node = nodes->count++;
    if (nodes->count > nodes->guess_mask / 2)
        grow_guesses(nodes);
    MEM_GROW(nodes->past, nodes->past_capacity, nodes->count);
    MEM_GROW_ZEROED(nodes->bits, nodes->bit_capacity, (size_t)node / 64 + 1);
    nodes->at[node] = (struct node){
        .duration_min = INT64_MAX, .duration_max = -1, .parent = parent, .site = site};
    nodes->past[node] = (struct node_past){0};
    return node;
}

static uint32_t add_origin(struct nodes *nodes)
{
    MEM_APPEND(
        nodes->origins, nodes->origin_count, nodes->origin_capacity, (struct node_origin){0});
    return (uint32_t)(nodes->origin_count - 1);
}

struct node_origin *nodes_origin(struct nodes *nodes, uint32_t node)
{
    uint32_t *origin = &nodes->at[node].origin;
    if (*origin == 0)
        *origin = add_origin(nodes);
    return &nodes->origins[*origin];
}

void nodes_init(struct nodes *nodes)
{
    *nodes = (struct nodes){0};
    add_origin(nodes);
    while (nodes->count < NODES_FIRST)
        add_node(nodes, NODES_UNATTRIBUTED, UINT32_MAX & ~SITE_IS_WATCHED);
}

void nodes_release(struct nodes *nodes)
{
    MEM_FREE(nodes->memory,
             nodes->past,
             nodes->origins,
             nodes->bits,
             nodes->touched,
             nodes->guesses,
             nodes->moves,
             nodes->sums,
             nodes->sites,
             nodes->site_kinds,
             nodes->functions,
             nodes->nodes_of,
             nodes->first_numbers);
    index_release(&nodes->index);
    index_release(&nodes->numbers.index);
    *nodes = (struct nodes){0};
}

void nodes_define_site(struct nodes *nodes, uint32_t site, struct event_site definition)
{
    assert(definition.function < nodes->function_count);
    MEM_GROW_ZEROED(nodes->sites, nodes->site_capacity, (size_t)site + 1);
    nodes->sites[site] = definition;
    MEM_GROW_ZEROED(nodes->site_kinds, nodes->site_kind_capacity, (size_t)site + 1);
    nodes->site_kinds[site] = (uint8_t)function_kind(&nodes->functions[definition.function]);
}

void nodes_define_function(struct nodes *nodes, uint32_t function, struct event_function definition)
{
    if (function >= nodes->function_count)
        nodes->function_count = function + 1;
    MEM_GROW_ZEROED(nodes->functions, nodes->function_capacity, nodes->function_count);
    nodes->functions[function] = definition;
    MEM_GROW_ZEROED(nodes->nodes_of, nodes->nodes_of_capacity, nodes->function_count);
}

void nodes_number_functions(struct nodes *nodes)
{
    MEM_GROW(nodes->first_numbers, nodes->first_number_capacity, nodes->function_count);
    for (uint32_t i = nodes->numbered_count; i < nodes->function_count; i++) {
        uint32_t id = nodes->functions[i].id, known = id_map_find(&nodes->numbers, id);
        if (known == 0)
            id_map_define(&nodes->numbers, id, 1 + i);
        nodes->first_numbers[i] = known == 0 ? i : known - 1;
    }
    nodes->numbered_count = nodes->function_count;
}

uint32_t nodes_find_function(const struct nodes *nodes, uint32_t id)
{
    return id_map_find(&nodes->numbers, id) - 1;
}

void nodes_set_suspending(struct nodes *nodes, uint32_t node)
{
    uint32_t function = nodes->sites[node_site(&nodes->at[node])].function;
    if (nodes->functions[function].suspends)
        return;
    nodes->functions[function].suspends = true;
    for (uint32_t of = nodes->nodes_of[function]; of != 0; of = nodes->at[of].next_of_function)
        nodes->at[of].site |= SITE_IS_WATCHED;
}

uint32_t nodes_recorder_top(const struct nodes *nodes, uint32_t node)
{
    uint32_t parent = nodes->at[node].parent;
    /* In recordings of older recorders, another of its functions is between them. */
    uint32_t root = parent >= NODES_FIRST ? nodes->at[parent].parent : NODES_MAIN;
    if (root >= NODES_FIRST && nodes->at[root].parent == NODES_COROUTINE &&
        nodes_function(nodes, parent)->is_beside && nodes_function(nodes, root)->is_beside)
        parent = root;
    /* People start and stop it from anywhere: only a thread of its own does it by itself. */
    bool is_of_thread =
        parent >= NODES_FIRST && nodes->at[parent].parent < NODES_FIRST &&
        (nodes_function(nodes, node)->calibrates ||
         (nodes->at[parent].parent == NODES_COROUTINE && nodes_function(nodes, parent)->is_beside));
    return is_of_thread ? parent : node;
}

/* A function of the recorder is called: what called it may be the recorder's, too. */
static void find_recorder_root(struct nodes *nodes, uint32_t node)
{
    uint32_t top = nodes_recorder_top(nodes, node);
    if (nodes->at[top].parent < NODES_FIRST)
        nodes->functions[nodes->sites[node_site(&nodes->at[top])].function].is_recorder_root = true;
}

static uint32_t make_child(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    uint32_t child = add_node(nodes, parent, site);
    uint32_t function = nodes->sites[site & ~SITE_IS_OPEN].function;
    nodes->at[child].next_of_function = nodes->nodes_of[function];
    nodes->nodes_of[function] = child;
    if (nodes->functions[function].calibrates || nodes->functions[function].suspends ||
        (parent >= NODES_FIRST && nodes_function(nodes, parent)->calibrates))
        nodes->at[child].site |= SITE_IS_WATCHED;
    if (nodes->functions[function].calibrates || nodes->functions[function].is_command)
        find_recorder_root(nodes, child);
    return child;
}

uint32_t nodes_child(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    index_reserve(&nodes->index, 1);
    uint32_t hash = nodes_hash(nodes, parent, site);
    size_t slot = nodes_find_slot(nodes, parent, site, hash);
    if (nodes->index.slots[slot].id != INDEX_FREE)
        return nodes->index.slots[slot].id;
    uint32_t child = make_child(nodes, parent, site);
    index_put(&nodes->index, slot, hash, child);
    return child;
}

/* A damaged log may have any numbers. */
static int64_t wrapped_sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

void entry_counts_add(struct entry_counts *to, const struct entry_counts *from)
{
    to->units = wrapped_sum(to->units, from->units);
    to->memory_kb = wrapped_sum(to->memory_kb, from->memory_kb);
    to->calls += from->calls;
    to->errors += from->errors;
    to->returned += from->returned;
    to->duration_sum += from->duration_sum;
    to->runs += from->runs;
    to->begins += from->begins;
    if (from->shortest < to->shortest ||
        (from->shortest == to->shortest && from->shortest_calls > to->shortest_calls)) {
        to->shortest = from->shortest;
        to->shortest_calls = from->shortest_calls;
    }
    if (from->longest > to->longest ||
        (from->longest == to->longest && from->longest_calls < to->longest_calls)) {
        to->longest = from->longest;
        to->longest_calls = from->longest_calls;
    }
}

struct entry_counts nodes_take_counts(struct nodes *nodes, uint32_t node)
{
    struct node *at = &nodes->at[node];
    struct entry_counts counts = {.units = at->self,
                                  .calls = at->calls,
                                  .returned = at->returned,
                                  .duration_sum = at->duration_sum,
                                  .shortest = at->duration_min,
                                  .longest = at->duration_max,
                                  .shortest_calls = at->min_calls,
                                  .longest_calls = at->max_calls};
    nodes->bits[node / 64].touched &= ~((uint64_t)1 << node % 64);
    if (node == NODES_UNATTRIBUTED)
        return counts;
    at->self = 0;
    at->duration_sum = 0;
    at->duration_min = INT64_MAX;
    at->duration_max = -1;
    at->calls = at->returned = at->min_calls = at->max_calls = 0;
    if (nodes->at[node].origin != 0) {
        struct node_origin *origin = nodes_origin(nodes, node);
        counts.errors = origin->errors;
        counts.memory_kb = (int64_t)origin->memory_kb;
        counts.runs = origin->runs;
        counts.begins = origin->begins;
        *origin =
            (struct node_origin){.moved_to = origin->moved_to, .is_listed = origin->is_listed};
    }
    return counts;
}

void nodes_end(struct nodes *nodes)
{
    nodes_number_functions(nodes);
    index_release(&nodes->index);
    MEM_FREE(nodes->touched, nodes->guesses, nodes->origins);
    nodes->touched = NULL;
    nodes->guesses = NULL;
    nodes->origins = NULL;
    nodes->touched_capacity = nodes->origin_capacity = 0;
}

void nodes_count_error(struct nodes *nodes, uint32_t node)
{
    nodes_origin(nodes, node)->errors++;
}

void nodes_count_memory(struct nodes *nodes, uint32_t node, uint64_t memory_kb)
{
    if (memory_kb != 0)
        nodes_origin(nodes, node)->memory_kb += memory_kb;
}

void nodes_move_memory(struct nodes *nodes, uint32_t from, uint32_t to, uint64_t memory_kb)
{
    nodes_count_memory(nodes, from, 0 - memory_kb);
    nodes_count_memory(nodes, to, memory_kb);
}

/* Adds what another node has counted in this part. */
static void add_counts(struct nodes *nodes, uint32_t to, const struct entry_counts *counts)
{
    struct node *node = &nodes->at[to];
    node->self += counts->units;
    node->calls += (uint32_t)counts->calls;
    node->returned += (uint32_t)counts->returned;
    node->duration_sum += counts->duration_sum;
    if (counts->shortest < node->duration_min) {
        node->duration_min = counts->shortest;
        node->min_calls = counts->shortest_calls;
    }
    if (counts->longest > node->duration_max) {
        node->duration_max = counts->longest;
        node->max_calls = counts->longest_calls;
    }
    if (counts->errors == 0 && counts->memory_kb == 0 && counts->runs == 0)
        return;
    struct node_origin *origin = nodes_origin(nodes, to);
    origin->errors += (uint32_t)counts->errors;
    origin->memory_kb += (uint64_t)counts->memory_kb;
    origin->runs += (uint32_t)counts->runs;
    origin->begins += (uint32_t)counts->begins;
}

void nodes_add_sum(struct nodes *nodes, uint32_t node, const struct entry_counts *counts)
{
    MEM_GROW(nodes->sums, nodes->sum_capacity, (size_t)node + 1);
    while (nodes->sum_count <= node)
        nodes->sums[nodes->sum_count++] = entry_counts_none();
    entry_counts_add(&nodes->sums[node], counts);
}

static void move_past(struct nodes *nodes, uint32_t from, uint32_t to)
{
    if (from < nodes->sum_count) {
        struct entry_counts moved = nodes->sums[from];
        nodes->sums[from] = entry_counts_none();
        nodes_add_sum(nodes, to, &moved);
    }
    if (!nodes_has_past(nodes, from))
        return;
    nodes_add_past(nodes, to, &nodes->past[from]);
    nodes->past[from] = (struct node_past){0};
    nodes->bits[from / 64].has_past &= ~((uint64_t)1 << from % 64);
}

static void move_one(struct nodes *nodes, uint32_t from, uint32_t to)
{
    nodes_touch(nodes, from);
    nodes_touch(nodes, to);
    struct entry_counts counts = nodes_take_counts(nodes, from);
    add_counts(nodes, to, &counts);
    move_past(nodes, from, to);
    struct node_move move = {nodes->part, from, to};
    MEM_APPEND(nodes->moves, nodes->move_count, nodes->move_capacity, move);
}

void nodes_move(struct nodes *nodes, uint32_t *list, size_t count, uint32_t target)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t from = list[i];
        uint32_t parent = nodes->at[from].parent;
        uint32_t to = i == 0 ? target
                             : nodes_child(nodes,
                                           nodes_known_origin(nodes, parent)->moved_to,
                                           node_is_line(&nodes->at[from])
                                               ? node_site(&nodes->at[from]) | SITE_IS_LINE
                                               : node_site(&nodes->at[from]));
        struct node_origin *origin = nodes_origin(nodes, from);
        origin->moved_to = to;
        origin->is_listed = false;
        move_one(nodes, from, to);
        list[i] = to;
    }
}

uint32_t nodes_line(struct nodes *nodes, uint32_t node, uint32_t site)
{
    nodes->has_lines = true;
    return nodes_child(nodes, nodes_call_of(nodes, node), site | SITE_IS_LINE);
}

void nodes_count_run(struct nodes *nodes, uint32_t node, bool is_first)
{
    struct node_origin *origin = nodes_origin(nodes, node);
    origin->runs++;
    origin->begins += is_first;
}

void targets_init(struct targets *targets, const struct nodes *nodes)
{
    *targets = (struct targets){.first = mem_zeroed(nodes->count, sizeof *targets->first),
                                .count = nodes->count};
}

/* From the last move to the first, so that where each leads to is known. */
void targets_move(struct targets *targets, const struct nodes *nodes)
{
    targets->change_count = nodes->move_count;
    targets->changes = mem_zeroed(nodes->move_count, sizeof *targets->changes);
    for (size_t i = nodes->move_count; i-- > 0;) {
        const struct node_move *move = &nodes->moves[i];
        targets->changes[i] =
            (struct target_change){move->part, move->from, targets->first[move->from]};
        targets->first[move->from] = targets->first[move->to];
    }
}

void target_reader_begin(struct target_reader *reader, const struct targets *targets)
{
    *reader = (struct target_reader){.targets = targets, .of = targets->first};
    if (targets->change_count == 0)
        return;
    reader->changed = mem_zeroed(targets->count, sizeof *reader->changed);
    memcpy(reader->changed, targets->first, targets->count * sizeof *targets->first);
    reader->of = reader->changed;
}

void target_reader_go(struct target_reader *reader, size_t part)
{
    const struct targets *targets = reader->targets;
    for (; reader->next_change < targets->change_count; reader->next_change++) {
        const struct target_change *change = &targets->changes[reader->next_change];
        if (change->part > part)
            break;
        reader->changed[change->node] = change->target;
    }
}

void target_reader_end(struct target_reader *reader)
{
    free(reader->changed);
    *reader = (struct target_reader){0};
}
