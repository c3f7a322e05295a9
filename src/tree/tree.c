#include "tree/tree.h"

#include "base/mem.h"
#include "tree/stacks.h"

#include <stdlib.h>

/*
 * The hash of a node is made from its parent's, not from its parent's id: so it is
 * known for all frames of a stack before any node of it has been looked up. It has
 * 64 bits, since a recursion a million levels deep applies this a million times to
 * its own result, which with 32 bits comes back to where it was.
 */
static uint64_t hash_path(uint64_t parent_hash, uint32_t function, int32_t line)
{
    uint64_t mixed = ((uint64_t)function << 32 | (uint32_t)line) * 0x9e3779b97f4a7c15u;
    /* The constant keeps function 0, called by itself, from staying at hash 0. */
    mixed = (mixed ^ mixed >> 32 ^ (parent_hash + 0x165667b19e3779f9u)) * 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 29;
}

static uint32_t slot_hash(uint64_t path_hash)
{
    return (uint32_t)(path_hash >> 32);
}

struct call_details call_details_none(void)
{
    return (struct call_details){.min_ns = INT64_MAX, .max_ns = -1};
}

void call_details_add(struct call_details *to, const struct call_details *from)
{
    to->errors += from->errors;
    to->finished += from->finished;
    to->finished_ns += from->finished_ns;
    to->memory_kb += from->memory_kb;
    to->variance_ns2 += from->variance_ns2;
    to->cost_error_ns += from->cost_error_ns;
    if (from->min_ns < to->min_ns) {
        to->min_ns = from->min_ns;
        to->min_calls = from->min_calls;
    }
    if (from->max_ns > to->max_ns) {
        to->max_ns = from->max_ns;
        to->max_calls = from->max_calls;
    }
}

static uint32_t add_node(struct tree *tree, struct call call, uint64_t hash)
{
    uint32_t node = tree->node_count++;
    size_t needed = tree->node_count;
    if (needed > tree->capacity) {
        /* All arrays grow alike; each call starts from the capacity that it had before. */
        size_t capacity = tree->capacity;
        tree->calls = mem_grow(tree->calls, &capacity, needed, sizeof *tree->calls);
        capacity = tree->capacity;
        tree->call_counts =
            mem_grow(tree->call_counts, &capacity, needed, sizeof *tree->call_counts);
        capacity = tree->capacity;
        tree->total_ns = mem_grow(tree->total_ns, &capacity, needed, sizeof *tree->total_ns);
        capacity = tree->capacity;
        tree->flags = mem_grow(tree->flags, &capacity, needed, sizeof *tree->flags);
        capacity = tree->capacity;
        tree->hashes = mem_grow(tree->hashes, &capacity, needed, sizeof *tree->hashes);
        if (tree->details != NULL) {
            capacity = tree->capacity;
            tree->details = mem_grow(tree->details, &capacity, needed, sizeof *tree->details);
        }
        tree->capacity = capacity;
    }
    if (tree->details != NULL)
        tree->details[node] = call_details_none();
    tree->calls[node] = call;
    tree->call_counts[node] = 0;
    tree->total_ns[node] = 0;
    tree->flags[node] = 0;
    tree->hashes[node] = hash;
    return node;
}

void tree_init(struct tree *tree)
{
    *tree = (struct tree){0};
    add_node(tree, (struct call){.parent = TREE_NONE, .function = TREE_NONE}, 0);
}

void tree_keep_details(struct tree *tree)
{
    tree->details = mem_zeroed(tree->capacity, sizeof *tree->details);
    tree->details[TREE_ROOT] = call_details_none();
}

void tree_release(struct tree *tree)
{
    free(tree->calls);
    free(tree->call_counts);
    free(tree->total_ns);
    free(tree->self_ns);
    free(tree->flags);
    free(tree->hashes);
    free(tree->details);
    index_release(&tree->index);
    intern_release(&tree->steps);
    *tree = (struct tree){0};
}

static uint32_t child(struct tree *tree, struct call call, uint64_t path_hash)
{
    uint32_t hash = slot_hash(path_hash);
    struct index *index = &tree->index;
    index_reserve(index);
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        if (index->slots[slot].hash != hash)
            continue;
        const struct call *known = &tree->calls[index->slots[slot].id];
        if (known->parent == call.parent && known->function == call.function &&
            known->line == call.line)
            return index->slots[slot].id;
    }
    uint32_t node = add_node(tree, call, path_hash);
    index_put(index, slot, hash, node);
    return node;
}

/*
 * Returns the node from which the step from the function of `parent` to `function` is
 * on the path already, or `parent`.
 */
