#define HAS_WORK false

#include "rebuild/stacks/common_events.h"
#include "rebuild/stacks/common_events_loop.h"

const struct event *stacks_do_common_events(struct stacks *stacks, const struct event *event,
                                            const struct event *end)
{
    return do_events(stacks, event, end);
}
