#include "rebuild/stacks/calls.h"

#include "base/sort.h"

/* Pushes an empty segment above the existing frames. */
static void push_segment(struct stacks *stacks, struct thread *thread, struct segment segment)
{
    segment.base = stacks->cursor.depth;
    segment.below = thread->waiting;
    segment.listed_from = thread->listed_count;
    size_t count = thread->segment_count;
    segment.open_count = segment.is_open ? count + 1
                         : count > 0     ? thread->segments[count - 1].open_count
                                         : 0;
    MEM_APPEND(thread->segments, thread->segment_count, thread->segment_capacity, segment);
    timeline_log_put(&stacks->log, STEP_ROOT, 0);
    thread->is_waiting = thread->is_interrupted = false;
    stacks_enter_segment(stacks, thread);
}

/* Removes the last segment, which has no frames left: the frame below it waits. */
static void pop_segment(struct thread *thread)
{
    struct segment *segment = &thread->segments[--thread->segment_count];
    thread->is_root_closed = false;
    thread->is_waiting = true;
    thread->is_interrupted = true;
    thread->waiting = segment->below;
}

/* The root of the last segment was not a callee of the frame below. */
static void attach_to_root(struct stacks *stacks, struct thread *thread)
{
    struct segment *segment = &thread->segments[thread->segment_count - 1];
    if (!segment->is_open)
        return;
    segment->is_open = false;
    struct nodes *nodes = &stacks->nodes;
    uint32_t root = thread->listed[segment->listed_from];
    uint32_t site = node_site(&nodes->at[root]);
    uint32_t target = nodes_child(nodes, stacks_root_parent(thread), site);
    nodes_move(nodes,
               thread->listed + segment->listed_from,
               thread->listed_count - segment->listed_from,
               target);
    thread->listed_count = segment->listed_from;
}

/* Pops frames that did not return, down to `depth`. */
static void drop_frames(struct stacks *stacks, size_t depth, bool is_error)
{
    struct cursor *cursor = &stacks->cursor;
    while (cursor->depth > depth) {
        const struct frame *frame = &cursor->frames[--cursor->depth];
        if (is_error) {
            nodes_touch(&stacks->nodes, frame->node);
            nodes_count_error(&stacks->nodes, frame->node);
        }
        timeline_log_put(&stacks->log, is_error ? STEP_FAIL : STEP_DROP, 0);
    }
}

void stacks_drop_segment(struct stacks *stacks, struct thread *thread, bool is_error)
{
    drop_frames(stacks, thread_base(thread), is_error);
    if (thread->segment_count == 0) {
        stacks_end_wake(stacks, false, is_error);
        thread->is_waiting = thread->is_interrupted = false;
        return;
    }
    attach_to_root(stacks, thread);
    pop_segment(thread);
}

void stacks_drop_thread(struct stacks *stacks, struct thread *thread, bool is_error)
{
    if (stacks->cursor.depth > 0)
        timeline_log_wait(&stacks->log, 0);
    while (stacks->cursor.depth > 0)
        stacks_drop_segment(stacks, thread, is_error);
    stacks->cursor.top = NODES_UNATTRIBUTED;
    stacks->cursor.base = 0;
    stacks->cursor.lists = false;
    thread->is_waiting = thread->is_interrupted = thread->is_root_closed = false;
}

/*
 * If the last frame of the last segment is a Lua function, an error has ended that segment; then
 * likewise the segment below it, and so on.
 */
static void fail_segments(struct stacks *stacks, struct thread *thread)
{
    struct cursor *cursor = &stacks->cursor;
    while (cursor->depth > 0 &&
           nodes_function(&stacks->nodes, cursor->frames[cursor->depth - 1].node)->is_lua)
        stacks_drop_segment(stacks, thread, true);
    cursor->top = NODES_UNATTRIBUTED;
    cursor->base = cursor->depth;
    if (cursor->depth == 0)
        thread->is_waiting = thread->is_interrupted = false;
}

