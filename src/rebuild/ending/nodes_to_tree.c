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
    uint32_t parent = nodes->at[node].parent;
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
    uint32_t site = nodes->at[node].site;
    return nodes->at[node].parent < NODES_FIRST || (site & SITE_IS_OPEN) != 0 ||
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
        if (is_used[node] && is_doubtful(nodes, &classes, node))
            is_distinct = put_key(&index, nodes, &classes, node);
    index_release(&index);
    free(classes.of_sites);
    free(classes.sizes);
    return is_distinct;
}

static int64_t to_ns(int64_t units, double unit_ns)
{
    return number_nearest((double)units * unit_ns);
}

/* Durations that contain each other may add up to more than any time: the sum stays in range. */
static int64_t sum_to_ns(uint64_t units, double unit_ns)
{
    return number_nearest(fmin((double)units * unit_ns, (double)CALL_DETAILS_MAX_NS));
}

static int32_t call_line(const struct nodes *nodes, uint32_t node)
{
    uint32_t parent = nodes->at[node].parent;
    if (parent < NODES_FIRST)
        return LINE_UNKNOWN;
    return nodes_call_line(nodes, nodes->at[node].site & ~SITE_IS_OPEN,
                           nodes_kind(nodes, parent) == CALL_OF_LUA);
}

static struct call_details details_of(const struct nodes *nodes, uint32_t node, double unit_ns)
{
    const struct node *from = &nodes->at[node];
    const struct node_origin *origin = nodes_known_origin(nodes, node);
    struct call_details details = call_details_none();
    details.errors = origin->errors;
    details.memory_kb = origin->memory_kb;
    /* Calls that were measured as 0 took some time, less than a step of the clock. */
    double units = from->self > 0 ? (double)from->self : from->calls > 0 ? 1 : 0;
    details.variance_ns2 = units * unit_ns * unit_ns;
    if (from->duration_max < 0)
        return details;
    /* Unfinished calls may have begun before the window, which does not count them. */
    details.finished = from->calls > origin->unfinished ? from->calls - origin->unfinished : 0;
    details.finished_ns = sum_to_ns(from->duration_sum, unit_ns);
    details.min_ns = to_ns(from->duration_min, unit_ns);
    details.max_ns = to_ns(from->duration_max, unit_ns);
    details.min_calls = from->min_calls;
    details.max_calls = from->max_calls;
    return details;
}

static bool is_empty(const struct nodes *nodes, uint32_t node)
{
    const struct node *from = &nodes->at[node];
    const struct node_origin *origin = nodes_known_origin(nodes, node);
    return from->calls == 0 && from->self == 0 && origin->errors == 0 && origin->memory_kb == 0;
}

/*
 * Returns which nodes have counts in or below them, [count]; those of lines have none themselves.
 * `is_whole`: what is left out counts, too.
 */
static uint8_t *find_used(const struct nodes *nodes, bool is_whole)
{
    uint8_t *is_used = mem_zeroed(nodes->count, 1);
    for (uint32_t node = nodes->count; node-- > NODES_FIRST;) {
        struct node_counts whole = is_whole ? nodes_whole(nodes, node) : (struct node_counts){0};
        bool has_runs = node < nodes->line_capacity && nodes->lines[node].runs > 0;
        is_used[node] |= !is_empty(nodes, node) || whole.calls != 0 || whole.self != 0;
        is_used[nodes->at[node].parent] |= is_used[node] | has_runs;
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
        bool is_of_thread = parent >= NODES_FIRST && nodes->at[parent].parent < NODES_FIRST;
        flags[is_of_thread ? parent : node] = NODE_RECORDER;
    }
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        flags[node] |= flags[nodes->at[node].parent];
    return flags;
}

/* Nodes on the way into a tree. */
struct conversion {
    const struct nodes *nodes;
    double unit_ns;
    bool is_whole;           /* with what is left out */
    uint32_t *target;        /* [nodes->count] the node of the tree, TREE_ROOT for none */
    uint8_t *flags;          /* [nodes->count] of enum node_flags */
    struct node_part *parts; /* of the tree's nodes; NULL: not wanted */
    bool is_one_to_one;      /* no two nodes become one node of the tree */
};

