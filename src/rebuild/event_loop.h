/*
 * event_loop.h - the events of a run, each in its turn.
 */
#ifndef SUPPROF_EVENT_LOOP_H
#define SUPPROF_EVENT_LOOP_H

#include "rebuild/run.h"

/*
 * Does the events from `event` on, of [begin, end), up to the first that is not of the run
 * alone: EVENT_RUN, EVENT_TICK, EVENT_END. Returns that, or `end`.
 */
const struct event *run_do_events(struct run *run, const struct event *begin,
                                  const struct event *event, const struct event *end);

#endif
