#include "select/viewer.h"
#include "tree/fold.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void view(struct viewer *viewer, const struct tree_text *sample, uint32_t depth_max)
{
    viewer_init(viewer, &sample->tree, &sample->labels, sample->symbols.function_count, depth_max);
}

Test(viewer, clamps_negative_times_and_counts_them)
{
    struct tree_text sample;
    struct viewer viewer;
    tree_text_init(&sample, "A 5\nA;B -3 2\nA;B;C 4\n");
    view(&viewer, &sample, VIEWER_DEPTH_MAX);
    EXPECT_TREE(&viewer.tree, &sample.symbols, "A 5\nA;B 0 2\nA;B;C 4\n");
    cr_expect_eq(viewer.clamped_ns, 3);
    cr_expect_eq(viewer.tree.total_ns[TREE_ROOT], 9);
    cr_expect_eq(viewer.truncated_count, 0);
    viewer_release(&viewer);
    tree_text_release(&sample);
}

Test(viewer, clamps_paths_whatever_their_lines)
{
    struct tree_text sample;
    struct viewer viewer;
    tree_text_init(&sample,
                   "A 1\nA;B@1 -3\nA;B@2 5\nA;B@3 4\nA;C@1 1\nA;C@2 -3\nA;B@1;C -1\nA;B@2;C 4\n");
    view(&viewer, &sample, VIEWER_DEPTH_MAX);
    struct tree merged;
    fold_lines(&merged, &viewer.tree);
    EXPECT_TREE(&merged, &sample.symbols, "A 1\nA;B 6 3\nA;B;C 3 2\nA;C 0 2\n");
    cr_expect_eq(viewer.clamped_ns, 2);
    cr_expect_eq(viewer.tree.total_ns[TREE_ROOT], 10);
    for (uint32_t node = 0; node < viewer.tree.node_count; node++)
        cr_expect_geq(viewer.tree.self_ns[node], 0);
    tree_release(&merged);
    viewer_release(&viewer);
    tree_text_release(&sample);
}

Test(viewer, adds_up_what_is_too_deep)
{
    struct tree_text sample;
    struct viewer viewer;
    tree_text_init(&sample, "A 1\nA;B 1\nA;B;C 1 2\nA;B;C;D 1\nA;B;E 1\nA;F 1\n");
    view(&viewer, &sample, 2);
    EXPECT_TREE(&viewer.tree, &sample.symbols, "A 1\nA;B 1\nA;B;(other) 3 4\nA;F 1\n");
    cr_expect_eq(viewer.truncated_count, 3);
    struct span label = viewer_label(&viewer, &sample.labels, viewer.truncated);
    cr_expect_arr_eq(label.at, "(truncated)", label.length);
    viewer_release(&viewer);
    tree_text_release(&sample);
}

Test(viewer, orders_siblings_by_label_and_line)
{
    struct tree_text sample;
    struct viewer viewer;
    tree_text_init(&sample, "A 1\nA;C@1 1\nA;B@9 1\nA;B@2 1\n");
    view(&viewer, &sample, VIEWER_DEPTH_MAX);
    const uint32_t sizes[] = {5, 4, 1, 1, 1};
    cr_assert_eq(viewer.tree.node_count, 5);
    cr_expect_arr_eq(viewer.sizes, sizes, sizeof sizes);
    cr_expect_eq(viewer.tree.calls[2].line, 2);
    cr_expect_eq(viewer.tree.calls[3].line, 9);
    cr_expect_eq(viewer.tree.calls[4].line, 1);
    viewer_release(&viewer);
    tree_text_release(&sample);
}