void stacks_end_closed_segment(struct stacks *stacks, struct thread *thread)
{
    if (!thread->is_root_closed)
        return;
    attach_to_root(stacks, thread);
    pop_segment(thread);
    fail_segments(stacks, thread);
}

void stacks_wait(struct stacks *stacks, struct thread *thread, uint32_t units_ago)
{
    struct cursor *cursor = &stacks->cursor;
    thread->is_waiting = true;
    thread->waiting = (struct waiting){
        .clock = cursor->clock,
        .calls = cursor->calls,
        .unattributed = stacks->nodes.at[NODES_UNATTRIBUTED].self,
        .unattributed_kb = nodes_known_origin(&stacks->nodes, NODES_UNATTRIBUTED)->memory_kb,
        .tick = stacks->tick_count,
        .claim = stacks->last_claim,
        .gap = timeline_log_wait(&stacks->log, units_ago),
    };
    cursor->top = NODES_UNATTRIBUTED;
    cursor->base = cursor->depth;
}

/* Units and memory that were counted for the running frame are unattributed after all. */
static void leave_unattributed(struct stacks *stacks, uint32_t units, uint32_t memory_kb)
{
    struct nodes *nodes = &stacks->nodes;
    uint32_t top = stacks->cursor.top;
    nodes->at[top].self -= units;
    stacks->cursor.clock -= units;
    nodes->at[NODES_UNATTRIBUTED].self += units;
    nodes_move_memory(nodes, top, NODES_UNATTRIBUTED, memory_kb);
}

static int compare_claims(const void *key, const void *claim)
{
    const struct claim *a = key, *b = claim;
    return ORDER(a->number, b->number, 0);
}

/* Finds the unattributed time that is left when a waiting frame claims its part. */
static struct claim find_claim(const struct stacks *stacks, const struct waiting *waiting)
{
    struct claim left = {0, waiting->unattributed, waiting->unattributed_kb};
    if (waiting->tick != stacks->tick_count)
        left = (struct claim){0, stacks->unattributed_at_tick, stacks->unattributed_kb_at_tick};
    struct claim next = {.number = waiting->claim + 1};
    /* The first of the claims since then left the least. */
    size_t first =
        search_first(&next, stacks->claims, stacks->claim_count, sizeof next, compare_claims);
    if (first == stacks->claim_count)
        return left;
    if (stacks->claims[first].unattributed < left.unattributed)
        left.unattributed = stacks->claims[first].unattributed;
    if (stacks->claims[first].unattributed_kb < left.unattributed_kb)
        left.unattributed_kb = stacks->claims[first].unattributed_kb;
    return left;
}

static void put_claim(struct stacks *stacks, struct claim claim)
{
    enum { CLAIMS_MAX = 16 * 1024 };
    claim.number = ++stacks->last_claim;
    while (stacks->claim_count > 0 &&
           stacks->claims[stacks->claim_count - 1].unattributed >= claim.unattributed)
        stacks->claim_count--;
    if (stacks->claim_count == CLAIMS_MAX) {
        stacks->claim_count = CLAIMS_MAX / 2;
        memmove(stacks->claims,
                stacks->claims + CLAIMS_MAX / 2,
                stacks->claim_count * sizeof *stacks->claims);
    }
    MEM_APPEND(stacks->claims, stacks->claim_count, stacks->claim_capacity, claim);
}

/* The last frame runs again; it was running all the time since it began to wait. */
static void take_unattributed(struct stacks *stacks, const struct waiting *waiting)
{
    struct nodes *nodes = &stacks->nodes;
    uint32_t top = stacks->cursor.top;
    struct claim left = find_claim(stacks, waiting);
    struct node *unattributed = &nodes->at[NODES_UNATTRIBUTED];
    uint64_t unattributed_kb = nodes_known_origin(nodes, NODES_UNATTRIBUTED)->memory_kb;
    /* There may be less, if a root turned out to be the callee of another. */
    int64_t units =
        unattributed->self > left.unattributed ? unattributed->self - left.unattributed : 0;
    uint64_t memory_kb =
        unattributed_kb > left.unattributed_kb ? unattributed_kb - left.unattributed_kb : 0;
    nodes->at[top].self += units;
    stacks->cursor.clock += units;
    unattributed->self -= units;
    nodes_move_memory(nodes, NODES_UNATTRIBUTED, top, memory_kb);
    if (units > 0 || memory_kb > 0)
        put_claim(stacks, (struct claim){0, unattributed->self, unattributed_kb - memory_kb});
}

