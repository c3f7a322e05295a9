#include "select/listed_stacks.h"

#include "select/viewer.h"
#include "tree/fold.h"
#include "tree/stacks.h"

enum {
    DEPTH_MIN = 8, /* shorter stacks are useless, even if their names are long */
    ROW_BYTES = 100,
    BYTES_PER_INPUT_BYTE = 100,
    BYTES_PER_INPUT_BYTE_MIN = 20,
};

static const uint64_t bytes_min = 48 << 20;

/* How many bytes frames may take. In a CSV file, numbers can take most of a row. */
static uint64_t find_bytes_max(const struct list_limit *limit, uint64_t node_count)
{
    uint64_t bytes = limit->input_bytes * BYTES_PER_INPUT_BYTE;
    uint64_t least = limit->input_bytes * BYTES_PER_INPUT_BYTE_MIN;
    uint64_t rows = node_count * ROW_BYTES;
    return bytes_min + (bytes > rows + least ? bytes - rows : least);
}

static uint64_t label_bytes(const struct tree *tree, const struct labels *labels, uint32_t node)
{
    return labels_text(labels, labels->labels[tree->calls[node].function].label).length;
}

/* The bytes of a frame, with its call site frame: only trees for call sites have lines. */
static uint64_t frame_bytes(const struct tree *tree, const struct labels *labels, uint32_t node)
{
    const struct call *call = &tree->calls[node];
    uint64_t bytes = label_bytes(tree, labels, node) + sizeof ";" - 1;
    if (call->parent == TREE_ROOT || !line_is_known(call->line))
        return bytes;
    return bytes + label_bytes(tree, labels, call->parent) + sizeof "->2147483647;" - 1;
}

/* The bytes that all stacks together take. */
struct sizes {
    uint64_t *at_depths; /* [deepest + 1] */
    uint64_t all;
    uint32_t deepest;
};

static struct sizes measure(const struct tree *tree, const struct labels *labels)
{
    struct sizes sizes = {0};
    uint64_t *stacks = mem_zeroed(tree->node_count, sizeof *stacks); /* at and below a node */
    uint32_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        depths[node] = depths[tree->calls[node].parent] + 1;
        sizes.deepest = depths[node] > sizes.deepest ? depths[node] : sizes.deepest;
    }
    sizes.at_depths = mem_zeroed((size_t)sizes.deepest + 1, sizeof *sizes.at_depths);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        stacks[node]++;
        stacks[tree->calls[node].parent] += stacks[node];
        uint64_t bytes = stacks[node] * frame_bytes(tree, labels, node);
        sizes.at_depths[depths[node]] += bytes;
        sizes.all += bytes;
    }
    free(stacks);
    free(depths);
    return sizes;
}

static uint32_t find_depth_max(const struct sizes *sizes, uint64_t bytes_max)
{
    uint64_t sum = 0;
    uint32_t depth = 0;
    while (depth < sizes->deepest && depth < VIEWER_DEPTH_MAX &&
           sum + sizes->at_depths[depth + 1] <= bytes_max)
        sum += sizes->at_depths[++depth];
    return depth < DEPTH_MIN ? DEPTH_MIN : depth;
}

void listed_stacks_init(struct listed_stacks *stacks, const struct tree *tree,
                        const struct tree *old_tree, const struct labels *labels, uint32_t folded,
                        const struct list_limit *limit)
{
    *stacks = (struct listed_stacks){
        .tree = tree, .old_tree = old_tree, .depth_max = UINT32_MAX, .folded_function = folded};
    struct sizes sizes = measure(tree, labels);
    uint64_t bytes_max = find_bytes_max(limit, tree->node_count);
    stacks->whole_bytes = sizes.all;
    stacks->is_too_long = sizes.all > bytes_max;
    bool is_cut = !limit->is_off && (stacks->is_too_long || sizes.deepest > VIEWER_DEPTH_MAX);
    if (is_cut)
        stacks->depth_max = find_depth_max(&sizes, bytes_max);
    free(sizes.at_depths);
    if (!is_cut)
        return;
    stacks->folded_count = fold_middle(&stacks->folded, tree, stacks->depth_max, folded);
    stacks->tree = &stacks->folded;
    if (old_tree == NULL)
        return;
    fold_middle(&stacks->old_folded, old_tree, stacks->depth_max, folded);
    stacks->old_tree = &stacks->old_folded;
}

void listed_stacks_fold(const struct listed_stacks *stacks, struct tree *tree)
{
    if (stacks->depth_max == UINT32_MAX)
        return;
    struct tree folded;
    fold_middle(&folded, tree, stacks->depth_max, stacks->folded_function);
    tree_release(tree);
    *tree = folded;
}

void listed_stacks_release(struct listed_stacks *stacks)
{
    tree_release(&stacks->folded);
    tree_release(&stacks->old_folded);
    *stacks = (struct listed_stacks){0};
}
