/*
 * nodes_to_tree.h - converts the nodes of a recording into a call tree, and units into nanoseconds.
 */
#pragma once

#include "rebuild/stacks/nodes.h"
#include "tree/stacks.h"
#include "tree/tree.h"

/*
 * Whether the nodes of a recording become different nodes of its tree.
 *
 * They nearly always do. Two nodes become one if the log defines the same site twice, or if a
 * function is a root of both kinds of threads, and few nodes can be such a pair. So only those are
 * compared: to look up each of 9.5 million nodes in a hash table of calls takes 1.6 s more, and 22
 * bytes of memory for each.
 */

/* `is_used`, [nodes->count], are the nodes that are compared; the parents of used nodes are used.
 */
bool distinct_calls(const struct nodes *nodes, const uint8_t *is_used);

/*
 * Makes a finished tree with details from the counts, in nanoseconds. `threads` selects the
 * threads: NODE_MAIN, NODE_COROUTINE, or both. Sets `tree_nodes` to the node of the tree that each
 * node has become, [nodes->count], TREE_ROOT for none; the caller frees it. If it is NULL, many
 * nodes are freed while the tree is made, so that nodes and tree need not fit into memory together:
 * after that, only the sites and functions of `nodes` can be used.
 *
 * Sets `parts` to the parts of the tree's nodes, [tree->node_count], in units, or NULL if no node
 * has any; the caller frees it. It may be NULL.
 *
 * If `space` is not NULL, the tree is in the arrays of that tree, which grows if it is too small,
 * or all zero; it has no totals, and is only to be added to another before the next one is made.
 */
void nodes_to_tree(struct tree *tree, struct nodes *nodes, double unit_ns, uint8_t threads,
                   uint32_t **tree_nodes, struct node_part **parts, struct tree *space);

/*
 * Makes a tree of all threads, including what is left out (see nodes.h), but without details.
 * `part_nodes` are the `tree_nodes` of nodes_to_tree(). Returns the node of `whole` for each node
 * of that tree, [part_count]; the caller frees it.
 */
uint32_t *nodes_to_whole_tree(struct tree *whole, struct nodes *nodes, double unit_ns,
                              const uint32_t *part_nodes, uint32_t part_count);

/*
 * Returns NODE_RECORDER for the calls of the recorder itself, [nodes->count]: the calibrating
 * function, the thread that does nothing but call it, and what they call. The caller frees it.
 */
uint8_t *nodes_find_recorder(const struct nodes *nodes);

/* Returns the enum call_kind of each function, by id of symbols.h. The caller frees it. */
uint8_t *nodes_call_kinds(const struct nodes *nodes);

/*
 * The calling line of a site, as defined in stacks.h. `is_from_lua` is true if the caller is a Lua
 * function. The call must have a caller.
 */
static inline int32_t nodes_call_line(const struct nodes *nodes, uint32_t site, bool is_from_lua)
{
    int32_t line = nodes->sites[site].line;
    if (line >= 0)
        return line;
    return is_from_lua ? LINE_TAIL_CALL : LINE_UNKNOWN;
}
