#include "calibration.h"

#include <criterion/criterion.h>

static struct calibration calibration;

static void tear_down(void)
{
    calibration_release(&calibration);
}

TestSuite(calibration, .fini = tear_down);

static void add(enum call_kind kind, size_t count, uint32_t in_units, uint32_t out_units,
                uint32_t calls)
{
    for (size_t i = 0; i < count; i++)
        calibration_add(&calibration, kind,
                        (struct calibration_group){
                            .in_units = in_units, .out_units = out_units, .calls = calls});
}

static struct call_costs estimate(double unit_ns, double lua_turn_ns, double c_turn_ns)
{
    double turn_ns[CALL_KIND_COUNT] = {[CALL_OF_LUA] = lua_turn_ns, [CALL_OF_C] = c_turn_ns};
    return calibration_estimate(&calibration, unit_ns, turn_ns);
}

Test(calibration, is_the_mean_of_each_kind)
{
    add(CALL_OF_LUA, 3, 20, 60, 20);
    add(CALL_OF_C, 5, 10, 30, 20);
    struct call_costs costs = estimate(100, 0, 0);
    cr_expect(costs.is_known);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 100, 1e-9);
    cr_expect_float_eq(costs.out_ns[CALL_OF_LUA], 300, 1e-9);
    cr_expect_float_eq(costs.in_ns[CALL_OF_C], 50, 1e-9);
    cr_expect_float_eq(costs.out_ns[CALL_OF_C], 150, 1e-9);
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        cr_expect(costs.in_error_ns[kind] == 0 && costs.out_error_ns[kind] == 0);
}

Test(calibration, counts_the_few_groups_in_which_a_coarse_clock_moved)
{
    /* 2 of 100 groups of 20 calls saw a step of 244 us: 2.44 us a call. */
    add(CALL_OF_LUA, 49, 0, 0, 20);
    add(CALL_OF_LUA, 2, 1, 2, 20);
    add(CALL_OF_LUA, 49, 0, 0, 20);
    add(CALL_OF_C, 100, 0, 0, 20);
    struct call_costs costs = estimate(244140.625, -1, -1);
    cr_expect(costs.is_known);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 244.140625, 1e-6);
    cr_expect_float_eq(costs.out_ns[CALL_OF_LUA], 488.28125, 1e-6);
    cr_expect_eq(costs.in_ns[CALL_OF_C], 0);
    /* A step is there or not: sqrt(p (1 - p) / n) of the value that it has. */
    cr_expect_float_eq(costs.in_error_ns[CALL_OF_LUA], 0.05 * 0.014 * 244140.625, 1e-6);
}

Test(calibration, ignores_groups_in_which_something_else_happened)
{
    for (uint32_t i = 0; i < 50; i++)
        add(CALL_OF_LUA, 1, 195 + i % 11, 395 + i % 11, 20);
    struct call_costs quiet, noisy;
    add(CALL_OF_C, 50, 0, 0, 20);
    quiet = estimate(1000, 0, 0);
    /* The collector ran, or another process. */
    add(CALL_OF_LUA, 1, 5000, 400, 20);
    add(CALL_OF_LUA, 1, 200, 90000, 20);
    add(CALL_OF_LUA, 1, 4000000000, 4000000000, 20);
    add(CALL_OF_C, 1, 900, 0, 20);
    noisy = estimate(1000, 0, 0);
    cr_expect_float_eq(noisy.in_ns[CALL_OF_LUA], quiet.in_ns[CALL_OF_LUA], 50);
    cr_expect_float_eq(noisy.out_ns[CALL_OF_LUA], quiet.out_ns[CALL_OF_LUA], 50);
    cr_expect_eq(noisy.in_ns[CALL_OF_C], 0);
    cr_expect_lt(noisy.in_error_ns[CALL_OF_LUA], 100);
}

Test(calibration, is_as_uncertain_as_a_mean_of_so_many_groups)
{
    /* 1 and 2 units a call, as many of each: a deviation of 0.5. */
    add(CALL_OF_LUA, 50, 20, 0, 20);
    add(CALL_OF_LUA, 50, 40, 0, 20);
    add(CALL_OF_C, 1, 7, 7, 7);
    struct call_costs costs = estimate(1000, 0, 0);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 1500, 1e-6);
    cr_expect_float_eq(costs.in_error_ns[CALL_OF_LUA], 50, 1e-6);
    cr_expect_eq(costs.out_error_ns[CALL_OF_LUA], 0);
    cr_expect_eq(costs.in_error_ns[CALL_OF_C], 0);
}

Test(calibration, takes_what_a_turn_of_the_loop_takes_anyway_from_the_caller)
{
    add(CALL_OF_LUA, 10, 20, 60, 20);
    add(CALL_OF_C, 10, 20, 60, 20);
    struct call_costs costs = estimate(100, 40, 1000);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 100, 1e-9);
    cr_expect_float_eq(costs.out_ns[CALL_OF_LUA], 260, 1e-9);
    cr_expect_float_eq(costs.in_ns[CALL_OF_C], 100, 1e-9);
    cr_expect_eq(costs.out_ns[CALL_OF_C], 0);
}

Test(calibration, takes_nothing_when_it_is_not_known_what_a_turn_takes)
{
    add(CALL_OF_LUA, 10, 20, 60, 20);
    add(CALL_OF_C, 10, 20, 60, 20);
    struct call_costs costs = estimate(100, -1, -1e9);
    cr_expect_float_eq(costs.out_ns[CALL_OF_LUA], 300, 1e-9);
    cr_expect_float_eq(costs.out_ns[CALL_OF_C], 300, 1e-9);
}

static void expect_not_known(void)
{
    struct call_costs costs = estimate(100, 0, 0);
    cr_expect_not(costs.is_known);
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        cr_expect(costs.in_ns[kind] == 0 && costs.out_ns[kind] == 0);
}

Test(calibration, says_nothing_without_groups_of_both_kinds)
{
    expect_not_known();
    add(CALL_OF_LUA, 10, 20, 60, 20);
    expect_not_known();
    calibration_release(&calibration);
    add(CALL_OF_C, 10, 20, 60, 20);
    expect_not_known();
}
