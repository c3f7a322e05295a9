#include "rebuild/stacks/nodes.h"

#include <assert.h>

#define NO_NODE UINT32_MAX

static uint32_t step_of(struct fold_steps *fold, struct fold_call call)
{
    uint32_t known = fold->ids.count;
    uint32_t step = intern_add(&fold->ids, (const char *)&call, sizeof call);
    if (step == known) {
        MEM_GROW(fold->steps, fold->step_capacity, (size_t)step + 1);
        fold->steps[step] = (struct fold_step){.last = NO_NODE};
    }
    return step;
}

static struct fold_step_node *new_node(struct fold_steps *fold, uint32_t node)
{
    MEM_GROW(fold->nodes, fold->node_capacity, (size_t)node + 1);
    return &fold->nodes[node];
}

void fold_steps_add_root(struct fold_steps *fold, uint32_t node)
{
    *new_node(fold, node) = (struct fold_step_node){
        .parent = node, .jump = node, .step = INTERN_NONE, .previous = NO_NODE};
}

void fold_steps_add(struct fold_steps *fold, uint32_t node, uint32_t parent, struct fold_call call)
{
    struct fold_step_node *added = new_node(fold, node);
    const struct fold_step_node *above = &fold->nodes[parent];
    const struct fold_step_node *jump = &fold->nodes[above->jump];
    uint32_t step = step_of(fold, call);
    struct fold_step *list = &fold->steps[step];
    /* Two jumps of one length become a jump of twice that length. */
    bool doubles = above->depth - jump->depth == jump->depth - fold->nodes[jump->jump].depth;
    *added = (struct fold_step_node){
        .parent = parent,
        .jump = doubles ? jump->jump : parent,
        .depth = above->depth + 1,
        .step = step,
        .previous = list->last,
    };
    list->last = node;
    list->count++;
}

static uint32_t ancestor_at(const struct fold_steps *fold, uint32_t node, uint32_t depth)
{
    const struct fold_step_node *nodes = fold->nodes;
    while (nodes[node].depth > depth)
        node = nodes[nodes[node].jump].depth >= depth ? nodes[node].jump : nodes[node].parent;
    return node;
}

static uint32_t search_list(const struct fold_steps *fold, uint32_t node, uint32_t step)
{
    uint32_t depth = fold->nodes[node].depth;
    uint32_t at = fold->steps[step].last;
    while (at != NO_NODE &&
           (fold->nodes[at].depth > depth || ancestor_at(fold, node, fold->nodes[at].depth) != at))
        at = fold->nodes[at].previous;
    return at == NO_NODE ? node : fold->nodes[at].parent;
}

static uint32_t search_path(const struct fold_steps *fold, uint32_t node, uint32_t step)
{
    uint32_t at = node;
    while (fold->nodes[at].depth > 0 && fold->nodes[at].step != step)
        at = fold->nodes[at].parent;
    return fold->nodes[at].depth > 0 ? fold->nodes[at].parent : node;
}

uint32_t fold_steps_find(struct fold_steps *fold, uint32_t node, struct fold_call call)
{
    uint32_t step = intern_find(&fold->ids, (const char *)&call, sizeof call);
    if (step == INTERN_NONE)
        return node;
    return fold->steps[step].count < fold->nodes[node].depth ? search_list(fold, node, step)
                                                             : search_path(fold, node, step);
}

void fold_steps_remember(struct fold_steps *fold, uint32_t parent, uint32_t site, uint32_t node)
{
    uint32_t key[] = {parent, site};
    uint32_t id = intern_add(&fold->folded, (const char *)key, sizeof key);
    MEM_GROW(fold->folded_nodes, fold->folded_capacity, fold->folded.count);
    fold->folded_nodes[id] = node;
}

uint32_t fold_steps_known(const struct fold_steps *fold, uint32_t parent, uint32_t site)
{
    uint32_t key[] = {parent, site};
    uint32_t id = intern_find(&fold->folded, (const char *)key, sizeof key);
    return id == INTERN_NONE ? INTERN_NONE : fold->folded_nodes[id];
}

void fold_steps_release(struct fold_steps *fold)
{
    intern_release(&fold->ids);
    intern_release(&fold->folded);
    MEM_FREE(fold->folded_nodes, fold->steps, fold->nodes);
    *fold = (struct fold_steps){0};
}

