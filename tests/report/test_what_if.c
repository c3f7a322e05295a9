#include "base/mem.h"
#include "report/figures/what_if.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { TICKS = 200, FUNCTIONS = 12, GROUPS = 4 };

static uint32_t next_random(void)
{
    static uint32_t state = 12345;
    state = state * 1103515245 + 12345;
    return state >> 16 & 0x7fff;
}

/* Ticks of some functions each, with times of few values, so that many are equal. */
static struct tick_list make_ticks(void)
{
    struct tick_list list = {.limit_ns = 40, .count = TICKS};
    list.ticks = mem_zeroed(TICKS, sizeof *list.ticks);
    for (size_t i = 0; i < TICKS; i++) {
        struct tick *tick = &list.ticks[i];
        tick->all = mem_zeroed(FUNCTIONS, sizeof *tick->all);
        for (uint32_t function = 0; function < FUNCTIONS; function++) {
            if (next_random() % 3 != 0)
                continue;
            struct tick_self self = {.function = function, .self_ns = 1 + next_random() % 20};
            tick->all[tick->all_count++] = self;
            tick->time_ns += self.self_ns;
        }
        tick->over_ns = tick->time_ns - list.limit_ns;
        tick->is_disturbed = next_random() % 5 == 0;
        tick->usual_ns = tick->time_ns / 2;
    }
    return list;
}

static void expect_as_with_factors(const struct tick_list *list, const uint32_t *group_of)
{
    struct tick_statistics without[GROUPS] = {0};
    what_if_without(list, NULL, group_of, GROUPS, without);
    for (uint32_t group = 0; group < GROUPS; group++) {
        double factors[FUNCTIONS];
        for (size_t i = 0; i < FUNCTIONS; i++)
            factors[i] = group_of[i] == group ? 0 : 1;
        struct tick_statistics expected = what_if_times(list, NULL, factors);
        cr_expect_eq(without[group].over_count, expected.over_count);
        cr_expect_eq(without[group].percentile_99_ns, expected.percentile_99_ns);
        cr_expect_eq(without[group].longest_ns, expected.longest_ns);
    }
}

Test(what_if, ticks_without_a_group_are_those_with_nothing_of_its_functions)
{
    for (int round = 0; round < 50; round++) {
        struct tick_list list = make_ticks();
        uint32_t group_of[FUNCTIONS];
        for (size_t i = 0; i < FUNCTIONS; i++)
            group_of[i] = next_random() % (GROUPS + 1);
        expect_as_with_factors(&list, group_of);
        for (size_t i = 0; i < TICKS; i++)
            free(list.ticks[i].all);
        free(list.ticks);
    }
}

Test(what_if, no_ticks_have_no_times)
{
    struct tick_statistics without[GROUPS] = {0};
    uint32_t group_of[FUNCTIONS] = {0};
    what_if_without(&(struct tick_list){0}, NULL, group_of, GROUPS, without);
    cr_expect_eq(without[0].longest_ns, 0);
}

Test(what_if, ticks_take_memory_for_themselves_and_not_for_those_they_stand_for)
{
    struct tick tick = {.weight = UINT32_MAX, .time_ns = 7};
    struct tick_list list = {.ticks = &tick, .count = 1, .is_sampled = true};
    cr_expect_eq(what_if_times(&list, NULL, NULL).longest_ns, 7);
}