/* The last frame of the thread, which waits, continues. `was_running`: it ran all the time. */
static void wake(struct stacks *stacks, struct thread *thread, bool was_running)
{
    struct cursor *cursor = &stacks->cursor;
    bool takes_time = was_running && !thread->is_new;
    thread->is_waiting = thread->is_interrupted = thread->is_new = false;
    stacks_enter_segment(stacks, thread);
    cursor->top = cursor->frames[cursor->depth - 1].node;
    cursor->clock = thread->waiting.clock;
    cursor->calls = thread->waiting.calls;
    nodes_touch(&stacks->nodes, cursor->top);
    if (takes_time)
        timeline_log_claim_from(&stacks->log, thread->waiting.gap, cursor->depth);
    timeline_log_put(&stacks->log, STEP_WAKE, 0);
    if (takes_time)
        take_unattributed(stacks, &thread->waiting);
}

static bool is_lua(const struct stacks *stacks, uint32_t node)
{
    return nodes_function(&stacks->nodes, node)->is_lua;
}

/* Whether a frame of this node was called as a root. */
static bool is_root(const struct stacks *stacks, uint32_t node)
{
    return stacks->nodes.sites[nodes_called_from(&stacks->nodes, node)].line == NO_CALLER;
}

static void list_node(struct thread *thread, struct nodes *nodes, uint32_t node)
{
    if (nodes_known_origin(nodes, node)->is_listed)
        return;
    nodes_origin(nodes, node)->is_listed = true;
    MEM_APPEND(thread->listed, thread->listed_count, thread->listed_capacity, node);
}

/* A watched node was called `units` after the event before: tells the calibration. */
static void calibrate_call(struct stacks *stacks, uint32_t node, uint32_t units)
{
    const struct nodes *nodes = &stacks->nodes;
    uint32_t caller = nodes->at[node].parent;
    if (caller >= NODES_FIRST && nodes_function(nodes, caller)->calibrates)
        calibration_call(
            &stacks->calibration, nodes_calibrated(nodes, node), nodes_kind(nodes, node), units);
}

void stacks_push(struct stacks *stacks, uint32_t node, uint32_t units)
{
    struct nodes *nodes = &stacks->nodes;
    struct cursor *cursor = &stacks->cursor;
    if (cursor->lists)
        list_node(stacks_thread(stacks), nodes, node);
    nodes_touch(nodes, node);
    nodes->at[node].calls++;
    cursor->calls++;
    stacks_put_frame(stacks, (struct frame){cursor->clock, node, cursor->calls});
    cursor->top = node;
    timeline_log_put(&stacks->log, STEP_CALL, node_site(&nodes->at[node]));
    if (nodes_is_watched(nodes, node))
        calibrate_call(stacks, node, units);
}

/* Call it before a call whose caller does not run: the caller waits, or is unknown. */
static void wake_caller(struct stacks *stacks)
{
    struct thread *thread = stacks_thread(stacks);
    stacks_end_closed_segment(stacks, thread);
    if (stacks->cursor.depth > 0)
        wake(stacks, thread, !is_lua(stacks, stacks->cursor.frames[stacks->cursor.depth - 1].node));
    else
        /* The caller was lost with a missing line. */
        stacks->cursor.top = stacks_root_parent(thread);
}

void stacks_call(struct stacks *stacks, uint32_t site, uint32_t units)
{
    if (stacks->cursor.top == NODES_UNATTRIBUTED)
        wake_caller(stacks);
    uint32_t node = nodes_child(&stacks->nodes, stacks->cursor.top, site);
    stacks_push(stacks, node, units);
    /* It waits, unless it returns first. */
    if (nodes_is_watched(&stacks->nodes, node) && nodes_function(&stacks->nodes, node)->suspends)
        stacks_wait(stacks, stacks_thread(stacks), 0);
}

