#include "rebuild/stacks/calls.h"

#include "base/sort.h"

/* Pushes an empty segment above the existing frames. */
static void run_push_segment(struct run *run, struct thread *thread, struct segment segment)
{
    segment.base = run->cursor.depth;
    segment.below = thread->waiting;
    segment.listed_from = thread->listed_count;
    size_t count = thread->segment_count;
    segment.open_count = segment.is_open ? count + 1
                         : count > 0     ? thread->segments[count - 1].open_count
                                         : 0;
    MEM_APPEND(thread->segments, thread->segment_count, thread->segment_capacity, segment);
    timeline_log_put(&run->log, STEP_ROOT, 0);
    thread->is_waiting = thread->is_interrupted = false;
    run_enter_segment(run, thread);
}

/* Removes the last segment, which has no frames left: the frame below it waits. */
static void run_pop_segment(struct thread *thread)
{
    struct segment *segment = &thread->segments[--thread->segment_count];
    thread->is_root_closed = false;
    thread->is_waiting = true;
    thread->is_interrupted = true;
    thread->waiting = segment->below;
}

/* The root of the last segment was not a callee of the frame below. */
static void attach_to_root(struct run *run, struct thread *thread)
{
    struct segment *segment = &thread->segments[thread->segment_count - 1];
    if (!segment->is_open)
        return;
    segment->is_open = false;
    struct nodes *nodes = &run->nodes;
    uint32_t root = thread->listed[segment->listed_from];
    uint32_t site = node_site(&nodes->at[root]);
    uint32_t target = nodes_child(nodes, run_root_parent(thread), site);
    nodes_move(nodes, thread->listed + segment->listed_from,
               thread->listed_count - segment->listed_from, target,
               segment->tick != run->tick_count);
    thread->listed_count = segment->listed_from;
}

/* Pops frames that did not return, down to `depth`. */
static void run_drop_frames(struct run *run, size_t depth, bool is_error)
{
    struct cursor *cursor = &run->cursor;
    const struct thread *thread = run_thread(run);
    int64_t now = thread->is_waiting ? thread->waiting.clock : cursor->clock;
    while (cursor->depth > depth) {
        const struct frame *frame = &cursor->frames[--cursor->depth];
        if (is_error) {
            nodes_touch(&run->nodes, frame->node);
            nodes_count_error(&run->nodes, frame->node);
        }
        if (frame->start != START_UNKNOWN)
            nodes_count_unfinished(&run->nodes, frame->node);
        if (frame->start != START_UNKNOWN && run->work.is_on && cursor->depth > thread_base(thread))
            work_count_return(&cursor->works[cursor->depth - 1],
                              nodes_called_from(&run->nodes, frame->node),
                              cursor->works[cursor->depth].hash, now - frame->start);
        timeline_log_put(&run->log, is_error ? STEP_FAIL : STEP_DROP, 0);
    }
}

void run_drop_segment(struct run *run, struct thread *thread, bool is_error)
{
    run_drop_frames(run, thread_base(thread), is_error);
    if (thread->segment_count == 0) {
        run_end_wake(run, false, is_error);
        thread->is_waiting = thread->is_interrupted = false;
        return;
    }
    attach_to_root(run, thread);
    run_pop_segment(thread);
}

void run_drop_stack(struct run *run, struct thread *thread, bool is_error)
{
    if (run->cursor.depth > 0)
        timeline_log_wait(&run->log, 0);
    while (run->cursor.depth > 0)
        run_drop_segment(run, thread, is_error);
    run->cursor.top = NODES_UNATTRIBUTED;
    run->cursor.base = 0;
    run->cursor.lists = false;
    thread->is_waiting = thread->is_interrupted = thread->is_root_closed = false;
}

/*
 * If the last frame of the last segment is a Lua function, an error has ended that segment; then
 * likewise the segment below it, and so on.
 */
static void run_fail_segments(struct run *run, struct thread *thread)
{
    struct cursor *cursor = &run->cursor;
    while (cursor->depth > 0 &&
           nodes_function(&run->nodes, cursor->frames[cursor->depth - 1].node)->is_lua)
        run_drop_segment(run, thread, true);
    cursor->top = NODES_UNATTRIBUTED;
    cursor->base = cursor->depth;
    if (cursor->depth == 0)
        thread->is_waiting = thread->is_interrupted = false;
}

