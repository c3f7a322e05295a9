#include "report/figures/computer.h"

#include "base/mem.h"

#include <criterion/criterion.h>

static const struct long_calls no_calls;
static struct tick_list list = {.limit_ns = 100000000};
static struct tick_statistics statistics;

static void tear_down(void)
{
    tick_statistics_release(&statistics);
    tick_list_release(&list);
}

TestSuite(computer, .fini = tear_down);

/* A tick, and what its calls usually take; `is_dear`: by prices.h. */
static void add_tick(int64_t number, int64_t time_ns, int64_t usual_ns, bool is_dear)
{
    struct tick tick = {.number = number,
                        .time_ns = time_ns,
                        .over_ns = time_ns - list.limit_ns,
                        .usual_ns = usual_ns,
                        .is_dear = is_dear};
    MEM_APPEND(list.ticks, list.count, list.capacity, tick);
}

static struct computer_ticks find(void)
{
    tick_statistics_release(&statistics);
    tick_statistics_init(&statistics, &list);
    return computer_ticks_find(&statistics, &list, &no_calls, 0);
}

Test(computer, leads_with_the_longest_tick_that_is_not_its_own)
{
    for (int64_t i = 0; i < 10; i++)
        add_tick(i, 20000000, 20000000, false);
    add_tick(11, 150000000, 140000000, false);
    add_tick(12, 900000000, 20000000, true);
    add_tick(13, 200000000, 190000000, false);
    struct computer_ticks found = find();
    cr_expect_eq(found.count, 1);
    cr_expect_eq(found.time_ns, 900000000);
    cr_expect_eq(found.over_ns, 880000000);
    cr_expect_eq(found.most_usual_ns, 20000000);
    cr_expect_eq(found.lead->number, 13);
    cr_expect_eq(statistics.disturbed_count, 1);
    /* It is said as a number only if it is known of all slow ticks. */
    add_tick(14, 101000000, -1, false);
    found = find();
    cr_expect_eq(found.count, 1);
    cr_expect_eq(statistics.disturbed_count, 0);
}

Test(computer, without_a_usual_tick_has_none)
{
    add_tick(1, 150000000, 20000000, true);
    add_tick(2, 160000000, 20000000, true);
    cr_expect_eq(find().count, 0);
    cr_expect_eq(find().lead->number, 2);
}
