/*
 * common_events.h - applies calls and returns that need only the cursor and nodes that exist.
 *
 * Nearly all events are of this kind. One function applies them, and it calls no other function
 * that is not inline, not even for rare events: so the compiler can keep in registers what changes
 * at each event. With such calls in its loop, rebuilding a long recording takes a tenth more time.
 *
 * The events of a segment that is open (see calls.h) are never common.
 */
#pragma once

#include "rebuild/stacks/stacks.h"

/*
 * Applies the events of [event, end) up to the first that is not common, or after one that takes
 * long. Returns a pointer to the first that was not applied, or `end`.
 */
const struct event *stacks_do_common_events(struct stacks *stacks, const struct event *event,
                                            const struct event *end);
