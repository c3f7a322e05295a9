#include "base/largest.h"

#include <assert.h>

enum { DIGIT_BITS = 8, DIGIT_COUNT = 1 << DIGIT_BITS, NUMBER_BITS = 64 };

uint64_t largest_at(const uint64_t *numbers, size_t count, size_t index)
{
    assert(index < count);
    uint64_t found = 0, known_bits = 0;
    for (unsigned shift = NUMBER_BITS; shift > 0;) {
        size_t counts[DIGIT_COUNT] = {0};
        shift -= DIGIT_BITS;
        for (size_t i = 0; i < count; i++)
            if ((numbers[i] & known_bits) == found)
                counts[numbers[i] >> shift & (DIGIT_COUNT - 1)]++;
        unsigned digit = DIGIT_COUNT - 1;
        for (; index >= counts[digit]; digit--)
            index -= counts[digit];
        found |= (uint64_t)digit << shift;
        known_bits |= (uint64_t)(DIGIT_COUNT - 1) << shift;
    }
    return found;
}
