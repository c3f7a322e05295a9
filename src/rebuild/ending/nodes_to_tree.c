#include "rebuild/ending/nodes_to_tree.h"

#include "base/number.h"
#include "tree/line_runs.h"
#include "tree/tree_builder.h"

#include <math.h>

/* Sites with the same function and calling line are of one class; so are all without a line. */
struct classes {
    uint32_t *of_sites; /* [site_capacity] */
    uint32_t *sizes;    /* [site_capacity] by class */
};

static struct classes find_classes(const struct nodes *nodes)
{
    struct classes classes = {mem_zeroed(nodes->site_capacity, sizeof *classes.of_sites),
                              mem_zeroed(nodes->site_capacity, sizeof *classes.sizes)};
    struct intern keys = {0};
    for (size_t i = 0; i < nodes->site_capacity; i++) {
        const struct event_site *site = &nodes->sites[i];
        /* Sites that are not defined are of function 0, which may not be defined either. */
        uint32_t id =
            site->function < nodes->function_count ? nodes->functions[site->function].id : 0;
        int32_t key[] = {(int32_t)id, site->line < 0 ? LINE_UNKNOWN : site->line};
        classes.of_sites[i] = intern_add(&keys, (const char *)key, sizeof key);
        classes.sizes[classes.of_sites[i]]++;
    }
    intern_release(&keys);
    return classes;
}

/* A call as the tree knows it. */
struct key {
    uint32_t parent, call;
};

/* Roots of all threads have the same parent in the tree, and their lines do not count. */
static struct key key_of(const struct nodes *nodes, const struct classes *classes, uint32_t node)
{
    uint32_t parent = nodes_call_of(nodes, nodes->at[node].parent);
    if (parent < NODES_FIRST)
        return (struct key){NODES_UNATTRIBUTED, nodes_function(nodes, node)->id};
    uint32_t site = nodes->at[node].site & ~SITE_IS_OPEN;
    /* A Lua function that makes a call without a line has made a tail call: see nodes_call_line().
     */
    bool is_tail_call = nodes->sites[site].line < 0 && nodes_kind(nodes, parent) == CALL_OF_LUA;
    return (struct key){parent, 2 * classes->of_sites[site] + is_tail_call};
}

/* Whether another node may be the same call. */
static bool is_doubtful(const struct nodes *nodes, const struct classes *classes, uint32_t node)
{
    uint32_t site = nodes->at[node].site, parent = nodes->at[node].parent;
    return parent < NODES_FIRST || (site & SITE_IS_OPEN) != 0 || node_is_line(&nodes->at[parent]) ||
           classes->sizes[classes->of_sites[site]] > 1;
}

/* Returns false if a node with the same key is in the index. */
static bool put_key(struct index *index, const struct nodes *nodes, const struct classes *classes,
                    uint32_t node)
{
    struct key key = key_of(nodes, classes, node);
    index_reserve(index);
    uint32_t hash = (uint32_t)hash_number((uint64_t)key.parent << 32 | key.call, index->seed);
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        if (index->slots[slot].hash != hash)
            continue;
        struct key known = key_of(nodes, classes, index->slots[slot].id);
        if (known.parent == key.parent && known.call == key.call)
            return false;
    }
    index_put(index, slot, hash, node);
    return true;
}

bool distinct_calls(const struct nodes *nodes, const uint8_t *is_used)
{
    struct classes classes = find_classes(nodes);
    struct index index = {0};
    bool is_distinct = true;
    for (uint32_t node = NODES_FIRST; node < nodes->count && is_distinct; node++)
        if (is_used[node] && !node_is_line(&nodes->at[node]) && is_doubtful(nodes, &classes, node))
            is_distinct = put_key(&index, nodes, &classes, node);
    index_release(&index);
    free(classes.of_sites);
    free(classes.sizes);
    return is_distinct;
}

static int32_t call_line(const struct nodes *nodes, uint32_t node)
{
    uint32_t parent = nodes->at[node].parent;
    if (parent < NODES_FIRST)
        return LINE_UNKNOWN;
    return nodes_call_line(nodes, nodes->at[node].site & ~SITE_IS_OPEN,
                           nodes_kind(nodes, parent) == CALL_OF_LUA);
}

/* Returns which nodes have entries in or below them, [count]. */
static uint8_t *find_used(const struct nodes *nodes)
{
    uint8_t *is_used = mem_zeroed(nodes->count, 1);
    for (uint32_t node = nodes->count; node-- > NODES_FIRST;) {
        is_used[node] |= nodes_has_past(nodes, node);
        is_used[nodes->at[node].parent] |= is_used[node];
    }
    return is_used;
}

uint8_t *nodes_find_recorder(const struct nodes *nodes)
{
    uint8_t *flags = mem_zeroed(nodes->count, 1);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        uint32_t parent = nodes->at[node].parent;
        if (!nodes_function(nodes, node)->calibrates)
            continue;
        /* In recordings of older recorders, another of its functions is between them. */
        uint32_t root = parent >= NODES_FIRST ? nodes->at[parent].parent : NODES_MAIN;
        if (root >= NODES_FIRST && nodes->at[root].parent == NODES_COROUTINE &&
            nodes_function(nodes, parent)->is_beside && nodes_function(nodes, root)->is_beside)
            parent = root;
        bool is_of_thread = parent >= NODES_FIRST && nodes->at[parent].parent < NODES_FIRST;
        flags[is_of_thread ? parent : node] = NODE_RECORDER;
    }
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        flags[node] |= flags[nodes->at[node].parent];
    return flags;
}

