#include "report/screen/ticks.h"

#include <criterion/criterion.h>

#define MS ((int64_t)1000000)

static struct tick ticks[] = {{.time_ns = 0}, {.time_ns = 19 * MS}, {.time_ns = 20 * MS}};
static struct tick old_ticks[] = {{.time_ns = 119 * MS}};
static const struct tick_list now = {.ticks = ticks, .count = 3};
static const struct tick_list old = {.ticks = old_ticks, .count = 1};

Test(tick_histogram, bins_are_the_narrowest_of_2_5_and_10_that_hold_all_ticks)
{
    cr_expect_eq(tick_histogram_make(&now, NULL, 12).width_ns, 2 * MS);
    cr_expect_eq(tick_histogram_make(&now, NULL, 6).width_ns, 5 * MS);
    cr_expect_eq(tick_histogram_make(&now, NULL, 3).width_ns, 10 * MS);
    cr_expect_eq(tick_histogram_make(&now, NULL, 2).width_ns, 20 * MS);
}

Test(tick_histogram, a_bin_begins_where_the_one_before_ends_and_the_longest_tick_is_in_the_last)
{
    struct tick_histogram histogram = tick_histogram_make(&now, NULL, 2);
    cr_expect_eq(histogram.bin_count, 2);
    cr_expect_eq(histogram.counts[0], 2);
    cr_expect_eq(histogram.counts[1], 1);
    cr_expect_eq(histogram.largest, 2);
}

Test(tick_histogram, bins_hold_the_old_ticks_too)
{
    struct tick_histogram histogram = tick_histogram_make(&now, &old, 6);
    cr_expect_eq(histogram.width_ns, 20 * MS);
    cr_expect_eq(histogram.bin_count, 6);
    cr_expect_eq(histogram.old_counts[5], 1);
    cr_expect_eq(histogram.counts[5], 0);
}

Test(tick_histogram, without_ticks_there_is_one_empty_bin)
{
    const struct tick_list none = {0};
    struct tick_histogram histogram = tick_histogram_make(&none, NULL, 12);
    cr_expect_eq(histogram.bin_count, 1);
    cr_expect_eq(histogram.counts[0], 0);
}
