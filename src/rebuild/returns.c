#include "rebuild/returns.h"

#include "rebuild/segments.h"
#include "rebuild/waiting.h"

/* Pops the last frame, which was running and has returned. */
static void pop(struct run *run)
{
    struct cursor *cursor = &run->cursor;
    struct thread *thread = run_thread(run);
    const struct frame *frame = &cursor->frames[--cursor->depth];
    if (frame->start != START_UNKNOWN)
        node_add_duration(&run->nodes.at[frame->node], cursor->clock - frame->start,
                          cursor->calls - frame->calls_start);
    timeline_log_put(&run->log, STEP_RETURN, 0);
    if (cursor->depth > thread_base(thread)) {
        cursor->top = cursor->frames[cursor->depth - 1].node;
        nodes_touch(&run->nodes, cursor->top);
        return;
    }
    cursor->top = NODES_UNATTRIBUTED;
    timeline_log_wait(&run->log, 0);
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

/* The last frame was waiting, and returns. */
static void wake_to_return(struct run *run, struct thread *thread, enum event_kind next)
{
    uint32_t top = run->cursor.frames[run->cursor.depth - 1].node;
    const struct event_function *function = nodes_function(&run->nodes, top);
    run->settled = top;
    run->settled_calls = run->nodes.at[top].calls;
    if (!function->is_lua && next == EVENT_MARK)
        nodes_set_suspending(&run->nodes, top);
    run_wake(run, thread, !has_suspended(run, function, next));
}

/* The last frame returns. It may be waiting or a root, or may not exist. */
static void return_last(struct run *run, enum event_kind next)
{
    struct thread *thread = run_thread(run);
    run_settle_closed(run, thread);
    if (run->cursor.depth == 0)
        return;
    if (thread->is_waiting)
        wake_to_return(run, thread, next);
    pop(run);
}

void run_return(struct run *run, uint32_t units, enum event_kind next)
{
    struct cursor *cursor = &run->cursor;
    if (cursor->depth <= cursor->base + 1) {
        return_last(run, next);
        return;
    }
    uint32_t node = cursor->top;
    cursor_pop(cursor, &run->nodes);
    timeline_log_put(&run->log, STEP_RETURN, 0);
    if (nodes_is_watched(&run->nodes, cursor->top))
        calibration_return(&run->calibration, node, units);
}

/* The root of the last segment was the callee of the frame below, which continues. */
static void settle_as_callee(struct run *run, struct thread *thread, uint32_t units,
                             uint32_t memory_kb)
{
    struct nodes *nodes = &run->nodes;
    struct cursor *cursor = &run->cursor;
    struct segment segment = thread->segments[thread->segment_count - 1];
    uint32_t root = thread->listed[segment.listed_from];
    uint32_t caller = segment.caller;
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
        uint32_t target = nodes_child(nodes, caller, nodes->at[root].site & ~SITE_IS_OPEN);
        nodes_move(nodes, thread->listed + segment.listed_from,
                   thread->listed_count - segment.listed_from, target);
        thread->listed_count = segment.listed_from;
    }
    cursor->clock += inside + segment.units_before + units;
    cursor->calls += calls;
    nodes->at[caller].self += segment.units_before + units;
    nodes->at[NODES_UNATTRIBUTED].self -= segment.units_before + units;
    nodes->origins[caller].memory_kb += segment.memory_kb_before + memory_kb;
    nodes->origins[NODES_UNATTRIBUTED].memory_kb -= segment.memory_kb_before + memory_kb;
}

void run_tail_return(struct run *run, uint32_t units, uint32_t memory_kb)
{
    struct thread *thread = run_thread(run);
    if (thread->is_root_closed && thread->segments[thread->segment_count - 1].is_open)
        settle_as_callee(run, thread, units, memory_kb);
    run_settle_closed(run, thread);
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
        if (run->nodes.sites[run->nodes.at[node].site & ~SITE_IS_OPEN].function == function)
            break;
        depth--;
    }
    return depth;
}

/* Drops all frames but the first `depth`, which is above 0. The last frame that is left runs. */
static void drop_above(struct run *run, struct thread *thread, size_t depth)
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
        /* The function called back into Lua, and continues. */
        run_wake(run, thread, was_below_segment && is_last);
        return;
    }
    cursor->top = cursor->frames[depth - 1].node;
    nodes_touch(&run->nodes, cursor->top);
}

void run_return_of(struct run *run, uint32_t function, enum event_kind next)
{
    struct thread *thread = run_thread(run);
    struct cursor *cursor = &run->cursor;
    run_settle_closed(run, thread);
    size_t found = find_frame(run, function);
    if (found == 0) {
        run->contradictions++;
        run_drop_stack(run, thread, false);
        return;
    }
    if (found == cursor->depth) {
        return_last(run, next);
        return;
    }
    drop_above(run, thread, found);
    pop(run);
}

void run_unwind(struct run *run, size_t count)
{
    struct thread *thread = run_thread(run);
    run_settle_closed(run, thread);
    if (count >= run->cursor.depth) {
        run->contradictions++;
        run_drop_stack(run, thread, false);
    } else if (count > 0) {
        drop_above(run, thread, run->cursor.depth - count);
    }
}

void run_mark(struct run *run, uint32_t units)
{
    struct thread *thread = run_thread(run);
    struct cursor *cursor = &run->cursor;
    run_settle_closed(run, thread);
    if (cursor->depth == 0)
        return;
    if (thread->is_waiting) {
        run_wake(run, thread, false);
        return;
    }
    if (units == 0 || cursor->depth == cursor->capacity)
        return;
    /*
     * The function that returned had suspended its thread, while no other thread ran. Until now it
     * was not known to suspend. Its longest call stays too long, unless this was its first call.
     */
    uint32_t returned = cursor->frames[cursor->depth].node;
    struct node *node = &run->nodes.at[returned];
    if (nodes_function(&run->nodes, returned)->is_lua || node->self < units ||
        (returned == run->settled && node->calls == run->settled_calls))
        return;
    nodes_set_suspending(&run->nodes, returned);
    node->self -= units;
    node->duration_sum -= units;
    if (node->calls == 1)
        node->duration_min = node->duration_max = node->duration_sum;
    cursor->clock -= units;
    run->nodes.at[NODES_UNATTRIBUTED].self += units;
    timeline_log_wait_before_return(&run->log, units);
}
