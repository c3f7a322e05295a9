/*
 * largest.h - finds the n-th largest of many numbers without sorting them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Returns what numbers[index] would be if they were sorted, the largest first; `numbers` is
 * [count], and `index` is less than `count`. It reads them eight times: with a million numbers that
 * takes a tenth of the time of qsort().
 */
uint64_t largest_at(const uint64_t *numbers, size_t count, size_t index);
