/*
 * wide.h - operations on many bytes at once, with instructions that every processor of a kind has.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/* The compiler makes the instructions of the processor of it, but for those of wide_bits(). */
typedef signed char wide_bytes __attribute__((vector_size(16)));

static inline wide_bytes wide_load(const char *at)
{
    wide_bytes bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

static inline wide_bytes wide_fill(int byte)
{
    return (wide_bytes){0} + (signed char)byte;
}

/* Returns a number with bit i set where the result of a comparison is true. */
static inline uint32_t wide_bits(wide_bytes low, wide_bytes high)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8((__m128i)low) | (uint32_t)_mm_movemask_epi8((__m128i)high)
                                                           << 16;
#elif defined(__wasm_simd128__)
    return (uint32_t)wasm_i8x16_bitmask((v128_t)low) | (uint32_t)wasm_i8x16_bitmask((v128_t)high)
                                                           << 16;
#else
    uint32_t bits = 0;
    for (int i = 0; i < 16; i++)
        bits |= (uint32_t)(low[i] & 1) << i | (uint32_t)(high[i] & 1) << (i + 16);
    return bits;
#endif
}

/* Returns a number with bit i set where at[i] is one of two values, for i from 0 to 31. */
static inline uint32_t wide_find_either(const char *at, char a, char b)
{
    wide_bytes low = wide_load(at), high = wide_load(at + sizeof low);
    wide_bytes is_a = wide_fill(a), is_b = wide_fill(b);
    return wide_bits((low == is_a) | (low == is_b), (high == is_a) | (high == is_b));
}

/* Returns a number with bit i set where a[i] and b[i] are different, for i from 0 to 31. */
static inline uint32_t wide_find_different(const char *a, const char *b)
{
    return wide_bits(wide_load(a) != wide_load(b), wide_load(a + 16) != wide_load(b + 16));
}

/*
 * Returns a number with bit i set where at[i] is from `first` to `last`, for i from 0 to 31. Both
 * are printable ASCII.
 */
static inline uint32_t wide_find_range(const char *at, char first, char last)
{
    wide_bytes low = wide_load(at), high = wide_load(at + sizeof low);
    wide_bytes before = wide_fill(first - 1), after = wide_fill(last + 1);
    return wide_bits((low > before) & (low < after), (high > before) & (high < after));
}
