#include "rebuild/nodes.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct node new_node = {.duration_min = INT64_MAX, .duration_max = -1};

/* Like mem_grow(), but sets the new part to zero. */
static void *grow_zeroed(void *array, size_t *capacity, size_t needed, size_t size)
{
    size_t before = *capacity;
    char *grown = mem_grow(array, capacity, needed, size);
    memset(grown + before * size, 0, (*capacity - before) * size);
    return grown;
}

static uint32_t add_node(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    uint32_t node = nodes->count++;
    nodes->at = mem_grow(nodes->at, &nodes->node_capacity, nodes->count, sizeof *nodes->at);
    nodes->links =
        mem_grow(nodes->links, &nodes->link_capacity, nodes->count, sizeof *nodes->links);
    nodes->bits =
        grow_zeroed(nodes->bits, &nodes->bit_capacity, (size_t)node / 64 + 1, sizeof *nodes->bits);
    nodes->at[node] = new_node;
    nodes->at[node].parent = parent;
    nodes->at[node].site = site;
    nodes->links[node] = (struct node_links){0};
    return node;
}

static uint32_t add_origin(struct nodes *nodes)
{
    nodes->origins = mem_append(nodes->origins, &nodes->origin_count, &nodes->origin_capacity,
                                &(struct node_origin){0}, sizeof *nodes->origins);
    return (uint32_t)(nodes->origin_count - 1);
}

static void list_counted(struct nodes *nodes, uint32_t node)
{
    nodes->is_counted = grow_zeroed(nodes->is_counted, &nodes->is_counted_capacity,
                                    (size_t)node / 64 + 1, sizeof *nodes->is_counted);
    uint64_t bit = (uint64_t)1 << node % 64;
    if (nodes->is_counted[node / 64] & bit)
        return;
    nodes->is_counted[node / 64] |= bit;
    nodes->counted = mem_append(nodes->counted, &nodes->counted_count, &nodes->counted_capacity,
                                &node, sizeof *nodes->counted);
}

/* What counts without being touched is the unattributed time. */
static void list_touched(struct nodes *nodes)
{
    list_counted(nodes, NODES_UNATTRIBUTED);
    for (size_t i = 0; i < nodes->touched_count; i++)
        list_counted(nodes, nodes->touched[i].node);
}

/* Returns how many nodes may have counts, for counted_node(). */
static size_t count_counted(struct nodes *nodes)
{
    if (!nodes->lists_counted)
        return nodes->count;
    list_touched(nodes);
    return nodes->counted_count;
}

static uint32_t counted_node(const struct nodes *nodes, size_t i)
{
    return nodes->lists_counted ? nodes->counted[i] : (uint32_t)i;
}

struct node_origin *nodes_origin(struct nodes *nodes, uint32_t node)
{
    if (nodes->lists_counted)
        list_counted(nodes, node);
    uint32_t *origin = &nodes->links[node].origin;
    if (*origin == 0)
        *origin = add_origin(nodes);
    return &nodes->origins[*origin];
}

void nodes_move_memory(struct nodes *nodes, uint32_t from, uint32_t to, uint64_t memory_kb)
{
    if (memory_kb == 0)
        return;
    nodes_origin(nodes, from)->memory_kb -= memory_kb;
    nodes_origin(nodes, to)->memory_kb += memory_kb;
}

void nodes_init(struct nodes *nodes, struct nodes *spare)
{
    *nodes = *spare;
    *spare = (struct nodes){0};
    add_origin(nodes);
    while (nodes->count < NODES_FIRST)
        add_node(nodes, NODES_UNATTRIBUTED, UINT32_MAX);
}

static void release_rest(struct nodes *nodes)
{
    free(nodes->kept);
    free(nodes->kept_origins);
    free(nodes->left_out);
    free(nodes->moves);
    free(nodes->counted);
    free(nodes->is_counted);
    free(nodes->sites);
    free(nodes->site_kinds);
    free(nodes->functions);
    free(nodes->nodes_of);
    fold_steps_release(&nodes->fold);
}

void nodes_release(struct nodes *nodes)
{
    free(nodes->at);
    free(nodes->links);
    free(nodes->origins);
    free(nodes->bits);
    free(nodes->touched);
    index_release(&nodes->index);
    release_rest(nodes);
    *nodes = (struct nodes){0};
}

