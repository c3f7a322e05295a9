#include "tree/tree_links.h"

#include "base/mem.h"
#include "tree/tree_order.h"

#include <stdlib.h>

static void put_first(struct tree_links *links, const struct tree *tree, uint32_t node)
{
    uint32_t parent = tree->calls[node].parent;
    links->next_sibling[node] = links->first_child[parent];
    links->first_child[parent] = node;
}

void tree_link(struct tree_links *links, const struct tree *tree, const uint32_t *rank)
{
    links->first_child = mem_zeroed(tree->node_count, sizeof *links->first_child);
    links->next_sibling = mem_zeroed(tree->node_count, sizeof *links->next_sibling);
    for (uint32_t node = 0; node < tree->node_count; node++)
        links->first_child[node] = links->next_sibling[node] = TREE_NONE;
    if (rank == NULL) {
        for (uint32_t node = tree->node_count; --node > TREE_ROOT;)
            put_first(links, tree, node);
        return;
    }
    uint32_t *sorted = tree_sorted_by_rank(tree, rank);
    for (uint32_t i = tree->node_count - 1; i-- > 0;)
        put_first(links, tree, sorted[i]);
    free(sorted);
}

void tree_links_release(struct tree_links *links)
{
    free(links->first_child);
    free(links->next_sibling);
    *links = (struct tree_links){0};
}

uint32_t tree_next(const struct tree *tree, const struct tree_links *links, uint32_t node,
                   void (*leave)(void *context, uint32_t node), void *context)
{
    if (links->first_child[node] != TREE_NONE)
        return links->first_child[node];
    for (; node != TREE_ROOT; node = tree->calls[node].parent) {
        leave(context, node);
        if (links->next_sibling[node] != TREE_NONE)
            return links->next_sibling[node];
    }
    return TREE_NONE;
}
