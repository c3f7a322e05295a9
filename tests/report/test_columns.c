#include "report/figures/columns.h"

#include "base/text.h"

#include <criterion/criterion.h>

static void expect_refused(const char *words, const char *start)
{
    struct columns columns;
    struct error err = {0};
    cr_expect_not(columns_parse(&columns, words, &err), "%s", words);
    cr_expect_eq(strncmp(err.text, start, strlen(start)), 0, "%s", err.text);
}

Test(columns, are_read_in_their_order)
{
    struct columns columns;
    struct error err = {0};
    cr_assert(columns_parse(&columns, "calls,self%,avg", &err), "%s", err.text);
    cr_assert_eq(columns.count, 3);
    cr_expect_eq(columns.list[0].kind, COLUMN_CALLS);
    cr_expect_eq(columns.list[1].kind, COLUMN_SELF_PERCENT);
    cr_expect_eq(columns.list[2].kind, COLUMN_AVERAGE);
}

Test(columns, all_have_words_that_are_read)
{
    struct columns columns;
    struct error err = {0};
    struct text words = {0};
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++) {
        text_put_string(&words, kind > 0 ? "," : "");
        text_put_string(&words, column_infos[kind].word);
    }
    cr_assert(columns_parse(&columns, words.at, &err), "%s", err.text);
    cr_assert_eq(columns.count, COLUMN_KIND_COUNT);
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++)
        cr_expect_eq(columns.list[kind].kind, (enum column_kind)kind);
    text_release(&words);
}

Test(columns, unknown_or_doubled_are_refused)
{
    expect_refused("", "invalid column '' for --columns");
    expect_refused("self,", "invalid column '' for --columns");
    expect_refused("Self", "invalid column 'Self' for --columns");
    expect_refused("sel", "invalid column 'sel' for --columns");
    expect_refused("selfself", "invalid column 'selfself' for --columns");
    expect_refused("calls,self,calls", "--columns names 'calls' twice");
}

Test(columns, compare_what_both_rows_know)
{
    struct row row = {.calls = 4, .self_ns = 90, .total_ns = 120};
    const struct call_details details = call_details_none();
    struct row old = {.calls = 5, .self_ns = 60, .total_ns = 0, .details = &details};
    struct column difference = {COLUMN_SELF, ASPECT_DIFFERENCE};
    cr_expect_eq(column_value(difference, &row, &old).number, 30);
    cr_expect_eq(column_value((struct column){COLUMN_SELF, ASPECT_OLD}, &row, &old).number, 60);
    cr_expect_not(
        column_value((struct column){COLUMN_ALLOC, ASPECT_DIFFERENCE}, &row, &old).is_known);
    double percent;
    cr_expect(column_percent(COLUMN_SELF, &row, &old, &percent));
    cr_expect_eq(percent, 50);
    cr_expect(column_percent(COLUMN_CALLS, &row, &old, &percent));
    cr_expect_eq(percent, -20);
    cr_expect_not(column_percent(COLUMN_TOTAL, &row, &old, &percent), "nothing to compare with");
}

Test(columns, averages_are_rounded_and_none_without_calls)
{
    struct row row = {.calls = 3, .self_ns = 8};
    struct row none = {.self_ns = 8};
    struct column average = {COLUMN_AVERAGE, ASPECT_NEW};
    cr_expect_eq(column_value(average, &row, NULL).number, 3);
    cr_expect_eq(column_value(average, &none, NULL).number, 0);
}

Test(columns, sort_rows_by_what_they_show)
{
    const struct call_details details = {.finished = 2, .finished_ns = 70, .max_ns = 40};
    struct row row = {.calls = 4, .self_ns = 90, .total_ns = 120, .details = &details};
    for (int kind = 0; kind < COLUMN_KIND_COUNT; kind++) {
        struct column column = {(enum column_kind)kind, ASPECT_NEW};
        struct column_value value = column_value(column, &row, NULL);
        if (column_infos[kind].is_sort_key)
            cr_expect_float_eq(column_sort_key((enum column_kind)kind, &row), value.number, 0.5);
    }
    struct row longer = {.calls = 400, .self_ns = 9001};
    struct row shorter = {.calls = 400, .self_ns = 9000};
    cr_expect_gt(column_sort_key(COLUMN_AVERAGE, &longer),
                 column_sort_key(COLUMN_AVERAGE, &shorter), "not rounded");
    cr_expect_eq(column_sort_key(COLUMN_MAX, &longer), 0, "not known");
}

Test(columns, have_no_percentage_of_what_the_clock_cannot_tell)
{
    /* Measured as 0, by a clock of 244 us: 219 us are no less. */
    const struct call_details old_details = {.variance_ns2 = 219e3 * 244e3};
    const struct call_details details = {.variance_ns2 = 244e3 * 244e3};
    struct row old = {.calls = 3, .self_ns = 219000, .details = &old_details};
    struct row row = {.calls = 3, .self_ns = 0, .details = &details};
    double percent;
    cr_expect(row_is_alike(&row, &old));
    cr_expect_not(column_percent(COLUMN_SELF, &row, &old, &percent));
    cr_expect_not(column_percent(COLUMN_AVERAGE, &row, &old, &percent));
    cr_expect(column_percent(COLUMN_CALLS, &row, &old, &percent), "calls are counted");
    old.self_ns = 21900000;
    cr_expect(column_percent(COLUMN_SELF, &row, &old, &percent));
    cr_expect_eq(percent, -100);
}
