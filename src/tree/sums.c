#include "tree/sums.h"

#include "base/mem.h"

struct sum sum_of_none(bool has_details)
{
    struct sum sum = {.has_details = has_details};
    if (has_details)
        sum.details = call_details_none();
    return sum;
}

void sum_add_node(struct sum *sum, const struct tree *tree, uint32_t node, bool is_outermost)
{
    sum->calls += tree->call_counts[node];
    sum->self_ns += tree->self_ns[node];
    sum->total_ns += is_outermost ? tree->total_ns[node] : 0;
    sum->flags |= tree->flags[node];
    if (sum->has_details)
        call_details_add(&sum->details, &tree->details[node]);
}

void sums_add_tree(struct sum *sums, const struct tree *tree, const struct sum_map *map)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t mapped = map->nodes != NULL ? map->nodes[node] : node;
        uint32_t place = map->of_nodes[mapped];
        if (place != TREE_NONE)
            sum_add_node(
                &sums[place], tree, node, map->outermost == NULL || map->outermost[mapped]);
    }
}

static struct sum *no_sums(size_t count, bool has_details)
{
    struct sum *sums = mem_zeroed(count, sizeof *sums);
    for (size_t i = 0; i < count; i++)
        sums[i] = sum_of_none(has_details);
    return sums;
}

struct sum *sums_of_functions(const struct tree *tree, size_t count)
{
    struct sum *sums = no_sums(count, tree->details != NULL);
    for (uint32_t node = 1; node < tree->node_count; node++)
        sum_add_node(&sums[tree->calls[node].function], tree, node, tree->outermost[node]);
    return sums;
}

struct sum *sums_of_groups(const struct tree *tree, const struct sum_map *map, size_t count)
{
    struct sum *sums = no_sums(count, tree->details != NULL);
    sums_add_tree(sums, tree, map);
    return sums;
}
