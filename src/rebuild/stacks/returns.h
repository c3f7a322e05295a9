/*
 * returns.h - returns, tail returns, returns of frames below, frames that errors have ended, and
 * resume marks.
 *
 * Units and memory are those of the event; they have already been added to the frame that ran
 * before it. The rules are those of supprof-log(5) under the same names.
 */
#pragma once

#include "rebuild/stacks/run.h"

struct return_event {
    uint32_t units, memory_kb;
    enum event_kind next; /* kind of the event after it; EVENT_NONE where the line of events ends */
};

/* The last frame returns. It may be waiting or a root, or may not exist. */
void run_return(struct run *run, const struct return_event *event);

/*
 * A frame that made a tail call returns. If a root has just returned above it, that root was its
 * callee.
 */
void run_tail_return(struct run *run, uint32_t units, uint32_t memory_kb);

/* The last frame of a function returns: an error has ended the frames above it. */
void run_return_of(struct run *run, uint32_t function, const struct return_event *event);

/* An error has ended the last `count` frames. The frame below them continues. */
void run_unwind(struct run *run, size_t count);

/* The last frame continues after a yield. `after` is the return before it; NULL for any other
 * event. */
void run_mark(struct run *run, const struct return_event *after);

/* A node has returned to another, in the same segment: tells the calibration. */
static inline void run_calibrate_return(struct run *run, uint32_t node, uint32_t caller,
                                        uint32_t units)
{
    if (nodes_is_watched(&run->nodes, caller))
        calibration_return(&run->calibration, nodes_calibrated(&run->nodes, node), units);
}
