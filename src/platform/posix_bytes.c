#define _GNU_SOURCE
#include "platform/bytes.h"

#include <string.h>

const char *bytes_find_last(const char *bytes, char byte, size_t length)
{
    return memrchr(bytes, byte, length);
}

const char *bytes_find(const char *bytes, size_t length, const char *wanted, size_t wanted_length)
{
    return memmem(bytes, length, wanted, wanted_length);
}
