#include "rebuild/run.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void run_init(struct run *run)
{
    *run = (struct run){.begin = {.unit_ns = 1e9 / 1048576,
                                  .turn_ns = {-1, -1},
                                  .time_seconds = -1,
                                  .tick = -1,
                                  .has_marks = true}};
    nodes_init(&run->nodes);
}

void run_release(struct run *run)
{
    for (size_t i = 0; i < run->thread_count; i++)
        thread_release(&run->threads[i]);
    free(run->threads);
    free(run->claims);
    calibration_release(&run->calibration);
    timeline_log_release(&run->log);
    nodes_release(&run->nodes);
    *run = (struct run){0};
}

static struct thread *add_threads(struct run *run, uint32_t thread)
{
    size_t before = run->thread_count;
    run->threads =
        mem_grow(run->threads, &run->thread_capacity, (size_t)thread + 1, sizeof *run->threads);
    if (thread >= before)
        run->thread_count = (size_t)thread + 1;
    for (size_t i = before; i < run->thread_count; i++)
        run->threads[i] = (struct thread){0};
    return &run->threads[thread];
}

void run_mark_coroutine(struct run *run, uint32_t thread)
{
    add_threads(run, thread)->is_coroutine = true;
}

static struct thread *current_thread(struct run *run)
{
    /* A log that lost its beginning may not say which. */
    if (run->current >= run->thread_count)
        run->current = 0;
    return run->thread_count > 0 ? &run->threads[run->current] : add_threads(run, 0);
}

/* Writes what the cursor holds into its thread. */
static struct thread *save(struct run *run)
{
    struct thread *thread = current_thread(run);
    thread->frames = run->cursor.frames;
    thread->depth = run->cursor.depth;
    thread->frame_capacity = run->cursor.capacity;
    return thread;
}

static void enter_segment(struct run *run, const struct thread *thread)
{
    run->cursor.base = thread->is_waiting ? run->cursor.depth : thread_base(thread);
    run->cursor.lists =
        thread->segment_count > 0 && thread->segments[thread->segment_count - 1].is_open;
}

static void load(struct run *run, const struct thread *thread)
{
    struct cursor *cursor = &run->cursor;
    cursor->frames = thread->frames;
    cursor->depth = thread->depth;
    cursor->capacity = thread->frame_capacity;
    enter_segment(run, thread);
}

static bool is_lua(const struct run *run, uint32_t node)
{
    return nodes_function(&run->nodes, node)->is_lua;
}

/* Whether a frame of this node was called as a root. */
static bool is_root(const struct run *run, uint32_t node)
{
    return run->nodes.sites[run->nodes.at[node].site & ~SITE_IS_OPEN].line == NO_CALLER;
}

static bool suspends(const struct run *run, uint32_t node)
{
    return nodes_function(&run->nodes, node)->suspends;
}

/* The last frame of the thread, which was running until so many units ago, waits. */
static void wait(struct run *run, struct thread *thread, uint32_t units_ago)
{
    struct cursor *cursor = &run->cursor;
    thread->is_waiting = true;
    thread->waiting = (struct waiting){
        .clock = cursor->clock,
        .calls = cursor->calls,
        .nobody = run->nodes.at[NODES_NOBODY].self,
        .nobody_kb = run->nodes.origins[NODES_NOBODY].memory_kb,
        .claim = run->last_claim,
        .gap = timeline_log_wait(&run->log, units_ago),
    };
    cursor->top = NODES_NOBODY;
    cursor->base = cursor->depth;
}

/* What is to be left of nobody's time when a frame that waited takes what is its own. */
static struct claim find_claim(const struct run *run, const struct waiting *waiting)
{
    struct claim left = {0, waiting->nobody, waiting->nobody_kb};
    /* The first claim since then is the one that left least. */
    size_t first = 0;
    for (size_t count = run->claim_count; count > 0;) {
        size_t half = count / 2;
        bool is_before = run->claims[first + half].number <= waiting->claim;
        first += is_before ? half + 1 : 0;
        count = is_before ? count - half - 1 : half;
    }
    if (first == run->claim_count)
        return left;
    if (run->claims[first].nobody < left.nobody)
        left.nobody = run->claims[first].nobody;
    if (run->claims[first].nobody_kb < left.nobody_kb)
        left.nobody_kb = run->claims[first].nobody_kb;
    return left;
}

