#include "select/repeated_values.h"

#include "tree/tree_text.h"

#include <criterion/criterion.h>

/* Each caller calls the leaf once: a seventh of one call is none, of ten calls it is one. */
Test(repeated_values, that_are_scaled_add_up_for_each_function)
{
    struct tree_text sample;
    struct repeated_values repeated = {0};
    struct profile profile = {0};
    struct log_trees trees;
    tree_text_init(&sample, "A;L 1 1\nB;L 1 1\nC;L 1 1\nD;L 1 1\nE;L 1 1\nF;L 1 1\nG;L 1 1\n"
                            "H;L 1 1\nI;L 1 1\nJ;L 1 1\n");
    repeated_values_add(&repeated, &sample.tree, &profile);
    repeated.logs[0].scale = 0.14;
    log_trees_init(&trees, &sample.tree);
    uint64_t calls = 0;
    /* Also for the second time. */
    for (int i = 0; i < 2; i++) {
        log_trees_make(&trees, &repeated.logs[0]);
        calls = 0;
        for (uint32_t node = 1; node < trees.tree.node_count; node++)
            calls += trees.tree.calls[node].parent != TREE_ROOT ? trees.tree.call_counts[node] : 0;
    }
    cr_expect_eq(calls, 1, "%llu", (unsigned long long)calls);
    log_trees_release(&trees);
    repeated_values_release(&repeated);
    tree_text_release(&sample);
}

Test(repeated_values, average_to_the_means_of_all_logs)
{
    struct tree_text sample;
    struct repeated_values repeated = {0};
    struct profile profile = {0};
    tree_text_init(&sample, "A 12 4\n");
    struct tree *tree = &sample.tree;
    tree->details = mem_zeroed(tree->node_count, sizeof *tree->details);
    tree->details[1] = (struct call_details){.errors = 2, .memory_kb = 8};
    repeated_values_add(&repeated, tree, &profile);
    repeated_values_add(&repeated, tree, &profile);
    repeated.logs[1].scale = 0.5;
    struct repeated_sums sums = repeated_sums_of(tree);
    repeated_sums_make(&sums, &repeated);
    repeated_tree_average(&sums, tree);
    repeated_sums_release(&sums);
    cr_expect_eq(tree->call_counts[1], 3);
    cr_expect_eq(tree->self_ns[1], 9);
    cr_expect_eq(tree->total_ns[1], 9);
    cr_expect_eq(tree->details[1].errors, 2);
    cr_expect_eq(tree->details[1].memory_kb, 6);
    repeated_values_release(&repeated);
    tree_text_release(&sample);
}
