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

const char *bytes_find(const char *bytes, size_t length, const char *wanted, size_t wanted_length)
{
    if (wanted_length == 0)
        return bytes;
    const char *end = bytes + length;
    while ((size_t)(end - bytes) >= wanted_length) {
        bytes = memchr(bytes, *wanted, (size_t)(end - bytes) - wanted_length + 1);
        if (bytes == NULL || memcmp(bytes, wanted, wanted_length) == 0)
            return bytes;
        bytes++;
    }
    return NULL;
}
