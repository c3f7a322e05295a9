/*
 * clock.h - the time that has passed.
 */
#ifndef SUPPROF_CLOCK_H
#define SUPPROF_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some moment; never goes back. */
int64_t clock_now_ns(void);

#endif
