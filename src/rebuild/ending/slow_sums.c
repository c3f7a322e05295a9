#include "rebuild/ending/slow_sums.h"

#include "base/mem.h"
#include "base/number.h"
#include "rebuild/ending/overhead.h"
#include "rebuild/stacks/nodes.h"

static int64_t share_of(const struct tree *tree, uint32_t node, const int64_t *measured_ns,
                        int64_t units, double unit_ns)
{
    int64_t part_ns = number_nearest((double)units * unit_ns);
    return overhead_share(part_ns, measured_ns[node], tree->self_ns[node]);
}

void slow_sums_add(struct slow_sums *sums, const struct tree *tree, const int64_t *measured_ns,
                   const struct node_part *parts, double unit_ns)
{
    MEM_GROW_ZEROED(sums->at, sums->count, tree_count_functions(tree));
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        struct node_part part = parts == NULL ? (struct node_part){0} : parts[node];
        int64_t slow_ns = share_of(tree, node, measured_ns, part.slow, unit_ns);
        int64_t outside_ns = share_of(tree, node, measured_ns, part.outside, unit_ns);
        int64_t other_ns = tree->self_ns[node] - slow_ns - outside_ns;
        struct slow_sum *sum = &sums->at[tree->calls[node].function];
        sum->slow_ns += slow_ns;
        sum->other_ns += other_ns;
        sum->removed_ns += measured_ns[node] - tree->self_ns[node];
        sums->all.slow_ns += slow_ns;
        sums->all.other_ns += other_ns;
    }
}

void slow_sums_release(struct slow_sums *sums)
{
    free(sums->at);
    *sums = (struct slow_sums){0};
}