static void put_claim(struct run *run, struct claim claim)
{
    enum { CLAIMS_MAX = 16 * 1024 };
    claim.number = ++run->last_claim;
    while (run->claim_count > 0 && run->claims[run->claim_count - 1].nobody >= claim.nobody)
        run->claim_count--;
    if (run->claim_count == CLAIMS_MAX) {
        run->claim_count = CLAIMS_MAX / 2;
        memmove(run->claims, run->claims + CLAIMS_MAX / 2, run->claim_count * sizeof *run->claims);
    }
    run->claims =
        mem_grow(run->claims, &run->claim_capacity, run->claim_count + 1, sizeof *run->claims);
    run->claims[run->claim_count++] = claim;
}

/*
 * The last frame goes on. If it was running all the while, as a C function that
 * called back into Lua does, then it gets what was nobody's meanwhile.
 */
static void wake(struct run *run, struct thread *thread, bool was_running)
{
    struct cursor *cursor = &run->cursor;
    struct nodes *nodes = &run->nodes;
    uint32_t top = cursor->frames[cursor->depth - 1].node;
    thread->is_waiting = false;
    thread->is_interrupted = false;
    enter_segment(run, thread);
    cursor->top = top;
    cursor->clock = thread->waiting.clock;
    cursor->calls = thread->waiting.calls;
    nodes_touch(&run->nodes, top);
    bool is_new = thread->is_new;
    thread->is_new = false;
    if (was_running && !is_new)
        timeline_log_claim_from(&run->log, thread->waiting.gap, run->current, cursor->depth);
    timeline_log_put(&run->log, STEP_WAKE, 0);
    if (!was_running || is_new)
        return;
    struct claim left = find_claim(run, &thread->waiting);
    struct node *nobody = &nodes->at[NODES_NOBODY];
    struct node_origin *nobody_origin = &nodes->origins[NODES_NOBODY];
    /* There may be less than that, where a root was the callee of another after all. */
    int64_t units = nobody->self > left.nobody ? nobody->self - left.nobody : 0;
    uint64_t memory_kb =
        nobody_origin->memory_kb > left.nobody_kb ? nobody_origin->memory_kb - left.nobody_kb : 0;
    nodes->at[top].self += units;
    cursor->clock += units;
    nobody->self -= units;
    nodes->origins[top].memory_kb += memory_kb;
    nobody_origin->memory_kb -= memory_kb;
    if (units > 0 || memory_kb > 0)
        put_claim(run, (struct claim){0, nobody->self, nobody_origin->memory_kb});
}

/* The frame below the last segment is the last one now, and waits. */
static void drop_segment(struct thread *thread)
{
    struct segment *segment = &thread->segments[--thread->segment_count];
    thread->is_root_closed = false;
    thread->is_waiting = true;
    thread->is_interrupted = true;
    thread->waiting = segment->below;
}

static uint32_t root_parent(const struct thread *thread)
{
    return thread->is_coroutine ? NODES_COROUTINE : NODES_MAIN;
}

/* The root of the last segment was no callee of the frame below. */
static void settle_as_root(struct run *run, struct thread *thread)
{
    struct segment *segment = &thread->segments[thread->segment_count - 1];
    if (!segment->is_open)
        return;
    segment->is_open = false;
    struct nodes *nodes = &run->nodes;
    uint32_t root = thread->listed[segment->listed_from];
    uint32_t site = nodes->at[root].site & ~SITE_IS_OPEN;
    uint32_t target = nodes_child(nodes, root_parent(thread), site);
    nodes_move(nodes, thread->listed + segment->listed_from,
               thread->listed_count - segment->listed_from, target);
    thread->listed_count = segment->listed_from;
}

/* Pops frames that did not return, down to `depth`. */
static void drop_frames(struct run *run, size_t depth, bool is_error)
{
    struct cursor *cursor = &run->cursor;
    while (cursor->depth > depth) {
        const struct frame *frame = &cursor->frames[--cursor->depth];
        run->nodes.origins[frame->node].errors += is_error;
        run->nodes.origins[frame->node].unfinished += frame->start != START_UNKNOWN;
        timeline_log_put(&run->log, is_error ? STEP_FAIL : STEP_DROP, 0);
    }
}

/* Drops the last segment with its frames. The first one's frames are dropped too. */
static void drop_top_segment(struct run *run, struct thread *thread, bool is_error)
{
    drop_frames(run, thread_base(thread), is_error);
    if (thread->segment_count == 0) {
        thread->is_waiting = thread->is_interrupted = false;
        return;
    }
    settle_as_root(run, thread);
    drop_segment(thread);
}

