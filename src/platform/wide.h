/*
 * wide.h - operations on many bytes at once, with instructions that every processor of a kind has.
 */
#pragma once

#include <stdint.h>

/* Returns a number with bit i set where at[i] is one of two values, for i from 0 to 31. */
static inline uint32_t wide_find_either(const char *at, char a, char b);

/*
 * Returns a number with bit i set where at[i] is from `first` to `last`, for i from 0 to 31. Both
 * are printable ASCII.
 */
static inline uint32_t wide_find_range(const char *at, char first, char last);

/* Returns a number with bit i set where a[i] and b[i] are different, for i from 0 to 31. */
static inline uint32_t wide_find_different(const char *a, const char *b);

/* Returns the upper half of a product of 128 bits, xor the lower half. */
static inline uint64_t wide_multiply_fold(uint64_t a, uint64_t b);

#if defined(__SSE2__)
#include <emmintrin.h>

static inline uint32_t wide_find_either(const char *at, char a, char b)
{
    __m128i is_a = _mm_set1_epi8(a), is_b = _mm_set1_epi8(b);
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(at + sizeof low));
    low = _mm_or_si128(_mm_cmpeq_epi8(low, is_a), _mm_cmpeq_epi8(low, is_b));
    high = _mm_or_si128(_mm_cmpeq_epi8(high, is_a), _mm_cmpeq_epi8(high, is_b));
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

static inline uint32_t wide_find_range(const char *at, char first, char last)
{
    __m128i before = _mm_set1_epi8((char)(first - 1)), after = _mm_set1_epi8((char)(last + 1));
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(at + sizeof low));
    low = _mm_and_si128(_mm_cmpgt_epi8(low, before), _mm_cmpgt_epi8(after, low));
    high = _mm_and_si128(_mm_cmpgt_epi8(high, before), _mm_cmpgt_epi8(after, high));
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

static inline uint32_t wide_find_different(const char *a, const char *b)
{
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)a);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(a + sizeof low));
    low = _mm_cmpeq_epi8(low, _mm_loadu_si128((const __m128i *)(const void *)b));
    high = _mm_cmpeq_epi8(high, _mm_loadu_si128((const __m128i *)(const void *)(b + sizeof low)));
    return ~((uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16);
}

#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>

static inline uint32_t wide_find_either(const char *at, char a, char b)
{
    v128_t is_a = wasm_i8x16_splat(a), is_b = wasm_i8x16_splat(b);
    v128_t low = wasm_v128_load(at), high = wasm_v128_load(at + sizeof low);
    low = wasm_v128_or(wasm_i8x16_eq(low, is_a), wasm_i8x16_eq(low, is_b));
    high = wasm_v128_or(wasm_i8x16_eq(high, is_a), wasm_i8x16_eq(high, is_b));
    return (uint32_t)wasm_i8x16_bitmask(low) | (uint32_t)wasm_i8x16_bitmask(high) << 16;
}

static inline uint32_t wide_find_range(const char *at, char first, char last)
{
    v128_t from = wasm_i8x16_splat(first), to = wasm_i8x16_splat(last);
    v128_t low = wasm_v128_load(at), high = wasm_v128_load(at + sizeof low);
    low = wasm_v128_and(wasm_i8x16_ge(low, from), wasm_i8x16_le(low, to));
    high = wasm_v128_and(wasm_i8x16_ge(high, from), wasm_i8x16_le(high, to));
    return (uint32_t)wasm_i8x16_bitmask(low) | (uint32_t)wasm_i8x16_bitmask(high) << 16;
}

static inline uint32_t wide_find_different(const char *a, const char *b)
{
    v128_t low = wasm_i8x16_ne(wasm_v128_load(a), wasm_v128_load(b));
    v128_t high = wasm_i8x16_ne(wasm_v128_load(a + sizeof low), wasm_v128_load(b + sizeof low));
    return (uint32_t)wasm_i8x16_bitmask(low) | (uint32_t)wasm_i8x16_bitmask(high) << 16;
}

#else

static inline uint32_t wide_find_either(const char *at, char a, char b)
{
    uint32_t found = 0;
    for (int i = 0; i < 32; i++)
        found |= (uint32_t)(at[i] == a || at[i] == b) << i;
    return found;
}

static inline uint32_t wide_find_range(const char *at, char first, char last)
{
    uint32_t found = 0;
    for (int i = 0; i < 32; i++)
        found |= (uint32_t)(at[i] >= first && at[i] <= last) << i;
    return found;
}

static inline uint32_t wide_find_different(const char *a, const char *b)
{
    uint32_t found = 0;
    for (int i = 0; i < 32; i++)
        found |= (uint32_t)(a[i] != b[i]) << i;
    return found;
}

#endif

#if defined(__SIZEOF_INT128__)

static inline uint64_t wide_multiply_fold(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

#else

static inline uint64_t wide_multiply_fold(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), high = (a >> 32) * (b >> 32);
    uint64_t cross = (low >> 32) + (a >> 32) * (b & UINT32_MAX);
    uint64_t other = (cross & UINT32_MAX) + (a & UINT32_MAX) * (b >> 32);
    return (high + (cross >> 32) + (other >> 32)) ^ (other << 32 | (low & UINT32_MAX));
}

#endif
