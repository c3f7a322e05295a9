#include "rebuild/ending/reference.h"

#include "base/mem.h"
#include "rebuild/ending/overhead.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

/*
 * Threads begin with function 1, which calls 2, or with 3, which calls nothing; 4 is a callback.
 * Recording has made all twice as long: 1 has 1,000 wakes of 2 us, and so on.
 */
enum { NODES = 5, WAKES = 2000 };

static struct tree tree;
static uint8_t kinds[NODES];
static struct call_costs costs;
static struct reference reference;
static struct wakes wakes;
static struct reference_fit fit;
static int64_t measured_ns[NODES];
static float *scales;

static void add_node(uint32_t node, uint32_t parent, uint32_t function, int64_t self_ns)
{
    tree.calls[node] = (struct call){.parent = parent, .function = function};
    tree.self_ns[node] = measured_ns[node] = self_ns;
}

static void set_up(void)
{
    tree = tree_make(NODES, true);
    add_node(1, TREE_ROOT, 1, 500000);
    add_node(2, 1, 2, 1500000);
    add_node(3, TREE_ROOT, 3, 1000000);
    add_node(4, TREE_ROOT, 4, 1000000);
    tree_sum_totals(&tree);
    costs = (struct call_costs){.is_known = true};
    wakes = (struct wakes){.all = mem_zeroed(WAKES, sizeof *wakes.all), .count = WAKES};
    for (uint32_t i = 0; i < WAKES; i++)
        wakes.all[i] = (struct wake){.function = i < 1000 ? 1 : 3, .units = 20};
}

static void tear_down(void)
{
    tree_release(&tree);
    MEM_FREE(reference.all, wakes.all, fit.scales, fit.is_timed, scales);
    reference = (struct reference){0};
    fit = (struct reference_fit){0};
}

TestSuite(reference, .init = set_up, .fini = tear_down);

static void time_wakes(uint32_t function, bool is_after, double wakes, double ns)
{
    struct event_reference timed = {
        .function = function, .is_after = is_after, .wakes = wakes, .ns = ns};
    MEM_APPEND(reference.all, reference.count, reference.capacity, timed);
}

static void find(void)
{
    reference_fit(&fit, &reference, &wakes, &tree, kinds, &costs);
    if (fit.scales != NULL)
        scales = reference_apply(&fit, &tree, measured_ns);
}

/* So events can have added all that is taken. */
static void cost_as_much(void)
{
    for (uint32_t node = 1; node < NODES; node++)
        measured_ns[node] *= 2;
}

Test(reference, changes_nothing_where_the_cost_is_not_known)
{
    costs.is_known = false;
    time_wakes(1, false, 100, 100000);
    find();
    cr_expect(!fit.is_known && !costs.keeps_fraction);
    cr_expect_eq(tree.total_ns[1], 2000000);
}

Test(reference, makes_stacks_as_long_as_unrecorded_wakes)
{
    cost_as_much();
    time_wakes(1, false, 100, 100000);
    time_wakes(1, true, 100, 100000);
    time_wakes(3, false, 200, 180000);
    find();
    cr_expect(fit.is_known && fit.has_before && fit.has_after && costs.keeps_fraction);
    cr_expect_float_eq(fit.ratio, 3.0 / 1.9, 1e-9);
    cr_expect_float_eq((double)tree.total_ns[1], 1e6, 10);
    cr_expect_float_eq((double)tree.self_ns[2], 0.75e6, 10);
    cr_expect_float_eq((double)tree.self_ns[3], 0.9e6, 10);
    /* Three quarters of the time were timed: the rest is believed to need what these need. */
    cr_expect_float_eq((double)tree.self_ns[4], 1e6 / fit.ratio, 10);
}

Test(reference, leaves_what_measured_no_time)
{
    time_wakes(1, false, 100, 100000);
    measured_ns[3] = 0;
    measured_ns[4] = -9;
    tree.self_ns[3] = tree.self_ns[4] = 7;
    find();
    cr_expect(fit.is_known);
    cr_expect_eq(tree.self_ns[3], 7);
    cr_expect_eq(tree.self_ns[4], 7);
}

Test(reference, believes_wakes_that_differ_much_less)
{
    time_wakes(1, false, 1000, 1000000);
    time_wakes(3, false, 20, 4000);
    reference.all[1].deviation_ns = 1000;
    find();
    /* 3 is to become a fifth, all together 0.4; but the error of its mean is as large as that. */
    cr_expect_gt(fit.scales[3], 0.35);
    cr_expect_lt(fit.scales[3], 0.4);
}