/*
 * The parent of an open root's node until its caller is known: the last other open root, so that no
 * two open roots of a thread share a node.
 */
static uint32_t open_parent(const struct thread *thread, uint32_t otherwise)
{
    size_t count = thread->segment_count;
    size_t open_count = count > 0 ? thread->segments[count - 1].open_count : 0;
    return open_count > 0 ? thread->listed[thread->segments[open_count - 1].listed_from]
                          : otherwise;
}

/*
 * Returns the site with SITE_IS_OPEN, for a child of `parent` in which no other thread counts; or
 * the site unchanged if all such children are taken. The game has one main thread: it never writes
 * a log with hundreds of them.
 */
static uint32_t open_site(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    for (uint32_t i = 1; i <= SITE_OPEN_MAX; i++) {
        uint32_t open = site | i << SITE_OPEN_SHIFT;
        uint32_t child = nodes_child(nodes, parent, open);
        if (!nodes_known_origin(nodes, child)->is_listed)
            return open;
    }
    return site;
}

/* Makes room for the root; `*site` may get SITE_IS_OPEN. Returns the parent of its node. */
static uint32_t begin_root(struct stacks *stacks, uint32_t *site, uint32_t units,
                           uint32_t memory_kb)
{
    struct thread *thread = stacks_thread(stacks);
    struct cursor *cursor = &stacks->cursor;
    stacks_end_closed_segment(stacks, thread);
    uint32_t top = cursor->top;
    bool is_tail_call = top != NODES_UNATTRIBUTED && is_lua(stacks, top) && is_root(stacks, top);
    /*
     * A coroutine has one root; a root of the main thread may be another callback, after an error.
     */
    if (is_tail_call && thread->is_coroutine)
        return top;
    uint32_t parent = is_tail_call ? open_parent(thread, top) : NODES_UNATTRIBUTED;
    uint32_t open = is_tail_call ? open_site(&stacks->nodes, parent, *site) : *site;
    if (top != NODES_UNATTRIBUTED) {
        leave_unattributed(stacks, units, memory_kb);
        stacks_wait(stacks, thread, units);
        thread->waiting.unattributed -= units;
        thread->waiting.unattributed_kb -= memory_kb;
    }
    if (open != *site) {
        struct segment segment = {.is_open = true,
                                  .caller = top,
                                  .units_before = units,
                                  .memory_kb_before = memory_kb,
                                  .tick = stacks->tick_count};
        push_segment(stacks, thread, segment);
        *site = open;
        return parent;
    }
    fail_segments(stacks, thread);
    if (cursor->depth > 0)
        push_segment(stacks, thread, (struct segment){0});
    return stacks_root_parent(thread);
}

void stacks_call_root(struct stacks *stacks, uint32_t site, uint32_t units, uint32_t memory_kb)
{
    uint32_t parent = begin_root(stacks, &site, units, memory_kb);
    if (stacks->cursor.depth == 0)
        stacks_begin_life(stacks, site);
    stacks_push(stacks, nodes_child(&stacks->nodes, parent, site), units);
}

bool stacks_put_at_line(struct stacks *stacks, uint32_t site)
{
    struct nodes *nodes = &stacks->nodes;
    struct cursor *cursor = &stacks->cursor;
    /* Only a damaged log has others. */
    if (cursor->depth == 0 || cursor->top == NODES_UNATTRIBUTED ||
        nodes->sites[site].function != nodes->sites[node_site(&nodes->at[cursor->top])].function) {
        stacks->contradictions++;
        return false;
    }
    cursor->top = nodes_line(nodes, cursor->top, site);
    cursor->frames[cursor->depth - 1].node = cursor->top;
    return true;
}

