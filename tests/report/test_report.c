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
    cr_expect_eq(csv.uses, table_kinds[TABLE_TICKS]->uses | USES_LENGTH | COMPARES_THREADS);
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

/* Of a log of records, the part that is missing; a hundred were read. */
static struct lacking lacking_records(uint64_t read, uint64_t damaged)
{
    struct profile profile = {.counts = {.records = read, .damaged = damaged}};
    return lacking_events(&profile);
}

Test(report, lacks_records_if_three_and_a_tenth_are_damaged)
{
    cr_expect_float_eq(lacking_records(9, 3).fraction, 0.25, 1e-9);
    cr_expect_eq(lacking_records(9, 2).fraction, 0, "two are few");
    cr_expect_eq(lacking_records(100, 10).fraction, 0, "a tenth is not more than that");
    cr_expect_float_eq(lacking_records(100, 11).fraction, 11.0 / 111, 1e-9);
    cr_expect_not(lacking_records(100, 11).is_too_much, "not a tenth of all");
    cr_expect(lacking_records(100, 11).is_some);
    cr_expect(lacking_records(98, 11).is_too_much);
}

/* Of a recording of a thousand events, with lines of `widths`. */
static struct lacking lacking_of_thousand(uint64_t events, struct line_widths widths,
                                          uint64_t orphans)
{
    struct recording recording = {.has_begin = true,
                                  .has_end = true,
                                  .events = events,
                                  .events_written = 1000,
                                  .widths = widths};
    struct rebuilt_recording rebuilt = {.is_there = true};
    struct named_game_log log = {.log.orphan_lines = orphans};
    struct profile profile = {.recordings = {.all = &recording, .count = 1},
                              .rebuilt = &rebuilt,
                              .game_logs = {.all = &log, .count = 1}};
    return lacking_events(&profile);
}

Test(report, lacks_events_if_more_than_a_hundredth_is_missing)
{
    struct line_widths whole = {.lines = 100, .widest_count = 1};
    cr_expect_not(lacking_of_thousand(990, whole, 0).is_some);
    cr_expect(lacking_of_thousand(989, whole, 0).is_some);
    cr_expect_not(lacking_of_thousand(1001, whole, 0).is_some, "a line that came twice");
    cr_expect_not(lacking_of_thousand(900, whole, 0).is_too_much);
    cr_expect(lacking_of_thousand(899, whole, 0).is_too_much);
    cr_expect_float_eq(lacking_of_thousand(750, whole, 0).fraction, 0.25, 1e-9);
}

Test(report, has_wrapped_lines_if_a_tenth_is_as_long_as_the_longest_and_as_many_are_left)
{
    cr_expect(lacking_of_thousand(1000, (struct line_widths){29, 80, 3}, 3).is_wrapped);
    cr_expect_not(lacking_of_thousand(1000, (struct line_widths){29, 80, 3}, 2).is_wrapped);
    cr_expect_not(lacking_of_thousand(1000, (struct line_widths){30, 80, 3}, 3).is_wrapped);
    cr_expect_not(lacking_of_thousand(1000, (struct line_widths){19, 80, 2}, 3).is_wrapped);
}