/* Returns the thread of each node and which are the recorder's; 0 where it is not selected. */
static uint8_t *find_flags(const struct nodes *nodes, uint8_t threads)
{
    uint8_t *flags = mem_zeroed(nodes->count, 1);
    uint8_t *recorder = nodes_find_recorder(nodes);
    flags[NODES_MAIN] = NODE_MAIN & threads;
    flags[NODES_COROUTINE] = NODE_COROUTINE & threads;
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        flags[node] = flags[nodes->at[node].parent];
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        flags[node] |= flags[node] != 0 ? recorder[node] : 0;
    free(recorder);
    return flags;
}

/* Numbers the nodes of the tree in the order of the nodes. Returns their count, with the root. */
static uint32_t number_one_to_one(struct conversion *to, const uint8_t *is_used)
{
    uint32_t count = 1;
    for (uint32_t node = NODES_FIRST; node < to->nodes->count; node++)
        if (is_used[node])
            to->target[node] = count++;
    return count;
}

/* The same where several nodes may become one, which is found by its call. */
static uint32_t number_by_calls(struct conversion *to, const uint8_t *is_used)
{
    const struct nodes *nodes = to->nodes;
    struct tree_builder builder;
    tree_builder_init(&builder, TIMES_SELF, false);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        if (is_used[node])
            to->target[node] =
                tree_builder_child(&builder, to->target[nodes->at[node].parent],
                                   nodes_function(nodes, node)->id, call_line(nodes, node));
    uint32_t count = builder.tree.node_count;
    tree_builder_release(&builder);
    return count;
}

static void clear_node(struct tree *tree, uint32_t node)
{
    tree->call_counts[node] = 0;
    tree->self_ns[node] = 0;
    tree->flags[node] = 0;
    tree->details[node] = call_details_none();
}

static void convert_node(struct tree *tree, const struct conversion *to, uint32_t node)
{
    const struct nodes *nodes = to->nodes;
    const struct node *from = &nodes->at[node];
    struct node_counts counts = {from->self, from->calls};
    uint32_t target = to->target[node];
    if (to->is_whole)
        counts = nodes_whole(nodes, node);
    if (target == TREE_ROOT)
        return;
    if (to->is_one_to_one)
        clear_node(tree, target);
    if (to->parts != NULL && node < nodes->part_capacity) {
        to->parts[target].slow += nodes->parts[node].slow;
        to->parts[target].outside += nodes->parts[node].outside;
    }
    tree->calls[target] = (struct call){to->target[from->parent], nodes_function(nodes, node)->id,
                                        call_line(nodes, node)};
    tree->call_counts[target] += counts.calls;
    tree->self_ns[target] += to_ns(counts.self, to->unit_ns);
    tree->flags[target] |= (uint8_t)(to->flags[node] | (is_empty(nodes, node) ? 0 : NODE_SEEN));
    struct call_details details = details_of(nodes, node, to->unit_ns);
    if (to->is_one_to_one)
        tree->details[target] = details;
    else
        call_details_add(&tree->details[target], &details);
}

static struct line_run line_of(const struct nodes *nodes, uint32_t node, double unit_ns)
{
    const struct node_line *line = &nodes->lines[node];
    bool is_known = node_is_line(&nodes->at[node]);
    return (struct line_run){
        .line = is_known ? nodes->sites[node_site(&nodes->at[node])].line : 0,
        .runs = line->runs,
        .begins = line->begins,
        .self_ns = to_ns(line->self, unit_ns),
    };
}

static void convert_lines(struct tree *tree, const struct conversion *to)
{
    const struct nodes *nodes = to->nodes;
    for (uint32_t node = NODES_FIRST; node < nodes->count && node < nodes->line_capacity; node++) {
        struct line_run run = line_of(nodes, node, to->unit_ns);
        run.runs += to->is_whole ? nodes->lines[node].left_out_runs : 0;
        run.node = to->target[nodes_call_of(nodes, node)];
        if (run.node != TREE_ROOT && (run.runs > 0 || run.self_ns != 0))
            line_runs_add(&tree->lines, run);
    }
    line_runs_sort(tree->lines);
}