Test(reference, is_none_if_it_differs_before_and_after)
{
    time_wakes(1, false, 100, 100000);
    time_wakes(1, true, 100, 300000);
    find();
    cr_expect(!fit.is_known);
    cr_expect_eq(fit.unlike_count, 1);
}

Test(reference, is_none_if_few_wakes_are_known)
{
    time_wakes(1, false, 19, 19000);
    find();
    cr_expect(!fit.is_known);
    cr_expect_eq(fit.unlike_count, 0);
}

Test(reference, is_one_if_wakes_take_next_to_nothing_before_and_after)
{
    time_wakes(1, false, 1000, 100000);
    time_wakes(1, true, 1000, 1000);
    find();
    cr_expect(fit.is_known);
}

Test(reference, subtracts_less_where_the_costs_are_too_large)
{
    tree.call_counts[1] = tree.call_counts[3] = 1000;
    costs.in_ns[CALL_OF_LUA] = 400;
    time_wakes(3, false, 100, 80000);
    find();
    cr_expect_float_eq(fit.ratio, 0.75, 1e-9);
    cr_expect_float_eq(fit.cost_fraction, 0.5, 1e-9);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 200, 1e-6);
}

Test(reference, divides_a_smaller_cost_between_callee_and_caller_anew)
{
    const struct cost_limits limits = {.undivided_in_ns = 300,
                                       .most_in_ns = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    tree.call_counts[1] = tree.call_counts[3] = 1000;
    costs.in_ns[CALL_OF_LUA] = costs.out_ns[CALL_OF_LUA] = 400;
    call_costs_limit(&costs, &limits);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 300, 1e-6);
    cr_expect_float_eq(costs.out_ns[CALL_OF_LUA], 500, 1e-6);
    time_wakes(3, false, 100, 85000);
    find();
    /* Half of 400 is below the limit. */
    cr_expect_float_eq(fit.cost_fraction, 0.5, 1e-9);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 200, 1e-6);
    cr_expect_float_eq(costs.out_ns[CALL_OF_LUA], 200, 1e-6);
    cr_expect_eq(fit.scales[3], 1);
}

Test(reference, subtracts_all_where_ticks_were_chosen)
{
    reference.is_sampled = true;
    tree.call_counts[1] = tree.call_counts[3] = 1000;
    costs.in_ns[CALL_OF_LUA] = 400;
    time_wakes(3, false, 100, 80000);
    find();
    cr_expect_float_eq(fit.ratio, 0.75, 1e-9);
    cr_expect_float_eq(fit.cost_fraction, 1, 1e-9);
    cr_expect_float_eq(costs.in_ns[CALL_OF_LUA], 400, 1e-6);
}

Test(reference, subtracts_a_twentieth_more_where_they_are_too_small)
{
    tree.call_counts[1] = tree.call_counts[3] = 1000;
    costs.in_ns[CALL_OF_LUA] = 200;
    time_wakes(3, false, 100, 40000);
    find();
    cr_expect_float_eq(fit.ratio, 2, 1e-9);
    cr_expect_float_eq(fit.cost_fraction, 1.05, 1e-9);
    cr_expect_float_eq((double)fit.coldness, 0, 1e-9);
}

Test(reference, subtracts_half_in_code_of_many_functions)
{
    enum { FUNCTIONS = 64 };
    tree_release(&tree);
    tree = tree_make(1 + FUNCTIONS, true);
    for (uint32_t node = 1; node <= FUNCTIONS; node++) {
        tree.calls[node] = (struct call){.parent = TREE_ROOT, .function = node};
        tree.self_ns[node] = 100000;
        tree.call_counts[node] = 100;
    }
    static uint8_t many_kinds[1 + FUNCTIONS];
    costs.in_ns[CALL_OF_LUA] = 200;
    time_wakes(1, false, 100, 4000);
    reference_fit(&fit, &reference, &wakes, &tree, many_kinds, &costs);
    cr_expect_float_eq(fit.ratio, 2, 1e-9);
    cr_expect_float_eq(fit.coldness, 1, 1e-9);
    cr_expect_float_eq(fit.cost_fraction, 0.5, 1e-9);
}

