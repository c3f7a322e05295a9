#include "tree/tree_builder.h"

#include "base/mem.h"
#include "tree/line_runs.h"
#include "tree/samples.h"

/*
 * The hash of a node is made from its parent's hash, not from its parent's id: so it is
 * known for all frames of a stack before any node of it has been looked up. It has
 * 64 bits, because a recursion a million levels deep applies this a million times to
 * its own result; with 32 bits the values would repeat. That of the root is a seed.
 */
static uint64_t hash_path(uint64_t parent_hash, uint32_t function, int32_t line)
{
    return hash_number((uint64_t)function << 32 | (uint32_t)line, parent_hash);
}

static uint32_t slot_hash(uint64_t path_hash)
{
    return (uint32_t)(path_hash >> 32);
}

/* All arrays grow in the same way; each call starts from their old capacity. */
static void *grow(const struct tree_builder *builder, void *array, size_t size)
{
    size_t capacity = builder->capacity;
    return mem_grow(array, &capacity, builder->tree.node_count, size);
}

static void grow_arrays(struct tree_builder *builder)
{
    builder->tree.calls = grow(builder, builder->tree.calls, sizeof *builder->tree.calls);
    builder->tree.call_counts =
        grow(builder, builder->tree.call_counts, sizeof *builder->tree.call_counts);
    builder->tree.self_ns = grow(builder, builder->tree.self_ns, sizeof *builder->tree.self_ns);
    builder->tree.flags = grow(builder, builder->tree.flags, sizeof *builder->tree.flags);
    if (builder->tree.details != NULL)
        builder->tree.details = grow(builder, builder->tree.details, sizeof *builder->tree.details);
    if (builder->tree.outermost != NULL)
        builder->tree.outermost =
            grow(builder, builder->tree.outermost, sizeof *builder->tree.outermost);
    if (builder->tree.samples != NULL)
        builder->tree.samples = grow(builder, builder->tree.samples, sizeof *builder->tree.samples);
    MEM_GROW(builder->hashes, builder->capacity, builder->tree.node_count);
}

static uint32_t add_node(struct tree_builder *builder, struct call call, uint64_t hash)
{
    uint32_t node = builder->tree.node_count++;
    if (builder->tree.node_count > builder->capacity)
        grow_arrays(builder);
    if (builder->tree.details != NULL)
        builder->tree.details[node] = call_details_none();
    if (builder->tree.samples != NULL)
        builder->tree.samples[node] = (struct subsamples){{0}};
    builder->tree.calls[node] = call;
    builder->tree.call_counts[node] = 0;
    builder->tree.self_ns[node] = 0;
    builder->tree.flags[node] = 0;
    builder->hashes[node] = hash;
    return node;
}

void tree_builder_init(struct tree_builder *builder, bool has_details)
{
    *builder = (struct tree_builder){0};
    add_node(builder, (struct call){.parent = TREE_NONE, .function = TREE_NONE}, random_number());
    builder->tree.outermost = mem_zeroed(builder->capacity, sizeof *builder->tree.outermost);
    if (!has_details)
        return;
    builder->tree.details = mem_zeroed(builder->capacity, sizeof *builder->tree.details);
    builder->tree.details[TREE_ROOT] = call_details_none();
}

void tree_builder_init_like(struct tree_builder *builder, const struct tree *tree)
{
    tree_builder_init(builder, tree->details != NULL);
}

void tree_builder_init_alike(struct tree_builder *builder, const struct tree *tree,
                             bool has_details)
{
    uint32_t count = tree->node_count;
    *builder = (struct tree_builder){.tree = tree_make(count, has_details), .capacity = count};
    struct tree *copy = &builder->tree;
    memcpy(copy->calls, tree->calls, count * sizeof *copy->calls);
    copy->outermost = mem_zeroed(count, sizeof *copy->outermost);
    memcpy(copy->outermost, tree->outermost, count * sizeof *copy->outermost);
    for (uint32_t node = TREE_ROOT; has_details && node < count; node++)
        copy->details[node] = call_details_none();
}

enum { CALLS_AHEAD = 16 }; /* whose slots in the index are fetched */

