#include "platform/bytes.h"

#include <stdint.h>
#include <string.h>

/* Replaces that of msvcrt.dll and that of wasi-libc: they look at one byte, or four, at once. */
void *memchr(const void *bytes, int value, size_t length)
{
    const char *found = bytes_find_either(bytes, (char)value, (char)value, length);
    return (void *)(uintptr_t)found;
}

static uint64_t load(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The same for memcmp(). */
int memcmp(const void *left, const void *right, size_t length)
{
    const unsigned char *a = left, *b = right;
    size_t i = 0;
    while (length - i >= sizeof(uint64_t) && load(a + i) == load(b + i))
        i += sizeof(uint64_t);
    for (; i < length; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

const char *bytes_find_last(const char *bytes, char byte, size_t length)
{
    while (length-- > 0)
        if (bytes[length] == byte)
            return bytes + length;
    return NULL;
}
