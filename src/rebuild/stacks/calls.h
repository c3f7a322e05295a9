/*
 * calls.h - calls and returns, segments, and frames that wait.
 *
 * The rules are those of supprof-log(5) for "call, from a line", "line -1" and "line -2".
 */
#pragma once

#include "rebuild/stacks/stacks.h"

/*
 * Roots above other frames of their thread: callbacks inside a C function, tail calls
 * of a root, and roots after an error.
 *
 * A segment whose root may be the callee of the Lua function below is open. It is closed when that
 * root has returned, and the next event decides: after a tail return, the root was a callee;
 * otherwise an error has ended the Lua functions below the root.
 */

/* In all of these functions, `thread` is the running thread. */

/*
 * Ends the last segment if it is closed, because no tail return has come. Call it before each
 * event.
 */
void stacks_end_closed_segment(struct stacks *stacks, struct thread *thread);

/* Drops the last segment with its frames. The first one's frames are dropped too. */
void stacks_drop_segment(struct stacks *stacks, struct thread *thread, bool is_error);

/* Drops all frames and segments. */
void stacks_drop_thread(struct stacks *stacks, struct thread *thread, bool is_error);

/*
 * Frames that wait and continue, and the owner of the time in between.
 *
 * A frame waits when another thread runs, when a root is pushed above it, or when its function
 * suspends the thread. Time that passes while no frame runs is unattributed. When a C function
 * continues and turns out to have been running all the time, it claims the unattributed time since
 * it began to wait, less the part that other frames have claimed.
 */

/* The last frame of the running thread begins to wait. It was running until `units_ago`. */
void stacks_wait(struct stacks *stacks, struct thread *thread, uint32_t units_ago);

/*
 * `units` and `memory_kb` are those of the event. They have already been added to the frame that
 * ran before the event.
 */

/* A call by the last frame of the thread. That frame runs, waits, or is unknown. */
void stacks_call(struct stacks *stacks, uint32_t site, uint32_t units);

/* A call without a caller: a thread or a callback begins, or a root has made a tail call. */
void stacks_call_root(struct stacks *stacks, uint32_t site, uint32_t units, uint32_t memory_kb);

/* The running function is at a line. Fails, and changes nothing, if the line is not one of it. */
bool stacks_put_at_line(struct stacks *stacks, uint32_t site);

/*
 * The running function begins a line; `units` were added to where it was before. The first line of
 * a call gets these: they passed on the way there.
 */
void stacks_line(struct stacks *stacks, uint32_t site, uint32_t units);

/* Pushes the frame of a called node. */
void stacks_push(struct stacks *stacks, uint32_t node, uint32_t units);

/*
 * Returns, tail returns, returns of frames below, frames that errors have ended, and
 * resume.
 *
 * Units and memory are those of the event; they have already been added to the frame that ran
 * before it. The rules are those of supprof-log(5) under the same names.
 */

struct return_event {
    uint32_t units, memory_kb;
    enum event_kind next; /* kind of the event after it; EVENT_NONE where the line of events ends */
};

/* The last frame returns. It may be waiting or a root, or may not exist. */
void stacks_return(struct stacks *stacks, const struct return_event *event);

/*
 * A frame that made a tail call returns. If a root has just returned above it, that root was its
 * callee.
 */
void stacks_tail_return(struct stacks *stacks, uint32_t units, uint32_t memory_kb);

/* The last frame of a function returns: an error has ended the frames above it. */
void stacks_return_of(struct stacks *stacks, uint32_t function, const struct return_event *event);

/* An error has ended the last `count` frames. The frame below them continues. */
void stacks_unwind(struct stacks *stacks, size_t count);

/* The last frame continues after a yield. `after` is the return before it; NULL for any other
 * event. */
void stacks_resume(struct stacks *stacks, const struct return_event *after);
