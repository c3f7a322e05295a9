#include "select/viewer.h"

#include "base/mem.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"
#include "tree/tree_order.h"

#include <stdbool.h>
#include <stdlib.h>

/* The self times that nodes may have, path by path. */
struct paths_left {
    uint32_t *paths;  /* [node_count]: the id of a node's path without calling lines */
    int64_t *left_ns; /* [path count]: not given to a node yet; never below 0 */
};

static void paths_left_init(struct paths_left *paths, const struct tree *tree, int64_t *clamped_ns)
{
    struct tree_builder merged;
    tree_builder_init(&merged, TIMES_SELF, false);
    paths->paths = mem_zeroed(tree->node_count, sizeof *paths->paths);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t parent = paths->paths[call->parent];
        paths->paths[node] = tree_builder_child(&merged, parent, call->function, LINE_UNKNOWN);
    }
    paths->left_ns = mem_zeroed(merged.node_count, sizeof *paths->left_ns);
    for (uint32_t node = 1; node < tree->node_count; node++)
        paths->left_ns[paths->paths[node]] += tree->self_ns[node];
    for (uint32_t path = 1; path < merged.node_count; path++)
        if (paths->left_ns[path] < 0) {
            *clamped_ns -= paths->left_ns[path];
            paths->left_ns[path] = 0;
        }
    tree_builder_release(&merged);
}

static void paths_left_release(struct paths_left *paths)
{
    free(paths->paths);
    free(paths->left_ns);
}

/* The self time that a node keeps. */
static int64_t take_time(struct paths_left *paths, const struct tree *tree, uint32_t node)
{
    int64_t *left_ns = &paths->left_ns[paths->paths[node]];
    int64_t self_ns = tree->self_ns[node] < 0 ? 0 : tree->self_ns[node];
    int64_t taken_ns = self_ns < *left_ns ? self_ns : *left_ns;
    *left_ns -= taken_ns;
    return taken_ns;
}

static bool has_negative(const struct tree *tree)
{
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (tree->self_ns[node] < 0)
            return true;
    return false;
}

/* Returns the self times that the nodes keep, [node_count]; NULL if no time is negative. */
static int64_t *find_kept_times(const struct tree *tree, int64_t *clamped_ns)
{
    struct paths_left paths;
    if (!has_negative(tree))
        return NULL;
    paths_left_init(&paths, tree, clamped_ns);
    int64_t *kept_ns = mem_zeroed(tree->node_count, sizeof *kept_ns);
    for (uint32_t node = 1; node < tree->node_count; node++)
        kept_ns[node] = take_time(&paths, tree, node);
    paths_left_release(&paths);
    return kept_ns;
}

static void order_by_label(struct tree_order *order, const struct tree *tree,
                           const struct labels *labels, uint32_t function_count)
{
    uint32_t *rank = mem_zeroed(function_count, sizeof *rank);
    for (uint32_t i = 0; i < function_count; i++)
        rank[i] = labels->labels[i].rank;
    tree_order_init(order, tree, rank);
    free(rank);
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
    order_by_label(&order, tree, labels, function_count);
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
    tree_link(&viewer->links, &viewer->tree, NULL);
}

void viewer_release(struct viewer *viewer)
{
    tree_links_release(&viewer->links);
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
