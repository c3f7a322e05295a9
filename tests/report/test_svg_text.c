#include "report/svg_text.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_text(struct text *text, const char *expected)
{
    text_put(text, "", 1);
    cr_expect_str_eq(text->at, expected);
    text_release(text);
}

static void expect_escaped(const char *clean, const char *expected)
{
    struct text text = {0};
    svg_put_escaped(&text, (struct span){clean, strlen(clean)});
    expect_text(&text, expected);
}

static void expect_fitted(const char *clean, size_t columns, const char *expected)
{
    struct text text = {0};
    svg_put_fitted(&text, (struct span){clean, strlen(clean)}, columns);
    expect_text(&text, expected);
}

Test(svg_text, escapes_what_is_markup)
{
    expect_escaped("", "");
    expect_escaped("OnDamage lua/sim/unit.lua:120", "OnDamage lua/sim/unit.lua:120");
    expect_escaped("</script><b>", "&lt;/script&gt;&lt;b&gt;");
    expect_escaped("\"'&amp;", "&quot;&#39;&amp;amp;");
    expect_escaped("]]>", "]]&gt;");
}

Test(svg_text, replaces_what_xml_forbids)
{
    expect_escaped("a\xef\xbf\xbe\xef\xbf\xbf<", "a\xef\xbf\xbd\xef\xbf\xbd&lt;");
    expect_escaped("\xef\xbf\xbd\xef\xbf\xbc", "\xef\xbf\xbd\xef\xbf\xbc");
    expect_escaped("\xf0\x9f\xbf\xbe", "\xf0\x9f\xbf\xbe");
}

Test(svg_text, cuts_what_does_not_fit)
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

Test(svg_text, takes_two_columns_for_what_is_not_ascii)
{
    expect_fitted("\xc3\xa4\xc3\xa4", 4, "\xc3\xa4\xc3\xa4");
    expect_fitted("\xc3\xa4\xc3\xa4", 3, "\xc3\xa4\xe2\x80\xa6");
    expect_fitted("a\xf0\x9f\x98\x80z", 3, "a\xe2\x80\xa6");
    expect_fitted("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 5,
                  "\xe6\xbc\xa2\xe6\xbc\xa2\xe2\x80\xa6");
}
