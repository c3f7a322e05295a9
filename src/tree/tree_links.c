#include "tree/tree_links.h"

#include "base/mem.h"

#include <stdlib.h>

enum { DIGIT_BITS = 16, DIGIT_COUNT = 1 << DIGIT_BITS };

/* Moves `nodes`, [count], to `sorted` in order of a digit of their keys; equal ones stay in order.
 */
static void sort_by_digit(uint32_t *sorted, const uint32_t *nodes, uint32_t count,
                          const uint32_t *keys, unsigned shift)
{
    uint32_t *ends = mem_zeroed(DIGIT_COUNT, sizeof *ends);
    for (uint32_t i = 0; i < count; i++)
        ends[(keys[nodes[i]] >> shift) % DIGIT_COUNT]++;
    for (uint32_t digit = 1; digit < DIGIT_COUNT; digit++)
        ends[digit] += ends[digit - 1];
    for (uint32_t i = count; i-- > 0;)
        sorted[--ends[(keys[nodes[i]] >> shift) % DIGIT_COUNT]] = nodes[i];
    free(ends);
}

/* Sorts nodes by their keys, [node_count]; equal ones stay in order. */
static void sort_by_key(uint32_t **nodes, uint32_t **spare, uint32_t count, const uint32_t *keys)
{
    uint32_t different = 0;
    for (uint32_t i = 1; i < count; i++)
        different |= keys[(*nodes)[i]] ^ keys[(*nodes)[0]];
    for (unsigned shift = 0; shift < 32; shift += DIGIT_BITS) {
        if ((different >> shift) % DIGIT_COUNT == 0)
            continue;
        sort_by_digit(*spare, *nodes, count, keys, shift);
        uint32_t *sorted = *spare;
        *spare = *nodes;
        *nodes = sorted;
    }
}

/*
 * Returns all nodes but the root in order of rank, line and id, [node_count - 1]. A sort by digits
 * takes a fifth of the time of qsort() for a million nodes.
 */
static uint32_t *sort_nodes(const struct tree *tree, const uint32_t *rank)
{
    uint32_t count = tree->node_count - 1;
    uint32_t *nodes = mem_zeroed(count, sizeof *nodes);
    uint32_t *spare = mem_zeroed(count, sizeof *spare);
    uint32_t *keys = mem_zeroed(tree->node_count, sizeof *keys);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        nodes[node - 1] = node;
        keys[node] = (uint32_t)tree->calls[node].line ^ (uint32_t)INT32_MIN;
    }
    sort_by_key(&nodes, &spare, count, keys);
    for (uint32_t node = 1; node < tree->node_count; node++)
        keys[node] = rank[tree->calls[node].function];
    sort_by_key(&nodes, &spare, count, keys);
    free(spare);
    free(keys);
    return nodes;
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
    uint32_t *sorted = sort_nodes(tree, rank);
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