static uint32_t first_step(struct tree *tree, uint32_t parent, uint32_t function)
{
    uint32_t caller = tree->calls[parent].function;
    const uint32_t step[] = {caller, function};
    uint32_t known = tree->steps.count;
    /* What is nowhere in the tree need not be looked for on a long path. */
    if (intern_add(&tree->steps, (const char *)step, sizeof step) == known)
        return parent;
    for (uint32_t node = parent; node != TREE_ROOT; node = tree->calls[node].parent) {
        const struct call *call = &tree->calls[node];
        if (call->function == function && call->parent != TREE_ROOT &&
            tree->calls[call->parent].function == caller)
            return call->parent;
    }
    return parent;
}

uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t function, int32_t line)
{
    if (tree->folds_recursion && parent != TREE_ROOT)
        parent = first_step(tree, parent, function);
    uint64_t hash = hash_path(tree->hashes[parent], function, line);
    return child(tree, (struct call){parent, function, line}, hash);
}

/*
 * A large tree is in no cache, and each step down would wait for memory. So the
 * hashes of some stacks ahead are made first, and their slots asked for.
 */
enum { STACKS_AHEAD = 8 };

struct lookahead {
    const struct stacks *stacks;
    size_t stack, frame; /* the next to look at */
    uint64_t *hashes;    /* [stacks->frame_count] */
};

static void look_ahead(struct lookahead *ahead, struct index *index)
{
    if (ahead->stack >= ahead->stacks->count)
        return;
    uint64_t hash = 0;
    int32_t line = LINE_UNKNOWN;
    size_t end = ahead->frame + ahead->stacks->at[ahead->stack++].depth;
    for (; ahead->frame < end; ahead->frame++) {
        const struct stack_frame *frame = &ahead->stacks->frames[ahead->frame];
        hash = hash_path(hash, frame->function, line);
        ahead->hashes[ahead->frame] = hash;
        __builtin_prefetch(&index->slots[index_first(index, slot_hash(hash))]);
        line = frame->call_line;
    }
}

static void add_stack(struct tree *tree, uint32_t node, const struct stack *stack)
{
    tree->call_counts[node] += stack->calls;
    tree->total_ns[node] += stack->total_ns;
    tree->flags[node] |=
        (uint8_t)(NODE_SEEN | (stack->has_time ? NODE_TIMED : 0) |
                  (stack->on_main ? NODE_MAIN : 0) | (stack->on_coroutine ? NODE_COROUTINE : 0));
}

void tree_add(struct tree *tree, const struct stacks *stacks)
{
    struct lookahead ahead = {.stacks = stacks};
    ahead.hashes = mem_zeroed(stacks->frame_count, sizeof *ahead.hashes);
    index_reserve(&tree->index);
    for (int i = 0; i < STACKS_AHEAD; i++)
        look_ahead(&ahead, &tree->index);

    size_t at = 0;
    for (size_t i = 0; i < stacks->count; i++) {
        look_ahead(&ahead, &tree->index);
        const struct stack *stack = &stacks->at[i];
        struct call call = {.line = LINE_UNKNOWN};
        uint32_t node = TREE_ROOT;
        for (size_t end = at + stack->depth; at < end; at++) {
            call.parent = node;
            call.function = stacks->frames[at].function;
            node = child(tree, call, ahead.hashes[at]);
            call.line = stacks->frames[at].call_line;
        }
        add_stack(tree, node, stack);
    }
    free(ahead.hashes);
}

void tree_settle(struct tree *tree)
{
    index_release(&tree->index);
    free(tree->hashes);
    tree->hashes = NULL;
    tree->self_ns = mem_zeroed(tree->node_count, sizeof *tree->self_ns);
    /* Children come first, so self_ns[node] holds the sum of the children when it is their turn. */
    for (uint32_t node = tree->node_count; node-- > 0;) {
        int64_t children_ns = tree->self_ns[node];
        if (!(tree->flags[node] & NODE_TIMED))
            tree->total_ns[node] = children_ns;
        tree->self_ns[node] = tree->total_ns[node] - children_ns;
        if (node == TREE_ROOT)
            break;
        uint32_t parent = tree->calls[node].parent;
        tree->self_ns[parent] += tree->total_ns[node];
        if (!(tree->flags[parent] & NODE_SEEN))
            tree->flags[parent] |= tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
    }
}

void tree_settle_self(struct tree *tree)
{
    index_release(&tree->index);
    free(tree->hashes);
    tree->hashes = NULL;
    tree->self_ns = mem_zeroed(tree->node_count, sizeof *tree->self_ns);
    for (uint32_t node = 0; node < tree->node_count; node++)
        tree->self_ns[node] = tree->total_ns[node];
    tree_sum_totals(tree);
}

void tree_sum_totals(struct tree *tree)
{
    for (uint32_t node = 0; node < tree->node_count; node++)
        tree->total_ns[node] = tree->self_ns[node];
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
        tree->total_ns[tree->calls[node].parent] += tree->total_ns[node];
}

