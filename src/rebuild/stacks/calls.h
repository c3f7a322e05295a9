/*
 * calls.h - calls from a line of the caller, and root calls.
 *
 * The rules are those of supprof-log(5) for "call, from a line", "line -1" and "line -2".
 */
#pragma once

#include "rebuild/stacks/run.h"

/*
 * `units` and `memory_kb` are those of the event. They have already been added to the frame that
 * ran before the event.
 */

/* A call by the last frame of the thread. That frame runs, waits, or is unknown. */
void run_call(struct run *run, uint32_t site, uint32_t units);

/* A call without a caller: a thread or a callback begins, or a root has made a tail call. */
void run_call_root(struct run *run, uint32_t site, uint32_t units, uint32_t memory_kb);

/* The running function is at a line. Fails, and changes nothing, if the line is not one of it. */
bool run_put_at_line(struct run *run, uint32_t site);

/*
 * The running function begins a line; `units` were added to where it was before. The first line of
 * a call gets these: they passed on the way there.
 */
void run_line(struct run *run, uint32_t site, uint32_t units);

/* Pushes the frame of a called node. */
void run_push(struct run *run, uint32_t node, uint32_t units);