static void drop_stack(struct run *run, struct thread *thread, bool is_error)
{
    if (run->cursor.depth > 0)
        timeline_log_wait(&run->log, 0);
    while (run->cursor.depth > 0)
        drop_top_segment(run, thread, is_error);
    run->cursor.top = NODES_NOBODY;
    run->cursor.base = 0;
    run->cursor.lists = false;
    thread->is_waiting = thread->is_interrupted = thread->is_root_closed = false;
}

/* An error has ended the last segment, whose last frame is a Lua function; so it may others. */
static void fail_segments(struct run *run, struct thread *thread)
{
    struct cursor *cursor = &run->cursor;
    while (cursor->depth > 0 && is_lua(run, cursor->frames[cursor->depth - 1].node))
        drop_top_segment(run, thread, true);
    cursor->top = NODES_NOBODY;
    cursor->base = cursor->depth;
    if (cursor->depth == 0)
        thread->is_waiting = thread->is_interrupted = false;
}

/* The root of the last segment has returned, and no tail return came. */
static void settle_closed(struct run *run, struct thread *thread)
{
    if (!thread->is_root_closed)
        return;
    settle_as_root(run, thread);
    drop_segment(thread);
    fail_segments(run, thread);
}

static void flush_samples(struct run *run)
{
    if (run->calibrating.group.calls > 1)
        calibration_add(&run->calibration, nodes_kind(&run->nodes, run->calibrating.last),
                        run->calibrating.group);
    run->calibrating.group = (struct calibration_group){0};
    run->calibrating.last = NODES_NOBODY;
}

void run_switch_thread(struct run *run, uint32_t thread)
{
    flush_samples(run);
    struct thread *from = save(run);
    settle_closed(run, from);
    save(run);
    if (from->depth > 0 && !from->is_waiting)
        wait(run, from, 0);
    add_threads(run, thread);
    run->current = thread;
    timeline_log_put(&run->log, STEP_THREAD, thread);
    load(run, &run->threads[thread]);
    run->cursor.top = NODES_NOBODY;
}

void run_wake_for_call(struct run *run)
{
    struct thread *thread = current_thread(run);
    settle_closed(run, thread);
    if (run->cursor.depth > 0)
        wake(run, thread, !is_lua(run, run->cursor.frames[run->cursor.depth - 1].node));
    else
        /* The caller was lost with a line. */
        run->cursor.top = root_parent(thread);
}

/* Units and memory that were counted for the frame that ran are nobody's after all. */
static void give_to_nobody(struct run *run, uint32_t units, uint32_t memory_kb)
{
    struct nodes *nodes = &run->nodes;
    uint32_t top = run->cursor.top;
    nodes->at[top].self -= units;
    run->cursor.clock -= units;
    nodes->at[NODES_NOBODY].self += units;
    nodes->origins[top].memory_kb -= memory_kb;
    nodes->origins[NODES_NOBODY].memory_kb += memory_kb;
}

static void push_segment(struct run *run, struct thread *thread, struct segment segment)
{
    segment.base = run->cursor.depth;
    segment.below = thread->waiting;
    segment.listed_from = thread->listed_count;
    thread_push_segment(thread, segment);
    timeline_log_put(&run->log, STEP_ROOT, 0);
    thread->is_waiting = thread->is_interrupted = false;
    enter_segment(run, thread);
}

/*
 * The parent of the node that an open root has until it is known what it is: the last
 * other open root, so that no two of a thread ever share one.
 */
static uint32_t open_parent(const struct thread *thread, uint32_t otherwise)
{
    for (size_t i = thread->segment_count; i-- > 0;)
        if (thread->segments[i].is_open)
            return thread->listed[thread->segments[i].listed_from];
    return otherwise;
}

/*
 * Returns the site with SITE_IS_OPEN, for a child of `parent` in which no other thread
 * counts; or as it is when there is none. The game has one main thread: a log with
 * hundreds of them is none of its.
 */
static uint32_t open_site(struct nodes *nodes, uint32_t parent, uint32_t site)
{
    for (uint32_t i = 1; i <= SITE_OPEN_MAX; i++) {
        uint32_t open = site | i << SITE_OPEN_SHIFT;
        uint32_t child = nodes_child(nodes, parent, open);
        if (!nodes->origins[child].is_listed)
            return open;
    }
    return site;
}

