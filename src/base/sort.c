#include "base/sort.h"

#include "base/mem.h"

enum { DIGIT_BITS = 11, DIGIT_COUNT = 1 << DIGIT_BITS, KEY_BITS = 64 };

static size_t digit_of(uint64_t key, unsigned shift)
{
    return key >> shift & (DIGIT_COUNT - 1);
}

/* Moves items to `sorted` in order of a digit; those with equal digits stay in order. */
static void sort_by_digit(struct keyed *sorted, const struct keyed *items, size_t count,
                          unsigned shift)
{
    uint32_t starts[DIGIT_COUNT + 1] = {0}; /* as keyed.item */
    for (size_t i = 0; i < count; i++)
        starts[digit_of(items[i].key, shift) + 1]++;
    for (size_t digit = 1; digit < DIGIT_COUNT; digit++)
        starts[digit] += starts[digit - 1];
    for (size_t i = 0; i < count; i++)
        sorted[starts[digit_of(items[i].key, shift)]++] = items[i];
}

static bool is_sorted(const struct keyed *items, size_t count)
{
    size_t i = 1;
    while (i < count && items[i - 1].key <= items[i].key)
        i++;
    return i >= count;
}

void key_sort(struct keyed *items, size_t count)
{
    if (is_sorted(items, count))
        return;
    SCOPED_ARRAY struct keyed *spare = mem_zeroed(count, sizeof *spare);
    struct keyed *from = items, *to = spare;
    uint64_t different = 0;
    for (size_t i = 1; i < count; i++)
        different |= items[i].key ^ items[0].key;
    for (unsigned shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
        if (digit_of(different, shift) == 0)
            continue;
        sort_by_digit(to, from, count, shift);
        struct keyed *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

uint64_t key_of_double(double number)
{
    static const uint64_t sign = (uint64_t)1 << 63;
    double without_minus_zero = number + 0.0;
    uint64_t bits;
    memcpy(&bits, &without_minus_zero, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

double double_of_key(uint64_t key)
{
    static const uint64_t sign = (uint64_t)1 << 63;
    uint64_t bits = key & sign ? key & ~sign : ~key;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number + 0.0;
}

uint64_t largest_at(const uint64_t *numbers, size_t count, size_t index)
{
    SCOPED_ARRAY struct keyed *sorted = mem_zeroed(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i].key = numbers[i];
    key_sort(sorted, count);
    return sorted[count - 1 - index].key;
}
