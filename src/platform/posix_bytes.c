#define _GNU_SOURCE
#include "platform/bytes.h"

#include <string.h>

const char *bytes_find_last(const char *bytes, char byte, size_t length)
{
    return memrchr(bytes, byte, length);
}
