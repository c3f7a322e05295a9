#include "base/number.h"
#include "select/statistics.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 64 };

/* Copies numbers, with zeros or with the number of zeros. */
static struct sample sample(double copy[NUMBERS_MAX], const double *values, size_t count,
                            bool has_zeros)
{
    struct sample sample = {.values = copy};
    cr_assert_leq(count, NUMBERS_MAX);
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0 || has_zeros)
            copy[sample.count++] = values[i];
    sample.zeros = count - sample.count;
    return sample;
}

/* Zeros that are only counted are the same as others. */
static struct sample_shift compare(const double *new_values, size_t new_count,
                                   const double *old_values, size_t old_count)
{
    double news[NUMBERS_MAX], olds[NUMBERS_MAX];
    struct sample_shift shift = sample_compare_once(sample(news, new_values, new_count, true),
                                                    sample(olds, old_values, old_count, true));
    struct sample_shift other = sample_compare_once(sample(news, new_values, new_count, false),
                                                    sample(olds, old_values, old_count, false));
    bool has_ends = !isnan(shift.low) || !isnan(shift.high);
    cr_expect(has_ends ? shift.low == other.low && shift.high == other.high
                       : isnan(other.low) && isnan(other.high));
    cr_expect(shift.estimate == other.estimate && shift.p == other.p &&
              shift.is_exact == other.is_exact && shift.is_told_apart == other.is_told_apart);
    return shift;
}

static struct sample_summary sum_up(const double *values, size_t count)
{
    double copy[NUMBERS_MAX];
    struct sample_summary summary = sample_sum_up(sample(copy, values, count, true));
    struct sample_summary other = sample_sum_up(sample(copy, values, count, false));
    cr_expect(summary.median == other.median && summary.spread == other.spread &&
              summary.min == other.min && summary.max == other.max);
    return summary;
}

/* The fixture has 15 digits. */
static void expect_near(double is, double should_be, const char *what, int line)
{
    cr_expect(fabs(is - should_be) <= 1e-13 * fmax(1, fabs(should_be)),
              "line %d: %s is %.15g and not %.15g", line, what, is, should_be);
}

static double next_number(char **rest)
{
    char *word = strtok_r(NULL, " \n", rest);
    cr_assert_not_null(word);
    return strtod(word, NULL);
}

/* Returns whether the line holds an exact pair. */
static bool check_line(char *text, int line)
{
    char *rest;
    bool is_exact = strcmp(strtok_r(text, " ", &rest), "exact") == 0;
    size_t new_count = (size_t)next_number(&rest), old_count = (size_t)next_number(&rest);
    double values[32];
    cr_assert_leq(new_count + old_count, 32);
    for (size_t i = 0; i < new_count + old_count; i++)
        values[i] = next_number(&rest);
    struct sample_shift shift = compare(values, new_count, values + new_count, old_count);
    cr_expect_eq(shift.is_exact, is_exact);
    expect_near(shift.p, next_number(&rest), "p", line);
    if (!is_exact)
        return false;
    expect_near(shift.estimate, next_number(&rest), "the shift", line);
    expect_near(shift.low, next_number(&rest), "the lower end", line);
    expect_near(shift.high, next_number(&rest), "the upper end", line);
    return true;
}

Test(samples, are_compared_as_by_r)
{
    FILE *file = fopen(SUPPROF_FIXTURES "/wilcox.txt", "r");
    cr_assert_not_null(file);
    char text[1024];
    int exact = 0, tied = 0;
    for (int line = 1; fgets(text, sizeof text, file) != NULL; line++) {
        cr_assert_not_null(strchr(text, '\n'));
        if (text[0] == '#')
            continue;
        bool is_exact = check_line(text, line);
        exact += is_exact;
        tied += !is_exact;
    }
    fclose(file);
    cr_expect_eq(exact, 200);
    cr_expect_eq(tied, 40);
}

