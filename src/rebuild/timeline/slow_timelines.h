/*
 * slow_timelines.h - the time lines of the slowest ticks of a recording: for each tick a log is
 * kept while it is rebuilt, that of a tick that is among the slowest until then is copied, and
 * those that are left at the end are played.
 *
 * Of a tick with very many calls only the longest are kept: a caller is never shorter than what it
 * called.
 */
#pragma once

#include "rebuild/timeline/timeline.h"

enum { SLOW_TIMELINES_MAX = 5, SLOW_SLICES_MAX = 3000 };

/* All zero is empty. */
struct slow_timelines {
    struct slow_timeline {
        int64_t ns;               /* that it took, without the recorder */
        struct timeline_log log;  /* before slow_timelines_finish(); without gaps */
        struct timeline timeline; /* after it: of one tick; its slices are in the order of time */
        uint64_t left_out;        /* calls of it that have no slice */
    } * at; /* [count] of SLOW_TIMELINES_MAX; NULL until there is one: most recordings have none */
    size_t count;
};

/* Whether a tick that took at most so long may be one of the slowest. */
bool slow_timelines_want(const struct slow_timelines *slowest, double ns);

/* Adds the tick of the log of these stacks, if it is. */
void slow_timelines_add(struct slow_timelines *slowest, const struct stacks *stacks);

/* Makes the time lines. The stacks have ended; see timeline_add(). */
void slow_timelines_finish(struct slow_timelines *slowest, const struct stacks *stacks,
                           uint32_t recording, uint8_t kept_threads);

void slow_timelines_release(struct slow_timelines *slowest);
