#include "select/viewer.h"

#include "tree/stacks.h"
#include "tree/tree_builder.h"
#include "tree/tree_order.h"

static bool has_negative(const struct tree *tree)
{
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (tree->self_ns[node] < 0)
            return true;
    return false;
}

/*
 * Returns the paths of nodes without calling lines, [node_count] numbers from 1 to below
 * `*path_count`.
 */
static uint32_t *find_paths(const struct tree *tree, uint32_t *path_count)
{
    struct tree_builder merged;
    tree_builder_init(&merged, TIMES_SELF, false);
    uint32_t *paths = mem_zeroed(tree->node_count, sizeof *paths);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        paths[node] =
            tree_builder_child(&merged, paths[call->parent], call->function, LINE_UNKNOWN);
    }
    *path_count = merged.tree.node_count;
    tree_builder_release(&merged);
    return paths;
}

/* Returns the self times that the nodes keep, [node_count]; NULL if no time is negative. */
static int64_t *find_kept_times(const struct tree *tree, int64_t *clamped_ns)
{
    uint32_t path_count;
    if (!has_negative(tree))
        return NULL;
    uint32_t *paths = find_paths(tree, &path_count);
    int64_t *left_ns = mem_zeroed(path_count, sizeof *left_ns); /* not given to a node yet */
    int64_t *kept_ns = mem_zeroed(tree->node_count, sizeof *kept_ns);
    for (uint32_t node = 1; node < tree->node_count; node++)
        left_ns[paths[node]] += tree->self_ns[node];
    for (uint32_t path = 1; path < path_count; path++)
        *clamped_ns -= left_ns[path] < 0 ? left_ns[path] : 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        int64_t *left = &left_ns[paths[node]];
        int64_t most = *left < tree->self_ns[node] ? *left : tree->self_ns[node];
        kept_ns[node] = most > 0 ? most : 0;
        *left -= kept_ns[node];
    }
    free(paths);
    free(left_ns);
    return kept_ns;
}

/* Adds up the nodes that are too deep: the number of such nodes is set. */
static void truncate(struct viewer *viewer, const uint32_t *depths, uint32_t depth_max)
{
    const struct tree *tree = &viewer->tree;
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t to = target[call->parent];
        if (depths[node] <= depth_max)
            to = tree_builder_append(&builder, (struct call){to, call->function, call->line});
        else if (depths[node] == depth_max + 1)
            to = tree_builder_child(&builder, to, viewer->truncated, LINE_UNKNOWN);
        target[node] = to;
        tree_builder_add(&builder, to, tree_values(tree, node));
    }
    free(target);
    tree_builder_replace(&builder, &viewer->tree);
}

static void limit_depth(struct viewer *viewer, uint32_t depth_max)
{
    const struct tree *tree = &viewer->tree;
    uint32_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        depths[node] = depths[tree->calls[node].parent] + 1;
        viewer->truncated_count += depths[node] > depth_max;
    }
    if (viewer->truncated_count > 0)
        truncate(viewer, depths, depth_max);
    free(depths);
}

void viewer_init(struct viewer *viewer, const struct tree *tree, const struct labels *labels,
                 uint32_t function_count, uint32_t depth_max)
{
    *viewer = (struct viewer){.truncated = function_count};
    struct tree_order order;
    tree_order_init(&order, tree, labels->ranks);
    tree_copy_in_order(&viewer->tree, tree, &order);
    int64_t *kept_ns = find_kept_times(tree, &viewer->clamped_ns);
    if (kept_ns != NULL) {
        for (uint32_t node = 1; node < tree->node_count; node++)
            viewer->tree.self_ns[node] = kept_ns[order.nodes[node]];
        tree_sum_totals(&viewer->tree);
    }
    free(kept_ns);
    tree_order_release(&order);
    limit_depth(viewer, depth_max);
    viewer->sizes = tree_sizes(&viewer->tree);
}

void viewer_release(struct viewer *viewer)
{
    free(viewer->sizes);
    tree_release(&viewer->tree);
    *viewer = (struct viewer){0};
}

struct span viewer_label(const struct viewer *viewer, const struct labels *labels,
                         uint32_t function)
{
    static const char truncated[] = "(truncated)";
    if (function == viewer->truncated)
        return (struct span){truncated, sizeof truncated - 1};
    return labels_text(labels, labels->labels[function].label);
}
