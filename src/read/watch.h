/*
 * watch.h - what recordings have of whole games: lengths of ticks, what threads took, units.
 *
 * A watch (mode=watch) measures wakes by a clock alone: what a thread does from its begin, or from
 * where it goes on, until it waits or ends. Every recording may have numbers of units. None of this
 * has a call in it, so nothing here becomes an event, and no tree has any of it. See
 * supprof-log(5), A watch. Times are nanoseconds, in steps of what the log has: microseconds, and
 * tenths of milliseconds for lengths of ticks.
 *
 * Rows are in the order of their lines; `recording` is an index in recordings.all. Memory is in
 * proportion to the lines.
 */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function of a row that is none of symbols.h. */
enum {
    WATCH_OTHERS = -1,  /* all functions that took little, together */
    WATCH_UNKNOWN = -2, /* its definition is missing */
};

/* What the wakes of a function took, in some ticks or in one. */
struct watch_sum {
    int64_t function; /* id in symbols.h, of the one that the threads began with; see above */
    uint64_t wakes;
    int64_t time_ns, longest_ns;
};

/* Lengths of consecutive ticks. */
struct watch_ticks {
    uint32_t recording;
    int64_t first;      /* tick */
    size_t from, count; /* in watches.lengths */
};

/* What threads took in some ticks. */
struct watch_threads {
    uint32_t recording;
    int64_t first, last; /* ticks */
    size_t from, count;  /* in watches.sums */
};

/* A slow tick, or one in which as much passed in no thread. */
struct watch_slow_tick {
    uint32_t recording;
    int64_t tick, time_ns;
    size_t from, count; /* in watches.sums: functions with a tenth or more */
    /* Between wakes; function: that of the wake after the longest; wakes: the number of gaps. */
    struct watch_sum gaps;
};

/* A long wake of a slow tick. */
struct watch_wake {
    uint32_t recording;
    int64_t tick, time_ns, function;
    size_t stack_from, stack_count; /* in watches.frames, root first; 0: its thread ended */
};

/* A frame of the stack with which a wake ended. */
struct watch_frame {
    int64_t function;
    int32_t line; /* of its caller; NO_LINE or NO_CALLER of events.h */
};

struct watch_units {
    uint32_t recording;
    int64_t tick;
    uint64_t count; /* of all armies */
};

/* All zero is empty. The caller frees the arrays. */
struct watches {
    int64_t *lengths; /* [length_count], nanoseconds */
    size_t length_count, length_capacity;
    struct watch_sum *sums; /* [sum_count] */
    size_t sum_count, sum_capacity;
    struct watch_frame *frames; /* [frame_count] */
    size_t frame_count, frame_capacity;
    struct watch_ticks *ticks; /* [tick_count] */
    size_t tick_count, tick_capacity;
    struct watch_threads *threads; /* [thread_count] */
    size_t thread_count, thread_capacity;
    struct watch_slow_tick *slow_ticks; /* [slow_tick_count] */
    size_t slow_tick_count, slow_tick_capacity;
    struct watch_wake *wakes; /* [wake_count] */
    size_t wake_count, wake_capacity;
    struct watch_units *units; /* [unit_count] */
    size_t unit_count, unit_capacity;
};

/* How a line's numbers are found in its recording. */
struct watch_names {
    const void *context;
    /* Returns the id in symbols.h of a function of the log, or WATCH_UNKNOWN. */
    int64_t (*function)(const void *context, uint64_t id);
    /* Reads the frame of a site of the log; with a function WATCH_UNKNOWN if it is not defined. */
    struct watch_frame (*site)(const void *context, uint64_t site);
};

/*
 * Reads the text of a line of one of these kinds. Fails on a damaged line, of which nothing is
 * kept. `kind` is "ticks", "threads", "slow", "wake" or "units"; see watch_has_kind().
 */
bool watch_has_kind(struct span kind);
bool watch_read(struct watches *watches, uint32_t recording, const struct watch_names *names,
                struct span kind, struct span text);

/*
 * Adds the rows of later recordings, of which the first gets the index `first`; `functions` has the
 * ids of functions by those that they have there.
 */
void watches_join(struct watches *watches, const struct watches *later, uint32_t first,
                  const uint32_t *functions);