static uint32_t add_node(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    uint32_t node = nodes->count++;
    MEM_GROW(nodes->at, nodes->node_capacity, nodes->count);
    MEM_GROW(nodes->links, nodes->link_capacity, nodes->count);
    MEM_GROW_ZEROED(nodes->bits, nodes->bit_capacity, (size_t)node / 64 + 1);
    nodes->at[node] = (struct node){
        .duration_min = INT64_MAX, .duration_max = -1, .parent = parent, .site = site};
    nodes->links[node] = (struct node_links){0};
    return node;
}

static uint32_t add_origin(struct nodes *nodes)
{
    MEM_APPEND(nodes->origins, nodes->origin_count, nodes->origin_capacity,
               (struct node_origin){0});
    return (uint32_t)(nodes->origin_count - 1);
}

struct node_origin *nodes_origin(struct nodes *nodes, uint32_t node)
{
    uint32_t *origin = &nodes->links[node].origin;
    if (*origin == 0)
        *origin = add_origin(nodes);
    return &nodes->origins[*origin];
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
    MEM_FREE(nodes->lines, nodes->moves, nodes->sites, nodes->site_kinds, nodes->functions,
             nodes->nodes_of);
    fold_steps_release(&nodes->fold);
}

void nodes_release(struct nodes *nodes)
{
    MEM_FREE(nodes->at, nodes->links, nodes->origins, nodes->bits, nodes->touched);
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
    if (nodes->count > NODES_RECYCLED_MAX || nodes->origin_count > NODES_RECYCLED_MAX) {
        nodes_release(nodes);
        return;
    }
    nodes_release(spare);
    release_rest(nodes);
    *spare = memory_of(nodes);
    *nodes = (struct nodes){0};
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

static void watch(struct nodes *nodes, uint32_t node)
{
    nodes->bits[node / 64].watched |= (uint64_t)1 << node % 64;
}

void nodes_set_suspending(struct nodes *nodes, uint32_t node)
{
    uint32_t function = nodes->sites[node_site(&nodes->at[node])].function;
    if (nodes->functions[function].suspends)
        return;
    nodes->functions[function].suspends = true;
    for (uint32_t of = nodes->nodes_of[function]; of != 0; of = nodes->links[of].next_of_function)
        watch(nodes, of);
}

static uint32_t make_child(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    uint32_t child = add_node(nodes, parent, site);
    uint32_t function = nodes->sites[site & ~SITE_IS_OPEN].function;
    nodes->links[child].next_of_function = nodes->nodes_of[function];
    nodes->nodes_of[function] = child;
    if (nodes->functions[function].calibrates || nodes->functions[function].suspends ||
        (parent >= NODES_FIRST && nodes_function(nodes, parent)->calibrates))
        watch(nodes, child);
    return child;
}

/* A line is a step that no call makes. */
static struct fold_call call_from(const struct nodes *nodes, uint32_t parent, uint32_t site)
{
    if (site >= SITE_IS_LINE)
        return (struct fold_call){nodes_function(nodes, parent)->id, UINT32_MAX};
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
    /* The path to that caller does not have the call, so nodes_child() does not come back here. */
    uint32_t child = nodes_child(nodes, caller, site);
    fold_steps_remember(&nodes->fold, parent, site, child);
    return child;
}

uint32_t nodes_child(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    index_reserve(&nodes->index);
    uint32_t hash = nodes_hash(nodes, parent, site);
    size_t slot = nodes_find_slot(nodes, parent, site, hash);
    if (nodes->index.slots[slot].id != INDEX_FREE)
        return nodes->index.slots[slot].id;
    /* Who has called an open root is not known yet. */
    bool is_line = site >= SITE_IS_LINE;
    bool is_root = parent < NODES_FIRST || (!is_line && (site & SITE_IS_OPEN) != 0);
    if (nodes->folds_recursion && !is_root && !is_line) {
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
    if (nodes->links[node].origin != 0) {
        struct node_origin *origin = nodes_origin(nodes, node);
        counts.errors = origin->errors;
        counts.memory_kb = (int64_t)origin->memory_kb;
        origin->errors = 0;
        origin->memory_kb = 0;
    }
    if (node < nodes->line_capacity) {
        counts.runs = nodes->lines[node].runs;
        counts.begins = nodes->lines[node].begins;
        nodes->lines[node] = (struct node_line){0};
    }
    return counts;
}

void nodes_end(struct nodes *nodes)
{
    if (nodes->count <= NODES_RECYCLED_MAX)
        return;
    index_release(&nodes->index);
    free(nodes->touched);
    nodes->touched = NULL;
    nodes->touched_capacity = 0;
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

static void move_origin(struct nodes *nodes, uint32_t from, uint32_t to)
{
    struct node_origin moved = *nodes_known_origin(nodes, from);
    if (moved.errors == 0 && moved.memory_kb == 0)
        return;
    struct node_origin *origin = nodes_origin(nodes, from);
    origin->errors = 0;
    origin->memory_kb = 0;
    origin = nodes_origin(nodes, to);
    origin->errors += moved.errors;
    origin->memory_kb += moved.memory_kb;
}

static void move_counts(struct node *from, struct node *to)
{
    to->self += from->self;
    to->calls += from->calls;
    to->returned += from->returned;
    to->duration_sum += from->duration_sum;
    if (from->duration_min < to->duration_min) {
        to->duration_min = from->duration_min;
        to->min_calls = from->min_calls;
    }
    if (from->duration_max > to->duration_max) {
        to->duration_max = from->duration_max;
        to->max_calls = from->max_calls;
    }
    from->self = 0;
    from->calls = from->returned = 0;
    from->duration_sum = 0;
    from->duration_min = INT64_MAX;
    from->duration_max = -1;
}

static void move_runs(struct nodes *nodes, uint32_t from, uint32_t to)
{
    if (nodes->lines == NULL)
        return;
    MEM_GROW_ZEROED(nodes->lines, nodes->line_capacity, nodes->count);
    struct node_line *moved = &nodes->lines[from], *line = &nodes->lines[to];
    line->runs += moved->runs;
    line->begins += moved->begins;
    *moved = (struct node_line){0};
}

static void move_one(struct nodes *nodes, uint32_t from, uint32_t to)
{
    nodes_touch(nodes, from);
    nodes_touch(nodes, to);
    move_origin(nodes, from, to);
    move_counts(&nodes->at[from], &nodes->at[to]);
    move_runs(nodes, from, to);
    struct node_move move = {nodes->part, from, to};
    MEM_APPEND(nodes->moves, nodes->move_count, nodes->move_capacity, move);
}

void nodes_move(struct nodes *nodes, uint32_t *list, size_t count, uint32_t target)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t from = list[i];
        uint32_t parent = nodes->at[from].parent;
        uint32_t to =
            i == 0 ? target
                   : nodes_child(nodes, nodes_known_origin(nodes, parent)->moved_to,
                                 node_is_line(&nodes->at[from]) ? nodes->at[from].site
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
    uint32_t line = nodes_child(nodes, nodes_call_of(nodes, node), site | SITE_IS_LINE);
    MEM_GROW_ZEROED(nodes->lines, nodes->line_capacity, nodes->count);
    return line;
}

void nodes_count_run(struct nodes *nodes, uint32_t node, bool is_first)
{
    struct node_line *line = &nodes->lines[node];
    line->runs++;
    line->begins += is_first;
}

/* From the last move to the first, so that where each leads to is known. */
void node_moves_init(struct node_moves *moves, const struct nodes *nodes)
{
    *moves = (struct node_moves){.moves = nodes->moves};
    if (nodes->move_count == 0)
        return;
    moves->next = mem_zeroed(nodes->count, sizeof *moves->next);
    moves->later = mem_zeroed(nodes->move_count, sizeof *moves->later);
    moves->target = mem_zeroed(nodes->move_count, sizeof *moves->target);
    for (size_t i = nodes->move_count; i-- > 0;) {
        const struct node_move *move = &nodes->moves[i];
        uint32_t next = moves->next[move->to];
        moves->target[i] = next == 0 ? move->to : moves->target[next - 1];
        moves->later[i] = moves->next[move->from];
        moves->next[move->from] = (uint32_t)i + 1;
    }
}

void node_moves_release(struct node_moves *moves)
{
    MEM_FREE(moves->next, moves->later, moves->target);
    *moves = (struct node_moves){0};
}