Test(reference, leaves_a_part_of_each_time)
{
    const double cost_ns = 2e6;
    tree.call_counts[2] = 1;
    costs.in_ns[CALL_OF_LUA] = cost_ns;
    struct overhead_sums sums;
    time_wakes(1, false, 1000, 100000);
    reference_fit(&fit, &reference, &wakes, &tree, kinds, &costs);
    overhead_remove(&tree, kinds, &costs, &sums);
    cr_expect_eq(tree.self_ns[2], 150000);
    SCOPED_ARRAY float *factors = overhead_first_factors(&tree, kinds, &costs, measured_ns);
    cr_expect_float_eq(factors[2], 1350000 / costs.in_ns[CALL_OF_LUA], 1e-4);
    cr_expect_eq(factors[3], 1);
    reference_apply(&fit, &tree, measured_ns);
    cr_expect_eq(tree.self_ns[2], 150000);
    cr_expect_geq(tree.self_ns[1], 50000);
}

/* Two standard errors, of a cost and of a time that is left. */
static double bias_of(double cost_ns, double time_bias, double self_ns)
{
    return hypot(OVERHEAD_EVENT_BIAS * cost_ns, time_bias * self_ns);
}

Test(reference, says_how_uncertain_times_are)
{
    struct overhead_sums sums;
    tree.call_counts[3] = 1000;
    costs.in_ns[CALL_OF_LUA] = 100;
    time_wakes(3, false, 100, 90000);
    find();
    tree.self_ns[3] = 800000;
    overhead_finish(&tree, kinds, &costs, NULL, 4e6, &sums);
    cr_expect_float_eq(tree.details[3].cost_error_ns,
                       bias_of(100 * 1000, OVERHEAD_TIME_BIAS, 800000) / 2, 1);
}

Test(reference, is_surer_of_times_where_unrecorded_wakes_stay_the_same)
{
    time_wakes(3, false, 100, 90000);
    time_wakes(3, true, 100, 90000);
    find();
    cr_expect_float_eq(costs.time_bias, OVERHEAD_LEAST_TIME_BIAS, 1e-9);
}

Test(reference, is_less_sure_of_times_where_unrecorded_wakes_have_changed)
{
    time_wakes(3, false, 100, 90000);
    time_wakes(3, true, 100, 110000);
    find();
    cr_expect_float_eq(fit.change, 110.0 / 90, 1e-9);
    cr_expect_float_eq(costs.time_bias, hypot(OVERHEAD_LEAST_TIME_BIAS, 2.5 * log(110.0 / 90)),
                       1e-9);
}

Test(reference, is_never_less_sure_than_of_a_third_of_change)
{
    time_wakes(3, false, 100, 90000);
    time_wakes(3, true, 100, 170000);
    find();
    cr_expect_float_eq(costs.time_bias, hypot(OVERHEAD_LEAST_TIME_BIAS, 2.5 * 0.3), 1e-9);
}

Test(reference, knows_no_change_of_wakes_that_take_next_to_nothing)
{
    time_wakes(1, false, 1000, 100000);
    time_wakes(1, true, 1000, 1);
    time_wakes(3, false, 100, 90000);
    time_wakes(3, true, 100, 90000);
    find();
    cr_expect_float_eq(fit.change, 1, 1e-9);
    cr_expect_float_eq(costs.time_bias, OVERHEAD_LEAST_TIME_BIAS, 1e-9);
}

/* So much was calibrated for each of 1,000 calls of 1, and of 3. */
static void calibrate(double cost_ns)
{
    tree.call_counts[1] = tree.call_counts[3] = 1000;
    costs.in_ns[CALL_OF_LUA] = cost_ns;
    costs.fraction = 1;
}

Test(reference, is_less_sure_of_times_without_one)
{
    struct overhead_sums sums;
    calibrate(1000);
    find();
    cr_expect_float_eq(costs.untimed_bias, 0.3, 1e-9);
    overhead_finish(&tree, kinds, &costs, NULL, 4e6, &sums);
    cr_expect_float_eq(
        tree.details[3].cost_error_ns,
        (OVERHEAD_EVENT_BIAS + OVERHEAD_TIME_BIAS + 0.3) / 2 * (double)tree.self_ns[3], 1);
    cr_expect_float_eq(tree.details[3].common_error_ns, tree.details[3].cost_error_ns, 1e-3);
}

Test(reference, adds_no_more_to_a_time_than_its_events_can_have_added)
{
    struct overhead_sums sums;
    calibrate(1000);
    tree.call_counts[3] = 10;
    find();
    cr_expect_gt(costs.untimed_bias, 0.2);
    overhead_finish(&tree, kinds, &costs, NULL, 4e6, &sums);
    double cost_ns = 10 * costs.in_ns[CALL_OF_LUA];
    cr_expect_float_eq(tree.details[3].cost_error_ns,
                       ((OVERHEAD_EVENT_BIAS + OVERHEAD_MOST_EXCESS) * cost_ns +
                        OVERHEAD_TIME_BIAS * (double)tree.self_ns[3]) /
                           2,
                       1);
}

