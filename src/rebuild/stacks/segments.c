#include "rebuild/stacks/segments.h"

#include "rebuild/stacks/wakes.h"

void run_push_segment(struct run *run, struct thread *thread, struct segment segment)
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

void run_pop_segment(struct thread *thread)
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

void run_drop_frames(struct run *run, size_t depth, bool is_error)
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

void run_fail_segments(struct run *run, struct thread *thread)
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
