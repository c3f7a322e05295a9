#include "report/pages/page_text.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_text(struct text *text, const char *expected)
{
    cr_expect_str_eq(text_string(text), expected);
    text_release(text);
}

static void expect_escaped(const char *clean, const char *expected)
{
    struct text text = {0};
    page_put_escaped(&text, span_of(clean));
    expect_text(&text, expected);
}

static void expect_fitted(const char *clean, size_t columns, const char *expected)
{
    struct text text = {0};
    page_put_fitted(&text, span_of(clean), columns);
    expect_text(&text, expected);
}

Test(page_text, escapes_what_is_markup)
{
    expect_escaped("", "");
    expect_escaped("OnDamage lua/sim/unit.lua:120", "OnDamage lua/sim/unit.lua:120");
    expect_escaped("</script><b>", "&lt;/script&gt;&lt;b&gt;");
    expect_escaped("\"'&amp;", "&quot;&#39;&amp;amp;");
    expect_escaped("]]>", "]]&gt;");
}

Test(page_text, replaces_what_xml_forbids)
{
    expect_escaped("a\xef\xbf\xbe\xef\xbf\xbf<", "a\xef\xbf\xbd\xef\xbf\xbd&lt;");
    expect_escaped("\xef\xbf\xbd\xef\xbf\xbc", "\xef\xbf\xbd\xef\xbf\xbc");
    expect_escaped("\xf0\x9f\xbf\xbe", "\xf0\x9f\xbf\xbe");
}

Test(page_text, cuts_what_does_not_fit)
{
    expect_fitted("OnDamage", 8, "OnDamage");
    expect_fitted("OnDamage", 7, "OnDama\xe2\x80\xa6");
    expect_fitted("OnDamage", 3, "On\xe2\x80\xa6");
    expect_fitted("OnDamage", 2, "");
    expect_fitted("On", 2, "");
    expect_fitted("On", 3, "On");
    expect_fitted("", 10, "");
    expect_fitted("<<<<<", 4, "&lt;&lt;&lt;\xe2\x80\xa6");
}

Test(page_text, takes_two_columns_for_what_is_not_ascii)
{
    expect_fitted("\xc3\xa4\xc3\xa4", 4, "\xc3\xa4\xc3\xa4");
    expect_fitted("\xc3\xa4\xc3\xa4", 3, "\xc3\xa4\xe2\x80\xa6");
    expect_fitted("a\xf0\x9f\x98\x80z", 3, "a\xe2\x80\xa6");
    expect_fitted("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 5,
                  "\xe6\xbc\xa2\xe6\xbc\xa2\xe2\x80\xa6");
}

static void expect_label(const char *label, size_t name_length, size_t columns,
                         const char *expected)
{
    struct text text = {0};
    page_put_fitted_label(&text, span_of(label), name_length, columns);
    expect_text(&text, expected);
}

#define DOTS "\xe2\x80\xa6"

Test(page_text, keeps_the_name_of_a_label_and_the_end_of_its_place)
{
    static const char label[] = "OnDamage lua/sim/unit.lua:120";
    expect_label(label, 8, 29, label);
    expect_label(label, 8, 28, "OnDamage " DOTS "a/sim/unit.lua:120");
    expect_label(label, 8, 14, "OnDamage " DOTS ":120");
    expect_label(label, 8, 13, "OnDamage");
    expect_label(label, 8, 8, "OnDamage");
    expect_label(label, 8, 7, "OnDama" DOTS);
    expect_label(label, 8, 2, "");
}

Test(page_text, shows_the_place_of_a_function_without_a_name)
{
    static const char label[] = "? lua/sim/unit.lua:120";
    expect_label(label, 1, 22, label);
    expect_label(label, 1, 21, DOTS "lua/sim/unit.lua:120");
    expect_label(label, 1, 12, DOTS "nit.lua:120");
    expect_label(label, 1, 5, DOTS ":120");
    expect_label(label, 1, 4, "");
    expect_label("? [string \"f()\"]", 1, 10, "[string &quot;" DOTS);
}

Test(page_text, shows_the_name_alone_where_the_place_has_no_line)
{
    expect_label("next [C]", 4, 8, "next [C]");
    expect_label("next [C]", 4, 7, "next");
    expect_label("next [C]", 4, 3, "ne" DOTS);
    expect_label("(tail call)", 11, 8, "(tail c" DOTS);
    expect_label("f :120", 1, 5, "f");
}
