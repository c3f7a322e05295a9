#include "base/sort.h"

#include <criterion/criterion.h>
#include <float.h>
#include <stdlib.h>

/* Items are numbered in their first order, so that this shows that equal ones stay in order. */
static void expect_sorted(struct keyed *items, size_t count)
{
    uint64_t key_sum = 0, item_sum = 0;
    for (size_t i = 0; i < count; i++) {
        items[i].item = (uint32_t)i;
        key_sum += items[i].key * (2 * i + 1);
    }
    key_sort(items, count);
    for (size_t i = 0; i < count; i++) {
        key_sum -= items[i].key * (2 * (uint64_t)items[i].item + 1);
        item_sum += items[i].item;
        if (i > 0)
            cr_assert(items[i - 1].key < items[i].key ||
                      (items[i - 1].key == items[i].key && items[i - 1].item < items[i].item));
    }
    cr_expect_eq(key_sum, 0, "keys have left their items");
    cr_expect_eq(item_sum, count * (count - (count > 0)) / 2);
}

Test(key_sort, sorts_none_one_and_two)
{
    struct keyed items[2] = {{7, 0}, {3, 0}};
    key_sort(NULL, 0);
    expect_sorted(items, 1);
    cr_expect_eq(items[0].key, 7);
    expect_sorted(items, 2);
    cr_expect_eq(items[0].key, 3);
    expect_sorted(items, 2);
    cr_expect_eq(items[0].key, 3);
}

Test(key_sort, keeps_equal_items_in_order)
{
    struct keyed items[1000];
    for (size_t i = 0; i < 1000; i++)
        items[i].key = UINT64_MAX;
    expect_sorted(items, 1000);
    for (size_t i = 0; i < 1000; i++)
        items[i].key = (uint64_t)(i % 2) << 63;
    expect_sorted(items, 1000);
}

/* Keys that differ in one bit, in a digit, in the highest bits, and in all. */
Test(key_sort, sorts_by_all_bits)
{
    static struct keyed items[5000];
    srand(1);
    for (unsigned shift = 0; shift < 64; shift++)
        for (unsigned bits = 1; bits <= 64 - shift; bits += 9) {
            uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
            size_t count = 100 + shift;
            for (size_t i = 0; i < count; i++) {
                uint64_t number =
                    (uint64_t)rand() << 40 ^ (uint64_t)rand() << 20 ^ (uint64_t)rand();
                items[i].key = (number & mask) << shift | (shift > 0);
            }
            expect_sorted(items, count);
        }
    for (size_t i = 0; i < 5000; i++)
        items[i].key = (uint64_t)rand() * 0x9e3779b97f4a7c15u;
    expect_sorted(items, 5000);
}

Test(key_sort, keys_of_numbers_are_in_their_order)
{
    static const double numbers[] = {-DBL_MAX, -0x1p63, -3,  -1.5, -1,     -DBL_MIN, 0,
                                     DBL_MIN,  1,       1.5, 2,    0x1p53, 0x1p63,   DBL_MAX};
    for (size_t i = 1; i < sizeof numbers / sizeof numbers[0]; i++)
        cr_expect_lt(key_of_double(numbers[i - 1]), key_of_double(numbers[i]), "%zu", i);
    cr_expect_eq(key_of_double(-0.0), key_of_double(0.0));
    /* Numbers that a double cannot tell apart. */
    cr_expect_eq(key_of_double((double)INT64_MAX), key_of_double((double)(INT64_MAX - 1)));
}