void run_end_closed_segment(struct run *run, struct thread *thread)
{
    if (!thread->is_root_closed)
        return;
    attach_to_root(run, thread);
    run_pop_segment(thread);
    run_fail_segments(run, thread);
}

void run_wait(struct run *run, struct thread *thread, uint32_t units_ago)
{
    struct cursor *cursor = &run->cursor;
    thread->is_waiting = true;
    thread->waiting = (struct waiting){
        .clock = cursor->clock,
        .calls = cursor->calls,
        .unattributed = run->nodes.at[NODES_UNATTRIBUTED].self,
        .unattributed_kb = nodes_known_origin(&run->nodes, NODES_UNATTRIBUTED)->memory_kb,
        .tick = run->tick_count,
        .claim = run->last_claim,
        .gap = timeline_log_wait(&run->log, units_ago),
    };
    cursor->top = NODES_UNATTRIBUTED;
    cursor->base = cursor->depth;
}

/* Units and memory that were counted for the running frame are unattributed after all. */
static void run_leave_unattributed(struct run *run, uint32_t units, uint32_t memory_kb)
{
    struct nodes *nodes = &run->nodes;
    uint32_t top = run->cursor.top;
    nodes->at[top].self -= units;
    run->cursor.clock -= units;
    nodes->at[NODES_UNATTRIBUTED].self += units;
    nodes_move_memory(nodes, top, NODES_UNATTRIBUTED, memory_kb);
}

/* For a binary search: the first claim with a number above this. */
struct wanted_claim {
    const struct claim *claims;
    uint64_t number;
};

static bool is_before(const void *context, size_t at)
{
    const struct wanted_claim *wanted = context;
    return wanted->claims[at].number <= wanted->number;
}

/* Finds the unattributed time that is left when a waiting frame claims its part. */
static struct claim find_claim(const struct run *run, const struct waiting *waiting)
{
    struct claim left = {0, waiting->unattributed, waiting->unattributed_kb};
    if (waiting->tick != run->tick_count)
        left = (struct claim){0, run->unattributed_at_tick, run->unattributed_kb_at_tick};
    struct wanted_claim wanted = {run->claims, waiting->claim};
    /* The first of the claims since then left the least. */
    size_t first = search_first(run->claim_count, is_before, &wanted);
    if (first == run->claim_count)
        return left;
    if (run->claims[first].unattributed < left.unattributed)
        left.unattributed = run->claims[first].unattributed;
    if (run->claims[first].unattributed_kb < left.unattributed_kb)
        left.unattributed_kb = run->claims[first].unattributed_kb;
    return left;
}

static void put_claim(struct run *run, struct claim claim)
{
    enum { CLAIMS_MAX = 16 * 1024 };
    claim.number = ++run->last_claim;
    while (run->claim_count > 0 &&
           run->claims[run->claim_count - 1].unattributed >= claim.unattributed)
        run->claim_count--;
    if (run->claim_count == CLAIMS_MAX) {
        run->claim_count = CLAIMS_MAX / 2;
        memmove(run->claims, run->claims + CLAIMS_MAX / 2, run->claim_count * sizeof *run->claims);
    }
    MEM_APPEND(run->claims, run->claim_count, run->claim_capacity, claim);
}

/* The last frame runs again; it was running all the time since it began to wait. */
static void take_unattributed(struct run *run, const struct waiting *waiting)
{
    struct nodes *nodes = &run->nodes;
    uint32_t top = run->cursor.top;
    struct claim left = find_claim(run, waiting);
    struct node *unattributed = &nodes->at[NODES_UNATTRIBUTED];
    uint64_t unattributed_kb = nodes_known_origin(nodes, NODES_UNATTRIBUTED)->memory_kb;
    /* There may be less, if a root turned out to be the callee of another. */
    int64_t units =
        unattributed->self > left.unattributed ? unattributed->self - left.unattributed : 0;
    uint64_t memory_kb =
        unattributed_kb > left.unattributed_kb ? unattributed_kb - left.unattributed_kb : 0;
    nodes->at[top].self += units;
    run->cursor.clock += units;
    unattributed->self -= units;
    nodes_move_memory(nodes, NODES_UNATTRIBUTED, top, memory_kb);
    if (units > 0 || memory_kb > 0)
        put_claim(run, (struct claim){0, unattributed->self, unattributed_kb - memory_kb});
}

