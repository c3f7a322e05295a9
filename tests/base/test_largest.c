#include "base/sort.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static int compare_falling(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a > b ? -1 : a < b;
}

Test(largest, is_what_a_sort_finds)
{
    enum { COUNT = 500 };
    uint64_t numbers[COUNT], sorted[COUNT], random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        /* Of all sizes, and many of them equal. */
        numbers[i] = sorted[i] = random >> (random >> 58);
    }
    qsort(sorted, COUNT, sizeof *sorted, compare_falling);
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(largest_at(numbers, COUNT, i), sorted[i], "index %zu", i);
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t lost[COUNT];
        memcpy(lost, numbers, sizeof lost);
        cr_assert_eq(smallest_at(lost, COUNT, i), sorted[COUNT - 1 - i], "index %zu", i);
    }
}

Test(largest, knows_many_equal_numbers_and_those_that_differ_in_one_bit)
{
    enum { COUNT = 300 };
    uint64_t numbers[COUNT];
    for (uint64_t bit = 0; bit < 64; bit++) {
        for (size_t i = 0; i < COUNT; i++)
            numbers[i] = 5 ^ (i % 3 == 0) * ((uint64_t)1 << bit);
        uint64_t other = 5 ^ (uint64_t)1 << bit, least = other < 5 ? other : 5;
        cr_expect_eq(largest_at(numbers, COUNT, COUNT - 1), least);
        cr_expect_eq(largest_at(numbers, COUNT, 0), 5 + other - least);
        cr_expect_eq(largest_at(numbers, COUNT, COUNT / 2), 5);
    }
}

Test(largest, knows_the_smallest_and_the_largest_number)
{
    const uint64_t numbers[] = {0, UINT64_MAX, 0};
    cr_expect_eq(largest_at(numbers, 3, 0), UINT64_MAX);
    cr_expect_eq(largest_at(numbers, 3, 1), 0);
    cr_expect_eq(largest_at(numbers, 3, 2), 0);
}
