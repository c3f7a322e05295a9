/*
 * tick_pairs.h - the same tick of the game in two recordings, for comparisons tick by tick.
 *
 * Ticks are the same if they have the same number. If several runs have that number, the first of
 * them is compared with the first of the old ones, and so on.
 */
#pragma once

#include "base/sort.h"
#include "rebuild/ticks/ticks.h"

struct tick_pair {
    const struct tick *now, *old; /* one of them is NULL if only one recording has the tick */
};

struct tick_pairs {
    struct tick_pair *all; /* [count], by number, then by run */
    size_t count;
    size_t same_count;                  /* pairs with both */
    size_t longer_count, shorter_count; /* of those: ticks that take more time now, or less */
    int64_t now_ns, old_ns;             /* sums over those */
};

/* The lists must outlive the pairs. */
void tick_pairs_init(struct tick_pairs *pairs, const struct tick_list *now,
                     const struct tick_list *old);
void tick_pairs_release(struct tick_pairs *pairs);

/* Keeps only the pairs with both whose times differ, the largest change first. */
void tick_pairs_keep_changes(struct tick_pairs *pairs);
