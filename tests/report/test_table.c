#include "read/frames.h"
#include "report/figures/labels.h"
#include "report/figures/table.h"
#include "tree/tree_builder.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <string.h>

/* The profile A;B;C;B with 1 ns self in each; A and C are in a.lua, B is in b.lua. */
struct sample {
    struct symbols symbols;
    struct paths paths;
    struct labels labels;
    struct tree tree;
};

static uint32_t add_function(struct symbols *symbols, const char *source, int32_t line,
                             const char *name)
{
    uint32_t source_id = intern_add_span(&symbols->strings, span_of(source));
    uint32_t name_id = intern_add_span(&symbols->strings, span_of(name));
    uint32_t function = symbols_add_function(symbols, source_id, line, name_id);
    symbols->functions[function].name = name_id;
    symbols->functions[function].is_used = true;
    return function;
}

static uint32_t add_node(struct tree_builder *builder, uint32_t parent, uint32_t function,
                         int32_t line, int64_t self_ns)
{
    uint32_t node = tree_builder_child(builder, parent, function, line);
    struct node_values values = {
        .calls = 1, .self_ns = self_ns, .flags = NODE_SEEN | NODE_TIMED | NODE_MAIN};
    tree_builder_add(builder, node, values);
    return node;
}

static void sample_init(struct sample *sample)
{
    *sample = (struct sample){0};
    uint32_t a = add_function(&sample->symbols, "@a.lua", 1, "A");
    uint32_t b = add_function(&sample->symbols, "@b.lua", 1, "B");
    uint32_t c = add_function(&sample->symbols, "@a.lua", 9, "C;c");
    struct tree_builder builder;
    tree_builder_init(&builder, TIMES_SELF, false);
    uint32_t node = add_node(&builder, TREE_ROOT, a, LINE_UNKNOWN, 1);
    node = add_node(&builder, node, b, 2, 1);
    node = add_node(&builder, node, c, -5, 1);
    add_node(&builder, node, b, LINE_TAIL_CALL, 1);
    tree_builder_finish(&builder, &sample->tree);
    paths_init(&sample->paths, &sample->symbols, &(struct mounts){0}, PATHS_SHORT);
    labels_init(&sample->labels, &sample->symbols, &sample->paths);
}

static void sample_release(struct sample *sample)
{
    labels_release(&sample->labels);
    paths_release(&sample->paths);
    symbols_release(&sample->symbols);
    tree_release(&sample->tree);
}

struct expected_row {
    uint64_t calls;
    int64_t self_ns, total_ns;
};

static void expect_rows(enum table_by by, enum column_kind sort, const struct expected_row *rows,
                        size_t count)
{
    struct sample sample;
    struct table table;
    sample_init(&sample);
    table = (struct table){.by = by, .sort = sort, .tree = &sample.tree, .labels = &sample.labels};
    table_init(&table);
    cr_assert_eq(table.row_count, count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(table.rows[i].calls, rows[i].calls, "row %zu", i);
        cr_expect_eq(table.rows[i].self_ns, rows[i].self_ns, "row %zu", i);
        cr_expect_eq(table.rows[i].total_ns, rows[i].total_ns, "row %zu", i);
    }
    table_release(&table);
    sample_release(&sample);
}

#define EXPECT_ROWS(by, sort, ...)                                                                 \
    expect_rows(by, sort, (const struct expected_row[]){__VA_ARGS__},                              \
                sizeof((const struct expected_row[]){__VA_ARGS__}) / sizeof(struct expected_row))

Test(table, counts_a_recursive_function_once_per_stack)
{
    EXPECT_ROWS(BY_FUNCTION, COLUMN_SELF, {2, 2, 3}, {1, 1, 4}, {1, 1, 2});
}

Test(table, sorts_by_total)
{
    EXPECT_ROWS(BY_FUNCTION, COLUMN_TOTAL, {1, 1, 4}, {2, 2, 3}, {1, 1, 2});
}

Test(table, counts_a_file_once_per_stack)
{
    EXPECT_ROWS(BY_FILE, COLUMN_TOTAL, {2, 2, 4}, {2, 2, 3});
}

