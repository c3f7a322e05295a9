#define _GNU_SOURCE
#include "platform/random.h"

#include "platform/clock.h"

#include <unistd.h>

uint64_t random_number(void)
{
    uint64_t number;
    return getentropy(&number, sizeof number) == 0 ? number : (uint64_t)clock_now_ns();
}
