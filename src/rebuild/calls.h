/*
 * calls.h - calls from a line of the caller, and root calls.
 *
 * The rules are those of supprof-log(5) for "call, from a line", "line -1" and "line -2".
 */
#ifndef SUPPROF_CALLS_H
#define SUPPROF_CALLS_H

#include "rebuild/run.h"

#include <stdint.h>

/*
 * `units` and `memory_kb` are those of the event; they are counted already, for the frame
 * that ran.
 */

/* A call by the last frame of the thread, which runs, waits, or is not known. */
void run_call(struct run *run, uint32_t site, uint32_t units);

/* A call from nowhere: a thread or a callback begins, or a root has made a tail call. */
void run_call_root(struct run *run, uint32_t site, uint32_t units, uint32_t memory_kb);

#endif
