#include "report/figures/row_groups.h"

#include "tree/line_runs.h"

const struct table_by_info table_by_infos[] = {
    [BY_FUNCTION] = {"function", "function", "function,source,line"},
    [BY_FILE] = {"file", "file", "file"},
    [BY_MOD] = {"mod", "mod", "mod"},
    [BY_LINE] = {"line", "called from", "caller,source,line,caller_line"},
    [BY_STACK] = {"stack", "stack", "stack"},
    [BY_THREAD] = {"thread", "thread began in", "function,source,line,thread"},
};

/* How nodes are grouped. */
struct grouping {
    enum table_by by;
    const struct tree *tree, *old_tree;
    const struct labels *labels;
    const uint32_t *roots;  /* BY_THREAD: each node's ancestor without a caller */
    const uint32_t *owners; /* BY_FILE, BY_MOD: the function that each node counts for */
    bool joins_recorder;
};

static bool is_of_recorder(const struct grouping *grouping, uint32_t node)
{
    const struct tree *old_tree = grouping->old_tree;
    uint8_t flags = grouping->tree->flags[node];
    flags |= old_tree != NULL ? old_tree->flags[node] : 0;
    return (flags & NODE_RECORDER) != 0;
}

static struct row_group group_of(const struct grouping *grouping, uint32_t node)
{
    const struct tree *tree = grouping->tree;
    const struct tree *old_tree = grouping->old_tree;
    const struct call *call = &tree->calls[node];
    const struct label *labels = grouping->labels->labels;
    struct row_group group = {.function = TREE_NONE};
    bool joins = grouping->by == BY_FUNCTION || grouping->by == BY_THREAD;
    if (joins && grouping->joins_recorder && is_of_recorder(grouping, node)) {
        group.is_recorder = true;
        return group;
    }
    switch (grouping->by) {
    case BY_FUNCTION:
    case BY_STACK:
        group.function = call->function;
        break;
    case BY_FILE:
        group.text = labels[grouping->owners[node]].file;
        break;
    case BY_MOD:
        group.text = labels[grouping->owners[node]].mod;
        break;
    case BY_LINE:
        group.function = tree->calls[call->parent].function;
        group.line = call->line;
        break;
    case BY_THREAD:
        group.function = tree->calls[grouping->roots[node]].function;
        group.flags = tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        if (group.flags == 0 && old_tree != NULL)
            group.flags = old_tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        break;
    }
    return group;
}

/*
 * A key: nodes of one group have the same number, others have different ones; 0 is the recorder.
 * All keys except those of BY_LINE are small, so they can be looked up in an array.
 */
static uint64_t key_of(enum table_by by, const struct row_group *group)
{
    switch (by) {
    case BY_FILE:
    case BY_MOD:
        return group->text;
    case BY_THREAD:
        return group->is_recorder ? 0 : 1 + ((uint64_t)group->function << 2 | group->flags);
    case BY_LINE:
        return (uint64_t)group->function << 32 | (uint32_t)group->line;
    case BY_FUNCTION:
    case BY_STACK:
        break;
    }
    return group->is_recorder ? 0 : 1 + (uint64_t)group->function;
}

/* Finds groups by their keys. */
struct group_finder {
    struct intern lines; /* BY_LINE: keys, numbered like the groups */
    uint32_t *groups;    /* [capacity]: by key, INTERN_NONE for none */
    size_t capacity;
};

/* Returns the number of the group with a key; `count` groups are known, so a new one is `count`. */
static uint32_t find_group(struct group_finder *finder, enum table_by by, uint64_t key,
                           size_t count)
{
    if (by == BY_LINE)
        return intern_add(&finder->lines, (const char *)&key, sizeof key);
    if (key >= finder->capacity) {
        size_t known = finder->capacity;
        MEM_GROW(finder->groups, finder->capacity, (size_t)key + 1);
        for (; known < finder->capacity; known++)
            finder->groups[known] = INTERN_NONE;
    }
    if (finder->groups[key] == INTERN_NONE)
        finder->groups[key] = (uint32_t)count;
    return finder->groups[key];
}

/* Returns the depth-one ancestor of each node, [node_count]. */
static uint32_t *find_roots(const struct tree *tree)
{
    uint32_t *roots = mem_zeroed(tree->node_count, sizeof *roots);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        roots[node] = parent == TREE_ROOT ? node : roots[parent];
    }
    return roots;
}

/*
 * Returns the function that each node counts for, [node_count]: its own; but a node of a C function
 * counts for the function of its caller, if it has one. If `symbols` is NULL, all count for
 * themselves.
 */
static uint32_t *find_owners(const struct tree *tree, const struct symbols *symbols)
{
    uint32_t *owners = mem_zeroed(tree->node_count, sizeof *owners);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        bool counts_for_caller =
            symbols != NULL && call->parent != TREE_ROOT && symbols_is_c(symbols, call->function);
        owners[node] = counts_for_caller ? owners[call->parent] : call->function;
    }
    return owners;
}

/* Returns the group of each line that ran, and adds those from which nothing was called. */
static uint32_t *group_lines(struct row_groups *groups, struct group_finder *finder,
                             const struct tree *tree)
{
    const struct line_runs *runs = tree != NULL ? tree->lines : NULL;
    uint32_t *of_lines = runs != NULL ? mem_zeroed(runs->count, sizeof *of_lines) : NULL;
    for (size_t i = 0; runs != NULL && i < runs->count; i++) {
        struct row_group group = {.function = tree->calls[runs->at[i].node].function,
                                  .line = runs->at[i].line};
        of_lines[i] = find_group(finder, BY_LINE, key_of(BY_LINE, &group), groups->count);
        if (of_lines[i] == groups->count)
            MEM_APPEND(groups->all, groups->count, groups->capacity, group);
    }
    return of_lines;
}

void row_groups_init(struct row_groups *groups, enum table_by by, const struct tree *tree,
                     const struct tree *old_tree, const struct labels *labels,
                     const struct symbols *charging, bool joins_recorder)
{
    uint32_t *roots = by == BY_THREAD ? find_roots(tree) : NULL;
    uint32_t *owners = by == BY_FILE || by == BY_MOD ? find_owners(tree, charging) : NULL;
    struct grouping grouping = {by, tree, old_tree, labels, roots, owners, joins_recorder};
    struct group_finder finder = {0};
    *groups =
        (struct row_groups){.of_nodes = mem_zeroed(tree->node_count, sizeof *groups->of_nodes)};
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct row_group group = group_of(&grouping, node);
        groups->of_nodes[node] = find_group(&finder, by, key_of(by, &group), groups->count);
        if (groups->of_nodes[node] < groups->count)
            continue;
        MEM_APPEND(groups->all, groups->count, groups->capacity, group);
    }
    if (by == BY_LINE) {
        groups->of_lines = group_lines(groups, &finder, tree);
        groups->of_old_lines = group_lines(groups, &finder, old_tree);
    }
    intern_release(&finder.lines);
    MEM_FREE(finder.groups, roots, owners);
}

void row_groups_release(struct row_groups *groups)
{
    MEM_FREE(groups->all, groups->of_nodes, groups->of_lines, groups->of_old_lines);
    *groups = (struct row_groups){0};
}

const char *threads_name(uint8_t flags)
{
    static const char *const names[] = {
        [0] = "?",
        [NODE_MAIN] = "main",
        [NODE_COROUTINE] = "coroutine",
        [NODE_MAIN | NODE_COROUTINE] = "main+coroutine",
    };
    return names[flags & (NODE_MAIN | NODE_COROUTINE)];
}
