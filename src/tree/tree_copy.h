/*
 * tree_copy.h - a settled tree made anew, node by node: what filters and folds are.
 *
 *     tree_copy_begin(&copy, tree);
 *     for each node of `tree`, parents first:
 *         tree_copy_node(&copy, tree_child(&copy, ...), tree, node);
 *     tree_copy_end(tree, &copy);
 */
#ifndef SUPPROF_TREE_COPY_H
#define SUPPROF_TREE_COPY_H

#include "tree/tree.h"

#include <stdint.h>

/* Makes an empty tree that keeps whatever `tree` keeps. */
void tree_copy_begin(struct tree *copy, const struct tree *tree);

/* Adds what `node` has of its own, calls and time, to the node `to` of the copy. */
void tree_copy_node(struct tree *copy, uint32_t to, const struct tree *tree, uint32_t node);

/*
 * Adds only time and memory, for a node that becomes part of its caller. Where `to` is
 * the root there is no caller; they go to a child of it, the function `folded`.
 */
void tree_copy_time(struct tree *copy, uint32_t to, const struct tree *tree, uint32_t node,
                    uint32_t folded);

/* Settles the copy and puts it in the place of the tree. */
void tree_copy_end(struct tree *tree, struct tree *copy);

#endif