/* Sets the hashes of all calls of a tree, [count], below a root that has one. */
static void hash_calls(uint64_t *hashes, const struct call *calls, uint32_t count)
{
    for (uint32_t node = TREE_ROOT + 1; node < count; node++)
        hashes[node] =
            hash_path(hashes[calls[node].parent], calls[node].function, calls[node].line);
}

/* Puts those nodes into the index that are not yet in it. */
static void complete_index(struct tree_builder *builder)
{
    struct index *index = &builder->index;
    const uint64_t *hashes = builder->hashes;
    uint32_t count = builder->tree.node_count, first = builder->indexed_count;
    index_reserve(index, count - first);
    for (uint32_t node = first; node < count; node++) {
        uint32_t ahead = slot_hash(hashes[node + (count - node > CALLS_AHEAD ? CALLS_AHEAD : 0)]);
        __builtin_prefetch(&index->slots[index_first(index, ahead)], 1);
        uint32_t hash = slot_hash(hashes[node]);
        size_t slot = index_first(index, hash);
        while (index->slots[slot].id != INDEX_FREE && index->slots[slot].id != node)
            slot = index_next(index, slot);
        if (index->slots[slot].id == INDEX_FREE)
            index_put(index, slot, hash, node);
    }
    builder->indexed_count = count;
}

void tree_builder_extend(struct tree_builder *builder, struct tree *tree)
{
    builder->tree = *tree;
    *tree = (struct tree){0};
    if (builder->hashes == NULL) {
        builder->capacity = builder->tree.node_count;
        builder->hashes = (uint64_t *)builder->tree.total_ns;
        builder->tree.total_ns = NULL;
        builder->hashes[TREE_ROOT] = random_number();
        hash_calls(builder->hashes, builder->tree.calls, builder->tree.node_count);
        builder->indexed_count = TREE_ROOT + 1;
    }
    complete_index(builder);
}

void tree_builder_lend(struct tree_builder *builder, struct tree *tree)
{
    *tree = builder->tree;
    builder->tree = (struct tree){0};
}

void tree_builder_release(struct tree_builder *builder)
{
    tree_release(&builder->tree);
    MEM_FREE(builder->hashes, builder->paths);
    index_release(&builder->index);
    *builder = (struct tree_builder){0};
}

static inline bool is_same_call(const struct call *a, struct call b)
{
    return a->parent == b.parent && a->function == b.function && a->line == b.line;
}

/* The index has room for one more. */
static inline uint32_t child(struct tree_builder *builder, struct call call, uint64_t path_hash)
{
    uint32_t hash = slot_hash(path_hash);
    struct index *index = &builder->index;
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        if (index->slots[slot].hash != hash)
            continue;
        if (is_same_call(&builder->tree.calls[index->slots[slot].id], call))
            return index->slots[slot].id;
    }
    uint32_t node = add_node(builder, call, path_hash);
    index_put(index, slot, hash, node);
    return node;
}

/*
 * Marks a new node if its function is not above it: that was found by comparing some frames. To
 * walk through the finished tree takes a tenth of all the time. In a log of many deep stacks this
 * would take time with the square of the depth: then the walk is made.
 */
static void mark_outermost(struct tree_builder *builder, uint32_t node, bool is_above,
                           size_t compared)
{
    enum { FRAMES_A_NODE = 64, FRAMES_AT_FIRST = 1 << 20 };
    builder->compared_frames += compared;
    if (builder->compared_frames > FRAMES_AT_FIRST + (uint64_t)FRAMES_A_NODE * node) {
        free(builder->tree.outermost);
        builder->tree.outermost = NULL;
    }
    if (builder->tree.outermost != NULL)
        builder->tree.outermost[node] = !is_above;
}

/* `path` is the stack down to the node, [depth], which is in the cache here. */
static void mark_in_stack(struct tree_builder *builder, uint32_t node,
                          const struct stack_frame *path, size_t depth)
{
    if (builder->tree.outermost == NULL)
        return;
    bool is_above = false;
    for (size_t i = 0; i + 1 < depth && !is_above; i++)
        is_above = path[i].function == path[depth - 1].function;
    mark_outermost(builder, node, is_above, depth);
}

