/*
 * segments.h - roots above other frames of their thread: callbacks inside a C function, tail calls
 * of a root, and roots after an error.
 *
 * A segment whose root may be the callee of the Lua function below is open. It is closed when that
 * root has returned, and the next event decides: after a tail return, the root was a callee (see
 * returns.h); otherwise an error has ended the Lua functions below the root.
 */
#pragma once

#include "rebuild/stacks/run.h"

/* In all of these functions, `thread` is the running thread. */

/* Pushes an empty segment above the existing frames. */
void run_push_segment(struct run *run, struct thread *thread, struct segment segment);

/* Removes the last segment, which has no frames left: the frame below it waits. */
void run_pop_segment(struct thread *thread);

/*
 * Ends the last segment if it is closed, because no tail return has come. Call it before each
 * event.
 */
void run_end_closed_segment(struct run *run, struct thread *thread);

/*
 * If the last frame of the last segment is a Lua function, an error has ended that segment; then
 * likewise the segment below it, and so on.
 */
void run_fail_segments(struct run *run, struct thread *thread);

/* Pops frames that did not return, down to `depth`. */
void run_drop_frames(struct run *run, size_t depth, bool is_error);

/* Drops the last segment with its frames. The first one's frames are dropped too. */
void run_drop_segment(struct run *run, struct thread *thread, bool is_error);

/* Drops all frames and segments. */
void run_drop_stack(struct run *run, struct thread *thread, bool is_error);
