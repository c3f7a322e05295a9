#include "select/statistics.h"

#include <criterion/criterion.h>

Test(trend, rises_where_each_number_is_larger)
{
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct trend trend = trend_find(numbers, 12);
    /* 66 pairs; the variance is 12 * 11 * 29 / 18. */
    cr_expect_float_eq(trend.z, 65 / 14.5831, 1e-3);
    cr_expect_float_eq(trend.first, 1, 1e-9);
    cr_expect_float_eq(trend.last, 12, 1e-9);
}

Test(trend, is_little_changed_by_one_number)
{
    const double numbers[] = {1, 2, 3, 4, 5, 900, 7, 8, 9, 10, 11, 12};
    struct trend trend = trend_find(numbers, 12);
    cr_expect(trend.z > 3 && trend.last < 13);
}

Test(trend, is_none_where_nothing_rises)
{
    const double equal[] = {5, 5, 5, 5, 5}, falling[] = {5, 4, 3, 2, 1}, two[] = {1, 2};
    cr_expect_float_eq(trend_find(equal, 5).z, 0, 1e-9);
    cr_expect_float_eq(trend_find(falling, 5).z, 0, 1e-9);
    cr_expect_float_eq(trend_find(two, 2).last, 0, 1e-9);
}