uint32_t run_begin_root(struct run *run, uint32_t *site, uint32_t units, uint32_t memory_kb)
{
    struct thread *thread = current_thread(run);
    struct cursor *cursor = &run->cursor;
    settle_closed(run, thread);
    uint32_t top = cursor->top;
    bool is_tail_call = top != NODES_NOBODY && is_lua(run, top) && is_root(run, top);
    /* A coroutine has one root; that of main may be another callback, after an error. */
    if (is_tail_call && thread->is_coroutine)
        return top;
    uint32_t parent = is_tail_call ? open_parent(thread, top) : NODES_NOBODY;
    uint32_t open = is_tail_call ? open_site(&run->nodes, parent, *site) : *site;
    if (top != NODES_NOBODY) {
        give_to_nobody(run, units, memory_kb);
        wait(run, thread, units);
        thread->waiting.nobody -= units;
        thread->waiting.nobody_kb -= memory_kb;
    }
    if (open != *site) {
        struct segment segment = {
            .is_open = true, .caller = top, .units_before = units, .memory_kb_before = memory_kb};
        push_segment(run, thread, segment);
        *site = open;
        return parent;
    }
    fail_segments(run, thread);
    if (cursor->depth > 0)
        push_segment(run, thread, (struct segment){0});
    return root_parent(thread);
}

/* Pops the last frame, which runs and has returned. */
static void pop(struct run *run)
{
    struct cursor *cursor = &run->cursor;
    struct thread *thread = current_thread(run);
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
    cursor->top = NODES_NOBODY;
    timeline_log_wait(&run->log, 0);
    if (thread->segment_count == 0)
        return;
    thread->is_root_closed = true;
    thread->is_waiting = true;
    thread->closed = (struct waiting){.clock = cursor->clock, .calls = cursor->calls};
    cursor->base = cursor->depth;
}

static struct event_function *function_of(struct run *run, uint32_t node)
{
    uint32_t site = run->nodes.at[node].site & ~SITE_IS_OPEN;
    return &run->nodes.functions[run->nodes.sites[site].function];
}

/* Whether the last frame, which waits and returns now, had suspended its thread. */
static bool has_suspended(struct run *run, bool is_followed_by_mark, bool is_mark_hidden)
{
    uint32_t top = run->cursor.frames[run->cursor.depth - 1].node;
    struct event_function *function = function_of(run, top);
    if (function->is_lua)
        return true;
    if (is_followed_by_mark) {
        function->suspends = true;
        nodes_watch(&run->nodes, top);
    } else if (run->begin.has_marks && !is_mark_hidden) {
        return false;
    }
    return function->suspends;
}

void run_return(struct run *run, bool is_followed_by_mark, bool is_mark_hidden)
{
    struct thread *thread = current_thread(run);
    settle_closed(run, thread);
    if (run->cursor.depth == 0)
        return;
    if (thread->is_waiting) {
        run->settled = run->cursor.frames[run->cursor.depth - 1].node;
        run->settled_calls = run->nodes.at[run->settled].calls;
        wake(run, thread, !has_suspended(run, is_followed_by_mark, is_mark_hidden));
    }
    pop(run);
}

/* The root of the last segment was the callee of the frame below, which goes on. */
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
    drop_segment(thread);
    timeline_log_claim(&run->log, thread->waiting.gap, run->current, cursor->depth);
    timeline_log_claim(&run->log, run->log.last_gap, run->current, cursor->depth);
    wake(run, thread, false);
    /*
     * A caller that is in an open segment itself will be moved with all that is listed
     * there, once: it returns next, so nothing else will be its callee before that.
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
    nodes->at[NODES_NOBODY].self -= segment.units_before + units;
    nodes->origins[caller].memory_kb += segment.memory_kb_before + memory_kb;
    nodes->origins[NODES_NOBODY].memory_kb -= segment.memory_kb_before + memory_kb;
}

void run_tail_return(struct run *run, uint32_t units, uint32_t memory_kb)
{
    struct thread *thread = current_thread(run);
    if (thread->is_root_closed && thread->segments[thread->segment_count - 1].is_open)
        settle_as_callee(run, thread, units, memory_kb);
    settle_closed(run, thread);
    if (run->cursor.depth == 0)
        return;
    if (thread->is_waiting)
        wake(run, thread, false);
    pop(run);
}

void run_return_of(struct run *run, uint32_t function, bool is_followed_by_mark,
                   bool is_mark_hidden)
{
    struct thread *thread = current_thread(run);
    struct cursor *cursor = &run->cursor;
    settle_closed(run, thread);
    size_t found = cursor->depth;
    while (found > 0) {
        uint32_t site = run->nodes.at[cursor->frames[found - 1].node].site & ~SITE_IS_OPEN;
        if (run->nodes.sites[site].function == function)
            break;
        found--;
    }
    if (found == 0) {
        run->contradictions++;
        drop_stack(run, thread, false);
        return;
    }
    if (found == cursor->depth) {
        run_return(run, is_followed_by_mark, is_mark_hidden);
        return;
    }
    bool is_error = !suspends(run, cursor->frames[cursor->depth - 1].node);
    bool was_below_segment = false;
    while (thread_base(thread) >= found) {
        was_below_segment = thread_base(thread) == found;
        drop_top_segment(run, thread, is_error);
    }
    bool is_last = cursor->depth == found;
    drop_frames(run, found, is_error);
    if (thread->is_waiting)
        /* It called back into Lua, and returns. */
        wake(run, thread, was_below_segment && is_last);
    pop(run);
}

