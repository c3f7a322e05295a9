#include "report/figures/unit_growth.h"

#include <criterion/criterion.h>
#include <math.h>

#define MS ((int64_t)1000000)

enum { LINES = 6, TICKS = 100 * LINES };

/* An exact recording and a watch of the same game: each 100 ticks 100 units more. */
static struct recording recordings[] = {
    {.run = 1, .is_sim = true}, {.run = 2, .is_sim = true, .is_watch = true, .slow_ns = MS}};
static struct watch_units units[2 * LINES];
static struct tick ticks[TICKS];
static const struct selection nothing;

static struct unit_growth find(int64_t (*time_ns)(int64_t units), uint64_t step,
                               struct watches *watches, struct tick *list)
{
    for (int i = 0; i < LINES; i++) {
        units[i] = (struct watch_units){0, 50 + 100 * i, 100 + step * (uint64_t)i};
        units[LINES + i] = (struct watch_units){1, 50 + 100 * i, 100 + step * (uint64_t)i};
    }
    for (int i = 0; i < TICKS; i++)
        ticks[i] = (struct tick){
            .number = i, .time_ns = time_ns(100 + (int64_t)step * (i / 100)), .recording = 0};
    struct profile profile = {.symbols.function_count = 3};
    profile.recordings.all = recordings;
    profile.recordings.count = 2;
    profile.recordings.watches = *watches;
    profile.recordings.watches.units = units;
    profile.recordings.watches.unit_count = 2 * LINES;
    if (list != NULL)
        profile.ticks = (struct tick_list){.ticks = list, .count = TICKS};
    struct report report = {.profile = &profile, .selection = &nothing};
    struct unit_growth growth;
    unit_growth_find(&growth, &report);
    return growth;
}

static int64_t square(int64_t count)
{
    return count * count * 100;
}

static int64_t linear(int64_t count)
{
    return count * 20000;
}

static int64_t constant(int64_t count)
{
    return count < 0 ? 0 : 7 * MS;
}

static int64_t chance(int64_t count)
{
    return (1 + count / 100 * 7 % 5) * MS;
}

Test(unit_growth, finds_the_power_with_which_ticks_grow)
{
    struct watches none = {0};
    struct unit_growth growth = find(square, 100, &none, ticks);
    cr_assert(growth.is_known);
    cr_expect_float_eq(growth.exponent, 2, 0.01);
    cr_expect_eq(growth.few.units, 100);
    cr_expect_eq(growth.few.median_ns, 1 * MS);
    cr_expect_eq(growth.many.units, 600);
    cr_expect_eq(growth.many.median_ns, 36 * MS);
    growth = find(linear, 100, &none, ticks);
    cr_expect_float_eq(growth.exponent, 1, 0.01);
}

Test(unit_growth, says_nothing_where_ticks_do_not_grow_or_units_do_not)
{
    struct watches none = {0};
    cr_expect_not(find(constant, 100, &none, ticks).is_known);
    cr_expect_not(find(chance, 100, &none, ticks).is_known);
    cr_expect_not(find(square, 5, &none, ticks).is_known);
    cr_expect_not(find(square, 100, &none, NULL).is_known);
}

static int64_t a_little(int64_t count)
{
    return (int64_t)(10 * MS * pow((double)count / 100, 0.2));
}

static int64_t too_little(int64_t count)
{
    return (int64_t)(10 * MS * pow((double)count / 100, 0.19));
}

Test(unit_growth, needs_half_as_many_units_again_and_ticks_that_grow)
{
    struct watches none = {0};
    cr_expect(find(square, 11, &none, ticks).is_known);
    cr_expect_not(find(square, 9, &none, ticks).is_known);
    cr_expect(find(a_little, 100, &none, ticks).is_known);
    cr_expect_not(find(too_little, 100, &none, ticks).is_known);
}

/* Of ticks with 100 units, the fewest. */
static int64_t shortest_ns;

static int64_t short_at_first(int64_t count)
{
    return count == 100 ? shortest_ns : count * 10000;
}

Test(unit_growth, leaves_ticks_that_are_too_short_to_measure)
{
    struct watches none = {0};
    shortest_ns = 300000;
    cr_expect_eq(find(short_at_first, 100, &none, ticks).few.units, 100);
    shortest_ns = 299999;
    cr_expect_eq(find(short_at_first, 100, &none, ticks).few.units, 200);
}

Test(unit_growth, finds_the_powers_of_functions_by_the_minutes_of_a_watch)
{
    struct watch_sum sums[3 * LINES];
    struct watch_threads threads[LINES];
    int64_t lengths[TICKS];
    struct watch_ticks row = {.recording = 1, .first = 0, .count = TICKS};
    for (int i = 0; i < LINES; i++) {
        int64_t count = 100 + 100 * i;
        threads[i] = (struct watch_threads){1, 100 * i, 100 * i + 99, 3 * (size_t)i, 3};
        sums[3 * i] = (struct watch_sum){0, 1, square(count) * 100, MS};
        sums[3 * i + 1] = (struct watch_sum){1, 1, linear(count) * 300, MS};
        sums[3 * i + 2] = (struct watch_sum){2, 1, constant(count) * 100, MS};
    }
    for (int i = 0; i < TICKS; i++)
        lengths[i] = square(100 + 100 * (i / 100)) / 100000 * 100000;
    struct watches watches = {.lengths = lengths,
                              .length_count = TICKS,
                              .ticks = &row,
                              .tick_count = 1,
                              .sums = sums,
                              .sum_count = 3 * LINES,
                              .threads = threads,
                              .thread_count = LINES};
    struct unit_growth growth = find(square, 100, &watches, NULL);
    cr_assert(growth.is_known);
    cr_expect_float_eq(growth.exponent, 2, 0.05);
    cr_assert_eq(growth.function_count, 2);
    cr_expect_eq(growth.functions[0].function, 1);
    cr_expect_float_eq(growth.functions[0].exponent, 1, 0.01);
    cr_expect_eq(growth.functions[1].function, 0);
    cr_expect_float_eq(growth.functions[1].exponent, 2, 0.01);
}

/* Of a tick of the recording in log 0; recordings and logs are in another order. */
static double mean_near(int64_t tick)
{
    struct recording of_logs[] = {{.run = 1, .log = 1}, {.run = 2, .log = 0}};
    struct watch_units lines[] = {{0, 500, 700}, {1, 500, 300}};
    struct tick one = {.number = tick, .recording = 1};
    struct profile profile = {.recordings = {.all = of_logs, .count = 2},
                              .ticks = {.ticks = &one, .count = 1}};
    profile.recordings.watches.units = lines;
    profile.recordings.watches.unit_count = 2;
    return unit_growth_mean(&profile);
}

Test(unit_growth, has_a_mean_if_each_tick_is_near_a_line_of_its_log)
{
    cr_expect_float_eq(mean_near(500), 300, 1e-9);
    cr_expect_float_eq(mean_near(400), 300, 1e-9);
    cr_expect_float_eq(mean_near(399), 0, 1e-9);
    cr_expect_float_eq(mean_near(600), 300, 1e-9);
    cr_expect_float_eq(mean_near(601), 0, 1e-9);
}
