#include "platform/bytes.h"

#include <string.h>
#include <wasm_simd128.h>

enum { STEP = sizeof(v128_t) };

/* Replaces the one of wasi-libc, which looks at four bytes at once. */
void *memchr(const void *bytes, int value, size_t length)
{
    const char *at = bytes;
    v128_t wanted = wasm_i8x16_splat((int8_t)value);
    for (; length >= STEP; at += STEP, length -= STEP) {
        unsigned found = wasm_i8x16_bitmask(wasm_i8x16_eq(wasm_v128_load(at), wanted));
        if (found != 0)
            return (void *)(at + __builtin_ctz(found));
    }
    for (; length > 0; at++, length--)
        if (*at == (char)value)
            return (void *)at;
    return NULL;
}

/* The same for memcmp(), where it looks at one byte. */
int memcmp(const void *left, const void *right, size_t length)
{
    const unsigned char *a = left, *b = right;
    size_t i = 0;
    for (; length - i >= STEP; i += STEP)
        if (!wasm_i8x16_all_true(wasm_i8x16_eq(wasm_v128_load(a + i), wasm_v128_load(b + i))))
            break;
    for (; i < length; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

const char *bytes_find_either(const char *bytes, char a, char b, size_t length)
{
    v128_t all_a = wasm_i8x16_splat(a), all_b = wasm_i8x16_splat(b);
    for (; length >= STEP; bytes += STEP, length -= STEP) {
        v128_t block = wasm_v128_load(bytes);
        unsigned found = wasm_i8x16_bitmask(
            wasm_v128_or(wasm_i8x16_eq(block, all_a), wasm_i8x16_eq(block, all_b)));
        if (found != 0)
            return bytes + __builtin_ctz(found);
    }
    for (; length > 0; bytes++, length--)
        if (*bytes == a || *bytes == b)
            return bytes;
    return NULL;
}