void run_mark(struct run *run, uint32_t units)
{
    struct thread *thread = current_thread(run);
    struct cursor *cursor = &run->cursor;
    settle_closed(run, thread);
    if (cursor->depth == 0)
        return;
    if (thread->is_waiting) {
        wake(run, thread, false);
        return;
    }
    if (units == 0 || cursor->depth == cursor->capacity)
        return;
    /*
     * Nothing else has run while the function that returned had suspended the thread, and
     * that it does was not known. Its longest call stays too long, unless it was the first.
     */
    uint32_t returned = cursor->frames[cursor->depth].node;
    struct node *node = &run->nodes.at[returned];
    struct event_function *function = function_of(run, returned);
    if (function->is_lua || node->self < units ||
        (returned == run->settled && node->calls == run->settled_calls))
        return;
    function->suspends = true;
    nodes_watch(&run->nodes, returned);
    node->self -= units;
    node->duration_sum -= units;
    if (node->calls == 1)
        node->duration_min = node->duration_max = node->duration_sum;
    cursor->clock -= units;
    run->nodes.at[NODES_NOBODY].self += units;
    timeline_log_wait_before_return(&run->log, units);
}

void run_suspend(struct run *run)
{
    wait(run, current_thread(run), 0);
}

void run_forget(struct run *run, bool is_replaced)
{
    struct thread *thread = current_thread(run);
    settle_closed(run, thread);
    struct cursor *cursor = &run->cursor;
    if (cursor->depth > 0)
        drop_stack(run, thread,
                   !is_replaced && !suspends(run, cursor->frames[cursor->depth - 1].node));
}

void run_begin_stack(struct run *run)
{
    run_forget(run, true);
    run->cursor.top = root_parent(current_thread(run));
}

void run_put_frame(struct run *run, uint32_t site)
{
    struct cursor *cursor = &run->cursor;
    cursor->top = nodes_child(&run->nodes, cursor->top, site);
    struct thread *thread = save(run);
    thread_push_frame(thread, (struct frame){START_UNKNOWN, cursor->top, 0});
    load(run, thread);
    timeline_log_put(&run->log, STEP_FRAME, site);
}

void run_end_stack(struct run *run, bool is_after_switch)
{
    struct cursor *cursor = &run->cursor;
    struct thread *thread = current_thread(run);
    cursor->base = 0;
    if (cursor->depth == 0) {
        cursor->top = NODES_NOBODY;
    } else if (is_after_switch || suspends(run, cursor->top)) {
        wait(run, thread, 0);
        thread->is_new = is_after_switch;
    } else {
        nodes_touch(&run->nodes, cursor->top);
        timeline_log_put(&run->log, STEP_WAKE, 0);
    }
}

/* Calls fn() for each thread as the current one. */
static void for_each_thread(struct run *run, void (*fn)(struct run *run, struct thread *thread))
{
    struct thread *running = save(run);
    if (running->depth > 0 && !running->is_waiting)
        wait(run, running, 0);
    size_t current = run->current;
    for (size_t i = 0; i < run->thread_count; i++) {
        run->current = i;
        load(run, &run->threads[i]);
        run->cursor.top = NODES_NOBODY;
        if (run->threads[i].depth > 0)
            timeline_log_put(&run->log, STEP_THREAD, (uint32_t)i);
        fn(run, &run->threads[i]);
        save(run);
    }
    run->current = current;
    timeline_log_put(&run->log, STEP_THREAD, (uint32_t)current);
    if (run->thread_count > 0)
        load(run, current_thread(run));
    run->cursor.top = NODES_NOBODY;
}

