/*
 * spread.h - threads that wake in the same tick, and what the longest tick would take if they did
 * not.
 *
 * The threads of a function wake every so many ticks: the most frequent distance, which at least
 * half of their wakes have. The time of each tick in which several of them wake is dealt to as many
 * ticks, from that one on, in equal parts. A tick in which the computer was slow counts with its
 * usual time, as in what_if.h.
 */
#pragma once

#include "rebuild/ending/thread_sums.h"
#include "rebuild/ticks/ticks.h"

struct spread {
    uint32_t function; /* that the threads began with */
    uint32_t every;    /* ticks */
    int64_t tick;      /* the longest */
    size_t wakes;      /* in it */
    int64_t longest_ns, then_ns;
};

/*
 * Finds the function of which several wakes have the most time in the longest tick. Fails if to
 * spread them would save less than SPREAD_MIN_NS, or if there are several recordings.
 */
#define SPREAD_MIN_NS ((int64_t)5000000)
bool spread_find(struct spread *best, const struct thread_sums *threads,
                 const struct tick_list *ticks);
