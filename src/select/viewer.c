#include "select/viewer.h"

#include "tree/fold.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

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

void stack_list_init(struct stack_list *stacks, const struct tree *tree,
                     const struct tree *old_tree, const struct labels *labels, uint32_t folded,
                     const struct list_limit *limit)
{
    *stacks = (struct stack_list){
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

void stack_list_fold(const struct stack_list *stacks, struct tree *tree)
{
    if (stacks->depth_max == UINT32_MAX)
        return;
    struct tree folded;
    fold_middle(&folded, tree, stacks->depth_max, stacks->folded_function);
    tree_release(tree);
    *tree = folded;
}

void stack_list_release(struct stack_list *stacks)
{
    tree_release(&stacks->folded);
    tree_release(&stacks->old_folded);
    *stacks = (struct stack_list){0};
}

enum { FOLDED_DEPTH_MIN = 3, BYTES_A_STACK = 3 };

/* Returns how many nodes are at each depth, [*deepest + 1]. */
static uint32_t *count_depths(const struct tree *tree, uint32_t *deepest)
{
    uint32_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    uint32_t *counts = mem_zeroed(tree->node_count, sizeof *counts);
    *deepest = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t depth = depths[node] = depths[tree->calls[node].parent] + 1;
        counts[depth]++;
        *deepest = depth > *deepest ? depth : *deepest;
    }
    free(depths);
    return counts;
}

static uint64_t count_functions(const struct tree *tree)
{
    bool *is_there = mem_zeroed(tree_count_functions(tree), sizeof *is_there);
    uint64_t count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        bool *is_known = &is_there[tree->calls[node].function];
        count += !*is_known;
        *is_known = true;
    }
    free(is_there);
    return count;
}

/*
 * Returns the largest depth that leaves at most `node_max` nodes: those above that depth, and below
 * each of the last of them at most one for each function.
 */
static uint32_t find_folded_depth(const struct tree *tree, uint64_t node_max)
{
    uint32_t deepest, depth_max = FOLDED_DEPTH_MIN;
    uint32_t *counts = count_depths(tree, &deepest);
    uint64_t functions = count_functions(tree), above = 0;
    for (uint32_t depth = 1; depth <= deepest && above <= node_max; depth++) {
        above += counts[depth];
        uint64_t below = tree->node_count - above;
        uint64_t folded = depth > 2 ? counts[depth - 2] * (functions + 1) : below;
        if (depth > FOLDED_DEPTH_MIN && above + (folded < below ? folded : below) <= node_max)
            depth_max = depth;
    }
    free(counts);
    return depth_max;
}

void deep_stacks_fold(struct profile *profile, uint32_t folded, uint64_t spare_count)
{
    struct tree *tree = &profile->tree, shallow;
    uint64_t node_max = spare_count + profile->counts.bytes / BYTES_A_STACK;
    if (tree->node_count <= node_max)
        return;
    profile->folded.depth_max = find_folded_depth(tree, node_max);
    profile->folded.count = fold_middle(&shallow, tree, profile->folded.depth_max, folded);
    tree_release(tree);
    *tree = shallow;
    /* The changes belong to the nodes before the folding. */
    tick_changes_release(&profile->changes);
}
