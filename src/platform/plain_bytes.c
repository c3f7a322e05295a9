#include "platform/bytes.h"

#include <string.h>

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
