#include "tree/tree_links.h"

#include "base/mem.h"

#include <stdlib.h>

struct sibling {
    uint32_t rank;
    int32_t line;
    uint32_t node;
};

static int compare_siblings(const void *left, const void *right)
{
    const struct sibling *a = left;
    const struct sibling *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

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
    size_t count = tree->node_count - 1;
    struct sibling *siblings = mem_zeroed(count, sizeof *siblings);
    for (uint32_t node = 1; node < tree->node_count; node++)
        siblings[node - 1] =
            (struct sibling){rank[tree->calls[node].function], tree->calls[node].line, node};
    qsort(siblings, count, sizeof *siblings, compare_siblings);
    for (size_t i = count; i-- > 0;)
        put_first(links, tree, siblings[i].node);
    free(siblings);
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
