#include "report/figures/formats.h"
#include "report/sentences/amounts.h"
#include "report/tables/tables.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>

static void expect_time(int64_t ns, enum report_unit unit, int decimals, const char *expected)
{
    struct text text = {0};
    amount_put_time(&text, ns, unit, decimals);
    cr_expect_str_eq(text_string(&text), expected);
    text_release(&text);
}

Test(report, shows_one_of_the_wanted_tables_or_all_that_it_can)
{
    unsigned wanted = 1 << TABLE_TICKS | 1 << TABLE_PEEK | 1 << TABLE_TREE;
    struct shown_tables csv = tables_shown(&report_csv, wanted);
    struct shown_tables markdown = tables_shown(&report_markdown, wanted | 1 << TABLE_FUNCTIONS);
    cr_expect_eq(csv.first, TABLE_TICKS);
    cr_expect_eq(csv.kinds, 1 << TABLE_TICKS);
    cr_expect_eq(csv.uses, table_kinds[TABLE_TICKS]->uses | USES_LENGTH);
    cr_expect_eq(tables_shown(&report_csv, 0).first, TABLE_FUNCTIONS);
    cr_expect_eq(tables_shown(&report_tree, wanted & ~(1u << TABLE_TREE)).first, TABLE_TREE);
    cr_expect_eq(markdown.kinds, 1 << TABLE_FUNCTIONS | 1 << TABLE_TICKS | 1 << TABLE_PEEK);
    cr_expect_eq(markdown.uses & SHOWS_SUMS, 0, "it has ticks, too");
    cr_expect_eq(tables_shown(&report_pprof, wanted).kinds, 0);
}

Test(report, writes_times_exactly)
{
    expect_time(1234567890, UNIT_US, 3, "1234567.890");
    expect_time(-1, UNIT_US, 3, "-0.001");
    expect_time(0, UNIT_US, 3, "0.000");
    expect_time(42, UNIT_NS, 0, "42");
    expect_time(INT64_MIN, UNIT_US, 3, "-9223372036854775.808");
}

Test(report, rounds_half_away_from_zero)
{
    expect_time(149999, UNIT_MS, 1, "0.1");
    expect_time(150000, UNIT_MS, 1, "0.2");
    expect_time(-150000, UNIT_MS, 1, "-0.2");
    expect_time(-49999, UNIT_MS, 1, "0.0");
    expect_time(999950000, UNIT_S, 4, "1.0000");
}

Test(report, has_no_more_decimals_than_nanoseconds)
{
    expect_time(1500, UNIT_US, 9, "1.500");
    expect_time(7, UNIT_NS, 3, "7");
}

static void expect_negative(const char *text, uint64_t count, int64_t ns)
{
    struct tree_text sample;
    tree_text_init(&sample, text);
    struct report_totals totals = totals_sum_up(&sample.tree, &sample.symbols);
    cr_expect_eq(totals.negative_count, count);
    cr_expect_eq(totals.negative_ns, ns);
    tree_text_release(&sample);
}

Test(report, finds_no_fault_where_rounding_explains_a_negative_time)
{
    /* 10 s in 1,000 calls, as a sum of floats, may be off by 0.6 ms; so may what was called. */
    expect_negative("A -1000000 1000\nA;B 10000000000 1000\n", 0, 0);
    expect_negative("A -2000000 1000\nA;B 10000000000 1000\n", 1, -2000000);
    expect_negative("A -1\nA;B 5\n", 0, 0);
    expect_negative("A -53000000\nA;B 60000000\n", 1, -53000000);
}
