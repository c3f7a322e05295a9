/*
 * event_loop.h - applies the events of a recording in order.
 */
#pragma once

#include "rebuild/stacks/stacks.h"

/*
 * Applies the events of [begin, end), starting at `event`, and stops before the first that concerns
 * more than this recording: EVENT_RECORDING, EVENT_TICK, EVENT_END. Returns a pointer to that
 * event, or `end`.
 */
const struct event *stacks_do_events(struct stacks *stacks, const struct event *begin,
                                     const struct event *event, const struct event *end);
