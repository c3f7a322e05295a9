#include "select/viewer.h"
#include "tree/fold.h"
#include "tree/tree_builder.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_middle(uint32_t depth_max, uint64_t folded_count, const char *before,
                          const char *after)
{
    struct tree_text sample;
    struct tree shallow;
    tree_text_init(&sample, before);
    /* The last function is the one in the middle. */
    uint32_t folded = sample.symbols.function_count - 1;
    cr_expect_eq(fold_middle(&shallow, &sample.tree, depth_max, folded), folded_count);
    EXPECT_TREE(&shallow, &sample.symbols, after);
    cr_expect_eq(shallow.total_ns[TREE_ROOT], sample.tree.total_ns[TREE_ROOT]);
    tree_release(&shallow);
    tree_text_release(&sample);
}

Test(stack_list, keep_the_first_frames_and_the_last)
{
    expect_middle(5, 2,
                  "A 1\nA;B 2\nA;B;C 4\nA;B;C;D 8\nA;B;C;D;E 16\nA;B;C;D;E;F 32\n"
                  "A;B;C;D;E;F;G 64\nmiddle 0\n",
                  "A 1\nA;B 2\nA;B;C 4\nA;B;C;D 8\nA;B;C;D;E 16\nA;B;C;middle;F 32\n"
                  "A;B;C;middle;G 64\nmiddle 0\n");
}

Test(stack_list, that_are_alike_without_their_middle_are_one)
{
    expect_middle(3, 4, "A;A;A 1\nA;A;A;A 2\nA;A;A;A;A 4\nA;A;A;B 8\nA;A;A;C;B@7 16 3\nm 0\n",
                  "A;A;A 1\nA;m;A 6 2\nA;m;B 24 4\nm 0\n");
}

/* A chain of so many calls, f calling g and g calling f, of 1 ns each. */
static void make_chain(struct tree *tree, uint32_t depth)
{
    struct tree_builder builder;
    tree_builder_init(&builder, TIMES_SELF, false);
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
            bytes += labels_text(labels, labels->labels[tree->calls[at].function].label).length + 1;
    return bytes;
}

Test(stack_list, are_in_proportion_to_the_log)
{
    enum { DEPTH = 50000, INPUT_BYTES = 100000 };
    struct tree_text names;
    struct tree tree;
    struct stack_list stacks;
    tree_text_init(&names, "f 0\ng 0\nfolded 0\n");
    make_chain(&tree, DEPTH);
    struct list_limit limit = {.input_bytes = INPUT_BYTES};
    stack_list_init(&stacks, &tree, NULL, &names.labels, 2, &limit);
    cr_expect(stacks.is_too_long);
    cr_expect_eq(stacks.whole_bytes, (uint64_t)DEPTH * (DEPTH + 1) / 2 * 10);
    cr_expect_eq(stacks.folded_count, DEPTH - stacks.depth_max);
    cr_expect_gt(stacks.depth_max, 50, "as deep as there is room for");
    cr_expect_leq(listed_bytes(stacks.tree, &names.labels), (64 << 20) + 100 * INPUT_BYTES);
    cr_expect_eq(stacks.tree->total_ns[TREE_ROOT], DEPTH);
    stack_list_release(&stacks);

    limit.is_off = true;
    stack_list_init(&stacks, &tree, NULL, &names.labels, 2, &limit);
    cr_expect_eq(stacks.tree, &tree);
    cr_expect(stacks.is_too_long && stacks.folded_count == 0);
    stack_list_release(&stacks);
    tree_release(&tree);
    tree_text_release(&names);
}

Test(stack_list, count_the_frames_of_call_sites)
{
    enum { DEPTH = 50000 };
    struct tree_text names;
    struct tree tree;
    struct stack_list stacks, line_stacks;
    tree_text_init(&names, "f 0\ng 0\nfolded 0\n");
    const struct list_limit limit = {.input_bytes = 100000};
    make_chain(&tree, DEPTH);
    stack_list_init(&stacks, &tree, NULL, &names.labels, 2, &limit);
    for (uint32_t node = 1; node < tree.node_count; node++)
        tree.calls[node].line = 5;
    stack_list_init(&line_stacks, &tree, NULL, &names.labels, 2, &limit);
    cr_expect_gt(line_stacks.whole_bytes, 2 * stacks.whole_bytes);
    cr_expect_lt(line_stacks.depth_max, stacks.depth_max / 2);
    stack_list_release(&line_stacks);
    stack_list_release(&stacks);
    tree_release(&tree);
    tree_text_release(&names);
}

/* Few stacks may be long, but no viewer shows them. */
Test(stack_list, are_no_deeper_than_viewers_can_show)
{
    struct tree_text names;
    struct tree tree, old;
    struct stack_list stacks;
    tree_text_init(&names, "f 0\ng 0\nfolded 0\n");
    const struct list_limit limit = {.input_bytes = 1000000};
    make_chain(&tree, VIEWER_DEPTH_MAX);
    stack_list_init(&stacks, &tree, NULL, &names.labels, 2, &limit);
    cr_expect_eq(stacks.tree, &tree);
    stack_list_release(&stacks);
    tree_release(&tree);

    make_chain(&tree, VIEWER_DEPTH_MAX + 1);
    make_chain(&old, VIEWER_DEPTH_MAX + 1);
    stack_list_init(&stacks, &tree, &old, &names.labels, 2, &limit);
    cr_expect_not(stacks.is_too_long);
    cr_expect_eq(stacks.folded_count, 1);
    cr_expect_eq(stacks.tree->node_count, VIEWER_DEPTH_MAX + 3);
    cr_expect_eq(stacks.old_tree->node_count, stacks.tree->node_count);
    stack_list_release(&stacks);
    tree_release(&tree);
    tree_release(&old);
    tree_text_release(&names);
}
