/*
 * last_line.h - the events of the last line of a recording, until the next one shows how long it
 * can have taken.
 *
 * Where a part of a log is missing, the beginning of one line and the end of another may be joined
 * into one line. Then the digits of two numbers may form one time, of minutes that never passed.
 * Each whole line begins with the time of the clock: the events of the last line cannot have taken
 * longer than the time from its beginning to that of the next line.
 */
#pragma once

#include "read/events.h"

struct last_line {
    size_t start, end; /* of its events, in the array of all; equal: there is no last line */
    uint32_t run;      /* index of struct recordings */
    int64_t time_ns;   /* of the clock before its first event */
};

/* Returns how many of the events are before the last line: nothing changes them any more. */
size_t last_line_start(const struct last_line *last, const struct events *events);

/*
 * Removes the events that end more than `units_max` units after the first began, and all events
 * behind them in the line; definitions among them stay. Returns how many events of the log were
 * removed.
 */
uint64_t last_line_cut(struct last_line *last, struct events *events, double units_max);
