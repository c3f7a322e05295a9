#include "tree/fold.h"
#include "tree/tree_builder.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void expect_recursion(const char *before, const char *after)
{
    struct tree_text sample;
    tree_text_init(&sample, before);
    int64_t total_ns = sample.tree.total_ns[TREE_ROOT];
    fold_recursion(&sample.tree);
    EXPECT_TREE(&sample.tree, &sample.symbols, after);
    cr_expect_eq(sample.tree.total_ns[TREE_ROOT], total_ns);
    tree_text_release(&sample);
}

/* The examples of the fble notes, in the order in which they stand there. */
Test(fold, makes_the_trees_of_the_fble_notes)
{
    expect_recursion("a 1\na;b 1\na;b;b 1\na;b;b;b 1\na;b;b;b;c 1\n",
                     "a 1\na;b 1\na;b;b 2 2\na;b;b;c 1\n");
    expect_recursion("a 1\na;b 1\na;b;a 1\na;b;a;b 1\na;b;a;b;c 1\n",
                     "a 1\na;b 2 2\na;b;a 1\na;b;c 1\n");
    expect_recursion("a 1\na;b 1\na;b;c 1\ne 1\ne;b 1\ne;b;c 1\ne;b;c;d 1\n",
                     "a 1\na;b 1\na;b;c 1\ne 1\ne;b 1\ne;b;c 1\ne;b;c;d 1\n");
}

Test(fold, goes_to_the_node_that_it_folds_into)
{
    /* x -> y comes again below w; what follows goes on from the first y. */
    expect_recursion("x 1\nx;y 1\nx;y;w 1\nx;y;w;x 1\nx;y;w;x;y 1\nx;y;w;x;y;z 1\n",
                     "x 1\nx;y 2 2\nx;y;w 1\nx;y;w;x 1\nx;y;z 1\n");
}

Test(fold, keeps_lines_apart_below_the_same_caller)
{
    expect_recursion("a 1\na;b@1 1\na;b@1;b@7 1\na;b@1;b@7;b@8 1\na;b@1;b@7;b@8;b@7 1\n",
                     "a 1\na;b@1 1\na;b@1;b@7 2 2\na;b@1;b@8 1\n");
}

Test(fold, of_direct_recursion_of_a_root_keeps_the_first_step)
{
    expect_recursion("a 1\na;a 1\na;a;a 1\na;a;a;a 1\n", "a 1\na;a 3 3\n");
}

Test(fold, bounds_a_recursion_a_million_levels_deep)
{
    enum { DEPTH = 1000000 };
    struct tree_text sample;
    tree_text_init(&sample, "a 1\na;b 1\na;b;a 1\n");
    struct tree deep;
    struct tree_builder builder;
    tree_builder_init(&builder, false);
    uint32_t node = TREE_ROOT;
    uint32_t a = sample.tree.calls[1].function, b = sample.tree.calls[2].function;
    for (int i = 0; i < DEPTH; i++) {
        node = tree_builder_child(&builder, node, i % 2 == 0 ? a : b, 0);
        tree_builder_add(&builder, node, (struct node_values){.calls = 1, .self_ns = 1});
    }
    tree_builder_finish(&builder, &deep);
    fold_recursion(&deep);
    /* The second a makes b's first step to a; from there a's step to b is the first again. */
    EXPECT_TREE(&deep, &sample.symbols, "a 1\na;b 500000 500000\na;b;a 499999 499999\n");
    tree_release(&deep);
    tree_text_release(&sample);
}

/*
 * The rule of fold.h followed to the letter: looks back over the whole path for the first node
 * that the step led to, and goes on below that one's caller.
 */
static void fold_slowly(struct tree *folded, const struct tree *tree)
{
    struct tree_builder builder;
    tree_builder_init_like(&builder, tree);
    uint32_t *target = calloc(tree->node_count, sizeof *target);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint32_t parent = target[call->parent];
        uint32_t caller = builder.tree.calls[parent].function;
        for (uint32_t at = parent; parent != TREE_ROOT && at != TREE_ROOT;
             at = builder.tree.calls[at].parent) {
            uint32_t above = builder.tree.calls[at].parent;
            if (builder.tree.calls[at].function == call->function && above != TREE_ROOT &&
                builder.tree.calls[above].function == caller) {
                parent = above;
                break;
            }
        }
        target[node] = tree_builder_child(&builder, parent, call->function, call->line);
        tree_builder_add(&builder, target[node], tree_values(tree, node));
    }
    free(target);
    tree_builder_finish(&builder, folded);
}

Test(fold, follows_the_rule_in_random_trees)
{
    enum { NODES = 400 };
    struct tree_text names;
    tree_text_init(&names, "a 1\nb 1\nc 1\nd 1\n");
    srand(1);
    for (int round = 0; round < 300; round++) {
        struct tree_builder builder;
        struct tree tree, folded;
        tree_builder_init(&builder, false);
        for (int i = 1; i < NODES; i++) {
            uint32_t back = (uint32_t)rand() % (round % 2 == 0 ? 3 : 100);
            uint32_t parent =
                back < builder.tree.node_count ? builder.tree.node_count - 1 - back : 0;
            uint32_t function = (uint32_t)rand() % 4;
            uint32_t node = tree_builder_child(&builder, parent, function, rand() % 2);
            tree_builder_add(&builder, node,
                             (struct node_values){.calls = 1, .self_ns = rand() % 100});
        }
        tree_builder_finish(&builder, &tree);
        fold_slowly(&folded, &tree);
        fold_recursion(&tree);
        char *expected = tree_text_print(&folded, &names.symbols);
        EXPECT_TREE(&tree, &names.symbols, expected);
        free(expected);
        tree_release(&tree);
        tree_release(&folded);
    }
    tree_text_release(&names);
}