Test(samples, are_summed_up_by_their_middle)
{
    double odd[] = {9, 1, 2, 100, 3};
    struct sample_summary summary = sum_up(odd, 5);
    cr_expect_eq(summary.median, 3);
    cr_expect_eq(summary.spread, 2); /* of 2 1 0 6 97 */
    cr_expect_eq(summary.min, 1);
    cr_expect_eq(summary.max, 100);
    double even[] = {4, 1, 8, 2};
    summary = sum_up(even, 4);
    cr_expect_eq(summary.median, 3);
    cr_expect_eq(summary.spread, 1.5); /* of 2 1 1 5 */
    double one[] = {7};
    summary = sum_up(one, 1);
    cr_expect_eq(summary.median, 7);
    cr_expect_eq(summary.spread, 0);
    double zeros[] = {0, 5, 0, 0, -2, 9, 0};
    summary = sum_up(zeros, 7);
    cr_expect_eq(summary.median, 0);
    cr_expect_eq(summary.spread, 0);
    cr_expect_eq(summary.min, -2);
    cr_expect_eq(summary.max, 9);
    double rest[] = {0, 0, 3, 4, 6};
    summary = sum_up(rest, 5);
    cr_expect_eq(summary.median, 3);
    cr_expect_eq(summary.spread, 3); /* of 3 3 0 1 3 */
    summary = sum_up(zeros + 2, 2);
    cr_expect_eq(summary.max, 0);
}

Test(samples, of_three_cannot_be_told_apart)
{
    double few_new[] = {20, 21, 22}, few_old[] = {1, 2, 3};
    struct sample_shift shift = compare(few_new, 3, few_old, 3);
    cr_expect_float_eq(shift.p, 0.1, 1e-12);
    cr_expect_not(shift.is_told_apart);
    cr_expect_eq(shift.estimate, 19);
    cr_expect_eq(shift.low, 17);
    cr_expect_eq(shift.high, 21);
    /* Nor where equal numbers would make p smaller than it can be. */
    double same_new[] = {2, 2, 2}, same_old[] = {1, 1, 1};
    shift = compare(same_new, 3, same_old, 3);
    cr_expect_lt(shift.p, SAMPLES_P_MAX);
    cr_expect_not(shift.is_told_apart);
}

Test(samples, of_four_that_do_not_overlap_are_told_apart)
{
    double new_values[] = {20, 21, 22, 23}, old_values[] = {10, 11, 12, 13};
    struct sample_shift shift = compare(new_values, 4, old_values, 4);
    cr_expect_float_eq(shift.p, 2.0 / 70, 1e-12);
    cr_expect(shift.is_told_apart);
    cr_expect_eq(shift.low, 7);
    cr_expect_eq(shift.high, 13);
}

/* Ranks tell a steady side apart; an interval that holds 0 may be chance. */
Test(samples, of_a_steady_side_are_told_apart)
{
    double steady[] = {0, 0, 0, 0, 0, 0}, four[] = {20, 21, 22, 23};
    struct sample_shift shift = compare(four, 4, steady, 4);
    cr_expect_lt(shift.p, SAMPLES_P_MAX);
    cr_expect(isnan(shift.low) && isnan(shift.high) && shift.is_told_apart);
    double six[] = {20, 21, 22, 23, 24, 25};
    shift = compare(six, 6, steady, 6);
    cr_expect(shift.low == 20 && shift.high == 25 && shift.is_told_apart);
    double around[] = {-1, 21, 22, 23, 24, 25};
    shift = compare(around, 6, steady, 6);
    cr_expect_lt(shift.p, SAMPLES_P_MAX);
    cr_expect_eq(shift.low, -1);
    cr_expect_not(shift.is_told_apart);
}

Test(samples, of_equal_numbers_are_alike)
{
    double values[] = {5, 5, 5, 5, 5};
    struct sample_shift shift = compare(values, 5, values, 4);
    cr_expect_eq(shift.p, 1);
    cr_expect_eq(shift.low, 0);
    cr_expect_eq(shift.high, 0);
    cr_expect_not(shift.is_told_apart);
}

Test(samples, of_one_number_have_an_interval_of_that_number)
{
    double new_value[] = {3}, old_value[] = {1};
    struct sample_shift shift = compare(new_value, 1, old_value, 1);
    cr_expect_eq(shift.p, 1);
    cr_expect_eq(shift.low, 2);
    cr_expect_eq(shift.high, 2);
}

