#include "report/pages/svg/svg_layout.h"

#include "base/key_sort.h"
#include "base/mem.h"

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The position of `value` if `all` is SVG_WIDTH; rounded down. */
static uint32_t scale(uint64_t value, uint64_t all)
{
    while (all > UINT64_MAX / SVG_WIDTH) {
        value >>= 1;
        all >>= 1;
    }
    return all == 0 ? 0 : (uint32_t)(value * SVG_WIDTH / all);
}

uint64_t *svg_totals(const struct tree *tree, const uint64_t *own)
{
    uint64_t *totals = mem_zeroed(tree->node_count, sizeof *totals);
    for (uint32_t node = tree->node_count; node-- > 0;) {
        totals[node] = add(totals[node], own[node]);
        if (node != TREE_ROOT) {
            uint32_t parent = tree->calls[node].parent;
            totals[parent] = add(totals[parent], totals[node]);
        }
    }
    return totals;
}

/* The smallest total of a drawn frame, so that at most a maximum number are drawn. */
static uint64_t find_least(const uint64_t *totals, uint32_t count, uint32_t frames_max)
{
    if (count <= frames_max)
        return 1;
    return add(largest_at(totals, count, frames_max), 1);
}

static void count(struct svg_layout *layout, const struct tree *tree, uint32_t node)
{
    if (svg_layout_is_drawn(layout, node)) {
        if (layout->depths[node] > layout->depth_max)
            layout->depth_max = layout->depths[node];
        return;
    }
    uint32_t parent = tree->calls[node].parent;
    bool parent_is_drawn = svg_layout_is_drawn(layout, parent);
    layout->left_out_count++;
    if (parent_is_drawn)
        layout->left_out = add(layout->left_out, layout->totals[node]);
    if (!svg_layout_is_listed(layout, node) &&
        (parent_is_drawn || svg_layout_is_listed(layout, parent)))
        layout->unlisted = add(layout->unlisted, layout->totals[node]);
}

void svg_layout_init(struct svg_layout *layout, const struct tree *tree, const uint64_t *own,
                     uint32_t frames_max, uint32_t listed_max)
{
    uint64_t *ends = mem_zeroed(tree->node_count, sizeof *ends); /* of the last child so far */
    *layout = (struct svg_layout){
        .totals = svg_totals(tree, own),
        .starts = mem_zeroed(tree->node_count, sizeof *layout->starts),
        .depths = mem_zeroed(tree->node_count, sizeof *layout->depths),
    };
    layout->least = find_least(layout->totals, tree->node_count, frames_max);
    layout->least_listed = find_least(layout->totals, tree->node_count, frames_max + listed_max);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        layout->starts[node] = ends[node] = ends[parent];
        layout->depths[node] = layout->depths[parent] + 1;
        ends[parent] = add(ends[parent], layout->totals[node]);
        count(layout, tree, node);
    }
    free(ends);
}

void svg_layout_release(struct svg_layout *layout)
{
    MEM_FREE(layout->totals, layout->starts, layout->depths);
    *layout = (struct svg_layout){0};
}

uint32_t svg_layout_x(const struct svg_layout *layout, uint32_t node)
{
    return scale(layout->starts[node], layout->totals[TREE_ROOT]);
}

uint32_t svg_layout_width(const struct svg_layout *layout, uint32_t node)
{
    if (node == TREE_ROOT)
        return SVG_WIDTH;
    uint64_t end = add(layout->starts[node], layout->totals[node]);
    return scale(end, layout->totals[TREE_ROOT]) - svg_layout_x(layout, node);
}
