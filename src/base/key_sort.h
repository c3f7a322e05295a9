/*
 * key_sort.h - sorts many items by numbers, without comparing them.
 *
 * It reads the items twice for each 11 bits in which their keys differ. With it, CSV of all stacks
 * of a large log takes a tenth less CPU time, reading included, than with qsort().
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct keyed {
    uint64_t key;
    uint32_t item;
};

/* Sorts by rising keys; items with equal keys stay in order. `items` is [count]. */
void key_sort(struct keyed *items, size_t count);

/*
 * Returns what numbers[index] would be if they were sorted, the largest first; `numbers` is
 * [count], and `index` is less than `count`.
 */
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
