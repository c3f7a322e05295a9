#include "rebuild/stacks/calibration.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

enum { UNIT_NS = 1000, CALLS = 20, MANY = 600 };

static const double unknown_turns[] = {-1, -1, -1};
static const double turns_ns[] = {10, 20, 30};

/* Adds groups of which every `period`th has `in` and `out` units. */
static void add_groups(struct calibration *calibration, enum call_kind kind, uint32_t period,
                       uint32_t in, uint32_t out)
{
    for (uint32_t i = 0; i < MANY; i++) {
        struct calibration_group group = {.calls = CALLS};
        if (i % period == 0) {
            group.in_units = in;
            group.out_units = out;
        }
        calibration_add(calibration, kind, group);
    }
}

/* Five calls with as many units each. The first does not count. */
static void loop(struct calibration *calibration, uint32_t callee, enum call_kind kind,
                 uint32_t units)
{
    for (int i = 0; i < 5; i++) {
        calibration_call(calibration, callee, kind, units);
        calibration_return(calibration, callee, units);
    }
    calibration_end_group(calibration);
}

static void expect_near(double value, double expected, double tolerance)
{
    cr_expect(fabs(value - expected) <= tolerance, "%g and not %g", value, expected);
}

Test(calibration, knows_nothing_without_calls_of_each_kind)
{
    struct calibration calibration = {0};
    cr_expect(!calibration_estimate(&calibration, UNIT_NS, turns_ns).is_known);
    add_groups(&calibration, CALL_OF_LUA, 1, 2, 2);
    cr_expect(!calibration_estimate(&calibration, UNIT_NS, turns_ns).is_known);
    add_groups(&calibration, CALL_OF_C, 1, 2, 2);
    cr_expect(calibration_estimate(&calibration, UNIT_NS, turns_ns).is_known);
    calibration_release(&calibration);
}

Test(calibration, is_not_sure_of_costs_that_a_coarse_clock_did_not_show)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, 1, 0, 0);
    add_groups(&calibration, CALL_OF_C, 1, 0, 0);
    struct call_costs costs = calibration_estimate(&calibration, UNIT_NS, unknown_turns);
    cr_expect_eq(costs.in_ns[CALL_OF_C], 0);
    cr_expect_gt(costs.in_error_ns[CALL_OF_C], 0);
    calibration_release(&calibration);
}

Test(calibration, takes_what_a_fine_clock_shows_as_it_is)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, 1, 2, 3);
    add_groups(&calibration, CALL_OF_C, 1, 4, 5);
    struct call_costs costs = calibration_estimate(&calibration, UNIT_NS, turns_ns);
    expect_near(costs.in_ns[CALL_OF_LUA], 100, 1e-6);
    expect_near(costs.in_ns[CALL_OF_C], 200, 1e-6);
    expect_near(costs.out_ns[CALL_OF_LUA], 150 - 10, 1e-6);
    expect_near(costs.out_ns[CALL_OF_C], 250 - 20, 1e-6);
    calibration_release(&calibration);
}

/* Of calls of itself the sum is known; those in a loop do not count then. */
Test(calibration, halves_what_a_recursion_shows)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, 1, 50, 50);
    add_groups(&calibration, CALL_OF_C, 1, 4, 5);
    for (int tick = 0; tick < 3; tick++) {
        calibration_call(&calibration, CALIBRATION_OF_ITSELF, CALL_OF_LUA, 1);
        calibration_call(&calibration, CALIBRATION_OF_ITSELF, CALL_OF_LUA, 3);
        calibration_return(&calibration, CALIBRATION_OF_ITSELF, 4);
        calibration_return(&calibration, CALIBRATION_OF_ITSELF, 2);
        calibration_end_group(&calibration);
        loop(&calibration, 9, CALL_OF_LUA, 70);
    }
    struct call_costs costs = calibration_estimate(&calibration, UNIT_NS, turns_ns);
    expect_near(costs.in_ns[CALL_OF_LUA], (5000 - 10) / 2, 1e-6);
    expect_near(costs.out_ns[CALL_OF_LUA], (5000 - 10) / 2, 1e-6);
    expect_near(costs.in_ns[CALL_OF_C], 200, 1e-6);
    costs = calibration_estimate(&calibration, UNIT_NS, unknown_turns);
    expect_near(costs.in_ns[CALL_OF_LUA], 5000 / 2, 1e-6);
    expect_near(costs.out_ns[CALL_OF_LUA], 5000 / 2, 1e-6);
    calibration_release(&calibration);
}

Test(calibration, divides_the_cost_of_a_lua_function_that_c_calls_in_another_way)
{
    struct call_costs costs = {.is_known = true,
                               .in_ns = {[CALL_OF_LUA] = 300},
                               .out_ns = {[CALL_OF_LUA] = 200},
                               .in_error_ns = {[CALL_OF_LUA] = 3},
                               .out_error_ns = {[CALL_OF_LUA] = 2}};
    call_costs_limit(&costs, &(struct cost_limits){.most_in_ns = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                                   .undivided_in_ns = HUGE_VAL});
    expect_near(costs.in_ns[CALL_OF_LUA_BY_C], 320, 1e-6);
    expect_near(costs.out_ns[CALL_OF_LUA_BY_C], 180, 1e-6);
    expect_near(costs.in_error_ns[CALL_OF_LUA_BY_C], 3, 1e-6);
    expect_near(costs.out_error_ns[CALL_OF_LUA_BY_C], 2, 1e-6);
    call_costs_take_fraction(&costs, 0.5);
    expect_near(costs.in_ns[CALL_OF_LUA_BY_C], 160, 1e-6);
    expect_near(costs.out_ns[CALL_OF_LUA_BY_C], 90, 1e-6);
}

