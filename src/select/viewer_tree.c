#include "select/viewer_tree.h"

#include "tree/fold.h"

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
    if (!has_negative(tree))
        return NULL;
    SCOPED(tree) merged;
    SCOPED_ARRAY uint32_t *paths = fold_paths(&merged, tree);
    int64_t *left_ns = merged.self_ns; /* not given to a node yet */
    int64_t *kept_ns = mem_zeroed(tree->node_count, sizeof *kept_ns);
    for (uint32_t path = 1; path < merged.node_count; path++)
        *clamped_ns -= left_ns[path] < 0 ? left_ns[path] : 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        int64_t *left = &left_ns[paths[node]];
        int64_t most = *left < tree->self_ns[node] ? *left : tree->self_ns[node];
        kept_ns[node] = most > 0 ? most : 0;
        *left -= kept_ns[node];
    }
    return kept_ns;
}

void viewer_tree_init(struct viewer_tree *viewer, const struct tree *tree,
                      const struct labels *labels)
{
    *viewer = (struct viewer_tree){0};
    struct tree_order order;
    tree_order_init(&order, tree, labels->ranks);
    tree_copy_in_order(&viewer->tree, tree, &order);
    int64_t *kept_ns = find_kept_times(tree, &viewer->clamped_ns);
    if (kept_ns != NULL) {
        for (uint32_t node = 1; node < tree->node_count; node++)
            viewer->tree.self_ns[node] = kept_ns[order.nodes[node]];
        tree_sum_totals(&viewer->tree);
    }
    MEM_FREE(kept_ns, order.nodes);
    viewer->sizes = order.sizes;
}

void viewer_tree_release(struct viewer_tree *viewer)
{
    free(viewer->sizes);
    tree_release(&viewer->tree);
    *viewer = (struct viewer_tree){0};
}

enum {
    DEPTH_MIN = 3,      /* the least that fold_middle() can make */
    LONG_DEPTH_MIN = 8, /* shorter stacks are useless, even if their names are long */
    BYTES_A_STACK = 3,  /* of a log, for each stack that is kept in memory */
    ROW_BYTES = 100,
    BYTES_PER_INPUT_BYTE = 100,
    BYTES_PER_INPUT_BYTE_MIN = 20,
};

static const uint64_t bytes_min = 48 << 20;

/* How many bytes the frames of all stacks may take. In a CSV file, numbers can take most of a row.
 */
static uint64_t find_bytes_max(uint64_t input_bytes, uint64_t node_count)
{
    uint64_t bytes = input_bytes * BYTES_PER_INPUT_BYTE;
    uint64_t least = input_bytes * BYTES_PER_INPUT_BYTE_MIN;
    uint64_t rows = node_count * ROW_BYTES;
    return bytes_min + (bytes > rows + least ? bytes - rows : least);
}

/* The bytes of a frame in a stack. It counts twice, as --call-sites writes it. */
static uint64_t frame_bytes(uint64_t label_bytes)
{
    return 2 * label_bytes + sizeof ";->12345;" - 1;
}

/*
 * Whether the nodes surely are in proportion: their bytes are no more than if each label were the
 * longest. So most trees are measured in one pass.
 */
static bool is_shallow(const struct tree *tree, const struct labels *labels, uint64_t node_max,
                       uint64_t bytes_max)
{
    SCOPED_ARRAY uint32_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    uint64_t depth_sum = 0, longest = 0;
    uint32_t deepest = 0, functions = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        depths[node] = depths[call->parent] + 1;
        deepest = depths[node] > deepest ? depths[node] : deepest;
        depth_sum += depths[node];
        functions = call->function >= functions ? call->function + 1 : functions;
    }
    for (uint32_t i = 0; i < functions; i++) {
        size_t length = labels_text(labels, labels->of[i].label).length;
        longest = length > longest ? length : longest;
    }
    return tree->node_count <= node_max && deepest <= VIEWER_DEPTH_MAX &&
           depth_sum <= bytes_max / frame_bytes(longest);
}

/* What is at a depth: nodes, and the bytes of their frames in all stacks with these frames. */
struct level {
    uint64_t nodes, bytes;
};

/* Returns the levels, [*deepest + 1]. */
static struct level *measure(const struct tree *tree, const struct labels *labels,
                             uint32_t *deepest)
{
    uint64_t *stacks = mem_zeroed(tree->node_count, sizeof *stacks); /* at and below a node */
    SCOPED_ARRAY uint32_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    *deepest = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        depths[node] = depths[tree->calls[node].parent] + 1;
        *deepest = depths[node] > *deepest ? depths[node] : *deepest;
    }
    struct level *levels = mem_zeroed((size_t)*deepest + 1, sizeof *levels);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        const struct call *call = &tree->calls[node];
        uint64_t label = labels_text(labels, labels->of[call->function].label).length;
        stacks[node]++;
        stacks[call->parent] += stacks[node];
        levels[depths[node]].nodes++;
        levels[depths[node]].bytes += stacks[node] * frame_bytes(label);
    }
    free(stacks);
    return levels;
}

/*
 * Returns the largest depth that viewers can show, and with which the nodes and the bytes of all
 * stacks are in proportion: nodes are those above that depth, and below each of the last of them at
 * most one for each function.
 */
static uint32_t find_depth_max(const struct tree *tree, const struct level *levels,
                               uint32_t deepest, uint64_t node_max, uint64_t bytes_max)
{
    uint64_t functions = tree_count_functions(tree), above = 0, bytes = 0;
    uint32_t depth_max = DEPTH_MIN;
    for (uint32_t depth = 1; depth <= deepest && depth <= VIEWER_DEPTH_MAX; depth++) {
        above += levels[depth].nodes;
        bytes += levels[depth].bytes;
        uint64_t below = tree->node_count - above;
        uint64_t folded = depth > 2 ? levels[depth - 2].nodes * (functions + 1) : below;
        bool is_in_proportion = above + (folded < below ? folded : below) <= node_max &&
                                (bytes <= bytes_max || depth <= LONG_DEPTH_MIN);
        if (is_in_proportion && depth > depth_max)
            depth_max = depth;
    }
    return depth_max;
}

void deep_stacks_fold(struct profile *profile, const struct labels *labels, uint32_t folded,
                      uint64_t spare_count)
{
    struct tree *tree = &profile->tree, shallow;
    uint64_t node_max = spare_count + profile->counts.bytes / BYTES_A_STACK, bytes = 0;
    uint64_t bytes_max = find_bytes_max(profile->counts.bytes, tree->node_count);
    uint32_t deepest;
    if (is_shallow(tree, labels, node_max, bytes_max))
        return;
    SCOPED_ARRAY struct level *levels = measure(tree, labels, &deepest);
    for (uint32_t depth = 1; depth <= deepest; depth++)
        bytes += levels[depth].bytes;
    if (tree->node_count > node_max || bytes > bytes_max || deepest > VIEWER_DEPTH_MAX) {
        profile->folded.depth_max = find_depth_max(tree, levels, deepest, node_max, bytes_max);
        profile->folded.count = fold_middle(&shallow, tree, profile->folded.depth_max, folded);
        tree_release(tree);
        *tree = shallow;
        /* The changes belong to the nodes before the folding. */
        profile->changes = (struct tick_changes){0};
    }
}
