/*
 * event_loop.h - applies the events of a run in order.
 */
#pragma once

#include "rebuild/stacks/run.h"

/*
 * Applies the events of [begin, end), starting at `event`, and stops before the first that concerns
 * more than this run: EVENT_RUN, EVENT_TICK, EVENT_END. Returns a pointer to that event, or
 * `end`.
 */
const struct event *run_do_events(struct run *run, const struct event *begin,
                                  const struct event *event, const struct event *end);
