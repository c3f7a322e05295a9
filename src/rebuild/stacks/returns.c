#include "rebuild/stacks/returns.h"

#include "rebuild/stacks/segments.h"
#include "rebuild/stacks/waiting.h"
#include "rebuild/stacks/wakes.h"

/* Pops the last frame, which was running and has returned. */
static void pop(struct run *run)
{
    struct cursor *cursor = &run->cursor;
    const struct frame *frame = &cursor->frames[--cursor->depth];
    if (frame->start != START_UNKNOWN)
        node_add_duration(&run->nodes.at[frame->node], cursor->clock - frame->start,
                          cursor->calls - frame->calls_start);
    if (frame->start != START_UNKNOWN && run->work.is_on)
        run_end_work(run, frame, cursor->clock - frame->start, cursor->depth > cursor->base);
    timeline_log_put(&run->log, STEP_RETURN, 0);
    if (cursor->depth > cursor->base) {
        cursor->top = cursor->frames[cursor->depth - 1].node;
        nodes_touch(&run->nodes, cursor->top);
        return;
    }
    cursor->top = NODES_UNATTRIBUTED;
    timeline_log_wait(&run->log, 0);
    if (cursor->depth == 0)
        run_end_wake(run, true, false);
    struct thread *thread = run_thread(run);
    if (thread->segment_count == 0)
        return;
    thread->is_root_closed = true;
    thread->is_waiting = true;
    thread->closed = (struct waiting){.clock = cursor->clock, .calls = cursor->calls};
    cursor->base = cursor->depth;
}

/* Whether the line of events ends after an event, so that a mark would be in the next one. */
static bool is_mark_hidden(enum event_kind next)
{
    return next == EVENT_NONE || next >= EVENT_LOST;
}

/* Whether the function of a frame that waits and returns now had suspended its thread. */
static bool has_suspended(const struct run *run, const struct event_function *function,
                          enum event_kind next)
{
    if (function->is_lua || next == EVENT_MARK)
        return true;
    return function->suspends && (!run->begin.has_marks || is_mark_hidden(next));
}

/* A call of the node returns, and what it waited for is decided: see run_mark(). */
static void remember_return(struct run *run, uint32_t node, enum event_kind next)
{
    run->waited = node;
    run->waited_calls = run->nodes.at[node].calls;
    if (!nodes_function(&run->nodes, node)->is_lua && next == EVENT_MARK)
        nodes_set_suspending(&run->nodes, node);
}

/* Pops the last frame, which may have suspended its thread. If so, a mark follows, or never will.
 */
static void pop_suspending(struct run *run, uint32_t node)
{
    pop(run);
    if (!run->begin.has_marks && nodes_function(&run->nodes, node)->suspends)
        run_begin_wake(run);
}

/* The last frame was waiting, and returns. */
static void wake_to_return(struct run *run, struct thread *thread, enum event_kind next)
{
    uint32_t top = run->cursor.frames[run->cursor.depth - 1].node;
    remember_return(run, top, next);
    run_wake(run, thread, !has_suspended(run, nodes_function(&run->nodes, top), next));
}

/* The last frame was running, and returns: it had suspended its thread in the time of the event. */
static void wait_to_return(struct run *run, const struct return_event *event)
{
    remember_return(run, run->cursor.top, event->next);
    run_leave_unattributed(run, event->units, event->memory_kb);
    timeline_log_wait(&run->log, event->units);
    timeline_log_put(&run->log, STEP_WAKE, 0);
}

/* The last frame returns. It may be waiting or a root, or may not exist. */
static void return_last(struct run *run, const struct return_event *event)
{
    struct thread *thread = run_thread(run);
    run_end_closed_segment(run, thread);
    if (run->cursor.depth == 0)
        return;
    if (thread->is_waiting)
        wake_to_return(run, thread, event->next);
    else if (event->next == EVENT_MARK && !nodes_function(&run->nodes, run->cursor.top)->is_lua)
        wait_to_return(run, event);
    pop_suspending(run, run->cursor.frames[run->cursor.depth - 1].node);
}

void run_return(struct run *run, const struct return_event *event)
{
    struct cursor *cursor = &run->cursor;
    if (cursor->depth <= cursor->base + 1) {
        return_last(run, event);
        return;
    }
    uint32_t node = cursor->top;
    pop(run);
    run_calibrate_return(run, node, cursor->top, event->units);
}

/* The root of the last segment was the callee of the frame below, which continues. */
static void attach_to_caller(struct run *run, struct thread *thread, uint32_t units,
                             uint32_t memory_kb)
{
    struct nodes *nodes = &run->nodes;
    struct cursor *cursor = &run->cursor;
    struct segment segment = thread->segments[thread->segment_count - 1];
    uint32_t root = thread->listed[segment.listed_from];
    uint32_t caller = segment.caller;
    /* The time before the root call stays unattributed if it is of an earlier tick. */
    if (segment.tick != run->tick_count) {
        segment.units_before = 0;
        segment.memory_kb_before = 0;
    }
    int64_t inside = thread->closed.clock - segment.below.clock;
    uint32_t calls = thread->closed.calls - segment.below.calls;
    run_pop_segment(thread);
    timeline_log_claim(&run->log, thread->waiting.gap, run->current, cursor->depth);
    timeline_log_claim(&run->log, run->log.last_gap, run->current, cursor->depth);
    run_wake(run, thread, false);
    /*
     * If the caller is in an open segment itself, it is moved later, together with all nodes listed
     * there, and only once: it returns next, so it calls nothing before that.
     */
    if (!cursor->lists) {
        uint32_t target = nodes_child(nodes, caller, node_site(&nodes->at[root]));
        nodes_move(nodes, thread->listed + segment.listed_from,
                   thread->listed_count - segment.listed_from, target,
                   segment.tick != run->tick_count);
        thread->listed_count = segment.listed_from;
    }
    nodes_touch(nodes, caller);
    if (run->work.is_on) {
        struct work_frame *work = &cursor->works[cursor->depth - 1];
        uint32_t site = node_site(&nodes->at[root]);
        work_count_call(&run->work, work, site);
        work_count_return(work, site, work[1].hash, inside);
    }
    cursor->clock += inside + segment.units_before + units;
    cursor->calls += calls;
    nodes->at[caller].self += segment.units_before + units;
    nodes->at[NODES_UNATTRIBUTED].self -= segment.units_before + units;
    nodes_move_memory(nodes, NODES_UNATTRIBUTED, caller, segment.memory_kb_before + memory_kb);
}