/* Where a group can be continued, calibration_continue() does the same as calibration_call(). */
Test(calibration, continues_a_group_as_calls_do)
{
    struct calibration added = {0};
    struct calibration continued = {0};
    /* 0: the group ends. */
    static const uint32_t callees[] = {9, 9, 9, 4, 9, CALIBRATION_OF_ITSELF, CALIBRATION_OF_ITSELF,
                                       4, 4, 0, 9, 9};
    size_t count = sizeof callees / sizeof *callees;
    size_t continued_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t units = (uint32_t)i + 1;
        if (callees[i] == 0) {
            calibration_end_group(&added);
            calibration_end_group(&continued);
            continue;
        }
        calibration_call(&added, callees[i], CALL_OF_C, units);
        if (calibration_continue(&continued, callees[i], units))
            continued_count++;
        else
            calibration_call(&continued, callees[i], CALL_OF_C, units);
        calibration_return(&added, callees[i], units);
        calibration_return(&continued, callees[i], units);
        cr_expect_eq(continued.is_same_callee, added.is_same_callee);
        cr_expect_eq(memcmp(&continued.group, &added.group, sizeof added.group), 0);
    }
    cr_expect_eq(continued_count, 5);
    cr_expect_eq(continued.kinds[CALL_OF_C].count, added.kinds[CALL_OF_C].count);
    calibration_release(&added);
    calibration_release(&continued);
}

Test(calibration, knows_iterators_from_other_c_functions)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, 1, 2, 3);
    add_groups(&calibration, CALL_OF_C, 1, 4, 5);
    struct call_costs costs = calibration_estimate(&calibration, UNIT_NS, turns_ns);
    expect_near(costs.in_ns[CALL_OF_ITERATOR], 200, 1e-6);
    expect_near(costs.out_ns[CALL_OF_ITERATOR], 250 - 20, 1e-6);
    loop(&calibration, 7, CALL_OF_ITERATOR, 1);
    costs = calibration_estimate(&calibration, UNIT_NS, turns_ns);
    expect_near(costs.in_ns[CALL_OF_ITERATOR], 1000, 1e-6);
    expect_near(costs.out_ns[CALL_OF_ITERATOR], 1000 - 30, 1e-6);
    expect_near(costs.in_ns[CALL_OF_C], 200, 1e-6);
    calibration_release(&calibration);
}

/* One group in 30 and one in 20 saw a step: that is no sign that they differ. */
Test(calibration, pools_what_a_coarse_clock_shows)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, 30, 1, 1);
    add_groups(&calibration, CALL_OF_C, 20, 1, 1);
    struct call_costs costs =
        calibration_estimate(&calibration, UNIT_NS * 60, (const double[]){0, 0, 0});
    double separate = UNIT_NS * 60 / CALLS / 30, other = UNIT_NS * 60 / CALLS / 20;
    double mean = (separate + other) / 2;
    expect_near(costs.in_ns[CALL_OF_LUA], mean, (mean - separate) / 3);
    expect_near(costs.out_ns[CALL_OF_C], mean, (other - mean) / 3);
    cr_expect_lt(costs.in_error_ns[CALL_OF_LUA], 0.15 * mean);
    calibration_release(&calibration);
}

Test(calibration, leaves_groups_out_in_which_something_else_happened)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, 1, 2, 2);
    add_groups(&calibration, CALL_OF_C, 1, 2, 2);
    calibration_add(&calibration, CALL_OF_LUA,
                    (struct calibration_group){.in_units = 5000, .out_units = 2, .calls = CALLS});
    struct call_costs costs = calibration_estimate(&calibration, UNIT_NS, turns_ns);
    expect_near(costs.in_ns[CALL_OF_LUA], 100, 1e-6);
    calibration_release(&calibration);
}

/* What the loop takes is in the costs outside then, and must not get into the others. */
Test(calibration, keeps_to_itself_what_has_an_unknown_turn_in_it)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, 30, 1, 3);
    add_groups(&calibration, CALL_OF_C, 30, 1, 3);
    struct call_costs costs = calibration_estimate(&calibration, UNIT_NS, unknown_turns);
    expect_near(costs.in_ns[CALL_OF_LUA], (double)UNIT_NS / CALLS / 30, 1e-6);
    calibration_release(&calibration);
}

Test(calibration, has_no_negative_costs)
{
    struct calibration calibration = {0};
    add_groups(&calibration, CALL_OF_LUA, MANY, 0, 0);
    add_groups(&calibration, CALL_OF_C, MANY, 0, 0);
    struct call_costs costs = calibration_estimate(&calibration, UNIT_NS, turns_ns);
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        cr_expect_eq(costs.in_ns[kind], 0);
        cr_expect_eq(costs.out_ns[kind], 0);
    }
    calibration_release(&calibration);
}
