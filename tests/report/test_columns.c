#include "report/figures/columns.h"

#include <criterion/criterion.h>

Test(columns, sort_rows_by_what_is_not_rounded_and_known)
{
    struct row longer = {.sum = {.calls = 400, .self_ns = 9001}};
    struct row shorter = {.sum = {.calls = 400, .self_ns = 9000}};
    cr_expect_gt(column_sort_key(COLUMN_AVERAGE, &longer),
                 column_sort_key(COLUMN_AVERAGE, &shorter));
    cr_expect_eq(column_sort_key(COLUMN_MAX, &longer), 0);
}

Test(columns, have_no_percentage_of_what_the_clock_cannot_tell)
{
    /* Measured as 0, by a clock of 244 us: 219 us are no less. */
    const struct call_details old_details = {.variance_ns2 = 219e3 * 244e3};
    const struct call_details details = {.variance_ns2 = 244e3 * 244e3};
    struct row old = {
        .sum = {.calls = 3, .self_ns = 219000, .has_details = true, .details = old_details}};
    struct row row = {.sum = {.calls = 3, .self_ns = 0, .has_details = true, .details = details}};
    double percent;
    cr_expect(row_is_alike(&row, &old));
    cr_expect_not(column_percent(COLUMN_SELF, &row, &old, &percent));
    cr_expect_not(column_percent(COLUMN_AVERAGE, &row, &old, &percent));
    cr_expect(column_percent(COLUMN_CALLS, &row, &old, &percent), "calls are counted");
    old.sum.self_ns = 21900000;
    cr_expect(column_percent(COLUMN_SELF, &row, &old, &percent));
    cr_expect_eq(percent, -100);
}

Test(columns, rows_are_alike_within_twice_their_noise)
{
    const struct call_details details = {.variance_ns2 = 9};
    const struct call_details old_details = {.variance_ns2 = 16};
    struct row row = {
        .sum = {.calls = 1, .self_ns = 1000, .has_details = true, .details = details}};
    struct row old = {
        .sum = {.calls = 1, .self_ns = 1009, .has_details = true, .details = old_details}};
    cr_expect(row_is_alike(&row, &old), "9 ns apart, and 5 is the standard error");
    old.sum.self_ns = 1011;
    cr_expect_not(row_is_alike(&row, &old));
    old.sum.self_ns = 1009;
    old.sum.has_details = false;
    cr_expect_not(row_is_alike(&row, &old), "unknown");
}

Test(columns, rows_are_alike_as_far_as_their_time_was_subtracted)
{
    const struct call_details details = {.variance_ns2 = 9, .measured_ns = 800};
    struct row row = {.sum = {.calls = 1, .has_details = true, .details = details}};
    struct row old = {
        .sum = {.calls = 1, .self_ns = 806, .has_details = true, .details = {.variance_ns2 = 9}}};
    cr_expect(row_is_alike(&row, &old), "all of 800 ns was subtracted, twice the error is 8");
    cr_expect(row_is_alike(&old, &row));
    old.sum.self_ns = 809;
    cr_expect_not(row_is_alike(&row, &old));
    old.sum.self_ns = 806;
    row.sum.self_ns = 1;
    cr_expect_not(row_is_alike(&row, &old), "something is left of it");
}

Test(columns, may_be_unknown_where_a_row_without_values_has_none)
{
    for (int kind = 0; column_infos[kind].needs != NEEDS_THREADS; kind++) {
        const struct column_info *info = &column_infos[kind];
        /* The whole, which only tables know, may leave no share, and have no ticks. */
        bool is_share =
            (info->type == TYPE_PERCENT && info->needs == NEEDS_NOTHING) || info->type == TYPE_RATE;
        bool is_known = column_of((enum column_kind)kind, &row_none).is_known && !is_share;
        cr_expect_eq(info->may_be_unknown, !is_known, "%s", info->name);
    }
}
