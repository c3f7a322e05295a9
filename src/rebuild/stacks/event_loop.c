#include "rebuild/stacks/event_loop.h"

#include "rebuild/stacks/calls.h"
#include "rebuild/stacks/common_events.h"
#include "rebuild/stacks/whole_stacks.h"

static void pass(struct stacks *stacks, uint32_t units)
{
    stacks->nodes.at[stacks->cursor.top].self += units;
    stacks->nodes.units += units;
    stacks->cursor.clock += units;
    if (stacks->log.is_on)
        stacks->log.now += units;
}

static void return_leaf(struct stacks *stacks, const struct event *leaf, enum event_kind next)
{
    struct return_event returned = {event_return_units(*leaf), 0, next};
    pass(stacks, returned.units);
    stacks_return(stacks, &returned);
}

/*
 * Applies a call of a running function that is not common: its node is new or watched, or some
 * array is full. Returns false, and counts nothing, if
 * the call needs more. In a short recording, about one event in twenty is such a call.
 */
static bool do_call(struct stacks *stacks, const struct event *event)
{
    struct nodes *nodes = &stacks->nodes;
    bool is_leaf = event_kind(*event) == EVENT_LEAF;
    if ((event_kind(*event) != EVENT_CALL && !is_leaf) || stacks->cursor.top < NODES_FIRST ||
        stacks->cursor.lists)
        return false;
    uint32_t node = nodes_child(nodes, stacks->cursor.top, event_operand(*event));
    if (nodes_is_watched(nodes, node) && nodes_function(nodes, node)->suspends)
        return false;
    uint32_t units = is_leaf ? event_call_units(*event) : event->units;
    pass(stacks, units);
    stacks_push(stacks, node, units);
    if (is_leaf)
        return_leaf(stacks, event, EVENT_NONE);
    return true;
}

/* Applies common events and such calls. Returns the first event that is neither, or `end`. */
static const struct event *do_common(struct stacks *stacks, const struct event *event,
                                     const struct event *end)
{
    for (;; event++) {
        event = stacks_do_common_events(stacks, event, end);
        if (event == end || !do_call(stacks, event))
            return event;
    }
}

/* The kind of the next event, after memory that belongs to it, or EVENT_NONE. */
static enum event_kind next_kind(const struct event *event, const struct event *end)
{
    event++;
    while (event < end && event_kind(*event) == EVENT_MEMORY)
        event++;
    return event < end ? event_kind(*event) : EVENT_NONE;
}

/*
 * What follows an EVENT_FORGET may be in the next line, after definitions, and in another batch.
 * The frames have failed, unless a whole stack replaces them.
 */
static void look_after_forgotten(struct stacks *stacks, enum event_kind next)
{
    if (!stacks->forgets || next == EVENT_NONE || next == EVENT_RECORDING || next == EVENT_BEGIN ||
        next == EVENT_SITE || next == EVENT_FUNCTION || next == EVENT_COROUTINE)
        return;
    stacks_forget_pending(stacks, next == EVENT_STACK);
}

/* Definitions between the events. */
static void do_definition(struct stacks *stacks, const struct event *event)
{
    struct event_site site;
    struct event_function function;
    switch (event_kind(*event)) {
    case EVENT_BEGIN:
        memcpy(&stacks->begin, event + 1, sizeof stacks->begin);
        durations_begin(&stacks->durations, stacks->begin.unit_ns);
        break;
    case EVENT_SITE:
        memcpy(&site, event + 1, sizeof site);
        nodes_define_site(&stacks->nodes, event_operand(*event), site);
        break;
    case EVENT_FUNCTION:
        memcpy(&function, event + 1, sizeof function);
        nodes_define_function(&stacks->nodes, event_operand(*event), function);
        break;
    case EVENT_COROUTINE:
        stacks_add_thread(stacks, event_operand(*event))->is_coroutine = true;
        break;
    default:
        break;
    }
}

/*
 * Ends the part where no tick does. Outside of ticks a part has some 100 ms; and the counts of a
 * part have 32 bits.
 */
