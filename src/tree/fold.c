#include "tree/fold.h"

#include "base/hash_index.h"
#include "base/mem.h"
#include "tree/line_runs.h"
#include "tree/stacks.h"
#include "tree/tree_builder.h"

/* A step from a caller to a callee, on the path to the current node. */
struct fold_step {
    uint32_t node; /* of the folded tree: the callee. It may have left the path already */
    uint32_t depth;
};

/*
 * Trees are folded depth first. Two arrays describe the current path: where each step was
 * seen last, and the nodes of the path by depth. Each node changes one entry of both, and the
 * old entries are restored when the node is left.
 */
struct folding {
    struct tree_builder *builder;
    struct intern step_ids;  /* of pairs of functions */
    struct fold_step *steps; /* [step_ids.count]: the last one that was taken; node 0: none */
    size_t step_capacity;
    uint32_t *path; /* [depth_capacity] by depth: valid up to the depth of the current node */
    size_t depth_capacity;
    struct folded_node {
        uint32_t target, depth;    /* in the folded tree */
        uint32_t step_id;          /* INTERN_NONE: the node has no caller */
        struct fold_step old_step; /* the old entry of `steps` */
        uint32_t old_node;
    } * nodes; /* [node_count] of the tree that is folded */
};

/* Returns the id of the step from a caller to a callee. */
static uint32_t step_id(struct folding *folding, uint32_t caller, uint32_t callee)
{
    const uint32_t pair[] = {caller, callee};
    uint32_t known = folding->step_ids.count;
    uint32_t id = intern_add(&folding->step_ids, (const char *)pair, sizeof pair);
    if (id == known) {
        MEM_GROW(folding->steps, folding->step_capacity, (size_t)id + 1);
        folding->steps[id] = (struct fold_step){0};
    }
    return id;
}

/* Returns the depth of the calling node: where the step was taken first. */
static uint32_t fold_step(const struct folding *folding, uint32_t id, uint32_t caller_depth)
{
    const struct fold_step *step = &folding->steps[id];
    bool is_on_path = step->node != TREE_ROOT && step->depth <= caller_depth &&
                      folding->path[step->depth] == step->node;
    return is_on_path ? step->depth - 1 : caller_depth;
}

static void enter(struct folding *folding, const struct tree *tree, uint32_t node)
{
    const struct call *call = &tree->calls[node];
    struct folded_node *folded = &folding->nodes[node];
    uint32_t depth = folding->nodes[call->parent].depth;
    folded->step_id = INTERN_NONE;
    if (call->parent != TREE_ROOT) {
        folded->step_id = step_id(folding, tree->calls[call->parent].function, call->function);
        depth = fold_step(folding, folded->step_id, depth);
    }
    folded->target =
        tree_builder_child(folding->builder, folding->path[depth], call->function, call->line);
    folded->depth = depth + 1;
    MEM_GROW(folding->path, folding->depth_capacity, (size_t)depth + 2);
    folded->old_node = folding->path[folded->depth];
    folding->path[folded->depth] = folded->target;
    if (folded->step_id == INTERN_NONE)
        return;
    folded->old_step = folding->steps[folded->step_id];
    folding->steps[folded->step_id] = (struct fold_step){folded->target, folded->depth};
}

static void leave(struct folding *folding, uint32_t node)
{
    const struct folded_node *folded = &folding->nodes[node];
    folding->path[folded->depth] = folded->old_node;
    if (folded->step_id != INTERN_NONE)
        folding->steps[folded->step_id] = folded->old_step;
}

void fold_recursion(struct tree *tree)
{
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    struct folding folding = {.builder = &builder};
    struct tree_order order;
    tree_order_init(&order, tree, NULL);
    folding.nodes = mem_zeroed(tree->node_count, sizeof *folding.nodes);
    MEM_GROW(folding.path, folding.depth_capacity, 1);
    folding.path[0] = TREE_ROOT;
    uint32_t at = TREE_ROOT;
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order.nodes[place];
        for (; at != tree->calls[node].parent; at = tree->calls[at].parent)
            leave(&folding, at);
        enter(&folding, tree, node);
        tree_builder_add(&builder, folding.nodes[node].target, tree_values(tree, node));
        at = node;
    }
    tree_order_release(&order);
    intern_release(&folding.step_ids);
    MEM_FREE(folding.steps, folding.path, folding.nodes);
    tree_builder_replace(&builder, tree);
}

/* Adds the nodes of `tree` in an order; NULL: in its own. Returns the node of each node. */
static uint32_t *merge_paths(struct tree *merged, const struct tree *tree, const uint32_t *order,
                             bool keeps_lines)
{
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order != NULL ? order[place] : place;
        const struct call *call = &tree->calls[node];
        struct node_values values = tree_values(tree, node);
        values.line_count = keeps_lines ? values.line_count : 0;
        target[node] =
            tree_builder_child(&builder, target[call->parent], call->function, LINE_UNKNOWN);
        tree_builder_add(&builder, target[node], values);
    }
    tree_builder_finish(&builder, merged);
    return target;
}

uint32_t *fold_paths(struct tree *merged, const struct tree *tree)
{
    return merge_paths(merged, tree, NULL, true);
}

/* Whether two children of a node differ only in their calling lines. */
static bool has_alike_children(const struct tree *tree, const struct tree_order *order)
{
    /* By function: one more than the place of the last node that has it as a child. */
    SCOPED_ARRAY uint32_t *seen = mem_zeroed(tree_count_functions(tree), sizeof *seen);
    for (uint32_t place = 0; place < tree->node_count; place++) {
        uint32_t end = place + order->sizes[place];
        for (uint32_t child = place + 1; child < end; child += order->sizes[child]) {
            uint32_t function = tree->calls[order->nodes[child]].function;
            if (seen[function] == place + 1)
                return true;
            seen[function] = place + 1;
        }
    }
    return false;
}

