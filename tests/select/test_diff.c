#include "read/frames.h"
#include "report/figures/table.h"
#include "select/diff.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A Lua function where `line` is not negative; `self_ns` in one root call. */
struct described {
    const char *source, *name;
    int32_t line;
    int64_t self_ns;
};

struct side {
    struct profile profile;
    struct paths paths;
    uint32_t ids[16];
};

static uint32_t string_id(struct symbols *symbols, const char *text)
{
    return intern_add_span(&symbols->strings, span_of(text));
}

static void side_init(struct side *side, const struct described *functions, size_t count)
{
    *side = (struct side){0};
    struct symbols *symbols = &side->profile.symbols;
    struct tree_builder builder;
    tree_builder_init(&builder, TIMES_SELF, false);
    for (size_t i = 0; i < count; i++) {
        uint32_t name = string_id(symbols, functions[i].name);
        uint32_t id = symbols_add_function(symbols, string_id(symbols, functions[i].source),
                                           functions[i].line, name);
        symbols->functions[id].name = name;
        symbols->functions[id].is_used = true;
        uint32_t node = tree_builder_child(&builder, TREE_ROOT, id, LINE_UNKNOWN);
        tree_builder_add(&builder, node,
                         (struct node_values){.calls = 1, .self_ns = functions[i].self_ns});
        side->ids[i] = id;
    }
    tree_builder_finish(&builder, &side->profile.tree);
    paths_init(&side->paths, symbols, &(struct mounts){0}, PATHS_SHORT);
}

static void side_release(struct side *side)
{
    paths_release(&side->paths);
    symbols_release(&side->profile.symbols);
    tree_release(&side->profile.tree);
}

enum { NONE = -1 };

