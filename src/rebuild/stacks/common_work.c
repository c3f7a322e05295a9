#define HAS_WORK true

#include "rebuild/stacks/common_events.h"
#include "rebuild/stacks/common_events_loop.h"

const struct event *stacks_do_common_work(struct stacks *stacks, const struct event *event,
                                          const struct event *end)
{
    return do_events(stacks, event, end);
}
