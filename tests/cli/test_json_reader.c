#include "cli/mcp/json_reader.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_value(const char *text, bool is_value)
{
    cr_expect_eq(json_is_value(span_of(text)), is_value, "%.60s", text);
}

Test(json_reader, takes_each_kind_of_value)
{
    const char *const good[] = {
        "0",     "-0.5e+7",        "[]",      "{}",
        " [ ] ", "true",           "false",   "null",
        "\"\"",  "\"\\u00e4\\n\"", "[1,[2]]", "{\"a\":{\"b\":[1 , {} ]}\t,\"\":\"\xc3\xbf\"}\r\n"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        expect_value(good[i], true);
}

Test(json_reader, refuses_what_is_no_value)
{
    const char *const bad[] = {"",           " ",   "{",     "[1,]",    "[1 2]",       "{\"a\"}",
                               "{1:2}",      "tru", "truex", "01",      "1.",          "+1",
                               "-",          "1e",  "\"a",   "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"",
                               "1 2",        "{}}", "{]",    "'a'",     "[\xff]",      "\"\x01\"",
                               "{\"a\":1,}", "nul", "NaN",   ",",       "]",           "\"\xff\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_value(bad[i], false);
}

Test(json_reader, refuses_what_is_nested_like_an_attack)
{
    enum { DEPTH = 400000 };
    struct text text = {0};
    for (size_t i = 0; i < DEPTH; i++)
        text_put_string(&text, "[");
    expect_value(text.at, false);
    for (size_t i = 0; i < DEPTH; i++)
        text_put_string(&text, "]");
    expect_value(text.at, false);
    text_cut(&text, 0);
    for (size_t i = 0; i < 100; i++)
        text_put_string(&text, i < 50 ? "[" : "]");
    expect_value(text.at, true);
    text_release(&text);
}

static void expect_member(const char *object, const char *key, const char *wanted)
{
    struct span value = {NULL, 0};
    bool is_found = json_find(span_of(object), key, &value);
    cr_expect_eq(is_found, wanted != NULL, "%s in %s", key, object);
    if (is_found && wanted != NULL)
        cr_expect(span_is(value, wanted), "%.*s, not %s", (int)value.length, value.at, wanted);
}

Test(json_reader, finds_members)
{
    const char *object = " {\"a\" : [1, {\"b\": 2}] , \"b\":\"x\\\"}\", \"\\u0063\": -1.5e3,\n"
                         "\"d\": {\"a\": {}} , \"a\": 9, \"e\":true}";
    cr_assert(json_is_value(span_of(object)));
    expect_member(object, "a", "[1, {\"b\": 2}]");
    expect_member(object, "b", "\"x\\\"}\"");
    expect_member(object, "c", "-1.5e3");
    expect_member(object, "d", "{\"a\": {}}");
    expect_member(object, "e", "true");
    expect_member(object, "f", NULL);
    expect_member("{}", "a", NULL);
    expect_member("{ }", "a", NULL);
    expect_member("[\"a\", 1]", "a", NULL);
    expect_member("\"a\"", "a", NULL);
    expect_member("7", "a", NULL);
    expect_member("", "a", NULL);
}

static void expect_string(const char *value, const char *wanted, size_t length)
{
    struct text text = {0};
    text_put_string(&text, "before");
    cr_expect(json_is_value(span_of(value)));
    cr_expect_eq(json_read_string(span_of(value), &text), wanted != NULL, "%s", value);
    cr_expect_eq(text.length, length, "%s", value);
    if (wanted != NULL)
        cr_expect_arr_eq(text_string(&text), wanted, length, "%s", value);
    text_release(&text);
}

Test(json_reader, reads_strings)
{
    expect_string("\"\"", "", 0);
    expect_string("\"a\\\\b\\\"c\\/\\b\\f\\n\\r\\td\"", "a\\b\"c/\b\f\n\r\td", 12);
    expect_string("\"\\u0041\\u00E4\\u20ac\"", "A\xc3\xa4\xe2\x82\xac", 6);
    expect_string("\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!", 5);
    expect_string("\"\\ud83dx\\ude00\\ud83d\"", "\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd", 10);
    expect_string("\"a\\u0000b\"", "a\0b", 3);
    expect_string("\"\xc3\xbf\"", "\xc3\xbf", 2);
    expect_string("[\"a\"]", NULL, 0);
    expect_string("1", NULL, 0);
}