/* The last frame of the thread, which waits, continues. `was_running`: it ran all the time. */
static void run_wake(struct run *run, struct thread *thread, bool was_running)
{
    struct cursor *cursor = &run->cursor;
    bool takes_time = was_running && !thread->is_new;
    thread->is_waiting = thread->is_interrupted = thread->is_new = false;
    run_enter_segment(run, thread);
    cursor->top = cursor->frames[cursor->depth - 1].node;
    cursor->clock = thread->waiting.clock;
    cursor->calls = thread->waiting.calls;
    nodes_touch(&run->nodes, cursor->top);
    if (takes_time)
        timeline_log_claim_from(&run->log, thread->waiting.gap, run->current, cursor->depth);
    timeline_log_put(&run->log, STEP_WAKE, 0);
    if (takes_time)
        take_unattributed(run, &thread->waiting);
}

static bool is_lua(const struct run *run, uint32_t node)
{
    return nodes_function(&run->nodes, node)->is_lua;
}

/* Whether a frame of this node was called as a root. */
static bool is_root(const struct run *run, uint32_t node)
{
    return run->nodes.sites[nodes_called_from(&run->nodes, node)].line == NO_CALLER;
}

static void list_node(struct thread *thread, struct nodes *nodes, uint32_t node)
{
    if (nodes_known_origin(nodes, node)->is_listed)
        return;
    nodes_origin(nodes, node)->is_listed = true;
    MEM_APPEND(thread->listed, thread->listed_count, thread->listed_capacity, node);
}

/* A watched node was called `units` after the event before: tells the calibration. */
static void calibrate_call(struct run *run, uint32_t node, uint32_t units)
{
    const struct nodes *nodes = &run->nodes;
    uint32_t caller = nodes->at[node].parent;
    if (caller >= NODES_FIRST && nodes_function(nodes, caller)->calibrates)
        calibration_call(&run->calibration, nodes_calibrated(nodes, node), nodes_kind(nodes, node),
                         units);
}

void run_push(struct run *run, uint32_t node, uint32_t units)
{
    struct nodes *nodes = &run->nodes;
    struct cursor *cursor = &run->cursor;
    if (cursor->lists)
        list_node(run_thread(run), nodes, node);
    nodes_touch(nodes, node);
    nodes_count_call(nodes, node);
    cursor->calls++;
    struct frame frame = {nodes->is_left_out ? START_UNKNOWN : cursor->clock, node, cursor->calls};
    if (run->work.is_on && cursor->depth > 0 &&
        cursor->frames[cursor->depth - 1].node == nodes->at[node].parent)
        work_count_call(&run->work, &cursor->works[cursor->depth - 1], node_site(&nodes->at[node]));
    run_put_frame(run, frame);
    cursor->top = node;
    timeline_log_put(&run->log, STEP_CALL, node_site(&nodes->at[node]));
    if (nodes_is_watched(nodes, node))
        calibrate_call(run, node, units);
}

/* Call it before a call whose caller does not run: the caller waits, or is unknown. */
static void wake_caller(struct run *run)
{
    struct thread *thread = run_thread(run);
    run_end_closed_segment(run, thread);
    if (run->cursor.depth > 0)
        run_wake(run, thread, !is_lua(run, run->cursor.frames[run->cursor.depth - 1].node));
    else
        /* The caller was lost with a missing line. */
        run->cursor.top = run_root_parent(thread);
}