static void mark_in_tree(struct tree_builder *builder, uint32_t node)
{
    const struct call *calls = builder->tree.calls;
    if (builder->tree.outermost == NULL)
        return;
    uint32_t above = calls[node].parent;
    size_t compared = 1;
    for (; above != TREE_ROOT && calls[above].function != calls[node].function; compared++)
        above = calls[above].parent;
    mark_outermost(builder, node, above != TREE_ROOT, compared);
}

/* The same as child(), for a call that is in no stack. */
static uint32_t child_in_tree(struct tree_builder *builder, struct call call, uint64_t path_hash)
{
    uint32_t known_count = builder->tree.node_count;
    index_reserve(&builder->index, 1);
    uint32_t node = child(builder, call, path_hash);
    if (node == known_count)
        mark_in_tree(builder, node);
    return node;
}

uint32_t tree_builder_child(struct tree_builder *builder, uint32_t parent, uint32_t function,
                            int32_t line)
{
    uint64_t hash = hash_path(builder->hashes[parent], function, line);
    return child_in_tree(builder, (struct call){parent, function, line}, hash);
}

uint32_t tree_builder_append(struct tree_builder *builder, struct call call)
{
    uint64_t parent_hash = builder->hashes[call.parent];
    uint32_t node = add_node(builder, call, hash_path(parent_hash, call.function, call.line));
    mark_in_tree(builder, node);
    return node;
}

static uint32_t append_marked(struct tree_builder *builder, struct call call, uint64_t hash,
                              bool is_outermost)
{
    uint32_t node = add_node(builder, call, hash);
    if (builder->tree.outermost != NULL)
        builder->tree.outermost[node] = is_outermost;
    return node;
}

static void add_stack(struct tree_builder *builder, uint32_t node, const struct stack *stack)
{
    builder->tree.call_counts[node] += stack->calls;
    builder->tree.self_ns[node] += stack->total_ns;
    builder->tree.self_ns[builder->tree.calls[node].parent] -= stack->total_ns;
    builder->tree.flags[node] |=
        (uint8_t)(NODE_SEEN | (stack->has_time ? NODE_TIMED : 0) |
                  (stack->on_main ? NODE_MAIN : 0) | (stack->on_coroutine ? NODE_COROUTINE : 0));
}

/*
 * A large tree does not fit into a cache, and each step down would wait for memory. So what some
 * stacks need is asked for before they are added: first the slots of their frames, then the nodes
 * in these. No slot may move meanwhile.
 */
enum { GROUP_STACKS = 16 };

/* Fills builder->paths with the hash of each node of the stacks. */
static void fetch_slots(struct tree_builder *builder, const struct stack *stacks, size_t count,
                        const struct stack_frame *frames)
{
    const struct index *index = &builder->index;
    uint64_t *path = builder->paths;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = builder->hashes[TREE_ROOT];
        int32_t line = LINE_UNKNOWN;
        for (size_t depth = 0; depth < stacks[i].depth; depth++, frames++) {
            hash = hash_path(hash, frames->function, line);
            *path++ = hash;
            __builtin_prefetch(&index->slots[index_first(index, slot_hash(hash))]);
            line = frames->call_line;
        }
    }
}

static void fetch_nodes(const struct tree_builder *builder, const struct stack *stacks,
                        size_t count)
{
    const struct index *index = &builder->index;
    const struct tree *tree = &builder->tree;
    const uint64_t *path = builder->paths;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = INDEX_FREE, parent = INDEX_FREE;
        for (size_t depth = 0; depth < stacks[i].depth; depth++) {
            uint32_t hash = slot_hash(*path++);
            size_t slot = index_first(index, hash);
            while (index->slots[slot].hash != hash && index->slots[slot].id != INDEX_FREE)
                slot = index_next(index, slot);
            parent = node;
            node = index->slots[slot].id;
            if (node != INDEX_FREE)
                __builtin_prefetch(&tree->calls[node]);
        }
        if (parent != INDEX_FREE)
            __builtin_prefetch(&tree->self_ns[parent], 1);
        if (node == INDEX_FREE)
            continue;
        __builtin_prefetch(&tree->call_counts[node], 1);
        __builtin_prefetch(&tree->self_ns[node], 1);
        __builtin_prefetch(&tree->flags[node], 1);
    }
}

