#include "tree/tree_order.h"

#include "base/key_sort.h"
#include "base/mem.h"

/* Returns all nodes but the root in order of rank, line and id, [node_count - 1]. */
static uint32_t *sort_by_rank(const struct tree *tree, const uint32_t *rank)
{
    uint32_t count = tree->node_count - 1;
    struct keyed *keyed = mem_zeroed(count, sizeof *keyed);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t line = (uint32_t)call->line ^ (uint32_t)INT32_MIN;
        keyed[node - 1] = (struct keyed){(uint64_t)rank[call->function] << 32 | line, node};
    }
    key_sort(keyed, count);
    uint32_t *nodes = mem_zeroed(count, sizeof *nodes);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = keyed[i].item;
    free(keyed);
    return nodes;
}

/* How many nodes later one is asked for. */
enum { NODES_AHEAD = 16 };

/* What is known of a node while places are given: together, because they are read together. */
struct placing {
    uint32_t size;  /* the node and all below it */
    uint32_t used;  /* places below the node that its children have taken */
    uint32_t place; /* first after that of the parent, then of all */
};

static struct placing *find_sizes(const struct tree *tree)
{
    struct placing *placing = mem_zeroed(tree->node_count, sizeof *placing);
    for (uint32_t node = tree->node_count; node-- > TREE_ROOT;) {
        if (node > NODES_AHEAD)
            __builtin_prefetch(&placing[tree->calls[node - NODES_AHEAD].parent]);
        placing[node].size++;
        if (node != TREE_ROOT)
            placing[tree->calls[node].parent].size += placing[node].size;
    }
    return placing;
}

/* Gives a node the next places below its parent. */
static void take_place(struct placing *placing, const struct tree *tree, uint32_t node)
{
    struct placing *parent = &placing[tree->calls[node].parent];
    placing[node].place = 1 + parent->used;
    parent->used += placing[node].size;
}

static void take_places(struct placing *placing, const struct tree *tree, const uint32_t *rank)
{
    if (rank == NULL) {
        for (uint32_t node = 1; node < tree->node_count; node++)
            take_place(placing, tree, node);
        return;
    }
    uint32_t *sorted = sort_by_rank(tree, rank);
    for (uint32_t i = 0; i + 1 < tree->node_count; i++) {
        if (tree->node_count - 1 - i > NODES_AHEAD) {
            __builtin_prefetch(&tree->calls[sorted[i + NODES_AHEAD]]);
            __builtin_prefetch(&placing[sorted[i + NODES_AHEAD]]);
        }
        take_place(placing, tree, sorted[i]);
    }
    free(sorted);
}

void tree_order_init(struct tree_order *order, const struct tree *tree, const uint32_t *rank)
{
    struct placing *placing = find_sizes(tree);
    take_places(placing, tree, rank);
    order->nodes = mem_zeroed(tree->node_count, sizeof *order->nodes);
    order->sizes = mem_zeroed(tree->node_count, sizeof *order->sizes);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        if (node != TREE_ROOT)
            placing[node].place += placing[tree->calls[node].parent].place;
        order->nodes[placing[node].place] = node;
        order->sizes[placing[node].place] = placing[node].size;
    }
    free(placing);
}

void tree_order_release(struct tree_order *order)
{
    free(order->nodes);
    free(order->sizes);
    *order = (struct tree_order){0};
}

/* Asks for what a later node has. */
static void fetch_ahead(const struct tree_order *order, const struct tree *tree, uint32_t place)
{
    if (tree->node_count - place <= NODES_AHEAD)
        return;
    uint32_t node = order->nodes[place + NODES_AHEAD];
    __builtin_prefetch(&tree->calls[node]);
    __builtin_prefetch(&tree->call_counts[node]);
    __builtin_prefetch(&tree->self_ns[node]);
    __builtin_prefetch(&tree->flags[node]);
    if (tree->details != NULL)
        __builtin_prefetch(&tree->details[node]);
}

void tree_copy_in_order(struct tree *copy, const struct tree *tree, const struct tree_order *order)
{
    *copy = tree_make(tree->node_count, tree->details != NULL);
    if (tree->samples != NULL)
        copy->samples = mem_zeroed(tree->node_count, sizeof *copy->samples);
    uint32_t *places = mem_zeroed(tree->node_count, sizeof *places);
    for (uint32_t place = 1; place < tree->node_count; place++) {
        fetch_ahead(order, tree, place);
        uint32_t node = order->nodes[place];
        places[node] = place;
        copy->calls[place] = tree->calls[node];
        copy->calls[place].parent = places[tree->calls[node].parent];
        copy->call_counts[place] = tree->call_counts[node];
        copy->self_ns[place] = tree->self_ns[node];
        copy->flags[place] = tree->flags[node];
        if (tree->details != NULL)
            copy->details[place] = tree->details[node];
        if (tree->samples != NULL)
            copy->samples[place] = tree->samples[node];
    }
    free(places);
    tree_sum_totals(copy);
}

uint32_t *tree_sizes(const struct tree *tree)
{
    uint32_t *sizes = mem_zeroed(tree->node_count, sizeof *sizes);
    for (uint32_t node = tree->node_count; node-- > TREE_ROOT;) {
        sizes[node]++;
        if (node != TREE_ROOT)
            sizes[tree->calls[node].parent] += sizes[node];
    }
    return sizes;
}
