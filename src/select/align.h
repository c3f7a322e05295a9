/*
 * align.h - gives two trees the same nodes, so that they can be compared node by node.
 *
 * The functions of the old tree become those that diff_match_functions() found for them.
 * Calling lines move with the function that they are in: if f moved from line 24 to 27, then
 * its call of g from line 26 becomes one from line 29.
 */
#pragma once

#include "tree/symbols.h"
#include "tree/tree.h"

/*
 * Gives both trees the same nodes: nodes that only one tree has are added to the other,
 * without calls and time. The functions of the old tree become those of `functions`,
 * [old_symbols->function_count]. Its times and calls are multiplied by the factors. Nodes of
 * the new tree keep their ids; returns the new ids of the old tree's nodes,
 * [its old node_count], which the caller frees.
 */
uint32_t *align_trees(struct tree *new_tree, struct tree *old_tree, const uint32_t *functions,
                      const struct symbols *new_symbols, const struct symbols *old_symbols,
                      double time_factor, double call_factor);