Test(samples, beyond_fifty_are_compared_by_the_normal_distribution)
{
    double new_values[60], old_values[60];
    for (int i = 0; i < 60; i++) {
        new_values[i] = 1000 + i;
        old_values[i] = i + 0.5;
    }
    struct sample_shift shift = compare(new_values, 60, old_values, 60);
    cr_expect_not(shift.is_exact);
    cr_expect_float_eq(shift.estimate, 999.5, 1e-9);
    cr_expect(shift.low < 999.5 && shift.low > 985);
    cr_expect(shift.high > 999.5 && shift.high < 1014);
    cr_expect(shift.is_told_apart);
}

/* A number from 0 to 1; the same row of them each time. */
static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* In how many of 1,000 draws the interval of a function that only one side has holds the truth, 15:
 * -1 if there is no interval. */
static int count_held(size_t count, bool is_old)
{
    double values[NUMBERS_MAX], zeros[NUMBERS_MAX] = {0};
    uint64_t state = 14;
    int held = 0;
    for (int draw = 0; draw < 1000; draw++) {
        for (size_t i = 0; i < count; i++)
            values[i] = 10 + 10 * next_random(&state);
        struct sample_shift shift =
            is_old ? compare(zeros, 6, values, count) : compare(values, count, zeros, 6);
        double truth = is_old ? -15 : 15;
        if (isnan(shift.low) || isnan(shift.high))
            return -1;
        held += shift.low <= truth && truth <= shift.high;
    }
    return held;
}

Test(samples, beside_zeros_have_an_interval_that_holds_the_truth)
{
    for (size_t count = 6; count <= NUMBERS_MAX; count++)
        for (int is_old = 0; is_old < 2; is_old++)
            cr_expect_geq(count_held(count, is_old), 935, "%zu numbers", count);
    /* Five would hold it in 94 of 100 cases at most. */
    cr_expect_eq(count_held(5, false), -1);
    cr_expect_eq(count_held(4, true), -1);
}

/* Returns the differences of all pairs, sorted; the caller frees them. */
static double *all_differences(const double *news, size_t new_count, const double *olds,
                               size_t old_count)
{
    size_t count = 0;
    double *all = calloc(new_count * old_count, sizeof *all);
    for (size_t i = 0; i < new_count; i++)
        for (size_t k = 0; k < old_count; k++)
            all[count++] = news[i] - olds[k];
    number_sort(all, count);
    return all;
}

/* Whether sorted numbers have one at about a place, where equal ones may be. */
static bool has_near(const double *all, size_t from, size_t to, double number)
{
    while (from < to && all[from] != number)
        from++;
    return from < to;
}

Test(samples, of_many_numbers_have_the_median_of_all_differences)
{
    enum { NEW_COUNT = 61, OLD_COUNT = 47, PAIRS = NEW_COUNT * OLD_COUNT };
    double news[NEW_COUNT], olds[OLD_COUNT];
    uint32_t state = 7;
    for (int round = 0; round < 60; round++) {
        /* Many, few or no equal numbers; whole ones or not; below zero or not. */
        double range = round % 3 == 0 ? 4 : 1 << (round / 2), step = round % 2 == 0 ? 1 : 1 / 3.0;
        for (size_t i = 0; i < NEW_COUNT + OLD_COUNT; i++) {
            state = state * 1103515245 + 12345;
            double number = step * fmod((double)(state >> 8), range) - round;
            *(i < NEW_COUNT ? &news[i] : &olds[i - NEW_COUNT]) = number;
        }
        struct sample_shift shift = compare(news, NEW_COUNT, olds, OLD_COUNT);
        cr_expect(sum_up(news, NEW_COUNT).max >= news[0]);
        double *all = all_differences(news, NEW_COUNT, olds, OLD_COUNT);
        cr_expect_eq(shift.estimate, all[PAIRS / 2], "round %d", round);
        /* With samples as large as these, 39 of 100 differences are below the interval. */
        cr_expect(has_near(all, 38 * PAIRS / 100, PAIRS / 2, shift.low), "round %d", round);
        cr_expect(has_near(all, PAIRS / 2, 62 * PAIRS / 100, shift.high), "round %d", round);
        free(all);
    }
}
