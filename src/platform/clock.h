/*
 * clock.h - a clock to measure differences of time.
 */
#pragma once

#include <stdint.h>

/* Returns the nanoseconds since some fixed moment; never goes back. */
int64_t clock_now_ns(void);