/* Expects the rows by file of a tree whose C functions count for their callers, or not. */
static void expect_files(const char *tree, bool is_charged, const char *const *files,
                         const struct expected_row *rows, size_t count)
{
    struct tree_text sample;
    tree_text_init(&sample, tree);
    struct table table = {.by = BY_FILE,
                          .tree = &sample.tree,
                          .labels = &sample.labels,
                          .charging = is_charged ? &sample.symbols : NULL};
    table_init(&table);
    cr_assert_eq(table.row_count, count);
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &table.rows[i];
        uint32_t file = table.groups.all[row->group].text;
        cr_expect_str_eq(labels_string(&sample.labels, file), files[i]);
        cr_expect_eq(row->calls, rows[i].calls, "%s", files[i]);
        cr_expect_eq(row->self_ns, rows[i].self_ns, "%s", files[i]);
        cr_expect_eq(row->total_ns, rows[i].total_ns, "%s", files[i]);
    }
    table_release(&table);
    tree_text_release(&sample);
}

/* A sorts by B, pcall() calls sort() calls next(); the engine calls next(), and next() calls B. */
static const char c_functions[] = "A 1\n"
                                  "A;sort() 2\n"
                                  "A;sort();B 4\n"
                                  "A;sort();B;next() 8\n"
                                  "A;pcall();sort();next() 16\n"
                                  "next() 32\n"
                                  "next();B 64\n";

Test(table, counts_c_functions_for_the_file_that_calls_them)
{
    static const char *const files[] = {"B.lua", "[C]", "A.lua"};
    expect_files(c_functions, true, files,
                 (const struct expected_row[]){{3, 76, 76}, {1, 32, 96}, {3, 19, 31}}, 3);
}

Test(table, counts_c_functions_for_themselves)
{
    static const char *const files[] = {"B.lua", "[C]", "A.lua"};
    expect_files(c_functions, false, files,
                 (const struct expected_row[]){{2, 68, 76}, {4, 58, 126}, {1, 1, 31}}, 3);
}

Test(table, gives_each_call_to_the_line_it_was_made_from)
{
    EXPECT_ROWS(BY_LINE, COLUMN_TOTAL, {1, 1, 4}, {1, 1, 3}, {1, 1, 2}, {1, 1, 1});
}

Test(table, gives_all_of_a_stack_to_where_its_thread_began)
{
    EXPECT_ROWS(BY_THREAD, COLUMN_SELF, {4, 4, 4});
}

/* A chain of so many calls, f calling g and g calling f, of 1 ns each. */
static void expect_totals_of_chain(uint32_t depth)
{
    struct sample sample;
    struct table table;
    struct tree_builder builder;
    sample_init(&sample);
    tree_release(&sample.tree);
    tree_builder_init(&builder, TIMES_SELF, false);
    uint32_t node = TREE_ROOT;
    for (uint32_t i = 0; i < depth; i++)
        node = add_node(&builder, node, i % 2, LINE_UNKNOWN, 1);
    tree_builder_finish(&builder, &sample.tree);
    table = (struct table){
        .by = BY_FUNCTION, .sort = COLUMN_TOTAL, .tree = &sample.tree, .labels = &sample.labels};
    table_init(&table);
    cr_expect_eq(table.rows[0].total_ns, depth);
    cr_expect_eq(table.rows[1].total_ns, depth - 1);
    cr_expect_eq(table.rows[0].self_ns + table.rows[1].self_ns, depth);
    table_release(&table);
    sample_release(&sample);
}

Test(table, counts_recursion_of_any_depth_once_per_stack)
{
    expect_totals_of_chain(10);
    expect_totals_of_chain(1000);
    expect_totals_of_chain(1000000);
}

Test(table, adds_up_the_self_times_above_a_row)
{
    struct sample sample;
    struct table table;
    sample_init(&sample);
    table = (struct table){
        .by = BY_FUNCTION, .sort = COLUMN_SELF, .tree = &sample.tree, .labels = &sample.labels};
    table_init(&table);
    cr_expect_eq(table.rows[0].sum_ns, 2);
    cr_expect_eq(table.rows[1].sum_ns, 3);
    cr_expect_eq(table.rows[2].sum_ns, 4);
    table_release(&table);
    sample_release(&sample);
}

