#include "select/limit.h"

#include <criterion/criterion.h>
#include <string.h>

static struct limit parse(const char *text)
{
    struct limit limit;
    struct error err = {0};
    cr_assert(limit_parse(&limit, text, &err), "%s: %s", text, err.text);
    return limit;
}

static void expect_refused(const char *text, const char *part)
{
    struct limit limit;
    struct error err = {0};
    cr_expect_not(limit_parse(&limit, text, &err), "%s", text);
    cr_expect_not_null(strstr(err.text, part), "%s: %s", text, err.text);
    cr_expect_null(limit.pattern);
}

static void expect_pattern(struct limit *limit, const char *pattern)
{
    cr_assert_not_null(limit->pattern);
    struct span text = pattern_text(limit->pattern);
    cr_expect_eq(text.length, strlen(pattern));
    cr_expect_eq(memcmp(text.at, pattern, text.length), 0);
    limit_release(limit);
}

Test(limit, of_a_change_has_a_sign)
{
    struct limit limit = parse("total>+5%");
    cr_expect_eq(limit.quantity, LIMIT_TOTAL);
    cr_expect(limit.is_change && limit.is_percent && !limit.is_below);
    cr_expect_eq(limit.bound, 5);
    limit = parse("self>-1.5ms");
    cr_expect(limit.is_change && !limit.is_percent);
    cr_expect_eq(limit.bound, -1.5e6);
    limit = parse("calls<10%");
    cr_expect(limit.is_change && limit.is_percent && limit.is_below);
}

Test(limit, of_a_value_has_no_sign)
{
    struct limit limit = parse("total>2s");
    cr_expect_not(limit.is_change);
    cr_expect_eq(limit.bound, 2e9);
    limit = parse("errors>0");
    cr_expect_eq(limit.quantity, LIMIT_ERRORS);
    cr_expect_eq(limit.bound, 0);
    limit = parse("alloc>3MB");
    cr_expect_eq(limit.bound, 3072);
    cr_expect_str_eq(limit.unit_name, "MB");
}

Test(limit, has_a_pattern_up_to_the_last_parenthesis)
{
    struct limit limit = parse("self(OnDamage)>2ms/tick");
    cr_expect_eq(limit.quantity, LIMIT_SELF);
    cr_expect_eq(limit.per, PER_TICK);
    cr_expect_eq(limit.bound, 2e6);
    cr_expect_str_eq(limit.unit_name, "ms/tick");
    expect_pattern(&limit, "OnDamage");
    limit = parse("calls((a|b)>(c) lua/x\\.lua:1)>+10%");
    expect_pattern(&limit, "(a|b)>(c) lua/x\\.lua:1");
    limit = parse("self(next)>3us/call");
    cr_expect_eq(limit.per, PER_CALL);
    expect_pattern(&limit, "next");
}

Test(limit, may_have_blanks_between_its_parts)
{
    struct limit limit = parse(" self (next)  > + 2 ms/tick ");
    cr_expect(limit.is_change);
    cr_expect_eq(limit.bound, 2e6);
    cr_expect_str_eq(limit.unit_name, "ms/tick");
    expect_pattern(&limit, "next");
}

Test(limit, of_ticks_has_milliseconds)
{
    struct limit limit = parse("ticks-over(100)>0");
    cr_expect_eq(limit.quantity, LIMIT_TICKS_OVER);
    cr_expect_eq(limit.tick_ns, 100000000);
    cr_expect_null(limit.pattern);
    cr_expect_eq(parse("ticks-over(62.5)>3").tick_ns, 62500000);
    expect_refused("ticks-over>0", "needs milliseconds");
    expect_refused("ticks-over()>0", "needs milliseconds");
    expect_refused("ticks-over(many)>0", "needs milliseconds");
    expect_refused("ticks-over(1000000000000000000000000000000000000)>0", "needs milliseconds");
    expect_refused("ticks-over(100)>1/tick", "leave out /tick");
}

Test(limit, that_is_none_is_refused_with_its_reason)
{
    expect_refused("", "does not begin with a quantity");
    expect_refused("time>5s", "does not begin with a quantity");
    expect_refused("totals>5s", "does not begin with a quantity");
    expect_refused("total", "no '>' or '<'");
    expect_refused("total=5s", "no '>' or '<'");
    expect_refused("total>", "no number");
    expect_refused("total>+", "no number");
    expect_refused("total>.", "no number");
    expect_refused("total>1.2.3s", "no number");
    expect_refused("total>1e5s", "needs a unit");
    expect_refused("total>5", "needs a unit");
    expect_refused("total>5KB", "needs a unit");
    expect_refused("calls>5ms", "has no unit");
    expect_refused("calls>5/call", "leave out /call");
    expect_refused("alloc>5", "KB or MB");
    expect_refused("total>5ms/hour", "unknown unit");
    expect_refused("total>5 furlongs a day", "unknown unit");
    expect_refused("self(a>5ms", "not closed");
    expect_refused("self((a)>5ms", "parenthesis");
    expect_refused("self()>5ms", "");
    expect_refused("total>5%/tick", "follow a percentage");
    expect_refused("total>11111111111111111111111111111111111111111ms", "no number");
}
