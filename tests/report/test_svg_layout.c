#include "base/mem.h"
#include "report/pages/svg/svg.h"
#include "select/viewer_tree.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

struct sample {
    struct tree_text text;
    struct viewer_tree viewer;
    uint64_t *own;
    struct svg_layout layout;
};

/* Lays out a tree of which a nanosecond is `factor` units. */
static void sample_init(struct sample *sample, const char *text, uint64_t factor,
                        uint32_t frames_max)
{
    tree_text_init(&sample->text, text);
    viewer_tree_init(&sample->viewer, &sample->text.tree, &sample->text.labels);
    const struct tree *tree = &sample->viewer.tree;
    sample->own = mem_zeroed(tree->node_count, sizeof *sample->own);
    for (uint32_t node = 1; node < tree->node_count; node++)
        sample->own[node] = (uint64_t)tree->self_ns[node] * factor;
    svg_layout_init(&sample->layout, tree, sample->own, frames_max, 1);
}

static void sample_release(struct sample *sample)
{
    svg_layout_release(&sample->layout);
    free(sample->own);
    viewer_tree_release(&sample->viewer);
    tree_text_release(&sample->text);
}

static uint32_t end_of(const struct svg_layout *layout, uint32_t node)
{
    return svg_layout_x(layout, node) + svg_layout_width(layout, node);
}

/* Every frame lies within its parent, and begins where its last sibling ends. */
static void expect_no_overlap(const struct sample *sample)
{
    const struct tree *tree = &sample->viewer.tree;
    const struct svg_layout *layout = &sample->layout;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t x = svg_layout_x(layout, node);
        uint32_t end = node + sample->viewer.sizes[node];
        for (uint32_t child = node + 1; child < end; child += sample->viewer.sizes[child]) {
            cr_assert_eq(svg_layout_x(layout, child), x, "node %u", (unsigned)child);
            x = end_of(layout, child);
        }
        cr_assert_leq(x, end_of(layout, node), "node %u", (unsigned)node);
    }
}

/* The header's example: nodes are 1 A, 2 B, 3 C. */
Test(svg_layout, puts_children_side_by_side_below_their_parent)
{
    struct sample sample;
    sample_init(&sample, "A 1\nA;B 2\nA;C 3\n", 1, 100);
    const struct svg_layout *layout = &sample.layout;
    const uint64_t starts[] = {0, 0, 0, 2};
    const uint64_t totals[] = {6, 6, 2, 3};
    cr_expect_arr_eq(layout->starts, starts, sizeof starts);
    cr_expect_arr_eq(layout->totals, totals, sizeof totals);
    cr_expect_eq(svg_layout_x(layout, 3), SVG_WIDTH / 3);
    cr_expect_eq(svg_layout_width(layout, 3), SVG_WIDTH / 2);
    cr_expect_eq(svg_layout_width(layout, 1), SVG_WIDTH);
    cr_expect_eq(layout->depth_max, 2);
    cr_expect_eq(layout->left_out_count, 0);
    sample_release(&sample);
}

Test(svg_layout, orders_siblings_by_their_labels)
{
    struct sample sample;
    sample_init(&sample, "Z 5\nA 3\n", 1, 100);
    const struct tree *tree = &sample.viewer.tree;
    uint32_t z = sample.text.tree.calls[1].function;
    for (uint32_t node = 1; node < tree->node_count; node++)
        cr_expect_eq(sample.layout.starts[node], tree->calls[node].function == z ? 3 : 0);
    sample_release(&sample);
}