static void look_at_part(struct stacks *stacks)
{
    const double LONG_NS = 100e6;
    enum { EVENTS_MAX = 1 << 30 };
    bool is_long =
        stacks->tick < 0 && (double)stacks->nodes.units * stacks->begin.unit_ns >= LONG_NS;
    if (!is_long && stacks->part_events < EVENTS_MAX)
        return;
    stacks_end_part(stacks);
    stacks->serial += is_long;
}

/* An event that takes no time. */
static void do_timeless(struct stacks *stacks, const struct event *event)
{
    uint32_t operand = event_operand(*event);
    switch (event_kind(*event)) {
    case EVENT_MEMORY:
        nodes_count_memory(&stacks->nodes, stacks->cursor.top, event->units);
        break;
    case EVENT_THREAD:
        look_at_part(stacks);
        stacks_switch_thread(stacks, operand);
        break;
    case EVENT_FORGET:
        stacks->forgets = true;
        break;
    case EVENT_STACK:
        stacks_replace(stacks, event + 1, operand);
        break;
    case EVENT_LOST:
        stacks_lose(stacks);
        break;
    default:
        do_definition(stacks, event);
        break;
    }
}

/* Kilobytes of an event that is not the first of `events`. */
static uint32_t memory_of(const struct event *events, const struct event *event)
{
    return event > events && event_kind(event[-1]) == EVENT_MEMORY ? event[-1].units : 0;
}

static void do_resume(struct stacks *stacks, const struct event *events, const struct event *resume)
{
    const struct event *before = resume - (memory_of(events, resume) > 0);
    if (before == events || event_kind(before[-1]) != EVENT_RETURN) {
        stacks_resume(stacks, NULL);
        return;
    }
    struct return_event after = {.units = before[-1].units,
                                 .memory_kb = memory_of(events, before - 1),
                                 .next = EVENT_RESUME};
    stacks_resume(stacks, &after);
}

/* Any event of the recording; those since `begin` are in one batch. */
static void do_event(struct stacks *stacks, const struct event *begin, const struct event *event,
                     const struct event *end)
{
    enum event_kind kind = event_kind(*event);
    uint32_t operand = event_operand(*event);
    uint32_t memory_kb = memory_of(begin, event);
    struct return_event returned = {event->units, memory_kb, next_kind(event, end)};
    if (kind > EVENT_RESUME) {
        do_timeless(stacks, event);
        return;
    }
    uint32_t units = kind == EVENT_LEAF ? event_call_units(*event) : event->units;
    pass(stacks, units);
    stacks->is_switched &= kind == EVENT_NONE;
    switch (kind) {
    case EVENT_CALL:
        stacks_call(stacks, operand, units);
        break;
    case EVENT_LEAF:
        stacks_call(stacks, operand, units);
        return_leaf(stacks, event, returned.next);
        break;
    case EVENT_ROOT_CALL:
        look_at_part(stacks);
        stacks_call_root(stacks, operand, units, memory_kb);
        break;
    case EVENT_RETURN:
        stacks_return(stacks, &returned);
        break;
    case EVENT_OTHER_RETURN:
        stacks_return_of(stacks, operand, &returned);
        break;
    case EVENT_UNWIND:
        stacks_unwind(stacks, operand);
        break;
    case EVENT_TAIL_RETURN:
        stacks_tail_return(stacks, units, memory_kb);
        break;
    case EVENT_LINE:
        stacks_line(stacks, operand, units);
        break;
    case EVENT_RESUME:
        do_resume(stacks, begin, event);
        break;
    default:
        break;
    }
}

const struct event *stacks_do_events(struct stacks *stacks, const struct event *begin,
                                     const struct event *event, const struct event *end)
{
    stacks->part_events += (uint64_t)(end - event);
    while (event < end) {
        look_after_forgotten(stacks, event_kind(*event));
        event = do_common(stacks, event, end);
        if (event == end)
            break;
        enum event_kind kind = event_kind(*event);
        if (kind == EVENT_RECORDING || kind == EVENT_TICK || kind == EVENT_SAMPLE ||
            kind == EVENT_REFERENCE || kind == EVENT_END)
            break;
        do_event(stacks, begin, event, end);
        event += event_length(*event);
    }
    return event;
}
