#include "tree/outermost.h"

#include "base/mem.h"
#include "tree/tree_order.h"

static uint32_t count_groups(const uint32_t *groups, uint32_t node_count)
{
    uint32_t most = 0;
    for (uint32_t node = 1; node < node_count; node++)
        most = groups[node] > most ? groups[node] : most;
    return most + 1;
}

/* Walks through the whole tree once; its time does not depend on the depth. */
static void walk(bool *outermost, const struct tree *tree, const uint32_t *groups)
{
    struct tree_order order;
    tree_order_init(&order, tree, NULL);
    uint32_t *on_path = mem_zeroed(count_groups(groups, tree->node_count), sizeof *on_path);
    uint32_t at = TREE_ROOT;
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order.nodes[place];
        for (; at != tree->calls[node].parent; at = tree->calls[at].parent)
            on_path[groups[at]]--;
        outermost[node] = on_path[groups[node]]++ == 0;
        at = node;
    }
    free(on_path);
    tree_order_release(&order);
}

/* Three of 32 bits, which say that a group may be on a path. */
static uint32_t bits_of(uint32_t group)
{
    uint32_t hash = group * 0x9e3779b1u;
    return (uint32_t)1 << (hash >> 27) | (uint32_t)1 << (hash >> 22 & 31) |
           (uint32_t)1 << (hash >> 17 & 31);
}

/*
 * Goes up from each node as long as the bits of the nodes above it say that its group may be there.
 * A million stacks take a quarter of the time of going up to the root, which waits for memory.
 * Fails if that is too many steps, in deep recursion.
 */
static bool look_back(bool *outermost, const struct tree *tree, const uint32_t *groups)
{
    enum { USUAL_STEPS = 64, AHEAD = 32 };
    uint64_t steps_left = (uint64_t)tree->node_count * USUAL_STEPS;
    uint32_t *on_path = mem_zeroed(tree->node_count, sizeof *on_path);
    for (uint32_t node = 1; node < tree->node_count && steps_left > 0; node++) {
        if (tree->node_count - node > AHEAD)
            __builtin_prefetch(&on_path[tree->calls[node + AHEAD].parent]);
        uint32_t at = tree->calls[node].parent;
        uint32_t bits = bits_of(groups[node]);
        on_path[node] = on_path[at] | bits;
        while ((on_path[at] & bits) == bits && groups[at] != groups[node] && --steps_left > 0)
            at = tree->calls[at].parent;
        outermost[node] = (on_path[at] & bits) != bits;
    }
    free(on_path);
    return steps_left > 0;
}

static uint32_t *functions_of(const struct tree *tree)
{
    uint32_t *functions = mem_zeroed(tree->node_count, sizeof *functions);
    for (uint32_t node = 1; node < tree->node_count; node++)
        functions[node] = tree->calls[node].function;
    return functions;
}

bool *tree_find_outermost(const struct tree *tree, const uint32_t *groups)
{
    bool *outermost = mem_zeroed(tree->node_count, sizeof *outermost);
    uint32_t *functions = groups == NULL ? functions_of(tree) : NULL;
    const uint32_t *of_nodes = groups == NULL ? functions : groups;
    if (!look_back(outermost, tree, of_nodes))
        walk(outermost, tree, of_nodes);
    free(functions);
    return outermost;
}
