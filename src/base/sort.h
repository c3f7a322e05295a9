/*
 * sort.h - sorts by keys, and finds in what is sorted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sorts many items by numbers, without comparing them.
 *
 * It reads the items twice for each 11 bits in which their keys differ, which is less work than the
 * comparisons of qsort().
 */

struct keyed {
    uint64_t key;
    uint32_t item;
};

/* Sorts by rising keys; items with equal keys stay in order. `items` is [count]. */
void key_sort(struct keyed *items, size_t count);

/*
 * Returns what numbers[index] would be if they were sorted, the smallest first, without sorting
 * them: each number is read a few times. `numbers`, [count], are lost; `index` is less than
 * `count`.
 */
uint64_t smallest_at(uint64_t *numbers, size_t count, size_t index);

/* The same with the largest first. `numbers` stay. */
uint64_t largest_at(const uint64_t *numbers, size_t count, size_t index);

/*
 * Returns a key that orders numbers as they are: -3, -1, 0, 2. Both zeros have one key; `number` is
 * not NaN.
 */
uint64_t key_of_double(double number);

/*
 * Returns the number that has this key. A key between the keys of two numbers belongs to a number
 * between the two, so a search may halve a range of keys.
 */
double double_of_key(uint64_t key);

/*
 * Returns the index of the first item that is not before the key, or `count`. The items, [count] of
 * `size` bytes, are in order; compare() is that of bsearch().
 */
static inline size_t search_first(const void *key, const void *items, size_t count, size_t size,
                                  int (*compare)(const void *key, const void *item))
{
    size_t first = 0;
    while (count > 0) {
        size_t half = count / 2;
        bool is_right = compare(key, (const char *)items + (first + half) * size) > 0;
        first += is_right ? half + 1 : 0;
        count = is_right ? count - half - 1 : half;
    }
    return first;
}
