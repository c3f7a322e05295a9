#include "rebuild/ending/nodes_to_tree.h"

#include "base/number.h"
#include "tree/line_runs.h"
#include "tree/tree_builder.h"

#include <math.h>

static int32_t call_line(const struct nodes *nodes, uint32_t node)
{
    uint32_t parent = nodes->at[node].parent;
    if (parent < NODES_FIRST)
        return LINE_UNKNOWN;
    return nodes_call_line(
        nodes, node_site(&nodes->at[node]), nodes_kind(nodes, parent) == CALL_OF_LUA);
}

/* Returns which nodes have entries of the game in or below them, [count]. */
static uint8_t *find_used(const struct nodes *nodes, const uint8_t *flags)
{
    uint8_t *is_used = mem_zeroed(nodes->count, 1);
    for (uint32_t node = nodes->count; node-- > NODES_FIRST;) {
        is_used[node] |= nodes_has_past(nodes, node) && (flags[node] & NODE_RECORDER) == 0;
        is_used[nodes->at[node].parent] |= is_used[node];
    }
    return is_used;
}

uint8_t *nodes_find_recorder(const struct nodes *nodes)
{
    uint8_t *flags = mem_zeroed(nodes->count, 1);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        if (nodes_function(nodes, node)->calibrates || nodes_function(nodes, node)->is_command)
            flags[nodes_recorder_top(nodes, node)] = NODE_RECORDER;
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        flags[node] |= flags[nodes->at[node].parent];
    return flags;
}

struct recorder_functions nodes_recorder_functions(const struct nodes *nodes)
{
    struct recorder_functions found = {
        .is_root = mem_zeroed(nodes->function_count, sizeof *found.is_root),
        .is_own = mem_zeroed(nodes->function_count, sizeof *found.is_own),
    };
    for (size_t i = 0; i < nodes->function_count; i++) {
        const struct event_function *function = &nodes->functions[i];
        uint32_t first = nodes->first_numbers[i];
        found.is_own[first] |= function->calibrates || function->is_command;
        found.is_root[first] |= function->is_recorder_root;
    }
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

void nodes_to_tree(struct tree *tree, const struct nodes *nodes, double unit_ns,
                   uint32_t **tree_nodes, uint8_t **flags)
{
    struct tree_builder builder;
    uint32_t *target = mem_zeroed(nodes->count, sizeof *target);
    *flags = find_flags(nodes);
    uint8_t *is_used = find_used(nodes, *flags);
    tree_builder_init(&builder, false);
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++) {
        const struct node_past *sum = &nodes->past[node];
        uint32_t to = target[nodes->at[node].parent];
        if (!is_used[node])
            continue;
        if (!node_is_line(&nodes->at[node]))
            to = tree_builder_child(&builder,
                                    to,
                                    nodes->first_numbers[nodes_function_number(nodes, node)],
                                    call_line(nodes, node));
        builder.tree.flags[to] |= (*flags)[node];
        /* Times are units at first, and all lines of a node are one. */
        builder.tree.self_ns[to] += sum->units;
        builder.tree.call_counts[to] += sum->calls;
        if (sum->runs > 0)
            line_runs_add(&builder.tree.lines, (struct line_run){.node = to, .runs = sum->runs});
        target[node] = to;
    }
    free(is_used);
    for (uint32_t node = 1; node < builder.tree.node_count; node++)
        builder.tree.self_ns[node] = number_nearest((double)builder.tree.self_ns[node] * unit_ns);
    tree_builder_finish(&builder, tree);
    *tree_nodes = target;
}

uint8_t *nodes_call_kinds(const struct nodes *nodes, const struct tree *tree)
{
    SCOPED_ARRAY uint8_t *of_functions = mem_zeroed(nodes->function_count, 1);
    uint8_t *kinds = mem_zeroed(tree->node_count, 1);
    for (size_t i = 0; i < nodes->function_count; i++) {
        const struct event_function *function = &nodes->functions[i];
        if (!function->is_lua)
            of_functions[nodes->first_numbers[i]] = (uint8_t)function_kind(function);
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        kinds[node] = of_functions[tree->calls[node].function];
        if (kinds[node] == CALL_OF_LUA && kinds[parent] == CALL_OF_C)
            kinds[node] = CALL_OF_LUA_BY_C;
    }
    return kinds;
}