void run_tail_return(struct run *run, uint32_t units, uint32_t memory_kb)
{
    struct thread *thread = run_thread(run);
    if (thread->is_root_closed && thread->segments[thread->segment_count - 1].is_open)
        attach_to_caller(run, thread, units, memory_kb);
    run_end_closed_segment(run, thread);
    if (run->cursor.depth == 0)
        return;
    if (thread->is_waiting)
        run_wake(run, thread, false);
    pop(run);
}

/* Returns the number of frames up to the last one of a function; 0 if it has none. */
static size_t find_frame(const struct run *run, uint32_t function)
{
    size_t depth = run->cursor.depth;
    while (depth > 0) {
        uint32_t node = run->cursor.frames[depth - 1].node;
        if (run->nodes.sites[node_site(&run->nodes.at[node])].function == function)
            break;
        depth--;
    }
    return depth;
}

/*
 * Drops all frames but the first `depth`, which is above 0. The last frame that is left runs.
 * `was_running`: if it called back into Lua, it ran all the time.
 */
static void drop_above(struct run *run, struct thread *thread, size_t depth, bool was_running)
{
    struct cursor *cursor = &run->cursor;
    bool is_error = !nodes_function(&run->nodes, cursor->frames[cursor->depth - 1].node)->suspends;
    bool was_below_segment = false;
    while (thread_base(thread) >= depth) {
        was_below_segment = thread_base(thread) == depth;
        run_drop_segment(run, thread, is_error);
    }
    bool is_last = cursor->depth == depth;
    run_drop_frames(run, depth, is_error);
    if (thread->is_waiting) {
        run_wake(run, thread, was_running && was_below_segment && is_last);
        return;
    }
    cursor->top = cursor->frames[depth - 1].node;
    nodes_touch(&run->nodes, cursor->top);
}

void run_return_of(struct run *run, uint32_t function, const struct return_event *event)
{
    struct thread *thread = run_thread(run);
    struct cursor *cursor = &run->cursor;
    run_end_closed_segment(run, thread);
    size_t found = find_frame(run, function);
    if (found == 0) {
        run->contradictions++;
        run_drop_stack(run, thread, false);
        return;
    }
    if (found == cursor->depth) {
        return_last(run, event);
        return;
    }
    uint32_t node = cursor->frames[found - 1].node;
    remember_return(run, node, event->next);
    bool was_running = !has_suspended(run, nodes_function(&run->nodes, node), event->next);
    drop_above(run, thread, found, was_running);
    pop_suspending(run, node);
}

void run_unwind(struct run *run, size_t count)
{
    struct thread *thread = run_thread(run);
    run_end_closed_segment(run, thread);
    if (count >= run->cursor.depth) {
        run->contradictions++;
        run_drop_stack(run, thread, false);
    } else if (count > 0) {
        size_t depth = run->cursor.depth - count;
        uint32_t node = run->cursor.frames[depth - 1].node;
        drop_above(run, thread, depth, !nodes_function(&run->nodes, node)->is_lua);
    }
}

/*
 * The function that returned had suspended its thread, while no other thread ran. Until now it was
 * not known to suspend. Its longest call stays too long, unless this was its first call.
 */
static void wait_before_return(struct run *run, const struct return_event *event)
{
    const struct frame *frame = &run->cursor.frames[run->cursor.depth];
    uint32_t returned = frame->node;
    struct node *node = &run->nodes.at[returned];
    if (nodes_function(&run->nodes, returned)->is_lua || node->self < event->units ||
        (returned == run->waited && node->calls == run->waited_calls))
        return;
    nodes_set_suspending(&run->nodes, returned);
    node->self -= event->units;
    if (frame->start != START_UNKNOWN) {
        node->duration_sum -= event->units;
        if (node->calls == 1)
            node->duration_min = node->duration_max = (int64_t)node->duration_sum;
    }
    run->cursor.clock -= event->units;
    if (run->work.is_on && run->cursor.depth > 0)
        run->cursor.works[run->cursor.depth - 1].inner -= event->units;
    run->nodes.at[NODES_UNATTRIBUTED].self += event->units;
    nodes_move_memory(&run->nodes, returned, NODES_UNATTRIBUTED, event->memory_kb);
    timeline_log_wait_before_return(&run->log, event->units);
}

void run_mark(struct run *run, const struct return_event *after)
{
    struct thread *thread = run_thread(run);
    struct cursor *cursor = &run->cursor;
    run_end_closed_segment(run, thread);
    if (cursor->depth == 0)
        return;
    if (thread->is_waiting)
        run_wake(run, thread, false);
    else if (after != NULL && cursor->depth < cursor->capacity)
        wait_before_return(run, after);
    run_begin_wake(run);
}
