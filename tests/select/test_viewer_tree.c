#include "select/viewer_tree.h"
#include "tree/fold.h"
#include "tree/tree_builder.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(viewer, clamps_paths_whatever_their_lines)
{
    struct tree_text sample;
    struct viewer_tree viewer;
    tree_text_init(&sample,
                   "A 1\nA;B@1 -3\nA;B@2 5\nA;B@3 4\nA;C@1 1\nA;C@2 -3\nA;B@1;C -1\nA;B@2;C 4\n");
    viewer_tree_init(&viewer, &sample.tree, &sample.labels);
    struct tree merged;
    fold_lines(&merged, &viewer.tree);
    EXPECT_TREE(&merged, &sample.symbols, "A 1\nA;B 6 3\nA;B;C 3 2\nA;C 0 2\n");
    cr_expect_eq(viewer.clamped_ns, 2);
    cr_expect_eq(viewer.tree.total_ns[TREE_ROOT], 10);
    for (uint32_t node = 0; node < viewer.tree.node_count; node++)
        cr_expect_geq(viewer.tree.self_ns[node], 0);
    tree_release(&merged);
    viewer_tree_release(&viewer);
    tree_text_release(&sample);
}

/* A chain of so many calls, f calling g and g calling f, of 1 ns each. */
static void make_chain(struct tree *tree, uint32_t depth)
{
    struct tree_builder builder;
    tree_builder_init(&builder, false);
    uint32_t node = TREE_ROOT;
    for (uint32_t i = 0; i < depth; i++) {
        node = tree_builder_child(&builder, node, i % 2, 0);
        tree_builder_add(&builder, node, (struct node_values){.calls = 1, .self_ns = 1});
    }
    tree_builder_finish(&builder, tree);
}

/* What all stacks of a tree take, one by one. */
static uint64_t listed_bytes(const struct tree *tree, const struct labels *labels)
{
    uint64_t bytes = 0;
    for (uint32_t node = 1; node < tree->node_count; node++)
        for (uint32_t at = node; at != TREE_ROOT; at = tree->calls[at].parent)
            bytes += labels_text(labels, labels->of[tree->calls[at].function].label).length + 1;
    return bytes;
}

/* Folds a chain of `depth` calls in a log of `input_bytes`. */
static void fold_chain(struct profile *profile, const struct labels *labels, uint32_t depth,
                       uint64_t input_bytes, uint64_t spare_count)
{
    *profile = (struct profile){.counts.bytes = input_bytes};
    make_chain(&profile->tree, depth);
    deep_stacks_fold(profile, labels, 2, spare_count);
    cr_expect_eq(profile->tree.total_ns[TREE_ROOT], depth);
}

Test(deep_stacks, take_bytes_in_proportion_to_the_log)
{
    enum { DEPTH = 50000, INPUT_BYTES = 100000 };
    struct tree_text names;
    struct profile profile;
    tree_text_init(&names, "f 0\ng 0\nfolded 0\n");
    fold_chain(&profile, &names.labels, DEPTH, INPUT_BYTES, DEPTH * 2);
    cr_expect_eq(profile.folded.count, DEPTH - profile.folded.depth_max);
    cr_expect_gt(profile.folded.depth_max, 30, "as deep as there is room for");
    cr_expect_leq(listed_bytes(&profile.tree, &names.labels), (64 << 20) + 100 * INPUT_BYTES);
    tree_release(&profile.tree);
    tree_text_release(&names);
}

Test(deep_stacks, are_as_many_as_the_log_allows)
{
    struct tree_text names;
    struct profile profile;
    tree_text_init(&names, "f 0\ng 0\nfolded 0\n");
    fold_chain(&profile, &names.labels, 1000, 0, 1001);
    cr_expect_eq(profile.folded.count, 0);
    tree_release(&profile.tree);
    fold_chain(&profile, &names.labels, 1000, 0, 999);
    cr_expect_leq(profile.tree.node_count, 999 + 1, "the root does not count");
    cr_expect_gt(profile.folded.depth_max, 900, "as deep as there is room for");
    tree_release(&profile.tree);
    tree_text_release(&names);
}

/* Few stacks may be long, but no viewer shows them. */
Test(deep_stacks, are_no_deeper_than_viewers_can_show)
{
    struct tree_text names;
    struct profile profile;
    tree_text_init(&names, "f 0\ng 0\nfolded 0\n");
    fold_chain(&profile, &names.labels, VIEWER_DEPTH_MAX, 1000000, 10000);
    cr_expect_eq(profile.folded.count, 0);
    tree_release(&profile.tree);
    fold_chain(&profile, &names.labels, VIEWER_DEPTH_MAX + 1, 1000000, 10000);
    cr_expect_eq(profile.folded.count, 1);
    cr_expect_eq(profile.tree.node_count, VIEWER_DEPTH_MAX + 3);
    tree_release(&profile.tree);
    tree_text_release(&names);
}