/* Adds stacks, and returns where the frames of the next ones are. */
static const struct stack_frame *add_group(struct tree_builder *builder, const struct stack *stacks,
                                           size_t count, const struct stack_frame *frames)
{
    size_t frame_count = 0;
    for (size_t i = 0; i < count; i++)
        frame_count += stacks[i].depth;
    index_reserve(&builder->index, frame_count);
    MEM_GROW(builder->paths, builder->path_capacity, frame_count);
    fetch_slots(builder, stacks, count, frames);
    fetch_nodes(builder, stacks, count);
    const uint64_t *path = builder->paths;
    for (size_t i = 0; i < count; i++) {
        struct call call = {.line = LINE_UNKNOWN};
        uint32_t node = TREE_ROOT;
        for (size_t depth = 0; depth < stacks[i].depth; depth++, frames++) {
            call.parent = node;
            call.function = frames->function;
            uint32_t known_count = builder->tree.node_count;
            node = child(builder, call, *path++);
            if (node == known_count)
                mark_in_stack(builder, node, frames - depth, depth + 1);
            call.line = frames->call_line;
        }
        add_stack(builder, node, &stacks[i]);
    }
    return frames;
}

void tree_builder_add_stacks(struct tree_builder *builder, const struct stack_batch *stacks)
{
    builder->has_stacks = true;
    const struct stack_frame *frames = stacks->frames;
    for (size_t i = 0; i < stacks->count; i += GROUP_STACKS) {
        size_t rest = stacks->count - i;
        frames =
            add_group(builder, stacks->at + i, rest < GROUP_STACKS ? rest : GROUP_STACKS, frames);
    }
}

struct node_values tree_values(const struct tree *tree, uint32_t node)
{
    size_t line_count;
    const struct line_run *lines = line_runs_of(tree->lines, node, &line_count);
    return (struct node_values){
        .calls = tree->call_counts[node],
        .self_ns = tree->self_ns[node],
        .flags = tree->flags[node],
        .details = tree->details != NULL ? &tree->details[node] : NULL,
        .samples = tree->samples != NULL ? &tree->samples[node] : NULL,
        .lines = lines,
        .line_count = line_count,
    };
}

void tree_builder_add(struct tree_builder *builder, uint32_t to, struct node_values values)
{
    builder->tree.call_counts[to] += values.calls;
    builder->tree.self_ns[to] += values.self_ns;
    builder->tree.flags[to] |= values.flags;
    for (size_t i = 0; i < values.line_count; i++) {
        struct line_run run = values.lines[i];
        run.node = to;
        line_runs_add(&builder->tree.lines, run);
    }
    if (builder->tree.details != NULL && values.details != NULL)
        call_details_add(&builder->tree.details[to], values.details);
    if (builder->tree.details == NULL || values.samples == NULL)
        return;
    if (builder->tree.samples == NULL)
        builder->tree.samples = mem_zeroed(builder->capacity, sizeof *builder->tree.samples);
    subsamples_add(&builder->tree.samples[to], values.samples);
}

void tree_builder_add_time(struct tree_builder *builder, uint32_t to, struct node_values values,
                           uint32_t folded)
{
    if (values.self_ns == 0 && (values.details == NULL || values.details->memory_kb == 0))
        return;
    if (to == TREE_ROOT)
        to = tree_builder_child(builder, TREE_ROOT, folded, LINE_UNKNOWN);
    struct call_details details = call_details_none();
    if (values.details != NULL) {
        details.memory_kb = values.details->memory_kb;
        details.variance_ns2 = values.details->variance_ns2;
        details.cost_error_ns = values.details->cost_error_ns;
        details.common_error_ns = values.details->common_error_ns;
        details.measured_ns = values.details->measured_ns;
    }
    values.calls = 0;
    values.line_count = 0;
    values.details = &details;
    tree_builder_add(builder, to, values);
}

/*
 * Trees of one game are alike, and most calls follow the same call in each of them: then nothing
 * is searched. Else, the slots of the next calls are asked for ahead.
 */
