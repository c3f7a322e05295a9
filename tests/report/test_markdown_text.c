#include "report/figures/formats.h"

#include <criterion/criterion.h>
#include <string.h>

static struct text text;

static void tear_down(void)
{
    text_release(&text);
}

TestSuite(markdown_text, .fini = tear_down);

static const char *code_of(const char *name)
{
    text_cut(&text, 0);
    markdown_put_code(&text, span_of(name));
    return text_string(&text);
}

static const char *block_of(const char *lines, size_t line_max)
{
    text_cut(&text, 0);
    markdown_put_block(&text, span_of(lines), line_max);
    return text_string(&text);
}

Test(markdown_text, puts_names_between_more_backticks_than_they_have)
{
    cr_assert_str_eq(code_of("@user"), "`@user`");
    cr_assert_str_eq(code_of("a`b"), "`` a`b ``");
    cr_assert_str_eq(code_of("```"), "```` ``` ````");
}

Test(markdown_text, keeps_blanks_at_the_ends)
{
    cr_assert_str_eq(code_of(" a "), "`  a  `");
    cr_assert_str_eq(code_of("  "), "`  `");
    cr_assert_str_eq(code_of(""), "` `");
}

Test(markdown_text, escapes_bars_for_tables)
{
    cr_assert_str_eq(code_of("a|b"), "`a\\|b`");
    cr_assert_str_eq(code_of("a\\|b"), "`a\\\xe2\x94\x82"
                                       "b`");
    cr_assert_str_eq(code_of("a\\"), "`a\\`");
}

Test(markdown_text, makes_blocks_that_no_line_of_them_ends)
{
    cr_assert_str_eq(block_of("a\nb\n", 2), "```text\na\nb\n```\n");
    cr_assert_str_eq(block_of("````\n", 2), "`````text\n````\n`````\n");
    cr_assert_str_eq(block_of("", 2), "```text\n```\n");
}

Test(markdown_text, says_how_many_lines_of_a_block_are_left_out)
{
    cr_assert_str_eq(block_of("a\nb\nc\nd\n", 3), "```text\na\nb\n... and 2 more lines\n```\n");
}