Test(reference, is_less_sure_of_times_where_more_was_added_than_calibrated)
{
    struct overhead_sums sums;
    calibrate(1);
    time_wakes(3, false, 1000, 500000);
    time_wakes(1, false, 1000, 1000000);
    find();
    cr_expect_float_eq(costs.excess, 0.8 * (fit.ratio - 1), 1e-9);
    cr_expect_float_eq(fit.ratio, 2, 1e-2);
    for (uint32_t node = 1; node < NODES; node++)
        tree.self_ns[node] = 1000000;
    overhead_finish(&tree, kinds, &costs, NULL, 4e6, &sums);
    double own_bias = hypot(OVERHEAD_TIME_BIAS, costs.excess);
    cr_expect_float_eq(
        tree.details[3].cost_error_ns,
        hypot(OVERHEAD_EVENT_BIAS * 1000 * costs.in_ns[CALL_OF_LUA], own_bias * 1e6) / 2, 1);
    /* Nothing is known of where it is: two functions are not wrong in the same direction. */
    cr_expect_float_eq(tree.details[3].common_error_ns, OVERHEAD_TIME_BIAS * 1e6 / 2, 1e-3);
}

Test(reference, is_never_surer_of_times_than_is_usual)
{
    calibrate(1000);
    time_wakes(3, false, 1000, 1000000);
    time_wakes(1, false, 1000, 2000000);
    find();
    cr_expect_leq(fit.ratio, 1);
    cr_expect_float_eq(costs.excess, 1.5 * 0.15, 1e-9);
}

Test(reference, is_as_sure_as_ever_without_one_where_recording_costs_little)
{
    calibrate(10);
    find();
    cr_expect_float_eq(costs.untimed_bias, 1.7 * 20e3 / (4e6 - 20e3), 1e-9);
}

/* A quarter of the time that is left, but no more than 0.15 of the cost; of that, a twentieth is
 * subtracted as cost, if it is as much. */
