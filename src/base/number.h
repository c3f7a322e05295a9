/*
 * number.h - numbers in decimal digits, as the game, the recorder and the user write them.
 *
 * All functions fail if the text is not such a number from start to end, or if the number is beyond
 * the limit named below; the result is then not changed.
 */
#pragma once

#include "base/hash_index.h"

/*
 * Numbers as the game prints them (%.14g of a float32; Windows has exponents of three digits). The
 * first rounds to whole nanoseconds, half away from zero. The limits are beyond all that a game can
 * have measured: months of time, or a million times the calls that a float32 can count.
 */
#define NUMBER_TIME_MAX_NS ((uint64_t)10000000 * 1000000000)
#define NUMBER_COUNT_MAX ((uint64_t)1000000000000000)
bool number_seconds(struct span text, int64_t *ns);
bool number_count(struct span text, uint64_t *count);

/*
 * Rounds a time or count that was scaled. One that no game can have measured becomes the largest
 * time, so that sums of a few hundred cannot overflow.
 */
int64_t number_rounded(double value);

/*
 * Returns the nearest integer, halves away from zero, as llround() does. For a value beyond int64_t
 * it returns the smallest or largest int64_t; what llround() returns then depends on the system.
 * `value` must not be NaN. It is inline because it is called for each node of each recording.
 */
static inline int64_t number_nearest(double value)
{
    if (!(value > -0x1p63 && value < 0x1p63))
        return value < 0 ? INT64_MIN : INT64_MAX;
    int64_t whole = (int64_t)value;
    double rest = value - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* A time, or a count, scaled and rounded; the same value, however large, if the factor is 1. */
int64_t number_scaled(int64_t value, double factor);
uint64_t number_scaled_count(uint64_t count, double factor);

/*
 * The same for counts that are parts of a sum, so that the sum is right, too: `rest`, 0 at first,
 * is what rounding has left of the parts before.
 */
uint64_t number_scaled_part(uint64_t count, double factor, double *rest);

/* The index that `percent` of 100 sorted values, [count], do not exceed (nearest rank). */
static inline size_t number_rank(size_t count, size_t percent)
{
    size_t rank = (count * percent + 99) / 100;
    return rank > 0 ? rank - 1 : 0;
}

/* Sorts numbers, [count] and none of them NaN, by rising value. */
void number_sort(double *numbers, size_t count);

/* Whether the text is such a number, of any size. */
bool number_is_decimal(struct span text);

/* A line number: digits that the grammar has checked, with or without a "-" before them. */
bool number_line(struct span text, int32_t *line);
