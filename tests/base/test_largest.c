#include "base/sort.h"

#include <criterion/criterion.h>
#include <stdlib.h>

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
}

Test(largest, knows_the_smallest_and_the_largest_number)
{
    const uint64_t numbers[] = {0, UINT64_MAX, 0};
    cr_expect_eq(largest_at(numbers, 3, 0), UINT64_MAX);
    cr_expect_eq(largest_at(numbers, 3, 1), 0);
    cr_expect_eq(largest_at(numbers, 3, 2), 0);
}
