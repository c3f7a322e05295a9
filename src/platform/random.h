/*
 * random.h - a number that a log cannot know.
 */
#pragma once

#include <stdint.h>

/* Returns another number at each call. If the system gives none, the clock does. */
uint64_t random_number(void);