static void lose_stack(struct run *run, struct thread *thread)
{
    drop_stack(run, thread, false);
}

void run_lose_stacks(struct run *run)
{
    flush_samples(run);
    for_each_thread(run, lose_stack);
}

/* Frames that wait below a root, and were not seen to go on, were ended by an error. */
static void end_thread(struct run *run, struct thread *thread)
{
    settle_closed(run, thread);
    bool was_interrupted = thread->is_interrupted;
    struct cursor *cursor = &run->cursor;
    while (cursor->depth > 0) {
        uint32_t last = cursor->frames[cursor->depth - 1].node;
        drop_top_segment(run, thread, was_interrupted && !suspends(run, last));
        was_interrupted = true;
    }
}

void run_end(struct run *run)
{
    flush_samples(run);
    for_each_thread(run, end_thread);
}

void run_begin_window(struct run *run)
{
    nodes_reset(&run->nodes);
    run->claim_count = 0;
    save(run);
    for (size_t i = 0; i < run->thread_count; i++) {
        struct thread *thread = &run->threads[i];
        for (size_t k = 0; k < thread->depth; k++)
            thread->frames[k].start = START_UNKNOWN;
        thread->waiting.nobody = 0;
        thread->waiting.nobody_kb = 0;
        for (size_t k = 0; k < thread->segment_count; k++) {
            struct segment *segment = &thread->segments[k];
            segment->below.nobody = 0;
            segment->below.nobody_kb = 0;
            segment->units_before = 0;
            segment->memory_kb_before = 0;
        }
    }
}

int64_t run_counted_units(const struct run *run)
{
    int64_t units = 0;
    for (uint32_t node = 0; node < run->nodes.count; node++)
        units += run->nodes.at[node].self;
    return units;
}

/* Puts down the stack of the thread with that number. */
static void log_stack(struct run *run, size_t number)
{
    struct timeline_log *log = &run->log;
    struct thread *thread = &run->threads[number];
    if (thread->depth > 0)
        timeline_log_put(log, STEP_THREAD, (uint32_t)number);
    size_t segment = 0;
    for (size_t k = 0; k < thread->depth; k++) {
        bool is_root = segment < thread->segment_count && thread->segments[segment].base == k;
        if (is_root) {
            timeline_log_put(log, STEP_ROOT, 0);
            segment++;
        }
        uint32_t site = run->nodes.at[thread->frames[k].node].site & ~SITE_IS_OPEN;
        timeline_log_put(log, STEP_FRAME, site);
    }
}

void run_begin_log(struct run *run, int64_t now)
{
    timeline_log_begin(&run->log, now);
    if (run->thread_count == 0)
        return;
    save(run);
    for (size_t i = 0; i < run->thread_count; i++)
        log_stack(run, i);
    timeline_log_put(&run->log, STEP_THREAD, (uint32_t)run->current);
    if (run->cursor.top != NODES_NOBODY)
        timeline_log_put(&run->log, STEP_WAKE, 0);
    else
        timeline_log_wait(&run->log, 0);
}

void run_end_window(struct run *run)
{
    save(run);
    for (size_t i = 0; i < run->thread_count; i++) {
        const struct thread *thread = &run->threads[i];
        for (size_t k = 0; k < thread->depth; k++)
            run->nodes.origins[thread->frames[k].node].unfinished +=
                thread->frames[k].start != START_UNKNOWN;
    }
}

static bool calibrates(const struct run *run, uint32_t node)
{
    return node >= NODES_FIRST && nodes_function(&run->nodes, node)->calibrates;
}

void run_sample_call(struct run *run, uint32_t node, uint32_t units)
{
    if (!calibrates(run, run->nodes.at[node].parent))
        return;
    if (run->calibrating.last != node)
        flush_samples(run);
    run->calibrating.is_repeated = run->calibrating.last == node;
    run->calibrating.last = node;
    if (run->calibrating.is_repeated)
        run->calibrating.group.out_units += units;
}

void run_sample_return(struct run *run, uint32_t node, uint32_t units)
{
    if (node != run->calibrating.last || !run->calibrating.is_repeated)
        return;
    run->calibrating.group.in_units += units;
    run->calibrating.group.calls++;
}
