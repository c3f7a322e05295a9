/*
 * segments.h - roots above other frames of their thread: callbacks inside a C function,
 * tail calls of a root, and what comes after an error.
 *
 * A segment whose root may be the callee of the Lua function below is open. It is closed
 * when that root has returned, and the next event decides: after a tail return the root
 * was a callee (see returns.h), after anything else it was not. Then an error has ended
 * the Lua functions below it.
 */
#ifndef SUPPROF_SEGMENTS_H
#define SUPPROF_SEGMENTS_H

#include "rebuild/run.h"

#include <stdbool.h>
#include <stddef.h>

/* All of these are of the thread that runs. */

/* Pushes a segment without frames above those that are there. */
void run_push_segment(struct run *run, struct thread *thread, struct segment segment);

/* Takes the last segment, which has no frames left, away: the frame below it waits. */
void run_pop_segment(struct thread *thread);

/* If the last segment is closed: no tail return has come. To be called before any event. */
void run_settle_closed(struct run *run, struct thread *thread);

/* An error has ended the last segment if its last frame is a Lua function; so it may others. */
void run_fail_segments(struct run *run, struct thread *thread);

/* Pops frames that did not return, down to `depth`. */
void run_drop_frames(struct run *run, size_t depth, bool is_error);

/* Drops the last segment with its frames. The first one's frames are dropped too. */
void run_drop_segment(struct run *run, struct thread *thread, bool is_error);

/* Drops all frames and segments. */
void run_drop_stack(struct run *run, struct thread *thread, bool is_error);

#endif
