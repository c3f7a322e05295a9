/*
 * clock.h - a clock to measure differences of time.
 */
#ifndef SUPPROF_CLOCK_H
#define SUPPROF_CLOCK_H

#include <stdint.h>

/* Returns the nanoseconds since some fixed moment; never goes back. */
int64_t clock_now_ns(void);

#endif