void fold_lines(struct tree *merged, const struct tree *tree)
{
    SCOPED(tree_order) order;
    tree_order_init(&order, tree, NULL);
    if (has_alike_children(tree, &order)) {
        free(merge_paths(merged, tree, order.nodes, false));
        return;
    }
    tree_copy_in_order(merged, tree, &order);
    for (uint32_t node = 1; node < merged->node_count; node++)
        merged->calls[node].line = LINE_UNKNOWN;
}

void fold_hidden(struct tree *tree, const uint8_t *is_hidden, uint32_t folded, bool keeps_empty)
{
    struct tree_builder shown;
    tree_builder_init_like(&shown, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    /* The line at which the last visible frame made the first hidden call. */
    int32_t *line = mem_zeroed(tree->node_count, sizeof *line);
    bool *is_lined = tree_find_lined(tree);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t to = target[call->parent];
        line[node] = is_hidden[call->parent] ? line[call->parent] : call->line;
        if (!is_hidden[node]) {
            to = tree_builder_child(
                &shown, to, call->function, to == TREE_ROOT ? LINE_UNKNOWN : line[node]);
            tree_builder_add(&shown, to, tree_values(tree, node));
        } else {
            if (keeps_empty && to == TREE_ROOT)
                tree_builder_child(&shown, TREE_ROOT, folded, LINE_UNKNOWN);
            tree_builder_add_time(&shown, to, tree_values(tree, node), folded);
            if (tree->self_ns[node] != 0 && is_lined != NULL && to != TREE_ROOT &&
                line_is_known(line[node]) && is_lined[shown.tree.calls[to].function])
                line_runs_add(&shown.tree.lines,
                              (struct line_run){.node = to,
                                                .line = abs(line[node]),
                                                .self_ns = tree->self_ns[node]});
        }
        target[node] = to;
    }
    MEM_FREE(target, line, is_lined);
    tree_builder_replace(&shown, tree);
}

void fold_deep(struct tree *tree, uint32_t depth_max)
{
    SCOPED_ARRAY uint8_t *is_deep = mem_zeroed(tree->node_count, 1);
    uint32_t *depth = mem_zeroed(tree->node_count, sizeof *depth);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        depth[node] = depth[tree->calls[node].parent] + 1;
        is_deep[node] = depth[node] > depth_max;
    }
    free(depth);
    fold_hidden(tree, is_deep, TREE_NONE, false);
}

uint64_t fold_middle(struct tree *shallow, const struct tree *tree, uint32_t depth_max,
                     uint32_t folded)
{
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint32_t *depth = mem_zeroed(tree->node_count, sizeof *depth);
    /* The last of the path's first nodes, which always stay. */
    uint32_t *front = mem_zeroed(tree->node_count, sizeof *front);
    uint64_t folded_count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t parent = target[call->parent];
        int32_t line = call->line;
        depth[node] = depth[call->parent] + 1;
        if (depth[node] > depth_max) {
            parent = tree_builder_child(&builder, front[call->parent], folded, LINE_UNKNOWN);
            line = LINE_UNKNOWN;
            folded_count += tree->call_counts[node] > 0 || tree->self_ns[node] != 0;
        }
        target[node] = tree_builder_child(&builder, parent, call->function, line);
        front[node] = depth[node] <= depth_max - 2 ? target[node] : front[call->parent];
        tree_builder_add(&builder, target[node], tree_values(tree, node));
    }
    MEM_FREE(target, depth, front);
    tree_builder_finish(&builder, shallow);
    return folded_count;
}

static bool is_small(const struct tree *tree, uint32_t node, double percent)
{
    return (double)tree->total_ns[node] < (double)tree->total_ns[TREE_ROOT] * percent / 100;
}

void fold_small(struct tree *tree, struct tree *other, double percent, uint32_t folded)
{
    SCOPED_ARRAY uint8_t *is_folded = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_folded[node] =
            is_folded[tree->calls[node].parent] ||
            (is_small(tree, node, percent) && (other == NULL || is_small(other, node, percent)));
    /* Both trees keep the same nodes. */
    fold_hidden(tree, is_folded, folded, true);
    if (other != NULL)
        fold_hidden(other, is_folded, folded, true);
}

void tree_keep(struct tree *tree, const uint8_t *is_kept)
{
    uint32_t *target = mem_zeroed(tree->node_count, sizeof *target);
    uint8_t *is_needed = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = tree->node_count; --node > TREE_ROOT;) {
        is_needed[node] |= is_kept[node] != 0;
        is_needed[tree->calls[node].parent] |= is_needed[node];
    }

    struct tree_builder kept;
    tree_builder_init_like(&kept, tree);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct call call = tree->calls[node];
        if (!is_needed[node])
            continue;
        call.parent = target[call.parent];
        target[node] = tree_builder_append(&kept, call);
        if (is_kept[node])
            tree_builder_add(&kept, target[node], tree_values(tree, node));
    }
    MEM_FREE(target, is_needed);
    tree_builder_replace(&kept, tree);
}

void tree_keep_thread(struct tree *tree, uint8_t flags)
{
    SCOPED_ARRAY uint8_t *is_kept = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++)
        is_kept[node] = (tree->flags[node] & flags) != 0;
    tree_keep(tree, is_kept);
}