/* Begins at the end, and frees the nodes that were converted: the tree takes their memory. */
static void convert_and_free(struct tree *tree, const struct conversion *to, struct nodes *nodes)
{
    enum { FREED_NODES = 64 * 1024 };
    while (nodes->count > NODES_FIRST) {
        uint32_t left = NODES_FIRST;
        if (nodes->count > FREED_NODES + NODES_FIRST)
            left = nodes->count - FREED_NODES;
        for (uint32_t node = nodes->count; node-- > left;)
            convert_node(tree, to, node);
        nodes_truncate(nodes, left);
    }
}

/* Makes room for a tree of that size. It grows by more, as recordings of one game grow. */
static void have_space(struct tree *space, uint32_t count)
{
    if (count <= space->node_count)
        return;
    tree_release(space);
    *space = tree_make(count + count / 4, true);
}

/*
 * Begins a tree of `count` nodes. If nodes are converted one to one, that sets them, not this
 * function.
 */
static void begin_tree(struct tree *tree, uint32_t count, bool is_one_to_one, struct tree *space)
{
    if (space == NULL) {
        *tree = tree_make(count, true);
    } else {
        have_space(space, count);
        *tree = *space;
        tree->node_count = count;
    }
    for (uint32_t node = 0; node < (is_one_to_one ? 1 : count); node++)
        clear_node(tree, node);
}

static void convert(struct tree *tree, struct nodes *nodes, double unit_ns, uint8_t threads,
                    bool is_whole, uint32_t **tree_nodes, struct node_part **parts,
                    struct tree *space)
{
    struct conversion to = {.nodes = nodes, .unit_ns = unit_ns, .is_whole = is_whole};
    to.target = mem_zeroed(nodes->count, sizeof *to.target);
    to.flags = find_flags(nodes, threads);
    uint8_t *is_used = find_used(nodes, is_whole);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        is_used[node] &= to.flags[node] != 0;
    to.is_one_to_one = distinct_calls(nodes, is_used);
    uint32_t count =
        to.is_one_to_one ? number_one_to_one(&to, is_used) : number_by_calls(&to, is_used);
    free(is_used);
    begin_tree(tree, count, to.is_one_to_one, space);
    convert_lines(tree, &to);
    if (parts != NULL)
        *parts = to.parts = nodes->parts == NULL ? NULL : mem_zeroed(count, sizeof *to.parts);
    if (to.is_one_to_one && tree_nodes == NULL && nodes->count > NODES_RECYCLED_MAX)
        convert_and_free(tree, &to, nodes);
    else
        for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
            convert_node(tree, &to, node);
    free(to.flags);
    if (tree_nodes != NULL)
        *tree_nodes = to.target;
    else
        free(to.target);
    if (space == NULL)
        tree_sum_totals(tree);
}

void nodes_to_tree(struct tree *tree, struct nodes *nodes, double unit_ns, uint8_t threads,
                   uint32_t **tree_nodes, struct node_part **parts, struct tree *space)
{
    convert(tree, nodes, unit_ns, threads, false, tree_nodes, parts, space);
}

uint32_t *nodes_to_whole_tree(struct tree *whole, struct nodes *nodes, double unit_ns,
                              const uint32_t *part_nodes, uint32_t part_count)
{
    uint32_t *whole_nodes, *whole_of = mem_zeroed(part_count, sizeof *whole_of);
    convert(whole, nodes, unit_ns, NODE_MAIN | NODE_COROUTINE, true, &whole_nodes, NULL, NULL);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        whole_of[part_nodes[node]] = whole_nodes[node];
    free(whole_nodes);
    free(whole->details);
    whole->details = NULL;
    return whole_of;
}

uint8_t *nodes_call_kinds(const struct nodes *nodes)
{
    size_t capacity = 0;
    uint8_t *kinds = NULL;
    size_t count = 0;
    for (size_t i = 0; i < nodes->function_count; i++) {
        const struct event_function *function = &nodes->functions[i];
        MEM_GROW(kinds, capacity, (size_t)function->id + 1);
        for (; count < capacity; count++)
            kinds[count] = CALL_OF_LUA;
        if (!function->is_lua)
            kinds[function->id] = (uint8_t)function_kind(function);
    }
    return kinds;
}
