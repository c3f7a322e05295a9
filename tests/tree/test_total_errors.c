#include "base/mem.h"
#include "tree/sums.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* A tree whose nodes have the same error as time, half of it in the same direction. */
static void init(struct tree_text *sample, const char *text)
{
    tree_text_init(sample, text);
    struct tree *tree = &sample->tree;
    tree->details = mem_zeroed(tree->node_count, sizeof *tree->details);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        tree->details[node].cost_error_ns = (double)tree->self_ns[node];
        tree->details[node].common_error_ns = (double)tree->self_ns[node] / 2;
        tree->details[node].variance_ns2 = 1;
    }
}

static void expect(const struct error_sum *sum, double variance_ns2, double cost_ns,
                   double common_ns, double squares_ns2)
{
    cr_expect_float_eq(sum->variance_ns2, variance_ns2, 1e-9);
    cr_expect_float_eq(sum->cost_error_ns, cost_ns, 1e-9);
    cr_expect_float_eq(sum->common_error_ns, common_ns, 1e-9);
    cr_expect_float_eq(sum->cost_squares_ns2, squares_ns2, 1e-9);
}

static uint32_t *functions_of(const struct tree *tree)
{
    uint32_t *functions = mem_zeroed(tree->node_count, sizeof *functions);
    for (uint32_t node = 1; node < tree->node_count; node++)
        functions[node] = tree->calls[node].function;
    return functions;
}

Test(total_errors, of_one_function_add_up_and_of_several_their_squares)
{
    SCOPED(tree_text) sample;
    init(&sample, "A 1\nA;B 2\nA;B;A 4\nA;C 8\nA;C;B 16\nD 32\nD;A 64\nD;A;B 128\n");
    const struct tree *tree = &sample.tree;
    SCOPED_ARRAY uint32_t *functions = functions_of(tree);
    SCOPED_ARRAY struct error_sum *sums =
        total_errors(tree, functions, tree->outermost, tree_count_functions(tree));
    const double A = 1 + 4 + 64, B = 2 + 16 + 128, C = 8;
    expect(&sums[functions[1]], 7, A + B + C, (A + B + C) / 2, A * A + B * B + C * C);
    cr_expect_float_eq(error_sum_cost_ns(&sums[functions[1]]),
                       hypot(sqrt(A * A + B * B + C * C), (A + B + C) / 2), 1e-9);
}

Test(total_errors, of_a_node_are_those_below_it)
{
    SCOPED(tree_text) sample;
    init(&sample, "A 1\nA;B 2\nA;B;A 4\nA;B;C 8\n");
    SCOPED_ARRAY struct error_sum *sums = total_errors(&sample.tree, NULL, NULL, 5);
    expect(&sums[1], 4, 15, 7.5, 5 * 5 + 2 * 2 + 8 * 8);
    expect(&sums[2], 3, 14, 7, 2 * 2 + 4 * 4 + 8 * 8);
    expect(&sums[3], 1, 4, 2, 4 * 4);
}

Test(total_errors, of_stacks_too_deep_to_walk_all_add_up)
{
    enum { DEPTH = 200 };
    SCOPED(text) text = {0};
    text_put_string(&text, "A 4\n");
    for (int depth = 1; depth <= DEPTH; depth++)
        text_put_string(&text, depth < DEPTH ? "A;" : "B 3\n");
    SCOPED(tree_text) sample;
    init(&sample, text_string(&text));
    SCOPED_ARRAY struct error_sum *sums = total_errors(&sample.tree, NULL, NULL, DEPTH + 1);
    cr_expect_float_eq(error_sum_cost_ns(&sums[1]), 4 + 3, 1e-9);
    SCOPED_ARRAY uint32_t *functions = functions_of(&sample.tree);
    SCOPED_ARRAY struct error_sum *rows = total_errors(
        &sample.tree, functions, sample.tree.outermost, tree_count_functions(&sample.tree));
    expect(&rows[functions[1]], DEPTH, 4 + 3, 3.5, 4 * 4 + 3 * 3);
}