/* Returns nodes that have only the arrays that other nodes can use again, emptied. */
static struct nodes memory_of(const struct nodes *nodes)
{
    struct nodes memory = {
        .at = nodes->at,
        .links = nodes->links,
        .origins = nodes->origins,
        .index = nodes->index,
        .bits = nodes->bits,
        .touched = nodes->touched,
        .node_capacity = nodes->node_capacity,
        .link_capacity = nodes->link_capacity,
        .origin_capacity = nodes->origin_capacity,
        .bit_capacity = nodes->bit_capacity,
        .touched_capacity = nodes->touched_capacity,
    };
    memset(memory.bits, 0, ((size_t)(nodes->count - 1) / 64 + 1) * sizeof *memory.bits);
    index_clear(&memory.index);
    return memory;
}

void nodes_recycle(struct nodes *nodes, struct nodes *spare)
{
    if (nodes->count > NODES_RECYCLED_MAX) {
        nodes_release(nodes);
        return;
    }
    nodes_release(spare);
    release_rest(nodes);
    *spare = memory_of(nodes);
    *nodes = (struct nodes){0};
}

void nodes_end(struct nodes *nodes)
{
    if (nodes->count <= NODES_RECYCLED_MAX)
        return;
    index_release(&nodes->index);
    free(nodes->touched);
    nodes->touched = NULL;
    nodes->touched_count = nodes->touched_capacity = 0;
}

void nodes_truncate(struct nodes *nodes, uint32_t count)
{
    nodes->count = count;
    nodes->at = mem_shrink(nodes->at, &nodes->node_capacity, count, sizeof *nodes->at);
    nodes->links = mem_shrink(nodes->links, &nodes->link_capacity, count, sizeof *nodes->links);
    nodes->bits = mem_shrink(nodes->bits, &nodes->bit_capacity, (size_t)(count - 1) / 64 + 1,
                             sizeof *nodes->bits);
}

void nodes_define_site(struct nodes *nodes, uint32_t site, struct event_site definition)
{
    assert(definition.function < nodes->function_count);
    nodes->sites =
        grow_zeroed(nodes->sites, &nodes->site_capacity, (size_t)site + 1, sizeof *nodes->sites);
    nodes->sites[site] = definition;
    nodes->site_kinds = grow_zeroed(nodes->site_kinds, &nodes->site_kind_capacity, (size_t)site + 1,
                                    sizeof *nodes->site_kinds);
    nodes->site_kinds[site] = (uint8_t)function_kind(&nodes->functions[definition.function]);
}

void nodes_define_function(struct nodes *nodes, uint32_t function, struct event_function definition)
{
    nodes->functions = grow_zeroed(nodes->functions, &nodes->function_capacity,
                                   (size_t)function + 1, sizeof *nodes->functions);
    if (function >= nodes->function_count)
        nodes->function_count = function + 1;
    nodes->functions[function] = definition;
    nodes->nodes_of = grow_zeroed(nodes->nodes_of, &nodes->nodes_of_capacity, nodes->function_count,
                                  sizeof *nodes->nodes_of);
}

/*
 * Returns the slot of a child, or the free slot for it. nodes_find_child() needs no free slot, and
 * is inline.
 */
static size_t find_slot(const struct nodes *nodes, uint32_t parent, uint32_t site, uint32_t hash)
{
    const struct index *index = &nodes->index;
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot))
        if (index->slots[slot].hash == hash &&
            node_is_child(&nodes->at[index->slots[slot].id], parent, site))
            break;
    return slot;
}

static void watch(struct nodes *nodes, uint32_t node)
{
    nodes->bits[node / 64].watched |= (uint64_t)1 << node % 64;
}

static uint32_t function_number(const struct nodes *nodes, uint32_t node)
{
    return nodes->sites[nodes->at[node].site & ~SITE_IS_OPEN].function;
}

void nodes_set_suspending(struct nodes *nodes, uint32_t node)
{
    uint32_t function = function_number(nodes, node);
    if (nodes->functions[function].suspends)
        return;
    nodes->functions[function].suspends = true;
    for (uint32_t of = nodes->nodes_of[function]; of != 0; of = nodes->links[of].next_of_function)
        watch(nodes, of);
}

static uint32_t make_child(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    uint32_t child = add_node(nodes, parent, site);
    uint32_t function = function_number(nodes, child);
    nodes->links[child].next_of_function = nodes->nodes_of[function];
    nodes->nodes_of[function] = child;
    if (nodes->functions[function].calibrates || nodes->functions[function].suspends ||
        (parent >= NODES_FIRST && nodes_function(nodes, parent)->calibrates))
        watch(nodes, child);
    return child;
}

