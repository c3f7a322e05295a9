#include "report/figures/tick_pairs.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct tick now_ticks[8], old_ticks[8];
static struct tick_list now = {.ticks = now_ticks}, old = {.ticks = old_ticks};
static struct tick_pairs pairs;

static void tear_down(void)
{
    tick_pairs_release(&pairs);
}

TestSuite(tick_pairs, .fini = tear_down);

static void add(struct tick_list *list, uint32_t run, int64_t number, int64_t time_ns)
{
    list->ticks[list->count++] =
        (struct tick){.number = number, .recording = run, .time_ns = time_ns};
}

Test(tick_pairs, pairs_ticks_with_the_same_number)
{
    add(&now, 0, 11, 5);
    add(&now, 0, 10, 7);
    add(&old, 0, 10, 3);
    add(&old, 0, 12, 9);
    tick_pairs_init(&pairs, &now, &old);
    cr_assert_eq(pairs.count, 3);
    cr_assert_eq(pairs.same_count, 1);
    cr_assert_eq(pairs.all[0].now, &now_ticks[1]);
    cr_assert_eq(pairs.all[0].old, &old_ticks[0]);
    cr_assert_null(pairs.all[1].old);
    cr_assert_null(pairs.all[2].now);
    cr_assert_eq(tick_pair_number(&pairs.all[2]), 12);
    cr_assert_eq(tick_pair_difference_ns(&pairs.all[0]), 4);
}

Test(tick_pairs, sums_up_only_ticks_that_both_have)
{
    add(&now, 0, 1, 5);
    add(&now, 0, 2, 5);
    add(&now, 0, 3, 5);
    add(&now, 0, 4, 1000);
    add(&old, 0, 1, 3);
    add(&old, 0, 2, 9);
    add(&old, 0, 3, 5);
    tick_pairs_init(&pairs, &now, &old);
    cr_assert_eq(pairs.now_ns, 15);
    cr_assert_eq(pairs.old_ns, 17);
    cr_assert_eq(pairs.longer_count, 1);
    cr_assert_eq(pairs.shorter_count, 1);
}

Test(tick_pairs, the_largest_change_comes_first)
{
    add(&now, 0, 1, 5);
    add(&now, 0, 2, 5);
    add(&now, 0, 3, 5);
    add(&now, 0, 4, 1000);
    add(&old, 0, 1, 5);
    add(&old, 0, 2, 6);
    add(&old, 0, 3, 1);
    tick_pairs_init(&pairs, &now, &old);
    struct keyed *changed = tick_pairs_by_change(&pairs);
    cr_assert_eq(pairs.same_count, 3);
    cr_expect_eq(pairs.all[changed[0].item].now->number, 3);
    cr_expect_eq(pairs.all[changed[1].item].now->number, 2);
    cr_expect_eq(pairs.all[changed[2].item].now->number, 1);
    free(changed);
}

Test(tick_pairs, pairs_the_same_number_of_several_runs_in_their_order)
{
    add(&now, 1, 7, 1);
    add(&now, 0, 7, 2);
    add(&old, 3, 7, 3);
    tick_pairs_init(&pairs, &now, &old);
    cr_assert_eq(pairs.count, 2);
    cr_assert_eq(pairs.all[0].now, &now_ticks[1]);
    cr_assert_eq(pairs.all[0].old, &old_ticks[0]);
    cr_assert_null(pairs.all[1].old);
}

Test(tick_pairs, of_no_ticks_there_are_none)
{
    tick_pairs_init(&pairs, &now, &old);
    cr_assert_eq(pairs.count, 0);
}
