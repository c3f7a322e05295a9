/*
 * joining.h - neighbouring short ticks become one, so that the entries of a long recording fit into
 * memory.
 *
 * Joined are pairs of neighbours that each took less than the median of all ticks, and together no
 * more than the limit above which ticks are slow: so no joined tick is slow. A pair is a tick from
 * then on, which may be joined with another one when the recording has grown.
 */
#pragma once

#include "rebuild/stacks/entries.h"

/* Bytes that the entries of a recording may have. */
enum { JOINING_PACKED_MAX = 256 << 20 };

struct joining {
    size_t packed_max;
    size_t next; /* private: the bytes at which it is next tried */
};

/*
 * Joins ticks if there are too many bytes. The last tick may go on, so it is left alone. Call it
 * between two parts. `units_max` is the limit.
 */
void joining_limit(struct joining *joining, struct entries *entries, const struct nodes *nodes,
                   double units_max);
