#include "base/mem.h"
#include "base/text.h"
#include "report/figures/edges.h"
#include "select/filter.h"
#include "tree/fold.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/*
 * Edges as text: a line for each chosen function, with its self time, total and calls;
 * below it "<" and a caller, or ">" and a callee, with time and calls, "recursive" where
 * it is, and all calling lines with theirs.
 */
static void put_name(struct text *text, const struct tree_text *sample, uint32_t function)
{
    if (function == TREE_NONE) {
        text_put_string(text, "(engine)");
        return;
    }
    struct span name = labels_text(&sample->labels, sample->labels.of[function].name);
    text_put(text, name.at, name.length);
}

static void put_numbers(struct text *text, int64_t ns, uint64_t calls)
{
    text_put_string(text, " ");
    text_put_number(text, ns);
    text_put_string(text, " ");
    text_put_count(text, calls);
}

static void put_list(struct text *text, const struct tree_text *sample, const struct edges *edges,
                     const char *sign, const struct edge *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_put_string(text, sign);
        put_name(text, sample, list[i].function);
        put_numbers(text, list[i].total_ns, list[i].calls);
        text_put_string(text, list[i].is_recursive ? " recursive" : "");
        for (size_t k = 0; k < list[i].line_count; k++) {
            const struct edge_line *line = &edges->lines[list[i].first_line + k];
            text_put_string(text, " @");
            text_put_number(text, line->line);
            put_numbers(text, line->total_ns, line->calls);
        }
        text_put_string(text, "\n");
    }
}

/* Chooses the functions whose names are letters of `chosen`. */
static void expect_edges(struct tree_text *sample, const char *chosen, const char *expected)
{
    uint32_t count = sample->symbols.function_count;
    uint8_t *is_chosen = mem_zeroed(count, 1);
    for (uint32_t i = 0; i < count; i++) {
        struct span name = labels_text(&sample->labels, sample->labels.of[i].name);
        is_chosen[i] = memchr(chosen, name.at[0], strlen(chosen)) != NULL;
    }
    struct edges edges;
    struct text text = {0};
    struct profile profile = {.symbols = sample->symbols};
    struct report report = {.profile = &profile, .tree = &sample->tree, .labels = &sample->labels};
    edges_init(&edges, &report, is_chosen, false);
    for (size_t i = 0; i < edges.function_count; i++) {
        const struct edge_function *function = &edges.functions[i];
        put_name(&text, sample, function->function);
        text_put_string(&text, " ");
        text_put_number(&text, function->self_ns);
        put_numbers(&text, function->total_ns, function->calls);
        text_put_string(&text, function->is_recursive ? " recursive\n" : "\n");
        put_list(&text, sample, &edges, " < ", &edges.callers[function->first_caller],
                 function->caller_count);
        put_list(&text, sample, &edges, " > ", &edges.callees[function->first_callee],
                 function->callee_count);
    }
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
    edges_release(&edges);
    free(is_chosen);
}

#define EXPECT_EDGES(tree, chosen, expected)                                                       \
    do {                                                                                           \
        struct tree_text sample;                                                                   \
        tree_text_init(&sample, tree);                                                             \
        expect_edges(&sample, chosen, expected);                                                   \
        tree_text_release(&sample);                                                                \
    } while (0)

static const char abcb[] = "A 1\nA;B@2 1\nA;B@2;C@-5 1\nA;B@2;C@-5;B@-1 1\n";

Test(edges, have_the_time_of_the_stacks_they_appear_in)
{
    EXPECT_EDGES(abcb, "B",
                 "B 2 3 2 recursive\n"
                 " < A 3 1 @2 3 1\n"
                 " < C 1 1 recursive @-1 1 1\n"
                 " > C 2 1 @-5 2 1\n");
}

Test(edges, of_several_functions_are_summed_up_together)
{
    EXPECT_EDGES(abcb, "ABC",
                 "A 1 4 1\n"
                 " < (engine) 4 1 @0 4 1\n"
                 " > B 3 1 @2 3 1\n"
                 "B 2 3 2 recursive\n"
                 " < A 3 1 @2 3 1\n"
                 " < C 1 1 recursive @-1 1 1\n"
                 " > C 2 1 @-5 2 1\n"
                 "C 1 2 1\n"
                 " < B 2 1 @-5 2 1\n"
                 " > B 1 1 recursive @-1 1 1\n");
}

Test(edges, of_a_function_that_calls_itself_count_each_stack_once)
{
    EXPECT_EDGES("A 1\nA;B@3 1\nA;B@3;B@7 1\nA;B@3;B@7;B@8 1\n", "B",
                 "B 3 3 3 recursive\n"
                 " < A 3 1 @3 3 1\n"
                 " < B 2 2 recursive @7 2 1 @8 1 1\n"
                 " > B 2 2 recursive @7 2 1 @8 1 1\n");
}