void stacks_line(struct stacks *stacks, uint32_t site, uint32_t units)
{
    struct nodes *nodes = &stacks->nodes;
    struct cursor *cursor = &stacks->cursor;
    uint32_t from = cursor->top;
    if (!stacks_put_at_line(stacks, site))
        return;
    if (cursor->lists)
        list_node(stacks_thread(stacks), nodes, cursor->top);
    nodes_touch(nodes, cursor->top);
    /* A call that was met with its stack was at an unknown line until now. */
    bool is_first = nodes_call_of(nodes, from) == from &&
                    cursor->frames[cursor->depth - 1].start != START_UNKNOWN;
    nodes_count_run(nodes, cursor->top, is_first);
    if (is_first) {
        nodes->at[from].self -= units;
        nodes->at[cursor->top].self += units;
    }
}

/* Pops the last frame, which was running and has returned. */
static void pop(struct stacks *stacks)
{
    struct cursor *cursor = &stacks->cursor;
    const struct frame *frame = &cursor->frames[--cursor->depth];
    if (frame->start != START_UNKNOWN)
        node_add_duration(&stacks->nodes.at[frame->node],
                          cursor->clock - frame->start,
                          cursor->calls - frame->calls_start);
    stacks_add_return(stacks, frame);
    timeline_log_put(&stacks->log, STEP_RETURN, 0);
    if (cursor->depth > cursor->base) {
        cursor->top = cursor->frames[cursor->depth - 1].node;
        nodes_touch(&stacks->nodes, cursor->top);
        return;
    }
    cursor->top = NODES_UNATTRIBUTED;
    timeline_log_wait(&stacks->log, 0);
    if (cursor->depth == 0)
        stacks_end_wake(stacks, true, false);
    struct thread *thread = stacks_thread(stacks);
    if (thread->segment_count == 0)
        return;
    thread->is_root_closed = true;
    thread->is_waiting = true;
    thread->closed = (struct waiting){.clock = cursor->clock, .calls = cursor->calls};
    cursor->base = cursor->depth;
}

/* Whether the function of a frame that waits and returns now had suspended its thread. */
static bool has_suspended(const struct stacks *stacks, const struct event_function *function,
                          enum event_kind next)
{
    if (function->is_lua || next == EVENT_RESUME)
        return true;
    /* Where the line of events ends, a resume would be in the next one. */
    bool is_resume_hidden = next == EVENT_NONE || next >= EVENT_LOST;
    return function->suspends && (!stacks->begin.has_resumes || is_resume_hidden);
}

/* A call of the node returns, and what it waited for is decided: see stacks_resume(). */
static void remember_return(struct stacks *stacks, uint32_t node, enum event_kind next)
{
    stacks->waited = node;
    stacks->waited_calls = stacks->nodes.at[node].calls;
    if (!nodes_function(&stacks->nodes, node)->is_lua && next == EVENT_RESUME)
        nodes_set_suspending(&stacks->nodes, node);
}

/* Pops the last frame, which may have suspended its thread. If so, a resume follows, or never will.
 */
static void pop_suspending(struct stacks *stacks, uint32_t node)
{
    pop(stacks);
    if (!stacks->begin.has_resumes && nodes_function(&stacks->nodes, node)->suspends)
        stacks_begin_wake(stacks);
}

/* The last frame was waiting, and returns. */
static void wake_to_return(struct stacks *stacks, struct thread *thread, enum event_kind next)
{
    uint32_t top = stacks->cursor.frames[stacks->cursor.depth - 1].node;
    remember_return(stacks, top, next);
    wake(stacks, thread, !has_suspended(stacks, nodes_function(&stacks->nodes, top), next));
}

/* The last frame was running, and returns: it had suspended its thread in the time of the event. */
static void wait_to_return(struct stacks *stacks, const struct return_event *event)
{
    remember_return(stacks, stacks->cursor.top, event->next);
    leave_unattributed(stacks, event->units, event->memory_kb);
    timeline_log_wait(&stacks->log, event->units);
    timeline_log_put(&stacks->log, STEP_WAKE, 0);
}