static struct fold_call call_from(const struct nodes *nodes, uint32_t parent, uint32_t site)
{
    uint32_t callee = nodes->sites[site & ~SITE_IS_OPEN].function;
    return (struct fold_call){nodes_function(nodes, parent)->id, nodes->functions[callee].id};
}

/*
 * Returns the child of a node above `parent` that has made this call already, or INDEX_FREE if this
 * call is not a recursion.
 */
static uint32_t find_folded(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    uint32_t known = fold_steps_known(&nodes->fold, parent, site);
    if (known != INTERN_NONE)
        return known;
    uint32_t caller = fold_steps_find(&nodes->fold, parent, call_from(nodes, parent, site));
    if (caller == parent)
        return INDEX_FREE;
    /* On the path to that caller the call is not, so this goes no deeper. */
    uint32_t child = nodes_child(nodes, caller, site);
    fold_steps_remember(&nodes->fold, parent, site, child);
    return child;
}

uint32_t nodes_child(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    index_reserve(&nodes->index);
    uint32_t hash = nodes_hash(nodes, parent, site);
    size_t slot = find_slot(nodes, parent, site, hash);
    if (nodes->index.slots[slot].id != INDEX_FREE)
        return nodes->index.slots[slot].id;
    /* Who has called an open root is not known yet. */
    bool is_root = parent < NODES_FIRST || (site & SITE_IS_OPEN) != 0;
    if (nodes->folds_recursion && !is_root) {
        uint32_t folded = find_folded(nodes, parent, site);
        if (folded != INDEX_FREE)
            return folded;
    }
    uint32_t child = make_child(nodes, parent, site);
    index_put(&nodes->index, slot, hash, child);
    if (nodes->folds_recursion && !is_root)
        fold_steps_add(&nodes->fold, child, parent, call_from(nodes, parent, site));
    else if (nodes->folds_recursion)
        fold_steps_add_root(&nodes->fold, child);
    return child;
}

void nodes_begin_tick(struct nodes *nodes)
{
    if (nodes->lists_counted)
        list_touched(nodes);
    for (size_t i = 0; i < nodes->touched_count; i++)
        nodes->bits[nodes->touched[i].node / 64].touched = 0;
    nodes->touched_count = 0;
    nodes->counts = (struct tick_counts){0};
    nodes->tick++;
}

static void reset_node(struct nodes *nodes, uint32_t node)
{
    struct node before = nodes->at[node];
    nodes->at[node] = new_node;
    nodes->at[node].parent = before.parent;
    nodes->at[node].site = before.site;
    memcpy(nodes->at[node].next, before.next, sizeof before.next);
    struct node_origin *origin = &nodes->origins[nodes->links[node].origin];
    origin->unfinished = 0;
    origin->memory_kb = 0;
    origin->errors = 0;
}

void nodes_reset(struct nodes *nodes)
{
    size_t count = count_counted(nodes);
    for (size_t i = 0; i < count; i++)
        reset_node(nodes, counted_node(nodes, i));
    for (size_t i = 0; i < nodes->counted_count; i++)
        nodes->is_counted[nodes->counted[i] / 64] = 0;
    nodes->counted_count = 0;
}

static void add_counts(struct node *target, const struct node *node)
{
    target->self += node->self;
    target->calls += node->calls;
    target->duration_sum += node->duration_sum;
    if (node->duration_min < target->duration_min) {
        target->duration_min = node->duration_min;
        target->min_calls = node->min_calls;
    }
    if (node->duration_max > target->duration_max) {
        target->duration_max = node->duration_max;
        target->max_calls = node->max_calls;
    }
}

static void add_rare_counts(struct node_origin *target, const struct node_origin *origin)
{
    target->errors += origin->errors;
    target->unfinished += origin->unfinished;
    target->memory_kb += origin->memory_kb;
}

/* Adds to the origin of a node; `origin` is not one of the array that may grow. */
static void add_to_origin(struct nodes *nodes, uint32_t target, const struct node_origin *origin)
{
    if (origin->errors != 0 || origin->unfinished != 0 || origin->memory_kb != 0)
        add_rare_counts(nodes_origin(nodes, target), origin);
}