/* A and B call each other, two times over. */
Test(edges, of_mutual_recursion_count_each_stack_once)
{
    EXPECT_EDGES("A 1\nA;B@1 10\nA;B@1;A@2 100 5\nA;B@1;A@2;B@1 1000 7\n", "AB",
                 "A 101 1111 6 recursive\n"
                 " < (engine) 1111 1 @0 1111 1\n"
                 " < B 1100 5 recursive @2 1100 5\n"
                 " > B 1110 8 recursive @1 1110 8\n"
                 "B 1010 1110 8 recursive\n"
                 " < A 1110 8 recursive @1 1110 8\n"
                 " > A 1100 5 recursive @2 1100 5\n");
}

Test(edges, add_up_what_lies_side_by_side)
{
    EXPECT_EDGES("A;B@1 1\nA;C@2;B@3 10 2\nD;A;B@1 100 4\n", "B",
                 "B 111 111 7\n"
                 " < A 101 5 @1 101 5\n"
                 " < C 10 2 @3 10 2\n");
}

Test(edges, have_the_time_of_each_calling_line)
{
    EXPECT_EDGES("M 1\nM;F@10 5 2\nM;F@20 7 3\nM;F@20;G@1 1 1\nM;F 2 1\nM;F@-30 2 1\n", "F",
                 "F 16 17 7\n"
                 " < M 17 7 @20 8 3 @10 5 2 @-30 2 1 @0 2 1\n"
                 " > G 1 1 @1 1 1\n");
}

/* Line 20 lies below line 10, so the edge is shorter than its lines together. */
Test(edges, of_nested_lines_are_no_sums_of_them)
{
    EXPECT_EDGES("M;F@10 5\nM;F@10;M@1;F@20 7\n", "F",
                 "F 12 12 2 recursive\n"
                 " < M 12 2 recursive @10 12 1 @20 7 1\n"
                 " > M 7 0 recursive @1 7 0\n");
}

Test(edges, are_in_order_of_time_then_label)
{
    EXPECT_EDGES("Z;F 1\nA;F 1\nM;F 2\nF 1\nF;Y 3\nF;X 3\nE 5\n", "FE",
                 "F 5 11 4\n"
                 " < (engine) 7 1 @0 7 1\n"
                 " < M 2 1 @0 2 1\n"
                 " < A 1 1 @0 1 1\n"
                 " < Z 1 1 @0 1 1\n"
                 " > X 3 1 @0 3 1\n"
                 " > Y 3 1 @0 3 1\n"
                 "E 5 5 1\n"
                 " < (engine) 5 1 @0 5 1\n");
}

Test(edges, leave_out_functions_that_are_not_in_the_tree)
{
    struct tree_text sample;
    tree_text_init(&sample, "A 1\nA;B 1\nC 1\n");
    uint8_t is_kept[4] = {1, 1, 1, 0};
    tree_keep(&sample.tree, is_kept);
    expect_edges(&sample, "BC", "B 1 1 1\n < A 1 1 @0 1 1\n");
    tree_text_release(&sample);
}

/* B is hidden: A calls C, from where it called B, and has its time. */
Test(edges, join_what_is_left_when_functions_are_hidden)
{
    struct tree_text sample;
    struct filters filters = {0};
    struct error err;
    tree_text_init(&sample, abcb);
    cr_assert(filters_add(&filters, FILTER_HIDE, span_of("^B"), &err));
    cr_assert(filters_apply(&filters, &sample.tree, &sample.labels, sample.symbols.function_count,
                            UINT32_MAX, &err));
    expect_edges(&sample, "ABC",
                 "A 2 4 1\n < (engine) 4 1 @0 4 1\n > C 2 1 @2 2 1\n"
                 "C 2 2 1\n < A 2 1 @2 2 1\n");
    selection_release(&(struct selection){.filters = filters});
    tree_text_release(&sample);
}

Test(edges, of_nothing_are_none)
{
    EXPECT_EDGES("A 1\n", "", "");
    EXPECT_EDGES("", "A", "");
}

/* A time below 0 is a time. */
Test(edges, may_have_less_than_no_time)
{
    EXPECT_EDGES("A 5\nA;B@1 -3\nA;C@1 -2\n", "A",
                 "A 5 0 1\n < (engine) 0 1 @0 0 1\n > C -2 1 @1 -2 1\n > B -3 1 @1 -3 1\n");
}

Test(edges, are_found_in_stacks_of_any_depth)
{
    enum { DEPTH = 200000 };
    struct text text = {0};
    for (int i = 0; i < DEPTH; i++)
        text_put_string(&text, i == 0 ? "B" : ";B@4");
    text_put_string(&text, " 1\n");
    EXPECT_EDGES(text.at, "B",
                 "B 1 1 1 recursive\n"
                 " < (engine) 1 0 @0 1 0\n"
                 " < B 1 1 recursive @4 1 1\n"
                 " > B 1 1 recursive @4 1 1\n");
    text_release(&text);
}
