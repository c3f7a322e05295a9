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
    for (; length >= wanted_length; bytes++, length--)
        if (memcmp(bytes, wanted, wanted_length) == 0)
            return bytes;
    return NULL;
}