static void have_kept(struct nodes *nodes)
{
    nodes->kept = mem_grow(nodes->kept, &nodes->kept_capacity, nodes->count, sizeof *nodes->kept);
    nodes->kept_origins = mem_grow(nodes->kept_origins, &nodes->kept_origin_capacity, nodes->count,
                                   sizeof *nodes->kept_origins);
    for (; nodes->kept_count < nodes->count; nodes->kept_count++) {
        nodes->kept[nodes->kept_count] = new_node;
        nodes->kept_origins[nodes->kept_count] = (struct node_origin){0};
    }
}

void nodes_keep(struct nodes *nodes)
{
    have_kept(nodes);
    size_t count = count_counted(nodes);
    for (size_t i = 0; i < count; i++) {
        uint32_t node = counted_node(nodes, i);
        add_counts(&nodes->kept[node], &nodes->at[node]);
        add_rare_counts(&nodes->kept_origins[node], nodes_known_origin(nodes, node));
    }
}

static void have_left_out(struct nodes *nodes)
{
    nodes->left_out =
        mem_grow(nodes->left_out, &nodes->left_out_capacity, nodes->count, sizeof *nodes->left_out);
    for (; nodes->left_out_count < nodes->count; nodes->left_out_count++)
        nodes->left_out[nodes->left_out_count] = (struct left_out){0};
}

void nodes_leave_out(struct nodes *nodes)
{
    have_left_out(nodes);
    size_t count = count_counted(nodes);
    for (size_t i = 0; i < count; i++) {
        uint32_t node = counted_node(nodes, i);
        nodes->left_out[node].self += nodes->at[node].self;
        nodes->left_out[node].calls += nodes->at[node].calls;
    }
}

struct left_out nodes_whole(const struct nodes *nodes, uint32_t node)
{
    struct left_out whole = {nodes->at[node].self, nodes->at[node].calls};
    if (node < nodes->left_out_count) {
        whole.self += nodes->left_out[node].self;
        whole.calls += nodes->left_out[node].calls;
    }
    return whole;
}

void nodes_take_kept(struct nodes *nodes)
{
    have_kept(nodes);
    nodes_reset(nodes);
    nodes->lists_counted = false;
    for (uint32_t node = 0; node < nodes->count; node++) {
        add_counts(&nodes->at[node], &nodes->kept[node]);
        add_to_origin(nodes, node, &nodes->kept_origins[node]);
    }
}

static void move_left_out(struct nodes *nodes, uint32_t from, uint32_t to)
{
    if (from >= nodes->left_out_count)
        return;
    have_left_out(nodes);
    nodes->left_out[to].self += nodes->left_out[from].self;
    nodes->left_out[to].calls += nodes->left_out[from].calls;
    nodes->left_out[from] = (struct left_out){0};
}

static void move_one(struct nodes *nodes, uint32_t from, uint32_t to)
{
    move_left_out(nodes, from, to);
    if (nodes_has_caller(nodes, from) != nodes_has_caller(nodes, to)) {
        int64_t calls = (int64_t)nodes->at[from].calls;
        nodes->counts.callerless[nodes_kind(nodes, from)] +=
            nodes_has_caller(nodes, to) ? -calls : calls;
    }
    nodes_touch(nodes, from);
    nodes_touch(nodes, to);
    struct node_origin origin = *nodes_known_origin(nodes, from);
    add_counts(&nodes->at[to], &nodes->at[from]);
    add_to_origin(nodes, to, &origin);
    reset_node(nodes, from);
    if (nodes->keeps_moves) {
        struct node_move move = {nodes->tick, from, to};
        nodes->moves =
            mem_append(nodes->moves, &nodes->move_count, &nodes->move_capacity, &move, sizeof move);
    }
    if (from >= nodes->kept_count)
        return;
    have_kept(nodes);
    add_counts(&nodes->kept[to], &nodes->kept[from]);
    add_rare_counts(&nodes->kept_origins[to], &nodes->kept_origins[from]);
    nodes->kept[from] = new_node;
    nodes->kept_origins[from] = (struct node_origin){0};
}

void nodes_move(struct nodes *nodes, uint32_t *list, size_t count, uint32_t target)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t from = list[i];
        uint32_t parent = nodes->at[from].parent;
        uint32_t to = i == 0 ? target
                             : nodes_child(nodes, nodes_known_origin(nodes, parent)->moved_to,
                                           nodes->at[from].site & ~SITE_IS_OPEN);
        struct node_origin *origin = nodes_origin(nodes, from);
        origin->moved_to = to;
        origin->is_listed = false;
        move_one(nodes, from, to);
        list[i] = to;
    }
}