struct recorder_functions nodes_recorder_functions(const struct nodes *nodes)
{
    struct recorder_functions found = {0};
    uint8_t *flags = nodes_find_recorder(nodes);
    for (size_t i = 0; i < nodes->function_count; i++)
        if (nodes->functions[i].id >= found.count)
            found.count = (size_t)nodes->functions[i].id + 1;
    found.is_root = mem_zeroed(found.count, sizeof *found.is_root);
    found.is_calibrating = mem_zeroed(found.count, sizeof *found.is_calibrating);
    for (size_t i = 0; i < nodes->function_count; i++)
        if (nodes->functions[i].calibrates)
            found.is_calibrating[nodes->functions[i].id] = true;
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        if (flags[node] != 0 && nodes->at[node].parent < NODES_FIRST)
            found.is_root[nodes_function(nodes, node)->id] = true;
    free(flags);
    return found;
}

/* Returns the thread of each node, and which are the recorder's, [nodes->count]. */
static uint8_t *find_flags(const struct nodes *nodes)
{
    uint8_t *flags = nodes_find_recorder(nodes);
    flags[NODES_MAIN] = NODE_MAIN;
    flags[NODES_COROUTINE] = NODE_COROUTINE;
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        flags[node] |= flags[nodes->at[node].parent] & (NODE_MAIN | NODE_COROUTINE);
    return flags;
}

/* Numbers the nodes of the tree in the order of the nodes. Returns their count, with the root. */
static uint32_t number_one_to_one(uint32_t *target, const struct nodes *nodes,
                                  const uint8_t *is_used)
{
    uint32_t count = 1;
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        if (is_used[node])
            target[node] =
                node_is_line(&nodes->at[node]) ? target[nodes->at[node].parent] : count++;
    return count;
}

/* The same where several nodes may become one, which is found by its call. */
static uint32_t number_by_calls(uint32_t *target, const struct nodes *nodes, const uint8_t *is_used)
{
    struct tree_builder builder;
    tree_builder_init(&builder, TIMES_SELF, false);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        uint32_t parent = target[nodes->at[node].parent];
        if (is_used[node])
            target[node] =
                node_is_line(&nodes->at[node])
                    ? parent
                    : tree_builder_child(&builder, parent, nodes_function(nodes, node)->id,
                                         call_line(nodes, node));
    }
    uint32_t count = builder.tree.node_count;
    tree_builder_release(&builder);
    return count;
}

static void set_calls(struct tree *tree, const struct nodes *nodes, const uint32_t *target,
                      const uint8_t *flags)
{
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        uint32_t to = target[node];
        if (to == TREE_ROOT || node_is_line(&nodes->at[node]))
            continue;
        tree->calls[to] = (struct call){target[nodes->at[node].parent],
                                        nodes_function(nodes, node)->id, call_line(nodes, node)};
        tree->flags[to] |= flags[node];
        tree->details[to] = call_details_none();
    }
}

/* Adds up the nodes: times are units at first, and all lines of a node are one. */
static void add_nodes(struct tree *tree, const struct nodes *nodes, const uint32_t *target)
{
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        uint32_t to = target[node];
        const struct node_past *sum = &nodes->past[node];
        tree->self_ns[to] += sum->units;
        tree->call_counts[to] += sum->calls;
        if (sum->runs > 0)
            line_runs_add(&tree->lines, (struct line_run){.node = to, .runs = sum->runs});
    }
    line_runs_sort(tree->lines);
}

void nodes_to_tree(struct tree *tree, const struct nodes *nodes, double unit_ns,
                   uint32_t **tree_nodes, uint8_t **flags)
{
    uint32_t *target = mem_zeroed(nodes->count, sizeof *target);
    uint8_t *is_used = find_used(nodes);
    *flags = find_flags(nodes);
    uint32_t count = distinct_calls(nodes, is_used) ? number_one_to_one(target, nodes, is_used)
                                                    : number_by_calls(target, nodes, is_used);
    free(is_used);
    *tree = tree_make(count, true);
    set_calls(tree, nodes, target, *flags);
    add_nodes(tree, nodes, target);
    for (uint32_t node = 1; node < count; node++)
        tree->self_ns[node] = number_nearest((double)tree->self_ns[node] * unit_ns);
    tree_sum_totals(tree);
    *tree_nodes = target;
}

uint8_t *nodes_call_kinds(const struct nodes *nodes, const struct tree *tree)
{
    uint32_t function_count = tree_count_functions(tree);
    uint8_t *of_functions = mem_zeroed(function_count, 1);
    uint8_t *kinds = mem_zeroed(tree->node_count, 1);
    for (size_t i = 0; i < nodes->function_count; i++) {
        const struct event_function *function = &nodes->functions[i];
        if (!function->is_lua && function->id < function_count)
            of_functions[function->id] = (uint8_t)function_kind(function);
    }
    for (uint32_t node = 1; node < tree->node_count; node++)
        kinds[node] = of_functions[tree->calls[node].function];
    free(of_functions);
    return kinds;
}
