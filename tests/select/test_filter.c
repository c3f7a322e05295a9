#include "select/filter.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The worked example of filter.h. */
static const char example[] = "A 1\nA;B@2 1\nA;B@2;C@3 1\nA;B@2;C@3;B@4 1\n";

struct filter_step {
    enum filter_kind kind;
    const char *pattern;
};

/* Applies filters, and returns what the function "F" is the folded one of. */
static void apply(struct filters *filters, struct tree_text *sample,
                  const struct filter_step *steps, size_t count)
{
    struct error err = {0};
    for (size_t i = 0; i < count; i++)
        cr_assert(filters_add(filters, steps[i].kind, span_of(steps[i].pattern), &err), "%s",
                  err.text);
    cr_assert(filters_apply(filters, &sample->tree, &sample->labels, sample->symbols.function_count,
                            sample->symbols.function_count, &err),
              "%s", err.text);
}

/* "(other)" is how tree_text prints the function that folded time goes to. */
static void expect(const char *before, struct filter_step first, struct filter_step second,
                   const char *after)
{
    struct tree_text sample;
    struct filters filters = {0};
    const struct filter_step steps[] = {first, second};
    int64_t total_ns;
    tree_text_init(&sample, before);
    apply(&filters, &sample, steps, second.pattern != NULL ? 2 : 1);
    EXPECT_TREE(&sample.tree, &sample.symbols, after);
    total_ns = 0;
    for (uint32_t node = 1; node < sample.tree.node_count; node++)
        total_ns += sample.tree.self_ns[node];
    cr_expect_eq(sample.tree.total_ns[TREE_ROOT], total_ns);
    filters_release(&filters);
    tree_text_release(&sample);
}

static const struct filter_step none = {FILTER_FOCUS, NULL};

Test(filter, focus_keeps_stacks_with_a_match)
{
    expect(example, (struct filter_step){FILTER_FOCUS, "^B "}, none,
           "A;B@2 1\nA;B@2;C@3 1\nA;B@2;C@3;B@4 1\n");
}

Test(filter, ignore_keeps_the_others)
{
    expect(example, (struct filter_step){FILTER_IGNORE, "^B "}, none, "A 1\n");
}

Test(filter, show_from_begins_at_the_first_match)
{
    expect(example, (struct filter_step){FILTER_SHOW_FROM, "^B "}, none,
           "B 1\nB;C@3 1\nB;C@3;B@4 1\n");
    expect(example, (struct filter_step){FILTER_SHOW_FROM, "^A "}, none, example);
    expect(example, (struct filter_step){FILTER_SHOW_FROM, "^C "}, none, "C 1\nC;B@4 1\n");
}

Test(filter, hide_gives_time_to_the_caller_and_keeps_its_line)
{
    expect(example, (struct filter_step){FILTER_HIDE, "^B "}, none, "A 2\nA;C@2 2\n");
    expect("A 1\nA;B@2 1\nA;B@2;B@9 1\nA;B@2;B@9;C@5 1\n", (struct filter_step){FILTER_HIDE, "^B "},
           none, "A 3\nA;C@2 1\n");
}

Test(filter, hide_keeps_time_that_has_no_caller)
{
    expect(example, (struct filter_step){FILTER_HIDE, "^A "}, none,
           "(other) 1 0\nB 1\nB;C@3 1\nB;C@3;B@4 1\n");
    expect(example, (struct filter_step){FILTER_HIDE, "."}, none, "(other) 4 0\n");
}

Test(filter, without_a_match_only_focus_and_show_from_leave_nothing)
{
    expect(example, (struct filter_step){FILTER_FOCUS, "Z"}, none, "");
    expect(example, (struct filter_step){FILTER_SHOW_FROM, "Z"}, none, "");
    expect(example, (struct filter_step){FILTER_IGNORE, "Z"}, none, example);
    expect(example, (struct filter_step){FILTER_HIDE, "Z"}, none, example);
}

Test(filter, that_matches_all_changes_nothing_or_everything)
{
    expect(example, (struct filter_step){FILTER_FOCUS, "."}, none, example);
    expect(example, (struct filter_step){FILTER_SHOW_FROM, "."}, none, example);
    expect(example, (struct filter_step){FILTER_IGNORE, "."}, none, "");
}

