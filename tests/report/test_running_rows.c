#include "report/screen/follow_screen.h"

#include <criterion/criterion.h>

static struct running_rows rows;

static void tear_down(void)
{
    running_rows_release(&rows);
}

TestSuite(running_rows, .fini = tear_down);

static const uint32_t ranks[] = {2, 1, 0};

Test(running_rows, the_most_self_time_comes_first_and_then_calls_and_labels)
{
    struct function_sum at[] = {
        {.calls = 1, .self_ns = 5}, {.calls = 1, .self_ns = 5}, {.calls = 2, .self_ns = 5}};
    const struct function_sums now = {.at = at, .count = 3};
    running_rows_init(&rows, &now, NULL, ranks);
    cr_assert_eq(rows.count, 3);
    cr_expect_eq(rows.all[0].function, 2);
    cr_expect_eq(rows.all[1].function, 1);
    cr_expect_eq(rows.all[2].function, 0);
    cr_expect_eq(rows.whole.self_ns, 15);
    cr_expect_eq(rows.whole.calls, 4);
}

Test(running_rows, only_what_came_after_other_sums_counts_and_nothing_is_negative)
{
    struct function_sum at[] = {{.calls = 7, .self_ns = 50, .total_ns = 90},
                                {.calls = 3, .self_ns = 20},
                                {.calls = 1, .self_ns = 4}};
    struct function_sum at_before[] = {{.calls = 2, .self_ns = 60, .total_ns = 60},
                                       {.calls = 3, .self_ns = 20}};
    const struct function_sums now = {.at = at, .count = 3}, before = {.at = at_before, .count = 2};
    running_rows_init(&rows, &now, &before, ranks);
    cr_assert_eq(rows.count, 2);
    cr_expect_eq(rows.all[0].function, 2);
    cr_expect_eq(rows.all[1].sum.calls, 5);
    cr_expect_eq(rows.all[1].sum.self_ns, 0);
    cr_expect_eq(rows.all[1].sum.total_ns, 30);
}
