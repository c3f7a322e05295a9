#include "select/viewer.h"

#include "base/mem.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

#include <stdbool.h>
#include <stdlib.h>

/* The self times that nodes may have, path by path. All zero if no time is negative. */
struct paths_left {
    uint32_t *paths;  /* [node_count]: the id of a node's path without calling lines */
    int64_t *left_ns; /* [path count]: not given to a node yet; never below 0 */
};

static bool has_negative(const struct tree *tree)
{
    for (uint32_t node = 1; node < tree->node_count; node++)
        if (tree->self_ns[node] < 0)
            return true;
    return false;
}

static void paths_left_init(struct paths_left *paths, const struct tree *tree, int64_t *clamped_ns)
{
    struct tree_builder merged;
    *paths = (struct paths_left){0};
    if (!has_negative(tree))
        return;
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
    if (paths->paths == NULL)
        return tree->self_ns[node];
    int64_t *left_ns = &paths->left_ns[paths->paths[node]];
    int64_t self_ns = tree->self_ns[node] < 0 ? 0 : tree->self_ns[node];
    int64_t taken_ns = self_ns < *left_ns ? self_ns : *left_ns;
    *left_ns -= taken_ns;
    return taken_ns;
}

static void link_siblings(struct viewer *viewer, const struct labels *labels)
{
    uint32_t *rank = mem_zeroed((size_t)viewer->truncated + 1, sizeof *rank);
    for (uint32_t i = 0; i < viewer->truncated; i++)
        rank[i] = labels->labels[i].rank;
    rank[viewer->truncated] = UINT32_MAX;
    tree_link(&viewer->links, &viewer->tree, rank);
    free(rank);
}

void viewer_init(struct viewer *viewer, const struct tree *tree, const struct labels *labels,
                 uint32_t function_count, uint32_t depth_max)
{
    *viewer = (struct viewer){.truncated = function_count};
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    struct paths_left paths;
    paths_left_init(&paths, tree, &viewer->clamped_ns);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint32_t *depth = mem_zeroed(tree->node_count, sizeof *depth);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        depth[node] = depth[call->parent] + 1;
        uint32_t to = target[call->parent];
        if (depth[node] <= depth_max)
            to = tree_builder_append(&builder, (struct call){to, call->function, call->line});
        else if (depth[node] == depth_max + 1)
            to = tree_builder_child(&builder, to, viewer->truncated, LINE_UNKNOWN);
        viewer->truncated_count += depth[node] > depth_max;
        target[node] = to;
        struct node_values values = tree_values(tree, node);
        values.self_ns = take_time(&paths, tree, node);
        tree_builder_add(&builder, to, values);
    }
    free(target);
    free(depth);
    paths_left_release(&paths);
    tree_builder_finish(&builder, &viewer->tree);
    link_siblings(viewer, labels);
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