/* Adds below `node` a path in which each of the functions calls each of them once. */
static void add_all_pairs(struct tree_builder *builder, uint32_t node, uint32_t function_count)
{
    for (uint32_t i = 0; i < function_count; i++) {
        node = tree_builder_child(builder, node, i, 0);
        for (uint32_t k = i + 1; k < function_count; k++) {
            node = tree_builder_child(builder, node, i, 0);
            node = tree_builder_child(builder, node, k, 0);
        }
    }
}

/* Where each node looked back over its path, this would be some 10 billion steps. */
Test(fold, does_not_look_back_over_long_paths, .timeout = 600)
{
    enum { FUNCTIONS = 400, PATHS = 4 };
    clock_t start = clock();
    struct tree_builder builder;
    struct tree tree;
    tree_builder_init(&builder, false);
    for (uint32_t i = 0; i < PATHS; i++)
        add_all_pairs(&builder,
                      tree_builder_child(&builder, TREE_ROOT, FUNCTIONS + i, LINE_UNKNOWN),
                      FUNCTIONS);
    tree_builder_finish(&builder, &tree);
    uint32_t node_count = tree.node_count;
    clock_t made = clock() - start;
    fold_recursion(&tree);
    clock_t folded = clock() - start - made;
    cr_expect_eq(tree.node_count, node_count, "no step occurs twice on a path");
    cr_expect_leq(folded, 20 * made, "%.1f times as long", (double)folded / (double)made);
    tree_release(&tree);
}

Test(fold, deep_frames_become_time_of_the_last_that_is_left)
{
    struct tree_text sample;
    tree_text_init(&sample, "A 1\nA;B 2\nA;B;C 4 9\nA;B;C;D 8\nA;E 16\n");
    fold_deep(&sample.tree, 2);
    EXPECT_TREE(&sample.tree, &sample.symbols, "A 1\nA;B 14\nA;E 16\n");
    fold_deep(&sample.tree, 1);
    EXPECT_TREE(&sample.tree, &sample.symbols, "A 31\n");
    tree_text_release(&sample);
}

Test(fold, small_nodes_become_time_of_their_parents)
{
    struct tree_text sample;
    tree_text_init(&sample, "A 50\nA;B 4\nA;B;C 5\nA;D 9 3\nE 2\nF 30\n");
    fold_small(&sample.tree, NULL, 9, sample.symbols.function_count);
    EXPECT_TREE(&sample.tree, &sample.symbols, "(other) 2 0\nA 50\nA;B 9\nA;D 9 3\nF 30\n");
    cr_expect_eq(sample.tree.total_ns[TREE_ROOT], 100);
    tree_text_release(&sample);
}

Test(fold, a_large_node_below_a_small_one_goes_with_it)
{
    struct tree_text sample;
    tree_text_init(&sample, "A 50\nA;B -40\nA;B;C 41\n");
    fold_small(&sample.tree, NULL, 50, UINT32_MAX - 1);
    EXPECT_TREE(&sample.tree, &sample.symbols, "A 51\n");
    tree_text_release(&sample);
}

Test(fold, of_two_trees_with_the_same_nodes_only_what_is_small_in_both_goes)
{
    struct tree_text sample, other;
    tree_text_init(&sample, "A 50\nA;B 1\nA;D 1\nE 1\nF 47\n");
    tree_text_init(&other, "A 50\nA;B 40\nA;D 1\nE 1\nF 8\n");
    fold_small(&sample.tree, &other.tree, 5, sample.symbols.function_count);
    EXPECT_TREE(&sample.tree, &sample.symbols, "(other) 1 0\nA 51\nA;B 1\nF 47\n");
    EXPECT_TREE(&other.tree, &other.symbols, "(other) 1 0\nA 51\nA;B 40\nF 8\n");
    cr_expect_eq(sample.tree.node_count, other.tree.node_count);
    for (uint32_t node = 1; node < other.tree.node_count; node++)
        cr_expect_eq(sample.tree.calls[node].parent, other.tree.calls[node].parent);
    tree_text_release(&sample);
    tree_text_release(&other);
}

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

Test(fold, of_the_middle_keeps_the_first_frames_and_the_last)
{
    expect_middle(5, 2,
                  "A 1\nA;B 2\nA;B;C 4\nA;B;C;D 8\nA;B;C;D;E 16\nA;B;C;D;E;F 32\n"
                  "A;B;C;D;E;F;G 64\nmiddle 0\n",
                  "A 1\nA;B 2\nA;B;C 4\nA;B;C;D 8\nA;B;C;D;E 16\nA;B;C;middle;F 32\n"
                  "A;B;C;middle;G 64\nmiddle 0\n");
}

Test(fold, of_the_middle_makes_one_stack_of_those_that_are_alike_without_it)
{
    expect_middle(3, 4, "A;A;A 1\nA;A;A;A 2\nA;A;A;A;A 4\nA;A;A;B 8\nA;A;A;C;B@7 16 3\nm 0\n",
                  "A;A;A 1\nA;m;A 6 2\nA;m;B 24 4\nm 0\n");
}
