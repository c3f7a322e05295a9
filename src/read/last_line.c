#include "read/last_line.h"

#include <assert.h>
#include <string.h>

size_t last_line_start(const struct last_line *last, const struct events *events)
{
    return last->start < last->end ? last->start : events->count;
}

/* The time that an event takes; 0 where `units` is something else. */
static uint64_t units_of(struct event event)
{
    switch (event_kind(event)) {
    case EVENT_LEAF:
        return (uint64_t)event_call_units(event) + event_return_units(event);
    case EVENT_CALL:
    case EVENT_ROOT_CALL:
    case EVENT_RETURN:
    case EVENT_OTHER_RETURN:
    case EVENT_TAIL_RETURN:
    case EVENT_UNWIND:
    case EVENT_GAP:
    case EVENT_BURST_END:
    case EVENT_MARK:
        return event.units;
    default:
        return 0;
    }
}

/* How many events of the log became this one. */
static unsigned count_in_log(struct event event)
{
    enum event_kind kind = event_kind(event);
    if (kind == EVENT_LEAF)
        return 2;
    return kind != EVENT_NONE && kind != EVENT_MEMORY && kind < EVENT_LOST;
}

/* Whether an event is no event of the log, but defines what others refer to. */
static bool is_definition(struct event event)
{
    return event_kind(event) >= EVENT_LOST;
}

uint64_t last_line_cut(struct last_line *last, struct events *events, double units_max)
{
    uint64_t units = 0, removed = 0;
    size_t at = last->start;
    assert(last->end <= events->count);
    for (; at < last->end; at += event_length(events->at[at])) {
        units += units_of(events->at[at]);
        if ((double)units > units_max)
            break;
    }
    size_t to = at;
    for (size_t length; at < last->end; at += length) {
        length = event_length(events->at[at]);
        removed += count_in_log(events->at[at]);
        if (!is_definition(events->at[at]))
            continue;
        memmove(events->at + to, events->at + at, length * sizeof *events->at);
        to += length;
    }
    if (to < last->end)
        memmove(events->at + to, events->at + last->end,
                (events->count - last->end) * sizeof *events->at);
    events->count -= last->end - to;
    last->end = last->start;
    return removed;
}
