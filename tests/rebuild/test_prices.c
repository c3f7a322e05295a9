#include "rebuild/ticks/prices.h"

#include <criterion/criterion.h>
#include <stdint.h>

static struct prices prices;
static struct priced_tick tick;

static void tear_down(void)
{
    prices_release(&prices);
    tick = (struct priced_tick){0};
}

TestSuite(prices, .fini = tear_down);

/* Functions 0 to 3, each with 10 calls of 100 units in each of ten ticks. */
static void add_usual_ticks(void)
{
    for (int i = 0; i < 10; i++)
        for (uint32_t function = 0; function < 4; function++)
            prices_add(&prices, function, 10, 1000);
}

Test(prices, are_the_time_of_the_call_in_the_middle)
{
    prices_add(&prices, 0, 10, 1000);
    prices_add(&prices, 0, 10, 1010);
    prices_add(&prices, 0, 5, 500000);
    prices_finish(&prices);
    cr_expect_float_eq(prices_find(&prices, 0)->price, 100.5, 1e-9);
}

Test(prices, make_up_for_what_a_coarse_clock_did_not_see)
{
    prices_add(&prices, 0, 10, 0);
    prices_add(&prices, 0, 10, 0);
    prices_add(&prices, 0, 10, 60);
    prices_add(&prices, 1, 1, 30);
    prices_finish(&prices);
    cr_expect_float_eq(prices_find(&prices, 0)->price, 0, 1e-9);
    cr_expect_float_eq(prices.scale, 3, 1e-9);
}

Test(prices, of_two_halves_of_the_ticks_are_those_of_all)
{
    struct prices later = {.tick_count = 2};
    prices.tick_count = 1;
    prices_add(&prices, 0, 10, 1000);
    prices_add(&prices, 1, 0, 3);
    prices_add(&later, 0, 10, 1010);
    prices_add(&later, 0, 5, 500000);
    prices_add(&later, 2, 1, 40);
    prices_join(&prices, &later);
    prices_finish(&prices);
    cr_expect_eq(prices.tick_count, 3);
    cr_expect(prices.units == 502053 && prices.callless_units == 3);
    cr_expect_eq(prices_find(&prices, 0)->calls, 25);
    cr_expect_float_eq(prices_find(&prices, 0)->price, 100.5, 1e-9);
    cr_expect_float_eq(prices_find(&prices, 2)->price, 40, 1e-9);
    cr_expect_null(later.at);
}

Test(prices, stay_in_their_bins_for_any_numbers)
{
    prices_add(&prices, 0, 1, INT64_MAX);
    prices_add(&prices, 0, UINT64_MAX / 4, 1);
    prices_add(&prices, 0, 1, -5);
    prices_add(&prices, 0, 0, 7);
    prices_finish(&prices);
    cr_expect_geq(prices.scale, 1);
}

Test(prices, tell_a_slow_computer_from_one_function)
{
    add_usual_ticks();
    prices_finish(&prices);
    for (uint32_t function = 0; function < 4; function++)
        priced_tick_add(&tick, &prices, function, 10, 5000);
    cr_expect(priced_tick_is_slower(&tick));
    cr_expect_float_eq(tick.usual_units, 4000, 1e-9);
    tick = (struct priced_tick){0};
    for (uint32_t function = 0; function < 4; function++)
        priced_tick_add(&tick, &prices, function, 10, function == 2 ? 90000 : 1100);
    cr_expect_not(priced_tick_is_slower(&tick));
}

Test(prices, do_not_compare_what_is_in_no_other_tick)
{
    add_usual_ticks();
    prices_finish(&prices);
    priced_tick_add(&tick, &prices, 9, 10, 123456);
    cr_expect_float_eq(tick.usual_units, 123456, 1e-9);
    cr_expect_not(priced_tick_is_slower(&tick));
}

Test(prices, do_not_know_what_calls_take_that_differ)
{
    add_usual_ticks();
    prices_finish(&prices);
    priced_tick_add(&tick, &prices, 0, 10, 700);
    cr_expect(priced_tick_is_known(&tick));
    priced_tick_add(&tick, &prices, 1, 10, 100);
    cr_expect_not(priced_tick_is_known(&tick), "1,200 units less than usual, of 800");
}
