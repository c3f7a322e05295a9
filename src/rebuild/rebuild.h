/*
 * rebuild.h - the events of all recordings in, call trees, ticks and time lines out.
 *
 * supprof-log(5) has the rules, case by case, under "How call stacks are rebuilt"; stacks/stacks.h
 * names the file that applies each rule. In short:
 *
 *   call f, return f       f is pushed, and popped
 *   call, caller unknown   below a Lua frame: that has made a tail call
 *   tail return            pops the frame that made a tail call
 *   return of another      an error ended the frames above that function
 *   root call              a thread or a callback begins; above a stack that is not
 *                          empty, a tail call of the root there, if a tail return
 *                          follows later; else the frames there wait or have failed
 *   thread                 the running frame waits; what passes until the next
 *                          event is unattributed
 *   return or call of a C  it was running all the while, unless a resume
 *   function that waited   says that it had suspended its thread
 *   lost lines             all stacks of the recording are dropped
 *
 * Times stay in the recording's own units until the recording ends. Then they are converted into
 * nanoseconds, the recording overhead is subtracted, and the recording's tree is added to the tree
 * of all recordings.
 */
#pragma once

#include "read/events.h"
#include "rebuild/results.h"
#include "rebuild/settings.h"

struct rebuild;

/* The settings are copied. */
struct rebuild *rebuild_new(const struct rebuild_settings *settings);
void rebuild_free(struct rebuild *rebuild);

void rebuild_add(struct rebuild *rebuild, const struct event *events, size_t count);

/*
 * After the last events, before rebuild_finish(): drops all but the last recording that had events,
 * and of it all but its last ticks: `from` becomes the window. Returns its number; UINT32_MAX if it
 * has no ticks: then nothing changes.
 */
uint32_t rebuild_keep_end(struct rebuild *rebuild, int64_t ticks, struct window_border *from);

/* Ends the recordings that have not ended. Call it after the last events of a log. */
void rebuild_end_recordings(struct rebuild *rebuild);

/*
 * Adds the recordings of another rebuild, which then has none, from number `first` on. All have
 * ended; `functions` has the ids of functions by those that they have there.
 * Returns false, and changes nothing, if the recordings might have been rebuilt in another way
 * behind those of this one. Neither may have a time line.
 */
bool rebuild_join(struct rebuild *rebuild, struct rebuild *later, uint32_t first,
                  const uint32_t *functions);

/* Call it after the last events: it ends the recordings, and makes the results. */
void rebuild_finish(struct rebuild *rebuild);

/*
 * Returns the results of all recordings, owned by `rebuild`; call it after rebuild_finish(). The
 * caller may take parts of them over by setting those parts to all zero.
 */
struct rebuild_results *rebuild_results(struct rebuild *rebuild);

/*
 * Returns the result of a recording by its number: recordings count from 0, in the order of their
 * beginnings.
 */
struct rebuilt_recording rebuild_recording(const struct rebuild *rebuild, uint32_t recording);
