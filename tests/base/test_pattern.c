#include "base/pattern.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct span span(const char *text)
{
    return span_of(text);
}

static bool found(const char *pattern, const char *text)
{
    struct error err = {0};
    struct pattern *compiled = pattern_new(span(pattern), &err);
    cr_assert_not_null(compiled, "%s", err.text);
    bool is_match = false;
    cr_expect(pattern_find(compiled, span(text), &is_match, &err), "%s", err.text);
    pattern_free(compiled);
    return is_match;
}

Test(pattern, is_found_anywhere_and_minds_the_case)
{
    cr_expect(found("unit\\.lua", "OnDamage lua/sim/unit.lua:120"));
    cr_expect(found("^OnDam", "OnDamage lua/sim/unit.lua:120"));
    cr_expect_not(found("^unit", "OnDamage lua/sim/unit.lua:120"));
    cr_expect_not(found("ondamage", "OnDamage lua/sim/unit.lua:120"));
    cr_expect(found("(?i)ondamage", "OnDamage lua/sim/unit.lua:120"));
}

Test(pattern, reads_texts_as_utf8)
{
    cr_expect(found("^.$", "\xc3\xa4"));
    cr_expect(found("(?i)\xc3\x84", "\xc3\xa4"));
    cr_expect(found("^\\w+$", "K\xc3\xa4se"));
}

Test(pattern, matches_the_empty_text)
{
    cr_expect(found("^$", ""));
    cr_expect(found("a*", ""));
}

static void expect_refused(struct span pattern, const char *message)
{
    struct error err = {0};
    cr_expect_null(pattern_new(pattern, &err));
    cr_expect_str_eq(err.text, message);
}

Test(pattern, says_where_it_is_wrong)
{
    expect_refused(span(""),
                   "the pattern is empty, and would match everything; write '.' if you want that");
    expect_refused(span("(unit"), "missing closing parenthesis at character 5, '(unit <-- here'");
    expect_refused(span("a**b"),
                   "nothing is before a '*', '+' or '?' that it could repeat ('.*' is any text) at "
                   "character 3, 'a* <-- here'");
    expect_refused(span("\xc3\xa4[z-a]"), "range out of order in character class at character 5, "
                                          "'\xc3\xa4[z- <-- here'");
    expect_refused((struct span){"ab\xff", 3}, "UTF-8 error: illegal byte (0xfe or 0xff) at "
                                               "character 3, 'ab <-- here'");
    expect_refused(span("a\\C"),
                   "using \\C is disabled by the application at character 3, 'a\\C <-- here'");
}

Test(pattern, quotes_only_the_end_of_a_long_one)
{
    char text[400];
    memset(text, 'x', sizeof text);
    text[299] = ')';
    struct error err = {0};
    cr_expect_null(pattern_new((struct span){text, 300}, &err));
    cr_expect_not_null(strstr(err.text, "unmatched closing parenthesis at character 300, '...xxx"));
    cr_expect_lt(strlen(err.text), 220);
}

Test(pattern, gives_up_rather_than_answer_wrongly)
{
    struct error err = {0};
    struct pattern *pattern = pattern_new(span("(a+)+(a+)+(a+)+(a+)+$"), &err);
    cr_assert_not_null(pattern);
    char text[200];
    memset(text, 'a', sizeof text);
    text[199] = 'b';
    bool is_match;
    cr_expect_not(pattern_find(pattern, (struct span){text, sizeof text}, &is_match, &err));
    cr_expect_not_null(strstr(err.text, "make the pattern simpler"), "%s", err.text);
    cr_expect(pattern_find(pattern, span("aaaa"), &is_match, &err), "and can be used again");
    cr_expect(is_match);
    pattern_free(pattern);
}

/* Each of them takes some 100,000 steps: of one that is nothing, of 20,000 it is a minute. */
Test(pattern, has_a_limit_for_all_of_its_searches_together)
{
    struct error err = {0};
    struct pattern *pattern = pattern_new((struct span){"(a+)+$", 6}, &err);
    cr_assert_not_null(pattern);
    bool is_match, is_found = true;
    int count = 0;
    for (; count < 20000 && is_found; count++)
        is_found = pattern_find(pattern, (struct span){"aaaaaaaaaaaaaaaab", 17}, &is_match, &err);
    cr_expect_gt(count, 10, "a few are well within it");
    cr_expect_not(is_found);
    cr_expect_not_null(strstr(err.text, "match limit exceeded"), "%s", err.text);
    is_found = pattern_find(pattern, (struct span){"a", 1}, &is_match, &err);
    cr_expect(is_found && is_match, "what is easy is still found");
    pattern_free(pattern);
}
