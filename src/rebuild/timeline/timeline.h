/*
 * timeline.h - the functions that ran, and when, in the window of a recording.
 *
 * A slice is a part of a call in which its frame was on the stack of the running thread. A call
 * whose thread never waits is one slice. Where a thread waits, the slices of its frames end, and
 * others begin when it continues, so that a track is only busy while its thread is:
 *
 *     events of thread 1       slices of it
 *     0   root call A          A 0-8, not finished
 *     3   call B                 B 3-5
 *     5   return
 *     6   call WaitTicks         WaitTicks 6-6, not finished
 *     8   another thread runs
 *     20  this thread again
 *     20  return               A 20-23, continued
 *     23  return
 *
 * (A waiting frame that only returns gets no slice for that.) Therefore:
 *
 * - Slices of a track are nested, and no two slices of different tracks of a recording overlap.
 * - The number of slices that are not continued is the number of calls in the window.
 * - Slices minus the slices of what they call are the self times of the same window, before the
 *   recording overhead is subtracted.
 *
 * A C function that calls back into Lua waits during the callbacks and runs between them. If a
 * callback is on the same track, its slices are nested in those of the C function. If it is on
 * another track, the slices of the C function end where the callback begins.
 *
 * Time is in nanoseconds since the recording began, on the clock of the events: it stands still
 * while the recorder works.
 */
#pragma once

#include "rebuild/stacks/timeline_log.h"

struct stacks;

/* speedscope opened a file of 930,000 slices (73 MB); no viewer was tried with more. */
enum { TIMELINE_SLICES_MAX = 1000 * 1000 };

/* Deeper frames are shown as one slice of TIMELINE_TRUNCATED above this many: see viewer_tree.h. */
enum { TIMELINE_DEPTH_MAX = 2000 };
#define TIMELINE_TRUNCATED UINT32_MAX

enum slice_flags {
    SLICE_CONTINUED = 1 << 0,  /* the call began before the slice */
    SLICE_UNFINISHED = 1 << 1, /* it had not returned at the slice's end */
    SLICE_FAILED = 1 << 2,     /* an error ended the call, at the slice's end or later */
    SLICE_RECORDER = 1 << 3,   /* what the recorder did */
};

struct slice {
    int64_t begin_ns, end_ns;
    uint32_t track;
    uint32_t function; /* id in symbols.h, or TIMELINE_TRUNCATED */
    int32_t line;      /* calling line in the frame below, see tree/stacks.h */
    uint16_t depth;    /* 0 for a slice with no other below it */
    uint8_t flags;     /* bits of enum slice_flags */
};

/* A thread with slices. */
struct timeline_track {
    uint32_t recording; /* number, from 0, in the order of the beginnings */
    uint32_t thread;    /* of the recording, from 0, in the order of their definitions */
    bool is_coroutine;
    uint32_t root;              /* function of its first slice */
    size_t first_slice, slices; /* timeline->slices[first_slice ...] */
};

struct timeline_tick {
    uint32_t recording;
    int64_t number;
    int64_t begin_ns, end_ns;
};

/* The window of a recording. */
struct timeline_window {
    uint32_t recording;
    int64_t begin_ns, end_ns;
};

/* All zero is empty. */
struct timeline {
    /* By track, then by begin; callers before callees. */
    struct slice *slices; /* [slice_count] */
    size_t slice_count, slice_capacity;
    struct timeline_track *tracks; /* [track_count] by recording, main thread first, then thread */
    size_t track_count, track_capacity;
    struct timeline_tick *ticks; /* [tick_count] by recording and begin */
    size_t tick_count, tick_capacity;
    struct timeline_window
        *windows; /* [window_count] by recording; recordings without events have none */
    size_t window_count, window_capacity;

    bool is_too_long;         /* over TIMELINE_SLICES_MAX slices: none is kept */
    uint64_t calls;           /* in the window, but for those within the recorder's slices */
    int64_t window_ticks;     /* ticks in the window */
    uint64_t truncated_count; /* calls without a slice because they were too deep */
};

/*
 * Adds what a log of these stacks has, whose functions are numbered; `calls` and `window_ticks` are
 * left to the caller. Only threads that are kept, NODE_MAIN, NODE_COROUTINE or both, get slices.
 */
void timeline_add(struct timeline *timeline, const struct stacks *stacks,
                  const struct timeline_log *log, uint32_t recording, uint8_t kept_threads);

/* Sorts. Call it once all recordings have been added, and before any use of the time line. */
void timeline_finish(struct timeline *timeline);

/* Subtracts from the calling lines in each function its shift, [function count]. */
void timeline_shift_lines(struct timeline *timeline, const int32_t *shifts);

void timeline_release(struct timeline *timeline);

/* Takes the beginning or the end of a slice. Returns false to end the walk at a beginning. */
typedef bool slice_border(void *context, const struct timeline_track *track,
                          const struct slice *slice, bool is_begin);

/*
 * Passes on the borders of a track's slices, as brackets: callers come before their callees, so a
 * slice ends those that do not contain it. Slices deeper than `depth_max` are left out; returns
 * how many calls these are.
 */
uint64_t timeline_walk(const struct timeline *timeline, const struct timeline_track *track,
                       uint32_t depth_max, slice_border *put, void *context);
