#include "select/viewer.h"

#include "base/mem.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

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

static void link_by_label(struct tree_links *links, const struct tree *tree,
                          const struct labels *labels, uint32_t function_count)
{
    uint32_t *rank = mem_zeroed(function_count, sizeof *rank);
    for (uint32_t i = 0; i < function_count; i++)
        rank[i] = labels->labels[i].rank;
    tree_link(links, tree, rank);
    free(rank);
}

/* The nodes of the copy on the path to the current node. */
struct copied_path {
    uint32_t *nodes; /* [depth + 1], from the root */
    size_t depth, capacity;
};

static void leave(void *context, uint32_t node)
{
    (void)node;
    struct copied_path *path = context;
    path->depth--;
}

/* Returns the copy of the next node on the path, which may be "(truncated)". */
static uint32_t copy_node(struct viewer *viewer, struct tree_builder *builder,
                          struct copied_path *path, const struct call *call, uint32_t depth_max)
{
    uint32_t to = path->nodes[path->depth++];
    if (path->depth <= depth_max)
        to = tree_builder_append(builder, (struct call){to, call->function, call->line});
    else if (path->depth == (size_t)depth_max + 1)
        to = tree_builder_child(builder, to, viewer->truncated, LINE_UNKNOWN);
    viewer->truncated_count += path->depth > depth_max;
    path->nodes = mem_grow(path->nodes, &path->capacity, path->depth + 1, sizeof *path->nodes);
    path->nodes[path->depth] = to;
    return to;
}

void viewer_init(struct viewer *viewer, const struct tree *tree, const struct labels *labels,
                 uint32_t function_count, uint32_t depth_max)
{
    *viewer = (struct viewer){.truncated = function_count};
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    int64_t *kept_ns = find_kept_times(tree, &viewer->clamped_ns);
    struct tree_links links;
    link_by_label(&links, tree, labels, function_count);
    struct copied_path path = {0};
    path.nodes = mem_grow(NULL, &path.capacity, 1, sizeof *path.nodes);
    path.nodes[0] = TREE_ROOT;
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &links, node, leave, &path)) != TREE_NONE) {
        uint32_t to = copy_node(viewer, &builder, &path, &tree->calls[node], depth_max);
        struct node_values values = tree_values(tree, node);
        if (kept_ns != NULL)
            values.self_ns = kept_ns[node];
        tree_builder_add(&builder, to, values);
    }
    free(path.nodes);
    free(kept_ns);
    tree_links_release(&links);
    tree_builder_finish(&builder, &viewer->tree);
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