/* `expected`: for each old function the index of the new one, or NONE for one of its own. */
static struct diff_counts expect_matches(const struct described *olds, size_t old_count,
                                         const struct described *news, size_t new_count,
                                         const int *expected)
{
    struct side old, new;
    struct diff_counts counts;
    side_init(&old, olds, old_count);
    side_init(&new, news, new_count);
    uint32_t before = new.profile.symbols.function_count;
    uint32_t *functions =
        diff_match_functions(&new.profile, &new.paths, &old.profile, &old.paths, &counts);
    for (size_t i = 0; i < old_count; i++) {
        uint32_t found = functions[old.ids[i]];
        if (expected[i] == NONE)
            cr_expect_geq(found, before, "old function %zu", i);
        else
            cr_expect_eq(found, new.ids[expected[i]], "old function %zu", i);
    }
    free(functions);
    side_release(&old);
    side_release(&new);
    return counts;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

Test(diff, matches_the_example_of_its_header)
{
    const struct described olds[] = {{"@u.lua", "OnCreate", 10, 1}, {"@u.lua", "?", 20, 1},
                                     {"@u.lua", "f", 24, 1},        {"@u.lua", "f", 34, 1},
                                     {"@u.lua", "DoDamage", 50, 1}, {"@u.lua", "Gone", 60, 1}};
    const struct described news[] = {{"@u.lua", "OnCreate", 12, 1}, {"@u.lua", "?", 22, 1},
                                     {"@u.lua", "f", 27, 1},        {"@u.lua", "f", 37, 1},
                                     {"@u.lua", "OnDamage", 52, 1}, {"@u.lua", "Added", 70, 1}};
    const int expected[] = {0, 1, 2, 3, 4, NONE};
    struct diff_counts counts = expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
    cr_expect_eq(counts.same_place, 0);
    cr_expect_eq(counts.other_line, 4);
    cr_expect_eq(counts.other_name, 1);
    cr_expect_eq(counts.only_old, 1);
    cr_expect_eq(counts.only_new, 1);
}

Test(diff, a_common_name_is_not_what_is_at_its_line_now)
{
    /* Twelve lines were added above, as many as lie between two of them. */
    const struct described olds[] = {
        {"@u.lua", "OnFire", 10, 1}, {"@u.lua", "OnFire", 22, 1}, {"@u.lua", "OnFire", 40, 1}};
    const struct described news[] = {
        {"@u.lua", "OnFire", 22, 1}, {"@u.lua", "OnFire", 34, 1}, {"@u.lua", "OnFire", 52, 1}};
    const int expected[] = {0, 1, 2};
    expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
    /* The same where one is gone, and where another function says how far they moved. */
    const struct described fewer[] = {
        {"@u.lua", "OnFire", 22, 1}, {"@u.lua", "OnFire", 52, 1}, {"@u.lua", "Named", 72, 1}};
    const struct described named[] = {{"@u.lua", "OnFire", 10, 1},
                                      {"@u.lua", "OnFire", 22, 1},
                                      {"@u.lua", "OnFire", 40, 1},
                                      {"@u.lua", "Named", 60, 1}};
    const int expected_of_fewer[] = {0, NONE, 1, 2};
    expect_matches(named, COUNT(named), fewer, COUNT(fewer), expected_of_fewer);
}

Test(diff, functions_of_one_name_lie_as_near_as_can_be)
{
    const struct described olds[] = {{"@u.lua", "f", 10, 1}, {"@u.lua", "f", 12, 1}};
    const struct described news[] = {
        {"@u.lua", "f", 1, 1}, {"@u.lua", "f", 11, 1}, {"@u.lua", "f", 500, 1}};
    const int expected[] = {0, 1};
    expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
}

Test(diff, nameless_functions_do_not_move_far)
{
    const struct described olds[] = {{"@u.lua", "?", 10, 1}, {"@u.lua", "?", 500, 1}};
    const struct described news[] = {{"@u.lua", "?", 40, 1}, {"@u.lua", "?", 900, 1}};
    const int expected[] = {0, NONE};
    expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
}

Test(diff, versions_of_a_mod_are_the_same_mod)
{
    const struct described olds[] = {{"@mods/M28AI v104/lua/a.lua", "f", 10, 1},
                                     {"@mods/RNGAI-1.2/lua/a.lua", "f", 10, 1},
                                     {"@mods/BlackOps3/lua/a.lua", "f", 10, 1},
                                     {"@maps/SCMP_009/x.lua", "f", 10, 1}};
    const struct described news[] = {{"@mods/m28ai v105/lua/a.lua", "f", 10, 1},
                                     {"@mods/RNGAI-1.2/lua/a.lua", "f", 10, 1},
                                     {"@mods/BlackOps/lua/a.lua", "f", 10, 1},
                                     {"@maps/SCMP_010/x.lua", "f", 10, 1}};
    const int expected[] = {0, 1, 2, NONE};
    expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
}

Test(diff, takes_the_nearest_of_one_name)
{
    const struct described olds[] = {{"@u.lua", "f", 50, 1}};
    const struct described news[] = {
        {"@u.lua", "f", 10, 1}, {"@u.lua", "f", 47, 1}, {"@u.lua", "f", 90, 1}};
    const int expected[] = {1};
    struct diff_counts counts = expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
    cr_expect_eq(counts.only_new, 2);
}

Test(diff, keeps_the_order_of_one_name)
{
    const struct described olds[] = {
        {"@u.lua", "?", 10, 1}, {"@u.lua", "?", 20, 1}, {"@u.lua", "?", 30, 1}};
    const struct described news[] = {
        {"@u.lua", "?", 18, 1}, {"@u.lua", "?", 28, 1}, {"@u.lua", "?", 38, 1}};
    const int expected[] = {0, 1, 2};
    expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
}

Test(diff, a_nameless_function_matches_any_name_at_its_line)
{
    const struct described olds[] = {{"@u.lua", "?", 10, 1}, {"@u.lua", "Named", 20, 1}};
    const struct described news[] = {{"@u.lua", "Found", 10, 1}, {"@u.lua", "", 20, 1}};
    const int expected[] = {0, 1};
    struct diff_counts counts = expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
    cr_expect_eq(counts.same_place, 2);
}

Test(diff, files_are_apart_and_their_letter_case_is_not)
{
    const struct described olds[] = {{"@lua/u.lua", "f", 10, 1}, {"@lua/V.lua", "g", 10, 1}};
    const struct described news[] = {{"@lua/w.lua", "f", 10, 1}, {"@lua/v.lua", "g", 10, 1}};
    const int expected[] = {NONE, 1};
    expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
}

Test(diff, c_functions_are_their_names)
{
    const struct described olds[] = {{"=[C]", "next", -1, 1}, {"=[C]", "gone", -1, 1}};
    const struct described news[] = {{"=[C]", "added", -1, 1}, {"=[C]", "next", -1, 1}};
    const int expected[] = {1, NONE};
    struct diff_counts counts = expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
    cr_expect_eq(counts.same_place, 1);
    cr_expect_eq(counts.only_old, 1);
    cr_expect_eq(counts.only_new, 1);
}

Test(diff, what_is_gone_is_not_what_is_at_its_line_now)
{
    const struct described olds[] = {{"@u.lua", "Gone", 40, 1}, {"@u.lua", "Moved", 38, 1}};
    const struct described news[] = {{"@u.lua", "Moved", 40, 1}};
    const int expected[] = {NONE, 0};
    expect_matches(olds, COUNT(olds), news, COUNT(news), expected);
}

/* Both trees of these tests talk about the same functions. */
static void expect_aligned(const char *new_text, const char *old_text, const char *new_after,
                           const char *old_after, double times, double calls)
{
    struct tree_text sample, old;
    tree_text_init(&sample, new_text);
    tree_text_init(&old, old_text);
    uint32_t *functions = mem_zeroed(old.symbols.function_count, sizeof *functions);
    for (uint32_t i = 0; i < old.symbols.function_count; i++) {
        struct function function = old.symbols.functions[i];
        struct span source = intern_get(&old.symbols.strings, function.source);
        struct span name = intern_get(&old.symbols.strings, function.name);
        uint32_t name_id = intern_add_span(&sample.symbols.strings, name);
        functions[i] =
            symbols_add_function(&sample.symbols, intern_add_span(&sample.symbols.strings, source),
                                 function.line, name_id);
        sample.symbols.functions[functions[i]].name = name_id;
    }
    free(align_trees(&sample.tree, &old.tree, functions, &sample.symbols, &old.symbols, times,
                     calls));
    EXPECT_TREE(&sample.tree, &sample.symbols, new_after);
    EXPECT_TREE(&old.tree, &sample.symbols, old_after);
    cr_assert_eq(sample.tree.node_count, old.tree.node_count);
    for (uint32_t node = 1; node < old.tree.node_count; node++)
        cr_expect(sample.tree.calls[node].parent == old.tree.calls[node].parent &&
                  sample.tree.calls[node].function == old.tree.calls[node].function &&
                  sample.tree.calls[node].line == old.tree.calls[node].line);
    free(functions);
    tree_text_release(&sample);
    tree_text_release(&old);
}

Test(diff, aligned_trees_have_the_same_nodes)
{
    expect_aligned("A 1\nA;B@2 2\nC 3\n", "A 4\nA;D@7 5\nA;D@7;B@1 6\n", "A 1\nA;B@2 2\nC 3\n",
                   "A 4\nA;D@7 5\nA;D@7;B@1 6\n", 1, 1);
}

Test(diff, old_times_and_calls_are_scaled)
{
    expect_aligned("A 1\n", "A 4 10\nA;B 5 3\n", "A 1\n", "A 8 15\nA;B 10 5\n", 2, 1.5);
}

Test(diff, rows_are_in_order_of_their_differences)
{
    struct tree_text sample, old;
    tree_text_init(&sample, "A 10\nB 50 2\nC 7\n");
    tree_text_init(&old, "A 11\nB 20\nC 27\n");
    struct table table = {
        .by = BY_FUNCTION, .tree = &sample.tree, .old_tree = &old.tree, .labels = &sample.labels};
    table_init(&table);
    cr_assert_eq(table.row_count, 3);
    const int64_t differences[] = {30, -20, -1};
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(table.rows[i].self_ns - table_old(&table, &table.rows[i])->self_ns,
                     differences[i]);
    table_release(&table);
    table = (struct table){.by = BY_FUNCTION,
                           .tree = &sample.tree,
                           .old_tree = &old.tree,
                           .labels = &sample.labels,
                           .scales_calls = true};
    table_init(&table);
    cr_expect_eq(table_old(&table, &table.rows[0])->self_ns, 27, "C differs most per call");
    table_release(&table);
    tree_text_release(&sample);
    tree_text_release(&old);
}

Test(diff, rows_are_alike_within_twice_their_noise)
{
    const struct call_details details = {.variance_ns2 = 9};
    const struct call_details old_details = {.variance_ns2 = 16};
    struct row row = {.calls = 1, .self_ns = 1000, .details = &details};
    struct row old = {.calls = 1, .self_ns = 1009, .details = &old_details};
    cr_expect(row_is_alike(&row, &old), "9 ns apart, and 5 is the standard error");
    old.self_ns = 1011;
    cr_expect_not(row_is_alike(&row, &old));
    old.self_ns = 1009;
    old.details = NULL;
    cr_expect_not(row_is_alike(&row, &old), "unknown");
}