/* The last frame returns. It may be waiting or a root, or may not exist. */
static void return_last(struct stacks *stacks, const struct return_event *event)
{
    struct thread *thread = stacks_thread(stacks);
    stacks_end_closed_segment(stacks, thread);
    if (stacks->cursor.depth == 0)
        return;
    if (thread->is_waiting)
        wake_to_return(stacks, thread, event->next);
    else if (event->next == EVENT_RESUME &&
             !nodes_function(&stacks->nodes, stacks->cursor.top)->is_lua)
        wait_to_return(stacks, event);
    pop_suspending(stacks, stacks->cursor.frames[stacks->cursor.depth - 1].node);
}

void stacks_return(struct stacks *stacks, const struct return_event *event)
{
    struct cursor *cursor = &stacks->cursor;
    if (cursor->depth <= cursor->base + 1) {
        return_last(stacks, event);
        return;
    }
    uint32_t node = cursor->top;
    pop(stacks);
    if (nodes_is_watched(&stacks->nodes, cursor->top))
        calibration_return(
            &stacks->calibration, nodes_calibrated(&stacks->nodes, node), event->units);
}

/* The root of the last segment was the callee of the frame below, which continues. */
static void attach_to_caller(struct stacks *stacks, struct thread *thread, uint32_t units,
                             uint32_t memory_kb)
{
    struct nodes *nodes = &stacks->nodes;
    struct cursor *cursor = &stacks->cursor;
    struct segment segment = thread->segments[thread->segment_count - 1];
    uint32_t root = thread->listed[segment.listed_from];
    uint32_t caller = segment.caller;
    /* The time before the root call stays unattributed if it is of an earlier tick. */
    if (segment.tick != stacks->tick_count) {
        segment.units_before = 0;
        segment.memory_kb_before = 0;
    }
    int64_t inside = thread->closed.clock - segment.below.clock;
    uint32_t calls = thread->closed.calls - segment.below.calls;
    pop_segment(thread);
    timeline_log_claim(&stacks->log, thread->waiting.gap, cursor->depth);
    timeline_log_claim(&stacks->log, stacks->log.last_gap, cursor->depth);
    wake(stacks, thread, false);
    /*
     * If the caller is in an open segment itself, it is moved later, together with all nodes listed
     * there, and only once: it returns next, so it calls nothing before that.
     */
    if (!cursor->lists) {
        uint32_t target = nodes_child(nodes, caller, node_site(&nodes->at[root]));
        nodes_move(nodes,
                   thread->listed + segment.listed_from,
                   thread->listed_count - segment.listed_from,
                   target);
        thread->listed_count = segment.listed_from;
    }
    nodes_touch(nodes, caller);
    cursor->clock += inside + segment.units_before + units;
    cursor->calls += calls;
    nodes->at[caller].self += segment.units_before + units;
    nodes->at[NODES_UNATTRIBUTED].self -= segment.units_before + units;
    nodes_move_memory(nodes, NODES_UNATTRIBUTED, caller, segment.memory_kb_before + memory_kb);
}

void stacks_tail_return(struct stacks *stacks, uint32_t units, uint32_t memory_kb)
{
    struct thread *thread = stacks_thread(stacks);
    if (thread->is_root_closed && thread->segments[thread->segment_count - 1].is_open)
        attach_to_caller(stacks, thread, units, memory_kb);
    stacks_end_closed_segment(stacks, thread);
    if (stacks->cursor.depth == 0)
        return;
    if (thread->is_waiting)
        wake(stacks, thread, false);
    pop(stacks);
}

/* Returns the number of frames up to the last one of a function; 0 if it has none. */
static size_t find_frame(const struct stacks *stacks, uint32_t function)
{
    size_t depth = stacks->cursor.depth;
    while (depth > 0) {
        uint32_t node = stacks->cursor.frames[depth - 1].node;
        if (stacks->nodes.sites[node_site(&stacks->nodes.at[node])].function == function)
            break;
        depth--;
    }
    return depth;
}

/*
 * Drops all frames but the first `depth`, which is above 0. The last frame that is left runs.
 * `was_running`: if it called back into Lua, it ran all the time.
 */