Test(table, joins_the_calls_of_the_recorder_if_asked)
{
    struct sample sample;
    struct table table;
    sample_init(&sample);
    /* C, and the B that it calls; not the B that A calls. */
    sample.tree.flags[3] |= NODE_RECORDER;
    sample.tree.flags[4] |= NODE_RECORDER;
    table = (struct table){.by = BY_FUNCTION,
                           .sort = COLUMN_SELF,
                           .tree = &sample.tree,
                           .labels = &sample.labels,
                           .joins_recorder = true};
    table_init(&table);
    cr_assert_eq(table.row_count, 3);
    cr_expect(table.groups.all[table.rows[0].group].is_recorder);
    cr_expect_eq(table.rows[0].calls, 2);
    cr_expect_eq(table.rows[0].self_ns, 2);
    cr_expect_eq(table.rows[0].total_ns, 2);
    cr_expect_eq(table.rows[1].self_ns, 1);
    cr_expect_eq(table.rows[2].self_ns, 1);
    table_release(&table);
    sample_release(&sample);
}

Test(table, orders_equal_rows_by_label)
{
    struct sample sample;
    struct table table;
    sample_init(&sample);
    table = (struct table){
        .by = BY_STACK, .sort = COLUMN_SELF, .tree = &sample.tree, .labels = &sample.labels};
    table_init(&table);
    cr_assert_eq(table.row_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(table.rows[i].group, i + 1);
    table_release(&table);
    sample_release(&sample);
}

static void expect_stack(bool call_sites, const char *expected)
{
    struct sample sample;
    struct text text = {0};
    sample_init(&sample);
    stack_put(&text, &sample.tree, &sample.labels, 4, call_sites);
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
    sample_release(&sample);
}

Test(table, writes_stacks_without_semicolons_in_labels)
{
    expect_stack(false, "A a.lua:1;B b.lua:1;C:c a.lua:9;B b.lua:1");
}

Test(table, writes_call_sites_where_the_line_is_known)
{
    expect_stack(true, "A a.lua:1;A a.lua:1->2;B b.lua:1;B b.lua:1->-5;C:c a.lua:9;B b.lua:1");
}

/* Stacks of all depths up to `depth_max`, two of each, in no order. */
static void expect_stacks_in_turn(uint32_t depth_max)
{
    struct sample sample;
    struct tree_builder builder;
    struct tree tree;
    struct table table;
    struct stacks_in_turn stacks;
    struct text text = {0}, expected = {0};
    sample_init(&sample);
    tree_builder_init(&builder, TIMES_SELF, false);
    uint32_t above = TREE_ROOT;
    for (uint32_t depth = 1; depth <= depth_max; depth++) {
        add_node(&builder, above, depth % 3, 100, depth * 7919 % 1009);
        above = add_node(&builder, above, depth % 3, 5, depth * 7919 % 1013);
    }
    tree_builder_finish(&builder, &tree);
    table = (struct table){
        .by = BY_STACK, .sort = COLUMN_SELF, .tree = &tree, .labels = &sample.labels};
    table_init(&table);
    cr_assert_eq(table.row_count, 2 * depth_max);
    stacks_in_turn_init(&stacks, &table);
    for (size_t i = 0; i < table.row_count; i++) {
        text_cut(&text, 0);
        text_cut(&expected, 0);
        stacks_in_turn_put(&stacks, &text, i % 2 == 0);
        stack_put(&expected, &tree, &sample.labels, table.rows[i].group, i % 2 == 0);
        cr_assert_eq(text.length, expected.length, "row %zu of %u", i, 2 * depth_max);
        cr_assert_arr_eq(text.at, expected.at, text.length);
    }
    text_release(&text);
    text_release(&expected);
    table_release(&table);
    tree_release(&tree);
    sample_release(&sample);
}

Test(table, writes_the_stacks_of_rows_in_turn)
{
    static const uint32_t depths[] = {0, 1, 3, 4, 5, 63, 64, 65, 200};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        expect_stacks_in_turn(depths[i]);
}
