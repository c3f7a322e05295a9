#include "rebuild/stacks/calls.h"

#include "rebuild/stacks/segments.h"
#include "rebuild/stacks/waiting.h"
#include "rebuild/stacks/wakes.h"

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
