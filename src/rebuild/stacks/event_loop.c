#include "rebuild/stacks/event_loop.h"

#include "rebuild/stacks/calls.h"
#include "rebuild/stacks/common_events.h"
#include "rebuild/stacks/whole_stacks.h"

static void pass(struct run *run, uint32_t units)
{
    run->nodes.at[run->cursor.top].self += units;
    run->nodes.counts.units += units;
    run->cursor.clock += units;
    timeline_log_pass(&run->log, units);
}

static void return_leaf(struct run *run, const struct event *leaf, enum event_kind next)
{
    struct return_event returned = {event_return_units(*leaf), 0, next};
    pass(run, returned.units);
    run_return(run, &returned);
}

/*
 * Applies a call of a running function that is not common: its node is new or watched, folded
 * recursion moves it to another node, or some array is full. Returns false, and counts nothing, if
 * the call needs more. In a short recording, about one event in twenty is such a call.
 */
static bool do_call(struct run *run, const struct event *event)
{
    struct nodes *nodes = &run->nodes;
    bool is_leaf = event_kind(*event) == EVENT_LEAF;
    if ((event_kind(*event) != EVENT_CALL && !is_leaf) || run->cursor.top < NODES_FIRST ||
        run->cursor.lists)
        return false;
    uint32_t node = nodes_child(nodes, run->cursor.top, event_operand(*event));
    if (nodes_is_watched(nodes, node) && nodes_function(nodes, node)->suspends)
        return false;
    nodes_expect(nodes, node);
    uint32_t units = is_leaf ? event_call_units(*event) : event->units;
    pass(run, units);
    run_push(run, node, units);
    if (is_leaf)
        return_leaf(run, event, EVENT_NONE);
    return true;
}

/* Applies common events and such calls. Returns the first event that is neither, or `end`. */
static const struct event *do_common(struct run *run, const struct event *event,
                                     const struct event *end)
{
    for (;; event++) {
        event = run->work.is_on ? run_do_common_work(run, event, end)
                                : run_do_common_events(run, event, end);
        if (event == end || !do_call(run, event))
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
static void look_after_forgotten(struct run *run, enum event_kind next)
{
    if (!run->forgets || next == EVENT_NONE || next == EVENT_RUN || next == EVENT_BEGIN ||
        next == EVENT_SITE || next == EVENT_FUNCTION || next == EVENT_COROUTINE)
        return;
    run_forget_pending(run, next == EVENT_STACK);
}

/* Definitions between the events. */
static void do_definition(struct run *run, const struct event *event)
{
    struct event_site site;
    struct event_function function;
    struct work *work = &run->work;
    switch (event_kind(*event)) {
    case EVENT_BEGIN:
        memcpy(&run->begin, event + 1, sizeof run->begin);
        work->long_units = (int64_t)(LONG_CALL_NS / run->begin.unit_ns);
        run->sampling.is_on |= run->begin.is_sampled;
        /* What single calls and wakes did is not known. */
        work->is_on &= !run->begin.is_sampled;
        run->wakes.is_on &= !run->begin.is_sampled;
        break;
    case EVENT_SITE:
        memcpy(&site, event + 1, sizeof site);
        nodes_define_site(&run->nodes, event_operand(*event), site);
        if (work->is_on)
            MEM_GROW_ZEROED(work->site_lines, work->site_capacity,
                            (size_t)event_operand(*event) + 1);
        break;
    case EVENT_FUNCTION:
        memcpy(&function, event + 1, sizeof function);
        nodes_define_function(&run->nodes, event_operand(*event), function);
        if (work->is_on)
            MEM_GROW_ZEROED(work->same_of, work->function_capacity, (size_t)function.id + 1);
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
    case EVENT_BURST:
        run_begin_burst(run);
        break;
    case EVENT_LOST:
        /* What is left of a burst has no known stack. */
        if (run->sampling.is_on)
            run_end_burst(run, 0);
        else
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

static void do_resume(struct run *run, const struct event *events, const struct event *resume)
{
    const struct event *before = resume - (memory_of(events, resume) > 0);
    if (before == events || event_kind(before[-1]) != EVENT_RETURN) {
        run_resume(run, NULL);
        return;
    }
    struct return_event after = {.units = before[-1].units,
                                 .memory_kb = memory_of(events, before - 1),
                                 .next = EVENT_RESUME};
    run_resume(run, &after);
}

/* Only a damaged log has a gap in a burst. */
static void do_gap(struct run *run, uint32_t units)
{
    if (run->sampling.is_open || !run->sampling.is_on)
        run_end_burst(run, 0);
    run->sampling.gap_units += units;
}

/* Any event of the run; those since `begin` are in one batch. */
static void do_event(struct run *run, const struct event *begin, const struct event *event,
                     const struct event *end)
{
    enum event_kind kind = event_kind(*event);
    uint32_t operand = event_operand(*event);
    uint32_t memory_kb = memory_of(begin, event);
    struct return_event returned = {event->units, memory_kb, next_kind(event, end)};
    if (kind > EVENT_RESUME) {
        do_timeless(run, event);
        return;
    }
    uint32_t units = kind == EVENT_LEAF ? event_call_units(*event) : event->units;
    if (kind == EVENT_GAP)
        do_gap(run, units);
    pass(run, units);
    run->is_switched &= kind == EVENT_NONE;
    switch (kind) {
    case EVENT_CALL:
        run_call(run, operand, units);
        break;
    case EVENT_LEAF:
        run_call(run, operand, units);
        return_leaf(run, event, returned.next);
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
    case EVENT_BURST_END:
        run_end_burst(run, operand);
        break;
    case EVENT_LINE:
        run_line(run, operand, units);
        break;
    case EVENT_RESUME:
        do_resume(run, begin, event);
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