uint32_t *tree_builder_add_calls(struct tree_builder *builder, const struct call *calls,
                                 uint32_t count, const bool *last_outermost)
{
    const struct index *index = &builder->index;
    uint32_t known_count = last_outermost != NULL ? builder->tree.node_count : UINT32_MAX;
    uint32_t *target = mem_zeroed(count, sizeof *target);
    SCOPED_ARRAY uint64_t *hashes = mem_zeroed(count + CALLS_AHEAD, sizeof *hashes);
    hashes[TREE_ROOT] = builder->hashes[TREE_ROOT];
    hash_calls(hashes, calls, count);
    index_reserve(&builder->index, 1);
    for (uint32_t node = TREE_ROOT + 1; node < count; node++) {
        uint32_t ahead = slot_hash(hashes[node + CALLS_AHEAD]);
        __builtin_prefetch(&index->slots[index_first(index, ahead)]);
        struct call call = calls[node];
        call.parent = target[call.parent];
        if (call.parent >= known_count) {
            target[node] = append_marked(builder, call, hashes[node], last_outermost[node]);
            continue;
        }
        uint32_t next = target[node - 1] + 1;
        bool is_next =
            next < builder->tree.node_count && is_same_call(&builder->tree.calls[next], call);
        target[node] = is_next ? next : child_in_tree(builder, call, hashes[node]);
    }
    return target;
}

void tree_builder_add_tree(struct tree_builder *builder, const struct tree *tree)
{
    SCOPED_ARRAY uint32_t *target =
        tree_builder_add_calls(builder, tree->calls, tree->node_count, NULL);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        tree_builder_add(builder, target[node], tree_values(tree, node));
}

void tree_builder_join(struct tree_builder *builder, struct tree_builder *later,
                       const uint32_t *functions)
{
    struct tree *tree = &later->tree;
    bool are_same = true;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        uint32_t function = functions[tree->calls[node].function];
        are_same &= function == tree->calls[node].function;
        tree->calls[node].function = function;
    }
    /* The first stacks need no copy. */
    if (are_same && builder->tree.node_count == 1) {
        struct tree_builder empty = *builder;
        *builder = *later;
        *later = empty;
        return;
    }
    builder->has_stacks |= later->has_stacks;
    tree_builder_add(builder, TREE_ROOT, tree_values(tree, TREE_ROOT));
    tree_builder_add_tree(builder, tree);
}

/* Gives those of the first `count` nodes that have no time the sum of their children. */
static void complete_times(struct tree *tree, uint32_t count)
{
    for (uint32_t node = count; node-- > 0;) {
        if (tree->flags[node] & NODE_TIMED)
            continue;
        tree->total_ns[node] -= tree->self_ns[node];
        tree->self_ns[node] = 0;
        if (node != TREE_ROOT)
            tree->self_ns[tree->calls[node].parent] -= tree->total_ns[node];
    }
}

/* Gives nodes without a log line the threads of their children. */
static void complete_threads(struct tree *tree)
{
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        uint32_t parent = tree->calls[node].parent;
        if (!(tree->flags[parent] & NODE_SEEN))
            tree->flags[parent] |= tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
    }
}

/*
 * Self times are known already. If each node has a line with a time, as in most logs, it is enough
 * to read the flags.
 */
static void complete(struct tree *tree)
{
    uint8_t of_all = NODE_TIMED | NODE_SEEN;
    for (uint32_t node = 1; node < tree->node_count; node++)
        of_all &= tree->flags[node];
    complete_times(tree, of_all & NODE_TIMED ? 1 : tree->node_count);
    if (!(of_all & NODE_SEEN))
        complete_threads(tree);
}

void tree_builder_finish(struct tree_builder *builder, struct tree *tree)
{
    index_release(&builder->index);
    *tree = builder->tree;
    /* Another array is not needed: the system takes longer to give one than all of this. */
    tree->total_ns = (int64_t *)builder->hashes;
    tree_sum_totals(tree);
    if (builder->has_stacks)
        complete(tree);
    if (tree->lines != NULL) {
        line_runs_sort(tree->lines);
        tree_complete_lines(tree);
    }
    free(builder->paths);
    *builder = (struct tree_builder){0};
}

void tree_builder_replace(struct tree_builder *builder, struct tree *tree)
{
    tree_release(tree);
    tree_builder_finish(builder, tree);
}
