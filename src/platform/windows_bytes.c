#include "platform/bytes.h"

#include <emmintrin.h>
#include <string.h>

/* Replaces the one of msvcrt.dll, which looks at one byte after the other. */
void *memchr(const void *bytes, int value, size_t length)
{
    enum { STEP = sizeof(__m128i) };
    const char *at = bytes;
    __m128i wanted = _mm_set1_epi8((char)value);
    for (; length >= STEP; at += STEP, length -= STEP) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, wanted));
        if (found != 0)
            return (void *)(at + __builtin_ctz(found));
    }
    for (; length > 0; at++, length--)
        if (*at == (char)value)
            return (void *)at;
    return NULL;
}

/* The same for memcmp(). */
int memcmp(const void *left, const void *right, size_t length)
{
    enum { STEP = sizeof(__m128i), ALL_EQUAL = 0xffff };
    const unsigned char *a = left, *b = right;
    size_t i = 0;
    for (; length - i >= STEP; i += STEP) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(a + i));
        __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(b + i));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) != ALL_EQUAL)
            break;
    }
    for (; i < length; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

const char *bytes_find_either(const char *bytes, char a, char b, size_t length)
{
    for (; length > 0; bytes++, length--)
        if (*bytes == a || *bytes == b)
            return bytes;
    return NULL;
}
