#define _CRT_RAND_S
#include "platform/random.h"

#include "platform/clock.h"

#include <stdlib.h>

uint64_t random_number(void)
{
    unsigned int low, high;
    if (rand_s(&low) != 0 || rand_s(&high) != 0)
        return (uint64_t)clock_now_ns();
    return (uint64_t)high << 32 | low;
}
