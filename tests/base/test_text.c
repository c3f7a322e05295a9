#include "base/text.h"

#include <criterion/criterion.h>
#include <string.h>

#define SPAN(literal) ((struct span){literal, sizeof literal - 1})

static void expect_clean(struct span bytes, const char *expected)
{
    struct text text = {0};
    text_put_clean(&text, bytes, false);
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
}

Test(text, keeps_utf8)
{
    expect_clean(SPAN("\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
                 "\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
}

Test(text, reads_other_bytes_as_cp1252)
{
    expect_clean(SPAN("\xe9t\xe9"), "\xc3\xa9t\xc3\xa9");
    expect_clean(SPAN("\x80"), "\xe2\x82\xac");
    expect_clean(SPAN("\x81"), "\xef\xbf\xbd");
}

Test(text, accepts_no_overlong_surrogate_or_cut_sequence)
{
    expect_clean(SPAN("\xc0\xaf"), "\xc3\x80\xc2\xaf");
    expect_clean(SPAN("\xed\xa0\x80"), "\xc3\xad\xc2\xa0\xe2\x82\xac");
    expect_clean(SPAN("a\xe2\x82"), "a\xc3\xa2\xe2\x80\x9a");
    expect_clean(SPAN("\xf4\x90\x80\x80"), "\xc3\xb4\xef\xbf\xbd\xe2\x82\xac\xe2\x82\xac");
}

Test(text, turns_control_characters_into_blanks)
{
    expect_clean(SPAN("\x1b[31m\n\t\0\x7f"), " [31m    ");
    expect_clean(SPAN("\xc2\x9b"
                      "1m\xe2\x80\xae!\xe2\x80\xa8"),
                 " 1m ! ");
}

Test(text, keeps_lines_when_asked)
{
    struct text text = {0};
    text_put_clean(&text, SPAN("a\n\tb\x1b"), true);
    cr_expect_eq(text.length, 5);
    cr_expect_arr_eq(text.at, "a\n\tb ", 5);
    text_release(&text);
}

Test(text, groups_thousands)
{
    static const struct {
        uint64_t number;
        const char *text;
    } cases[] = {{0, "0"},
                 {999, "999"},
                 {1000, "1,000"},
                 {3918220, "3,918,220"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = {0};
        text_put_grouped(&text, cases[i].number);
        cr_expect_str_eq(text_string(&text), cases[i].text);
        text_release(&text);
    }
}

Test(text, counts_characters_not_bytes)
{
    cr_expect_eq(text_width(SPAN("\xc3\xa9t\xc3\xa9")), 3);
    cr_expect_eq(text_width(SPAN("\xe5\x8d\x95\xe4\xbd\x8d")), 4); /* two of Chinese */
    cr_expect_eq(text_width(SPAN("e\xcc\x81")), 1);                /* a mark on the e */
}

Test(text, takes_what_printf_would_print)
{
    struct text text = {0};
    text_put_string(&text, "a");
    text_printf(&text, "%d %s", 12, "and more than one block could hold");
    text_printf(&text, "%s", "");
    struct span span = text_span(&text);
    cr_expect_eq(span.length, 38);
    cr_expect_eq(memcmp(span.at, "a12 and more than one block could hold", 38), 0);
    text_release(&text);
}

Test(text, has_no_characters_without_a_width)
{
    struct text text = {0};
    /* A zero width space, a soft hyphen, a word joiner and a byte order mark. */
    static const char bytes[] = "a\xe2\x80\x8b"
                                "b\xc2\xad"
                                "c\xe2\x81\xa0"
                                "d\xef\xbb\xbf";
    text_put_clean(&text, (struct span){bytes, sizeof bytes - 1}, false);
    cr_expect_eq(text.length, 8);
    cr_expect_arr_eq(text.at, "a b c d ", 8);
    text_release(&text);
    /* A joiner and a filler of Hangul, a blank of Braille, the last selector of a variation. */
    expect_clean(SPAN("a\xcd\x8f"
                      "b\xe3\x85\xa4"
                      "c\xe2\xa0\x80"
                      "d\xf3\xa0\x87\xaf"),
                 "a b c d ");
}

static void expect_cut_path(const char *path, size_t width, const char *expected)
{
    struct text text = {0};
    text_put_cut_path(&text, span_of(path), width);
    cr_assert_str_eq(text_string(&text), expected);
    text_release(&text);
}

Test(text, is_cut_at_its_end)
{
    struct text text = {0};
    struct span clean = {"t\xc3\xa4glich", 8};
    text_put_cut(&text, clean, 7);
    text_put_cut(&text, clean, 4);
    text_put_cut(&text, clean, 1);
    cr_assert_str_eq(text_string(&text), "t\xc3\xa4glicht\xc3\xa4g\xe2\x80\xa6\xe2\x80\xa6");
    text_release(&text);
}

Test(text, of_a_path_is_cut_in_the_middle_and_keeps_the_file_and_the_line)
{
    const char path[] = "lua/sim/units/aiutilities.lua:812";
    expect_cut_path(path, 33, path);
    expect_cut_path(path, 24, "lua/\xe2\x80\xa6\x61iutilities.lua:812");
    expect_cut_path(path, 20, "\xe2\x80\xa6\x61iutilities.lua:812");
    expect_cut_path(path, 16, "lua/s\xe2\x80\xa6\x65s.lua:812");
    expect_cut_path(path, 1, "\xe2\x80\xa6");
    expect_cut_path("\xc3\xa4/\xc3\xa4\xc3\xa4\xc3\xa4", 3, "\xc3\xa4\xe2\x80\xa6\xc3\xa4");
}

Test(text, a_number_rounded_to_zero_loses_its_sign)
{
    const char *const numbers[] = {"+0.00", "-0.0", "0", "+0.01", "-10", ""};
    const char *const expected[] = {"x0.00", "x0.0", "x0", "x+0.01", "x-10", "x"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct text text = {0};
        text_put_string(&text, "x");
        text_put_string(&text, numbers[i]);
        text_drop_sign_of_zero(&text, 1);
        cr_assert_str_eq(text_string(&text), expected[i]);
        text_release(&text);
    }
}

Test(text, has_the_digits_of_any_number)
{
    const int64_t numbers[] = {0, 9, 10, -1, -10, INT64_MAX, INT64_MIN};
    struct text text = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        text_put_number(&text, numbers[i]);
        text_put_string(&text, " ");
    }
    text_put_count(&text, UINT64_MAX);
    cr_assert_str_eq(text_string(&text), "0 9 10 -1 -10 9223372036854775807 -9223372036854775808 "
                                         "18446744073709551615");
    text_release(&text);
}
