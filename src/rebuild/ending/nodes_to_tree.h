/*
 * nodes_to_tree.h - converts the nodes of a recording into a call tree, and units into nanoseconds.
 */
#pragma once

#include "rebuild/stacks/nodes.h"
#include "tree/stacks.h"
#include "tree/tree.h"

/*
 * Makes a tree of the sums of all parts, with totals and times in nanoseconds, without details.
 * Its functions are first numbers (see nodes.h), until all ticks are added.
 * Nearly all nodes stay different ones; two become one if the log defines the same site twice, or
 * if a function is a root of both kinds of threads. Sets `tree_nodes` to the node of the tree that
 * each node has become, [nodes->count], TREE_ROOT for none, as for the recorder's, and `flags` to
 * its thread and whether it is the recorder's (enum node_flags); the caller frees both.
 */
void nodes_to_tree(struct tree *tree, const struct nodes *nodes, double unit_ns,
                   uint32_t **tree_nodes, uint8_t **flags);

/*
 * Returns NODE_RECORDER for the calls of the recorder itself, [nodes->count]: the calibrating
 * function, those that start and stop it, the thread that does little but call these, and what they
 * call. The caller frees it.
 */
uint8_t *nodes_find_recorder(const struct nodes *nodes);

/* By first numbers (see nodes.h), [nodes->function_count]; the caller frees both. */
struct recorder_functions {
    bool *is_root; /* stacks that begin with it are the recorder's */
    bool *is_own;  /* its calls are */
};

struct recorder_functions nodes_recorder_functions(const struct nodes *nodes);

/*
 * Returns the enum call_kind of each node of the tree of these nodes, [tree->node_count]. The
 * caller frees it.
 */
uint8_t *nodes_call_kinds(const struct nodes *nodes, const struct tree *tree);

/*
 * The calling line of a site, as defined in tree/stacks.h. `is_from_lua` is true if the caller is a
 * Lua function. The call must have a caller.
 */
static inline int32_t nodes_call_line(const struct nodes *nodes, uint32_t site, bool is_from_lua)
{
    int32_t line = nodes->sites[site].line;
    if (line >= 0)
        return line;
    return is_from_lua ? LINE_TAIL_CALL : LINE_UNKNOWN;
}