Test(filter, apply_in_the_order_given)
{
    expect(example, (struct filter_step){FILTER_HIDE, "^B "},
           (struct filter_step){FILTER_FOCUS, "^B "}, "");
    expect(example, (struct filter_step){FILTER_FOCUS, "^B "},
           (struct filter_step){FILTER_HIDE, "^B "}, "A 1 0\nA;C@2 2\n");
}

Test(filter, two_focuses_are_an_and)
{
    const char *both = "A;B@2;C@3 1\nA;B@2;C@3;B@4 1\n";
    expect(example, (struct filter_step){FILTER_FOCUS, "^B "},
           (struct filter_step){FILTER_FOCUS, "^C "}, both);
    expect(example, (struct filter_step){FILTER_FOCUS, "^C "},
           (struct filter_step){FILTER_FOCUS, "^B "}, both);
}

Test(filter, focus_leaves_callers_without_calls)
{
    expect("A 5 3\nA;B 2 7\nA;D 1\n", (struct filter_step){FILTER_FOCUS, "^B "}, none, "A;B 2 7\n");
}

Test(filter, counts_the_functions_that_match)
{
    struct tree_text sample;
    struct filters filters = {0};
    tree_text_init(&sample, example);
    const struct filter_step steps[] = {{FILTER_FOCUS, "^[AB] "}, {FILTER_IGNORE, "Z"}};
    apply(&filters, &sample, steps, 2);
    cr_expect_eq(filters.all[0].match_count, 2);
    cr_expect_eq(filters.all[1].match_count, 0);
    filters_release(&filters);
    tree_text_release(&sample);
}

Test(filter, fails_where_a_pattern_explodes)
{
    struct tree_text sample;
    struct filters filters = {0};
    struct error err = {0};
    char line[128] = "";
    memset(line, 'a', 40);
    strcat(line, "! 1\n");
    tree_text_init(&sample, line);
    const char *pattern = "^(a+)+(a+)+(a+)+$";
    cr_assert(filters_add(&filters, FILTER_HIDE, span_of(pattern), &err));
    cr_expect_not(filters_apply(&filters, &sample.tree, &sample.labels,
                                sample.symbols.function_count, UINT32_MAX, &err));
    cr_expect_eq(strncmp(err.text, "--hide '^(a+)+(a+)+(a+)+$': ", 28), 0, "%s", err.text);
    filters_release(&filters);
    tree_text_release(&sample);
}

/* Writes a file for --hide-file; the caller removes it. */
static char *write_list(const char *text)
{
    static char path[] = "/tmp/supprof-hide-XXXXXX";
    strcpy(path, "/tmp/supprof-hide-XXXXXX");
    int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    return path;
}

Test(filter, reads_a_list_of_patterns)
{
    struct filters filters = {0};
    struct error err = {0};
    char *path = write_list("\xef\xbb\xbf# noise\r\n\r\n  ^next \\[C\\]\t\r\nWait$");
    cr_assert(filters_add_file(&filters, path, &err), "%s", err.text);
    cr_assert_eq(filters.count, 2);
    struct span text = pattern_text(filters.all[0].pattern);
    cr_expect_eq(text.length, 11);
    cr_expect_arr_eq(text.at, "^next \\[C\\]", 11);
    cr_expect_eq(filters.all[0].line, 3);
    cr_expect_eq(filters.all[1].line, 4);
    cr_expect_eq(filters.all[1].kind, FILTER_HIDE);
    unlink(path);
    filters_release(&filters);
}

Test(filter, says_which_line_of_a_list_is_wrong)
{
    struct filters filters = {0};
    struct error err = {0};
    char *path = write_list("good\n(bad\n");
    char expected[128];
    snprintf(expected, sizeof expected,
             "%s:2: missing closing parenthesis at character 4, '(bad <-- here'", path);
    cr_expect_not(filters_add_file(&filters, path, &err));
    cr_expect_str_eq(err.text, expected);
    unlink(path);
    filters_release(&filters);
}