static void drop_above(struct stacks *stacks, struct thread *thread, size_t depth, bool was_running)
{
    struct cursor *cursor = &stacks->cursor;
    bool is_error =
        !nodes_function(&stacks->nodes, cursor->frames[cursor->depth - 1].node)->suspends;
    bool was_below_segment = false;
    while (thread_base(thread) >= depth) {
        was_below_segment = thread_base(thread) == depth;
        stacks_drop_segment(stacks, thread, is_error);
    }
    bool is_last = cursor->depth == depth;
    drop_frames(stacks, depth, is_error);
    if (thread->is_waiting) {
        wake(stacks, thread, was_running && was_below_segment && is_last);
        return;
    }
    cursor->top = cursor->frames[depth - 1].node;
    nodes_touch(&stacks->nodes, cursor->top);
}

void stacks_return_of(struct stacks *stacks, uint32_t function, const struct return_event *event)
{
    struct thread *thread = stacks_thread(stacks);
    struct cursor *cursor = &stacks->cursor;
    stacks_end_closed_segment(stacks, thread);
    size_t found = find_frame(stacks, function);
    if (found == 0) {
        stacks->contradictions++;
        stacks_drop_thread(stacks, thread, false);
        return;
    }
    if (found == cursor->depth) {
        return_last(stacks, event);
        return;
    }
    uint32_t node = cursor->frames[found - 1].node;
    remember_return(stacks, node, event->next);
    bool was_running = !has_suspended(stacks, nodes_function(&stacks->nodes, node), event->next);
    drop_above(stacks, thread, found, was_running);
    pop_suspending(stacks, node);
}

void stacks_unwind(struct stacks *stacks, size_t count)
{
    struct thread *thread = stacks_thread(stacks);
    stacks_end_closed_segment(stacks, thread);
    if (count >= stacks->cursor.depth) {
        stacks->contradictions++;
        stacks_drop_thread(stacks, thread, false);
    } else if (count > 0) {
        size_t depth = stacks->cursor.depth - count;
        uint32_t node = stacks->cursor.frames[depth - 1].node;
        drop_above(stacks, thread, depth, !nodes_function(&stacks->nodes, node)->is_lua);
    }
}

/*
 * The function that returned had suspended its thread, while no other thread ran. Until now it was
 * not known to suspend. Its longest call stays too long, unless this was the first in its tick.
 */
static void wait_before_return(struct stacks *stacks, const struct return_event *event)
{
    const struct frame *frame = &stacks->cursor.frames[stacks->cursor.depth];
    uint32_t returned = frame->node;
    struct node *node = &stacks->nodes.at[returned];
    if (nodes_function(&stacks->nodes, returned)->is_lua || node->self < event->units ||
        (returned == stacks->waited && node->calls == stacks->waited_calls))
        return;
    nodes_set_suspending(&stacks->nodes, returned);
    node->self -= event->units;
    if (frame->start != START_UNKNOWN) {
        node->duration_sum -= event->units;
        if (node->returned == 1)
            node->duration_min = node->duration_max = (int64_t)node->duration_sum;
    }
    stacks_take_return_back(stacks, frame);
    stacks->cursor.clock -= event->units;
    stacks_add_return(stacks, frame);
    stacks->nodes.at[NODES_UNATTRIBUTED].self += event->units;
    nodes_move_memory(&stacks->nodes, returned, NODES_UNATTRIBUTED, event->memory_kb);
    timeline_log_wait_before_return(&stacks->log, event->units);
}

void stacks_resume(struct stacks *stacks, const struct return_event *after)
{
    struct thread *thread = stacks_thread(stacks);
    struct cursor *cursor = &stacks->cursor;
    stacks_end_closed_segment(stacks, thread);
    if (cursor->depth == 0)
        return;
    if (thread->is_waiting)
        wake(stacks, thread, false);
    else if (after != NULL && cursor->depth < cursor->capacity)
        wait_before_return(stacks, after);
    stacks_begin_wake(stacks);
}
