/*
 * exact_wakes.h - the wakes that a watch has recorded exactly: which functions took their time.
 *
 * A watch records them to explain slow ticks; they were not chosen by chance, so no sum of the game
 * has them. Only wakes of which no event is missing are here. Times are nanoseconds, with the
 * recorder's cost taken out as recorded.h does.
 */
#pragma once

#include "rebuild/ending/recorded.h"

enum { EXACT_WAKE_FUNCTIONS = 5 };

/* Where a wake is in its recording. */
struct wake_start {
    size_t part; /* its first, see entries.h */
    bool is_cut;
};

struct exact_wake {
    uint32_t recording; /* its number */
    uint32_t function;  /* id in symbols.h, of the one that its thread began with */
    int64_t tick, time_ns;
    bool is_cut; /* it took so long that the recorder left it: this is its beginning */
    /* Those with the most self time, the most first. */
    struct wake_function {
        uint32_t function;
        uint32_t caller; /* that calls it in most of this time; TREE_NONE: the thread began here */
        int64_t self_ns, caller_ns; /* caller_ns: of calls by that one */
        uint64_t calls;
    } functions[EXACT_WAKE_FUNCTIONS];
    size_t function_count;
};

/* All zero is empty. */
struct exact_wakes {
    struct exact_wake *all; /* [count], in the order of recordings and of time; the caller frees
                               them */
    size_t count, capacity;
};

/* Adds those of a recording, `starts`, [count]. */
void exact_wakes_add(struct exact_wakes *wakes, const struct recorded *recorded, uint32_t recording,
                     const struct wake_start *starts, size_t count);
