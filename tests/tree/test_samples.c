#include "tree/samples.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>

static uint64_t random_state = 88172645463325252u;

static double draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / (double)(UINT64_C(1) << 53);
}

/* How many steps a clock shows of a time that is `mean` steps long: Poisson's distribution. */
static int show_steps(double mean)
{
    int steps = 0;
    for (double left = draw(); left > exp(-mean); left *= draw())
        steps++;
    return steps;
}

/* A function of a game: so many steps in each of the ticks that were chosen. */
static struct sample_sums show(double steps, int tick_count, double step_ns)
{
    struct sample_sums sums = {0};
    double seen = 0;
    for (int tick = 0; tick < tick_count; tick++) {
        int shown = show_steps(steps);
        sums.ns[tick % SUBSAMPLES] += shown * step_ns;
        seen += shown;
    }
    sums.clock_variance_ns2 = fmax(seen, 1) * step_ns * step_ns;
    return sums;
}

/* The ticks are alike, so all that may be wrong with a share is what the clock does. */
static void expect_right(double steps, double steps_of_others, int tick_count)
{
    enum { GAMES = 2000 };
    const double STEP_NS = 244141;
    int right = 0;
    for (int game = 0; game < GAMES; game++) {
        struct sample_sums sum = show(steps, tick_count, STEP_NS);
        struct sample_sums all = show(steps_of_others, tick_count, STEP_NS);
        sample_sums_add(&all, &sum);
        double all_ns = 0, sum_ns = 0;
        for (int i = 0; i < SUBSAMPLES; i++) {
            all_ns += all.ns[i];
            sum_ns += sum.ns[i];
        }
        double wrong_ns = fabs(sum_ns - all_ns * steps / (steps + steps_of_others));
        right += wrong_ns <= sample_error_ns(&sum, &all);
    }
    cr_expect(right >= 0.93 * GAMES, "%d of %d with %g steps in %d ticks", right, GAMES, steps,
              tick_count);
}

Test(samples, have_errors_that_hold_the_truth_on_a_coarse_clock)
{
    expect_right(0.05, 3, 4);
    expect_right(0.1, 3, 4);
    expect_right(0.5, 3, 4);
    expect_right(2, 2, 4);
    expect_right(0.01, 50, 60);
    expect_right(1, 50, 60);
    expect_right(25, 25, 60);
}

Test(samples, of_a_function_without_a_step_have_an_error)
{
    struct sample_sums sum = {.clock_variance_ns2 = 1}, all = {.clock_variance_ns2 = 9};
    all.ns[0] = 9;
    cr_expect_float_eq(sample_error_ns(&sum, &all), 2, 1e-9);
    all.ns[1] = 9;
    cr_expect_float_eq(sample_error_ns(&sum, &all), 2, 1e-9);
}

Test(samples, do_not_make_sure_what_is_wrong_in_all_of_them)
{
    struct sample_sums sum = {.cost_error_ns = 1}, all = {.cost_error_ns = 4};
    for (int i = 0; i < SUBSAMPLES; i++) {
        sum.ns[i] = 25;
        all.ns[i] = 100;
    }
    /* All functions may be wrong by as large a part, each in its own direction. */
    cr_expect_float_eq(sample_error_ns(&sum, &all), 1.5, 1e-9);
}
