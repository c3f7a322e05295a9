/*
 * rebuild.h - the events of all runs in, call trees, ticks and time lines out.
 *
 * supprof-log(5) has the rules, case by case, under "How call stacks are rebuilt"; run.h
 * says which file applies which. In short:
 *
 *   call f, return f       f is pushed, and popped
 *   call, caller unknown   below a Lua frame: that has made a tail call
 *   tail return            pops the frame that made a tail call
 *   return of another      what is above that function was ended by an error
 *   root call              a thread or a callback begins; above a stack that is not
 *                          empty, a tail call of the root there, if a tail return
 *                          follows later; else the frames there wait or have failed
 *   thread                 the running frame waits; what passes until the next
 *                          event is unattributed
 *   return or call of a C  it was running all the while, unless a resume mark
 *   function that waited   says that it had suspended its thread
 *   lost lines             all stacks of the run are dropped
 *
 * Times stay in the run's own units until the run ends; then they become
 * nanoseconds, the cost of recording is taken out, and the run's tree is added to
 * that of all runs.
 */
#ifndef SUPPROF_REBUILD_H
#define SUPPROF_REBUILD_H

#include "read/events.h"
#include "rebuild/results.h"
#include "rebuild/settings.h"

#include <stddef.h>
#include <stdint.h>

struct rebuild;

/* The settings are copied. */
struct rebuild *rebuild_new(const struct rebuild_settings *settings);
void rebuild_free(struct rebuild *rebuild);

void rebuild_add(struct rebuild *rebuild, const struct event *events, size_t count);

/* To be called after the last events: ends the runs that have not ended. */
void rebuild_finish(struct rebuild *rebuild);

/*
 * After that: what was made of all runs, still owned by `rebuild`. The caller may take
 * parts of it, and leave all zero in their place.
 */
struct rebuild_results *rebuild_results(struct rebuild *rebuild);

/* Returns what became of a run, by its number, counted from 0 in the order in which they began. */
struct rebuilt_run rebuild_run(const struct rebuild *rebuild, uint32_t run);

#endif