void run_call(struct run *run, uint32_t site, uint32_t units)
{
    if (run->cursor.top == NODES_UNATTRIBUTED)
        wake_caller(run);
    uint32_t node = nodes_child(&run->nodes, run->cursor.top, site);
    run_push(run, node, units);
    /* It waits, unless it returns first. */
    if (nodes_is_watched(&run->nodes, node) && nodes_function(&run->nodes, node)->suspends)
        run_wait(run, run_thread(run), 0);
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
static uint32_t begin_root(struct run *run, uint32_t *site, uint32_t units, uint32_t memory_kb)
{
    struct thread *thread = run_thread(run);
    struct cursor *cursor = &run->cursor;
    run_end_closed_segment(run, thread);
    uint32_t top = cursor->top;
    bool is_tail_call = top != NODES_UNATTRIBUTED && is_lua(run, top) && is_root(run, top);
    /*
     * A coroutine has one root; a root of the main thread may be another callback, after an error.
     */
    if (is_tail_call && thread->is_coroutine)
        return top;
    uint32_t parent = is_tail_call ? open_parent(thread, top) : NODES_UNATTRIBUTED;
    uint32_t open = is_tail_call ? open_site(&run->nodes, parent, *site) : *site;
    if (top != NODES_UNATTRIBUTED) {
        run_leave_unattributed(run, units, memory_kb);
        run_wait(run, thread, units);
        thread->waiting.unattributed -= units;
        thread->waiting.unattributed_kb -= memory_kb;
    }
    if (open != *site) {
        struct segment segment = {.is_open = true,
                                  .caller = top,
                                  .units_before = units,
                                  .memory_kb_before = memory_kb,
                                  .tick = run->tick_count};
        run_push_segment(run, thread, segment);
        *site = open;
        return parent;
    }
    run_fail_segments(run, thread);
    if (cursor->depth > 0)
        run_push_segment(run, thread, (struct segment){0});
    return run_root_parent(thread);
}

void run_call_root(struct run *run, uint32_t site, uint32_t units, uint32_t memory_kb)
{
    uint32_t parent = begin_root(run, &site, units, memory_kb);
    if (run->cursor.depth == 0)
        run_begin_life(run, site);
    run_push(run, nodes_child(&run->nodes, parent, site), units);
}

bool run_put_at_line(struct run *run, uint32_t site)
{
    struct nodes *nodes = &run->nodes;
    struct cursor *cursor = &run->cursor;
    /* Only a damaged log has others. */
    if (cursor->depth == 0 || cursor->top == NODES_UNATTRIBUTED ||
        nodes->sites[site].function != nodes->sites[node_site(&nodes->at[cursor->top])].function) {
        run->contradictions++;
        return false;
    }
    cursor->top = nodes_line(nodes, cursor->top, site);
    cursor->frames[cursor->depth - 1].node = cursor->top;
    return true;
}

void run_line(struct run *run, uint32_t site, uint32_t units)
{
    struct nodes *nodes = &run->nodes;
    struct cursor *cursor = &run->cursor;
    uint32_t from = cursor->top;
    /* In bursts there are no events of lines, but in a damaged log. */
    run->contradictions += run->sampling.is_on;
    if (run->sampling.is_on || !run_put_at_line(run, site))
        return;
    if (cursor->lists)
        list_node(run_thread(run), nodes, cursor->top);
    nodes_touch(nodes, cursor->top);
    bool is_first = nodes_call_of(nodes, from) == from;
    nodes_count_run(nodes, cursor->top, is_first);
    if (is_first) {
        nodes->at[from].self -= units;
        nodes->at[cursor->top].self += units;
    }
}

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

/* Whether the line of events ends after an event, so that a resume would be in the next one. */
static bool is_resume_hidden(enum event_kind next)
{
    return next == EVENT_NONE || next >= EVENT_LOST;
}

/* Whether the function of a frame that waits and returns now had suspended its thread. */
static bool has_suspended(const struct run *run, const struct event_function *function,
                          enum event_kind next)
{
    if (function->is_lua || next == EVENT_RESUME)
        return true;
    return function->suspends && (!run->begin.has_resumes || is_resume_hidden(next));
}

/* A call of the node returns, and what it waited for is decided: see run_resume(). */
static void remember_return(struct run *run, uint32_t node, enum event_kind next)
{
    run->waited = node;
    run->waited_calls = run->nodes.at[node].calls;
    if (!nodes_function(&run->nodes, node)->is_lua && next == EVENT_RESUME)
        nodes_set_suspending(&run->nodes, node);
}

/* Pops the last frame, which may have suspended its thread. If so, a resume follows, or never will.
 */
static void pop_suspending(struct run *run, uint32_t node)
{
    pop(run);
    if (!run->begin.has_resumes && nodes_function(&run->nodes, node)->suspends)
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
    else if (event->next == EVENT_RESUME && !nodes_function(&run->nodes, run->cursor.top)->is_lua)
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

void run_resume(struct run *run, const struct return_event *after)
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
