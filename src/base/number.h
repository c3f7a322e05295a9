/*
 * number.h - numbers in decimal digits, as the game, the recorder and the user write them.
 *
 * All functions fail on anything that is not wholly such a number, and on one beyond the
 * limit named there; the result is then not changed.
 */
#ifndef SUPPROF_NUMBER_H
#define SUPPROF_NUMBER_H

#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Numbers as the game prints them (%.14g of a float32; Windows has exponents of three
 * digits). The first rounds to whole nanoseconds, half away from zero. The limits are more
 * than a game can have measured: months of time, or more calls than a float32 can count a
 * million times over.
 */
#define NUMBER_TIME_MAX_NS ((uint64_t)10000000 * 1000000000)
#define NUMBER_COUNT_MAX ((uint64_t)1000000000000000)
bool number_seconds(struct span text, int64_t *ns);
bool number_count(struct span text, uint64_t *count);

/* Whether the text is such a number, however large. */
bool number_is_decimal(struct span text);

/* A line number: digits that the grammar has checked, after a "-" or without. */
bool number_line(struct span text, int32_t *line);

#endif
