#include "platform/bytes.h"

#include "platform/wide.h"

const char *bytes_find_either(const char *bytes, char a, char b, size_t length)
{
    enum { STEP = 32 };
    for (; length >= STEP; bytes += STEP, length -= STEP) {
        uint32_t found = wide_find_either(bytes, a, b);
        if (found != 0)
            return bytes + __builtin_ctz(found);
    }
    for (; length > 0; bytes++, length--)
        if (*bytes == a || *bytes == b)
            return bytes;
    return NULL;
}
