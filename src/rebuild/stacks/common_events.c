#define HAS_WORK false

#include "rebuild/stacks/common_events.h"
#include "rebuild/stacks/common_events_loop.h"

const struct event *run_do_common_events(struct run *run, const struct event *event,
                                         const struct event *end)
{
    return do_events(run, event, end);
}