/* Values that have no common measure, so that every position is rounded. */
Test(svg_layout, never_makes_a_frame_wider_than_its_parent)
{
    static const uint64_t factors[] = {1, 7, 999999937, 4000000000000000, UINT64_MAX / 9000};
    struct text text = {0};
    uint32_t random = 1;
    for (int i = 0; i < 500; i++) {
        random = random * 1103515245 + 12345;
        const char letters[] = {(char)('A' + (random >> 16) % 5), ';',
                                (char)('A' + (random >> 20) % 7), ';',
                                (char)('A' + (random >> 24) % 9)};
        text_put(&text, letters, sizeof letters);
        text_put_string(&text, " ");
        text_put_count(&text, random >> 28);
        text_put_string(&text, "\n");
    }
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        struct sample sample;
        sample_init(&sample, text.at, factors[i], 100);
        expect_no_overlap(&sample);
        sample_release(&sample);
    }
    text_release(&text);
}

Test(svg_layout, keeps_frames_in_each_other_where_sums_do_not_fit)
{
    struct sample sample;
    sample_init(&sample, "A 1\nA;B 2\nA;C 3\nD 1\nD;E 2\n", UINT64_MAX / 3, 100);
    const struct svg_layout *layout = &sample.layout;
    cr_expect_eq(layout->totals[TREE_ROOT], UINT64_MAX);
    for (uint32_t node = 0; node < sample.viewer.tree.node_count; node++)
        cr_expect_leq(end_of(layout, node), SVG_WIDTH);
    sample_release(&sample);
}

Test(svg_layout, draws_the_widest_frames_and_counts_the_others)
{
    struct sample sample;
    /* From the widest: the root 110, A 107, B 60, C 40, D 3 with E 2, F 3. */
    sample_init(&sample, "A 4\nA;B 60\nA;C 40\nA;D 1\nA;D;E 2\nF 3\n", 1, 4);
    const struct svg_layout *layout = &sample.layout;
    cr_expect(svg_layout_is_drawn(layout, 3));
    cr_expect_not(svg_layout_is_drawn(layout, 4));
    cr_expect_eq(layout->depth_max, 2);
    cr_expect_eq(layout->left_out_count, 3);
    cr_expect_eq(layout->left_out, 6);
    /* D and F are as wide, so that it is both or none of them. */
    cr_expect_not(svg_layout_is_listed(layout, 4));
    cr_expect_eq(layout->unlisted, 6);
    sample_release(&sample);
    sample_init(&sample, "A 4\nA;B 60\nA;C 40\nA;D 2\nA;D;E 2\nF 3\n", 1, 4);
    cr_expect(svg_layout_is_listed(layout, 4));
    cr_expect_not(svg_layout_is_listed(layout, 1));
    cr_expect_eq(layout->left_out, 7);
    cr_expect_eq(layout->unlisted, 5);
    sample_release(&sample);
}

Test(svg_layout, draws_all_or_none_of_equal_frames)
{
    struct sample sample;
    sample_init(&sample, "A 4\nA;B 2\nA;C 2\nA;D 1\n", 1, 3);
    cr_expect_not(svg_layout_is_drawn(&sample.layout, 2));
    cr_expect_not(svg_layout_is_drawn(&sample.layout, 3));
    cr_expect_eq(sample.layout.left_out_count, 3);
    sample_release(&sample);
    sample_init(&sample, "A 4\nA;B 2\nA;C 2\nA;D 1\n", 1, 5);
    cr_expect_eq(sample.layout.left_out_count, 0);
    sample_release(&sample);
}

Test(svg_layout, draws_no_frame_without_a_value_but_the_root)
{
    struct sample sample;
    sample_init(&sample, "A 0\nA;B 0\n", 1, 100);
    const struct svg_layout *layout = &sample.layout;
    cr_expect(svg_layout_is_drawn(layout, TREE_ROOT));
    cr_expect_eq(svg_layout_width(layout, TREE_ROOT), SVG_WIDTH);
    cr_expect_not(svg_layout_is_drawn(layout, 1));
    cr_expect_eq(layout->depth_max, 0);
    cr_expect_eq(layout->left_out_count, 2);
    cr_expect_eq(layout->left_out, 0);
    sample_release(&sample);
}
