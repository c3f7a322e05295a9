#include "base/sort.h"

#include "base/mem.h"

enum { DIGIT_BITS = 11, DIGIT_COUNT = 1 << DIGIT_BITS, KEY_BITS = 64 };
enum { SELECTED_BITS = 8, SELECTED_MASK = (1 << SELECTED_BITS) - 1 };

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

/* To clear the counters of one digit takes as long. */
enum { FEW_ITEMS = 64 };

static void sort_few_items(struct keyed *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct keyed item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

void key_sort(struct keyed *items, size_t count)
{
    if (count <= FEW_ITEMS) {
        sort_few_items(items, count);
        return;
    }
    if (is_sorted(items, count))
        return;
    size_t capacity = 0;
    SCOPED_ARRAY struct keyed *spare = mem_grow(NULL, &capacity, count, sizeof *spare);
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

/* Sorts a few numbers. */
static void sort_few(uint64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Keeps the numbers that have the digit of the one at `*index`, which becomes its index among them.
 * Returns their count. */
static size_t keep_digit(uint64_t *numbers, size_t count, size_t *index, unsigned shift)
{
    size_t counts[1 << SELECTED_BITS] = {0}, digit = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        counts[numbers[i] >> shift & SELECTED_MASK]++;
    for (; *index >= counts[digit]; digit++)
        *index -= counts[digit];
    for (size_t i = 0; i < count; i++) {
        numbers[kept] = numbers[i];
        kept += (numbers[i] >> shift & SELECTED_MASK) == digit;
    }
    return kept;
}

uint64_t smallest_at(uint64_t *numbers, size_t count, size_t index)
{
    enum { FEW = 32 };
    uint64_t different = 0;
    for (size_t i = 1; i < count; i++)
        different |= numbers[i] ^ numbers[0];
    for (unsigned shift = KEY_BITS; shift > 0 && count > FEW;) {
        shift -= SELECTED_BITS;
        if ((different >> shift & SELECTED_MASK) != 0)
            count = keep_digit(numbers, count, &index, shift);
    }
    /* Many that are left have no more bits to differ in. */
    if (count <= FEW)
        sort_few(numbers, count);
    return numbers[index];
}

uint64_t largest_at(const uint64_t *numbers, size_t count, size_t index)
{
    SCOPED_ARRAY uint64_t *copy = mem_zeroed(count, sizeof *copy);
    memcpy(copy, numbers, count * sizeof *copy);
    return smallest_at(copy, count, count - 1 - index);
}
