/*
 * outermost.h - which nodes of a tree have no node of their own group above them.
 *
 * Only the total times of those count for the group, so that each stack counts once.
 */
#pragma once

#include "tree/tree.h"

/*
 * Returns for each node whether it is outermost, [node_count]; false for the root. `groups` has the
 * group of each node, [node_count]; if it is NULL, functions are the groups.
 */
bool *tree_find_outermost(const struct tree *tree, const uint32_t *groups);
