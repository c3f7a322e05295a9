#include "report/sentences/wrap.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const struct wrap *wrap, const char *sentence, const char *expected)
{
    struct text text = {0};
    wrap_put(&text, wrap, span_of(sentence));
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
}

Test(wrap, a_pipe_gets_one_line_with_the_option_after_it)
{
    expect(&(struct wrap){.option = {"--tick 38", 9}}, "The longest took 149.3 ms",
           "The longest took 149.3 ms  add --tick 38\n");
}

Test(wrap, lines_break_between_words_and_go_on_indented)
{
    expect(&(struct wrap){.width = 12, .indent = 2}, "one two three four five",
           "one two\n  three four\n  five\n");
}

Test(wrap, a_number_stays_with_its_unit)
{
    expect(&(struct wrap){.width = 12}, "it took 149 ms", "it took\n149 ms\n");
}

Test(wrap, a_number_that_fills_the_line_does_not)
{
    expect(&(struct wrap){.width = 6}, "12345 ticks", "12345\nticks\n");
}

Test(wrap, the_option_ends_at_the_right_margin)
{
    expect(&(struct wrap){.width = 24, .option = {"-v", 2}}, "some words",
           "some words        add -v\n");
}

Test(wrap, the_option_has_its_own_line_where_two_blanks_would_not_fit)
{
    expect(&(struct wrap){.width = 17, .option = {"-v", 2}}, "some words",
           "some words\n           add -v\n");
    expect(&(struct wrap){.width = 18, .option = {"-v", 2}}, "some words", "some words  add -v\n");
}

Test(wrap, a_path_longer_than_the_line_keeps_its_end)
{
    expect(&(struct wrap){.width = 14}, "in lua/sim/units/unit.lua:120",
           "in\nl\xe2\x80\xa6unit.lua:120\n");
}

Test(wrap, colours_take_no_columns)
{
    expect(&(struct wrap){.width = 12, .is_colored = true, .style = "\x1b[2m", .option = {"-v", 2}},
           "abcd", "\x1b[2mabcd\x1b[0m  add \x1b[1m-v\x1b[0m\n");
}

Test(wrap, a_terminal_of_one_column_still_ends)
{
    expect(&(struct wrap){.width = 1, .indent = 4, .option = {"-v", 2}}, "ab c",
           "\xe2\x80\xa6\n    c\nadd -v\n");
}

Test(wrap, lines_keep_the_blanks_they_begin_with)
{
    struct text text = {0}, lines = {0};
    text_put_string(&lines, "Ticks:   12\n         over the budget\n");
    wrap_put_lines(&text, 18, 2, &lines);
    cr_expect_eq(wrap_count_lines(text_span(&text)), 3);
    cr_expect_str_eq(text_string(&text), "Ticks:   12\n         over the\n           budget\n");
    text_release(&text);
}