Test(reference, takes_what_is_usual_without_one)
{
    const struct {
        double cost_ns, fraction, scale;
    } cases[] = {{1900, 1 + 0.05e6 / 3.8e6, 1},
                 {1500, 1.05, 0.75e6 / (1e6 - 0.15e6)},
                 {1000, 1.05, (2e6 - 0.3e6) / (2e6 - 0.1e6)},
                 {0, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        calibrate(cases[i].cost_ns);
        reference_fit(&fit, &reference, &wakes, &tree, kinds, &costs);
        cr_expect(!fit.is_known && costs.keeps_fraction);
        cr_expect_float_eq(costs.fraction, cases[i].fraction, 1e-9);
        for (uint32_t function = 0; function < fit.function_count; function++)
            cr_expect_float_eq(fit.scales[function], cases[i].scale, 1e-6, "%zu: %g", i,
                               fit.scales[function]);
        MEM_FREE(fit.scales);
        fit = (struct reference_fit){0};
    }
}

Test(reference, takes_what_is_usual_from_others_where_it_covers_few)
{
    calibrate(1000);
    time_wakes(3, false, 100, 1000);
    find();
    cr_expect_lt(fit.covered, 0.5);
    cr_expect_lt(fit.scales[4], 1);
}

Test(reference, is_less_sure_of_times_where_it_covers_few)
{
    calibrate(400);
    time_wakes(3, false, 100, 50000);
    find();
    cr_expect_gt(fit.covered, 0.1);
    cr_expect_lt(fit.covered, 0.4);
    cr_expect_float_eq(costs.untimed_bias, 0.3 * (1 - 2 * fit.covered), 1e-9);
}

Test(reference, is_as_sure_as_ever_where_it_covers_half)
{
    calibrate(1000);
    time_wakes(1, false, 100, 100000);
    find();
    cr_expect_geq(fit.covered, 0.5);
    cr_expect_eq(costs.untimed_bias, 0);
    cr_expect_eq(costs.untimed, 0);
}

Test(reference, lets_the_user_be_sure_of_costs)
{
    calibrate(1000);
    costs.fraction = 0;
    find();
    cr_expect_eq(costs.untimed_bias, 0);
}

Test(reference, never_makes_times_longer_than_they_were_measured)
{
    time_wakes(1, false, 100, 1000000);
    find();
    cr_expect_eq(tree.total_ns[1], 2000000);
}

Test(reference, does_not_count_functions_that_the_recording_lacks)
{
    time_wakes(1000, false, 100, 100000);
    time_wakes(UINT32_MAX, false, 100, 100000);
    wakes.all[0].function = 1000;
    find();
    cr_expect(!fit.is_known);
}

static void watch_minute(uint32_t function, double wakes, double ns, double deviation_ns)
{
    struct event_reference timed = {.function = function,
                                    .is_watched = true,
                                    .wakes = wakes,
                                    .ns = ns,
                                    .deviation_ns = deviation_ns,
                                    .first_tick = 1,
                                    .last_tick = 600};
    MEM_APPEND(reference.all, reference.count, reference.capacity, timed);
}

/* So many wakes of 1 in the same minute, and as many in others; without their cost they took 1.8
 * ms. */
static void record_wakes(size_t count)
{
    tree.call_counts[1] = 1000;
    costs.in_ns[CALL_OF_LUA] = 200;
    wakes.count = 2 * count;
    for (size_t i = 0; i < wakes.count; i++)
        wakes.all[i] = (struct wake){.function = 1, .units = 20, .tick = i < count ? 600 : 700};
}

Test(reference, makes_recorded_wakes_as_long_as_the_others_of_their_minute)
{
    record_wakes(10);
    watch_minute(3, 90, 1, 0);
    watch_minute(1, 90, 90 * 60e3, 0);
    watch_minute(1, 40, 40 * 90e3, 0);
    find();
    /* The 20 wakes are to take 1.5 ms; a tenth more of the cost makes 1.78 ms of 1.8. */
    cr_expect(fit.is_known);
    cr_expect_float_eq(fit.ratio, 1.2, 1e-2);
    cr_expect_float_eq(fit.scales[1], 1.5 / 1.78, 1e-2);
    cr_expect_eq(scales[4], 1);
}

Test(reference, hardly_believes_few_wakes_of_a_function_whose_wakes_differ)
{
    record_wakes(3);
    watch_minute(1, 90, 90 * 200e3, 2e6);
    find();
    /* Six wakes are to take 1.2 ms, with an error of four times that. */
    cr_expect_gt(fit.scales[1], 0.98);
    cr_expect_lt(fit.ratio, 1.02);
}

Test(reference, takes_no_more_from_wakes_than_their_events_can_add)
{
    record_wakes(10);
    costs.in_ns[CALL_OF_LUA] = 1;
    measured_ns[1] += 1000;
    watch_minute(1, 90, 90 * 50e3, 0);
    find();
    cr_expect_gt(fit.ratio, 1.9);
    cr_expect_float_eq((double)tree.self_ns[1], 500e3 - 3e3, 1);
    cr_expect_float_eq(scales[1], 1 - 3.0 / 500, 1e-6);
    cr_expect_eq(tree.self_ns[2], 1500000);
}

/* What events cannot have added to 2 is not taken from 1, of the same thread, either. */
Test(reference, takes_less_from_stacks_with_few_events)
{
    cost_as_much();
    measured_ns[2] = 1500000 + 15000;
    time_wakes(1, false, 100, 170000);
    time_wakes(3, false, 200, 200000);
    find();
    cr_expect_float_eq(fit.scales[1], 0.85, 1e-6);
    cr_expect_float_eq((double)tree.self_ns[2], 1500e3 - 150e3, 10);
    cr_expect_float_eq((double)tree.self_ns[1], 0.85 * 500e3, 10);
    cr_expect_float_eq(fit.rest, (1350 + 0.85 * 500 + 1000) / (0.85 * 2000 + 1000), 1e-5);
}

Test(reference, takes_what_it_can_where_events_are_too_few)
{
    for (uint32_t node = 1; node < NODES; node++)
        measured_ns[node] += 1000;
    time_wakes(1, false, 100, 50000);
    time_wakes(3, false, 200, 100000);
    find();
    cr_expect_float_eq((double)tree.total_ns[1], 2e6 - 2 * 10e3, 10);
    cr_expect_float_eq((double)tree.self_ns[3], 1e6 - 10e3, 10);
}

Test(reference, is_none_in_a_minute_of_which_more_than_half_was_recorded)
{
    record_wakes(10);
    watch_minute(1, 19, 19 * 70e3, 0);
    find();
    cr_expect(!fit.is_known);
}
