/*
 * tree_links.h - the tree in depth-first order, with siblings in a chosen order.
 */
#ifndef SUPPROF_TREE_LINKS_H
#define SUPPROF_TREE_LINKS_H

#include "tree/tree.h"

#include <stdint.h>

/*
 * The tree in depth-first order. `rank` gives the order of siblings: a node's
 * rank is that of its function, [function_count]; NULL leaves them in order of id.
 * Siblings of one rank are ordered by line, then id.
 */
struct tree_links {
    uint32_t *first_child;  /* [node_count], TREE_NONE for none */
    uint32_t *next_sibling; /* [node_count], TREE_NONE for none */
};

void tree_link(struct tree_links *links, const struct tree *tree, const uint32_t *rank);
void tree_links_release(struct tree_links *links);

/*
 * Steps through the tree below the root: returns the node after `node`, or
 * TREE_NONE after the last; begin with TREE_ROOT. Calls leave() for each node
 * after its last descendant was returned, before it returns the next node.
 */
uint32_t tree_next(const struct tree *tree, const struct tree_links *links, uint32_t node,
                   void (*leave)(void *context, uint32_t node), void *context);

#endif