void tree_add_tree(struct tree *to, const struct tree *from)
{
    uint32_t *target = mem_zeroed(from->node_count, sizeof *target);
    for (uint32_t node = 1; node < from->node_count; node++) {
        const struct call *call = &from->calls[node];
        uint32_t at = tree_child(to, target[call->parent], call->function, call->line);
        target[node] = at;
        to->call_counts[at] += from->call_counts[node];
        to->total_ns[at] += from->self_ns[node];
        to->flags[at] |= from->flags[node];
        if (to->details != NULL && from->details != NULL)
            call_details_add(&to->details[at], &from->details[node]);
    }
    free(target);
}

void tree_without_lines(struct tree *merged, const struct tree *tree)
{
    tree_init(merged);
    if (tree->details != NULL)
        tree_keep_details(merged);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t to = tree_child(merged, target[call->parent], call->function, LINE_UNKNOWN);
        target[node] = to;
        merged->call_counts[to] += tree->call_counts[node];
        merged->total_ns[to] += tree->total_ns[node];
        merged->flags[to] |= tree->flags[node];
        if (tree->details != NULL)
            call_details_add(&merged->details[to], &tree->details[node]);
    }
    free(target);
    merged->total_ns[TREE_ROOT] = tree->total_ns[TREE_ROOT];
    /* Merged totals are complete, whether or not lines were read for them. */
    for (uint32_t node = 0; node < merged->node_count; node++)
        merged->flags[node] |= NODE_TIMED;
    tree_settle(merged);
}

void tree_keep(struct tree *tree, const uint8_t *is_kept)
{
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint8_t *is_needed = mem_zeroed(tree->node_count, 1);
    is_needed[TREE_ROOT] = 1;
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        is_needed[node] |= is_kept[node] != 0;
        is_needed[tree->calls[node].parent] |= is_needed[node];
    }

    /* Ids only get smaller, so the nodes move down in place. */
    uint32_t count = 0;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        if (!is_needed[node])
            continue;
        uint32_t to = count++;
        target[node] = to;
        tree->calls[to] = tree->calls[node];
        if (node != TREE_ROOT)
            tree->calls[to].parent = target[tree->calls[node].parent];
        tree->call_counts[to] = is_kept[node] ? tree->call_counts[node] : 0;
        tree->self_ns[to] = is_kept[node] ? tree->self_ns[node] : 0;
        tree->flags[to] = is_kept[node] ? tree->flags[node] : 0;
        if (tree->details != NULL)
            tree->details[to] = is_kept[node] ? tree->details[node] : call_details_none();
    }
    tree->node_count = count;
    tree_sum_totals(tree);
    free(target);
    free(is_needed);
}

void tree_keep_thread(struct tree *tree, uint8_t flags)
{
    uint8_t *is_kept = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_kept[node] = (tree->flags[node] & flags) != 0;
    tree_keep(tree, is_kept);
    free(is_kept);
}

struct sibling {
    uint32_t rank;
    int32_t line;
    uint32_t node;
};

static int compare_siblings(const void *left, const void *right)
{
    const struct sibling *a = left;
    const struct sibling *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static void put_first(struct tree_links *links, const struct tree *tree, uint32_t node)
{
    uint32_t parent = tree->calls[node].parent;
    links->next_sibling[node] = links->first_child[parent];
    links->first_child[parent] = node;
}

void tree_link(struct tree_links *links, const struct tree *tree, const uint32_t *rank)
{
    links->first_child = mem_zeroed(tree->node_count, sizeof *links->first_child);
    links->next_sibling = mem_zeroed(tree->node_count, sizeof *links->next_sibling);
    for (uint32_t node = 0; node < tree->node_count; node++)
        links->first_child[node] = links->next_sibling[node] = TREE_NONE;
    if (rank == NULL) {
        for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
            put_first(links, tree, node);
        return;
    }
    size_t count = tree->node_count - 1;
    struct sibling *siblings = mem_zeroed(count, sizeof *siblings);
    for (uint32_t node = 1; node < tree->node_count; node++)
        siblings[node - 1] =
            (struct sibling){rank[tree->calls[node].function], tree->calls[node].line, node};
    qsort(siblings, count, sizeof *siblings, compare_siblings);
    for (size_t i = count; i-- > 0;)
        put_first(links, tree, siblings[i].node);
    free(siblings);
}

void tree_links_release(struct tree_links *links)
{
    free(links->first_child);
    free(links->next_sibling);
    *links = (struct tree_links){0};
}

uint32_t tree_next(const struct tree *tree, const struct tree_links *links, uint32_t node,
                   void (*leave)(void *context, uint32_t node), void *context)
{
    if (links->first_child[node] != TREE_NONE)
        return links->first_child[node];
    for (; node != TREE_ROOT; node = tree->calls[node].parent) {
        leave(context, node);
        if (links->next_sibling[node] != TREE_NONE)
            return links->next_sibling[node];
    }
    return TREE_NONE;
}
