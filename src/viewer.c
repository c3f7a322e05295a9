#include "viewer.h"

#include "frames.h"
#include "mem.h"

#include <stdlib.h>

static void link_siblings(struct viewer *viewer, const struct labels *labels)
{
    uint32_t *rank = mem_zeroed((size_t)viewer->truncated + 1, sizeof *rank);
    for (uint32_t i = 0; i < viewer->truncated; i++)
        rank[i] = labels->labels[i].rank;
    rank[viewer->truncated] = UINT32_MAX;
    tree_link(&viewer->links, &viewer->tree, rank);
    free(rank);
}

/* Adds what a node has of its own to one of the viewer's. */
static void add_node(struct viewer *viewer, uint32_t to, const struct tree *tree, uint32_t node)
{
    int64_t self_ns = tree->self_ns[node];
    if (self_ns < 0) {
        viewer->clamped_ns -= self_ns;
        self_ns = 0;
    }
    viewer->tree.total_ns[to] += self_ns;
    viewer->tree.call_counts[to] += tree->call_counts[node];
    viewer->tree.flags[to] |= tree->flags[node];
    if (tree->details != NULL)
        call_details_add(&viewer->tree.details[to], &tree->details[node]);
}

void viewer_init(struct viewer *viewer, const struct tree *tree, const struct labels *labels,
                 uint32_t function_count, uint32_t depth_max)
{
    *viewer = (struct viewer){.truncated = function_count};
    tree_init(&viewer->tree);
    if (tree->details != NULL)
        tree_keep_details(&viewer->tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint32_t *depth = mem_zeroed(tree->node_count, sizeof *depth);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        depth[node] = depth[call->parent] + 1;
        uint32_t to = target[call->parent];
        if (depth[node] <= depth_max)
            to = tree_child(&viewer->tree, to, call->function, call->line);
        else if (depth[node] == depth_max + 1)
            to = tree_child(&viewer->tree, to, viewer->truncated, LINE_UNKNOWN);
        viewer->truncated_count += depth[node] > depth_max;
        target[node] = to;
        add_node(viewer, to, tree, node);
    }
    free(target);
    free(depth);
    tree_settle_self(&viewer->tree);
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
