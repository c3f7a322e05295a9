#include "base/number.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct span span(const char *text)
{
    return span_of(text);
}

Test(number, rounds_and_limits_what_was_scaled)
{
    cr_expect_eq(number_rounded(1.5), 2);
    cr_expect_eq(number_rounded(-1.5), -2);
    cr_expect_eq(number_rounded(1e300), (int64_t)NUMBER_TIME_MAX_NS);
    cr_expect_eq(number_rounded(-1e300), -(int64_t)NUMBER_TIME_MAX_NS);
}

Test(number, reads_seconds_to_the_nanosecond)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"0", 0},
        {"-0", 0},
        {"1", 1000000000},
        {"0.00087174773216248", 871748},
        {"6.1e-005", 61000},
        {"1e-05", 10000},
        {"4.8503279685974e-06", 4850},
        {"5e-10", 1},
        {"4.9e-10", 0},
        {"1e-300", 0},
        {"0e999", 0},
        {"-1.355", -1355000000},
        {"10000000", 10000000000000000},
        {"1.5e+01", 15000000000},
        {"0.123456789012345678901234567890", 123456789},
        {".5", 500000000},
        {"5.", 5000000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ns = -1;
        cr_expect(number_seconds(span(cases[i].text), &ns), "%s", cases[i].text);
        cr_expect_eq(ns, cases[i].ns, "%s is %ld", cases[i].text, (long)ns);
    }
}

Test(number, refuses_what_is_no_number)
{
    static const char *const texts[] = {
        "",    "-",    ".",    "1.#INF", "-1.#IND", "nan",   "inf", "1e",
        "1e+", "1e5x", "0x10", " 1",     "1 ",      "1e300", "--1", "10000000.000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t ns;
        cr_expect_not(number_seconds(span(texts[i]), &ns), "'%s'", texts[i]);
    }
}

Test(number, reads_counts_beyond_what_a_float_counts)
{
    uint64_t count = 0;
    cr_expect(number_count(span("16777216"), &count) && count == 16777216);
    cr_expect(number_count(span("1.2346e+05"), &count) && count == 123460);
    cr_expect(number_count(span("1e15"), &count) && count == 1000000000000000);
    cr_expect_not(number_count(span("1000000000000001"), &count));
    cr_expect_not(number_count(span("-1"), &count));
    cr_expect_not(number_count(span("1e20"), &count));
}

Test(number, scaled_by_1_is_the_same_however_large)
{
    cr_expect_eq(number_scaled(INT64_MAX, 1), INT64_MAX);
    cr_expect_eq(number_scaled(-9007199254740993, 1), -9007199254740993);
    cr_expect_eq(number_scaled_count(UINT64_MAX, 1), UINT64_MAX);
    cr_expect_eq(number_scaled_count(UINT64_MAX, 0.5), NUMBER_TIME_MAX_NS);
    double rest = 0;
    uint64_t sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += number_scaled_part(1, 0.02, &rest);
    cr_expect_eq(sum, 20);
    for (int i = 0; i < 1000; i++)
        sum += number_scaled_part(3, 0.999, &rest);
    cr_expect_eq(sum, 20 + 2997);
    cr_expect_eq(number_scaled_part(UINT64_MAX, 1, &rest), UINT64_MAX);
    cr_expect_eq(number_scaled_part(UINT64_MAX, 3, &rest), NUMBER_TIME_MAX_NS);
    cr_expect_leq(rest, 1);
    cr_expect_eq(number_scaled(10, 0.25), 3);
    cr_expect_eq(number_scaled(INT64_MAX, 2), NUMBER_TIME_MAX_NS);
}

Test(number, is_rounded_as_llround_does)
{
    static const double near[] = {0,      0.5,    0.49999999999999994,  1.5, 4503599627370495.5,
                                  0x1p52, 0x1p53, 9223372036854774784.0};
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int step = -1; step <= 1; step++) {
                double value = sign * near[i];
                value = step == 0 ? value : nextafter(value, step * 0x1p62);
                cr_expect_eq(number_nearest(value), llround(value), "%.17g", value);
            }
    srand(1);
    for (int i = 0; i < 100000; i++) {
        double value = ldexp(rand() - RAND_MAX / 2, rand() % 60 - 40);
        cr_assert_eq(number_nearest(value), llround(value), "%.17g", value);
    }
    cr_expect_eq(number_nearest(-0x1p63), INT64_MIN);
    cr_expect_eq(number_nearest(0x1p63), INT64_MAX);
    cr_expect_eq(number_nearest(-INFINITY), INT64_MIN);
}
