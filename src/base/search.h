/*
 * search.h - binary search.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the first of the indexes 0 ... count - 1 for which is_before() is false, or `count`. It
 * must be false for all indexes after that, too. `context` is passed to is_before().
 */
static inline size_t search_first(size_t count, bool (*is_before)(const void *context, size_t at),
                                  const void *context)
{
    size_t first = 0;
    while (count > 0) {
        size_t half = count / 2;
        bool is_right = is_before(context, first + half);
        first += is_right ? half + 1 : 0;
        count = is_right ? count - half - 1 : half;
    }
    return first;
}
