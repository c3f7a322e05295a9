#include "rebuild/stacks/event_loop.h"

#include "base/mem.h"
#include "rebuild/stacks/calls.h"
#include "rebuild/stacks/common_events.h"
#include "rebuild/stacks/returns.h"
#include "rebuild/stacks/whole_stacks.h"

#include <string.h>

/*
 * A call is not common because its node is new, or some array is full. Makes the node, and room.
 * Returns false if the call needs more than that. In a short recording, about one event in twenty
 * is such a call.
 */
static bool make_common(struct run *run, const struct event *event)
{
    struct nodes *nodes = &run->nodes;
    struct cursor *cursor = &run->cursor;
    enum event_kind kind = event_kind(*event);
    if ((kind != EVENT_CALL && kind != EVENT_LEAF) || cursor->top < NODES_FIRST || cursor->lists)
        return false;
    uint32_t node = nodes_child(nodes, cursor->top, event_operand(*event));
    /* Folded recursion moves calls to other nodes. */
    if (nodes->at[node].parent != cursor->top || nodes_is_watched(nodes, node))
        return false;
    nodes_expect(nodes, node);
    nodes_reserve_touched(nodes);
    MEM_GROW(cursor->frames, cursor->capacity, cursor->depth + 1);
    return true;
}

/* Applies common events. Returns the first event that is not and cannot be made so, or `end`. */
static const struct event *do_common(struct run *run, const struct event *event,
                                     const struct event *end)
{
    do
        event = run_do_common_events(run, event, end);
    while (event < end && make_common(run, event));
    return event;
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
static void look_after_forgotten(struct run *run, enum event_kind next)
{
    if (!run->forgets || next == EVENT_NONE || next == EVENT_RUN || next == EVENT_BEGIN ||
        next == EVENT_SITE || next == EVENT_FUNCTION || next == EVENT_COROUTINE)
        return;
    run_forget_pending(run, next == EVENT_STACK);
}

static void pass(struct run *run, uint32_t units)
{
    run->nodes.at[run->cursor.top].self += units;
    run->nodes.counts.units += units;
    run->cursor.clock += units;
    timeline_log_pass(&run->log, units);
}

/* Definitions between the events. */
static void do_definition(struct run *run, const struct event *event)
{
    struct event_site site;
    struct event_function function;
    switch (event_kind(*event)) {
    case EVENT_BEGIN:
        memcpy(&run->begin, event + 1, sizeof run->begin);
        break;
    case EVENT_SITE:
        memcpy(&site, event + 1, sizeof site);
        nodes_define_site(&run->nodes, event_operand(*event), site);
        break;
    case EVENT_FUNCTION:
        memcpy(&function, event + 1, sizeof function);
        nodes_define_function(&run->nodes, event_operand(*event), function);
        break;
    case EVENT_COROUTINE:
        run_add_thread(run, event_operand(*event))->is_coroutine = true;
        break;
    default:
        break;
    }
}

/* An event that takes no time. */
static void do_timeless(struct run *run, const struct event *event)
{
    uint32_t operand = event_operand(*event);
    switch (event_kind(*event)) {
    case EVENT_MEMORY:
        nodes_count_memory(&run->nodes, run->cursor.top, event->units);
        break;
    case EVENT_THREAD:
        run_switch_thread(run, operand);
        break;
    case EVENT_FORGET:
        run->forgets = true;
        break;
    case EVENT_STACK:
        run_replace_stack(run, event + 1, operand);
        break;
    case EVENT_LOST:
        run_lose_stacks(run);
        break;
    default:
        do_definition(run, event);
        break;
    }
}

/* Kilobytes of an event that is not the first of `events`. */
static uint32_t memory_of(const struct event *events, const struct event *event)
{
    return event > events && event_kind(event[-1]) == EVENT_MEMORY ? event[-1].units : 0;
}

static void do_mark(struct run *run, const struct event *events, const struct event *mark)
{
    const struct event *before = mark - (memory_of(events, mark) > 0);
    if (before == events || event_kind(before[-1]) != EVENT_RETURN) {
        run_mark(run, NULL);
        return;
    }
    struct return_event after = {
        .units = before[-1].units, .memory_kb = memory_of(events, before - 1), .next = EVENT_MARK};
    run_mark(run, &after);
}

/* Any event of the run; those since `begin` are in one batch. */
static void do_event(struct run *run, const struct event *begin, const struct event *event,
                     const struct event *end)
{
    enum event_kind kind = event_kind(*event);
    uint32_t operand = event_operand(*event);
    uint32_t memory_kb = memory_of(begin, event);
    struct return_event returned = {event->units, memory_kb, next_kind(event, end)};
    if (kind > EVENT_MARK) {
        do_timeless(run, event);
        return;
    }
    uint32_t units = kind == EVENT_LEAF ? event_call_units(*event) : event->units;
    pass(run, units);
    run->is_switched &= kind == EVENT_NONE;
    switch (kind) {
    case EVENT_CALL:
        run_call(run, operand, units);
        break;
    case EVENT_LEAF:
        run_call(run, operand, units);
        returned = (struct return_event){event_return_units(*event), 0, next_kind(event, end)};
        pass(run, returned.units);
        run_return(run, &returned);
        break;
    case EVENT_ROOT_CALL:
        run_call_root(run, operand, units, memory_kb);
        break;
    case EVENT_RETURN:
        run_return(run, &returned);
        break;
    case EVENT_OTHER_RETURN:
        run_return_of(run, operand, &returned);
        break;
    case EVENT_UNWIND:
        run_unwind(run, operand);
        break;
    case EVENT_TAIL_RETURN:
        run_tail_return(run, units, memory_kb);
        break;
    case EVENT_MARK:
        do_mark(run, begin, event);
        break;
    default:
        break;
    }
}

const struct event *run_do_events(struct run *run, const struct event *begin,
                                  const struct event *event, const struct event *end)
{
    while (event < end) {
        look_after_forgotten(run, event_kind(*event));
        /* A time line needs every event. */
        if (!run->log.is_on)
            event = do_common(run, event, end);
        if (event == end)
            break;
        enum event_kind kind = event_kind(*event);
        if (kind == EVENT_RUN || kind == EVENT_TICK || kind == EVENT_END)
            break;
        do_event(run, begin, event, end);
        event += event_length(*event);
    }
    return event;
}
