#include "rebuild/stacks/whole_stacks.h"

#include "rebuild/stacks/calls.h"

static bool suspends(const struct run *run, uint32_t node)
{
    return nodes_function(&run->nodes, node)->suspends;
}

/* Lists the running thread. Threads that have run and are not listed have no stack. */
static void list_as_busy(struct run *run)
{
    struct thread *thread = run_save(run);
    uint32_t number = (uint32_t)run->current;
    if (!thread->is_busy)
        MEM_APPEND(run->busy, run->busy_count, run->busy_capacity, number);
    thread->is_busy = true;
    if (thread->is_recent || thread->depth == 0 ||
        thread->frames[thread->depth - 1].start == START_UNKNOWN)
        return;
    thread->is_recent = true;
    MEM_APPEND(run->recent, run->recent_count, run->recent_capacity, number);
}

static bool is_left_in_lua(const struct run *run, const struct thread *thread)
{
    return thread->is_coroutine && thread->depth > 0 &&
           nodes_function(&run->nodes, thread->frames[thread->depth - 1].node)->is_lua;
}

/* Lists the running thread, if it is left in a Lua function. */
static void list_as_left(struct run *run, const struct thread *thread)
{
    uint32_t number = (uint32_t)run->current;
    if (is_left_in_lua(run, thread))
        MEM_APPEND(run->left, run->left_count, run->left_capacity, number);
}

void run_switch_thread(struct run *run, uint32_t thread)
{
    calibration_end_group(&run->calibration);
    struct thread *from = run_thread(run);
    run_end_closed_segment(run, from);
    if (run->cursor.depth > 0 && !from->is_waiting)
        run_wait(run, from, 0);
    list_as_busy(run);
    list_as_left(run, from);
    run_add_thread(run, thread);
    run->current = thread;
    timeline_log_put(&run->log, STEP_THREAD, thread);
    run_load(run, &run->threads[thread]);
    work_wake(&run->work);
    run->cursor.top = NODES_UNATTRIBUTED;
    run->is_switched = true;
}

/* Errors have ended the stack of the running thread. `is_replaced`: a whole stack follows, which
 * replaces it. */
static void forget(struct run *run, bool is_replaced)
{
    struct thread *thread = run_thread(run);
    run_end_closed_segment(run, thread);
    struct cursor *cursor = &run->cursor;
    if (cursor->depth > 0)
        run_drop_stack(run, thread,
                       !is_replaced && !suspends(run, cursor->frames[cursor->depth - 1].node));
}

void run_forget_pending(struct run *run, bool is_replaced)
{
    if (!run->forgets)
        return;
    run->forgets = false;
    forget(run, is_replaced);
}

/* Pushes a frame that existed before. */
static void put_frame(struct run *run, uint32_t site)
{
    struct cursor *cursor = &run->cursor;
    cursor->top = nodes_child(&run->nodes, cursor->top, site);
    run_put_frame(run, (struct frame){START_UNKNOWN, cursor->top, 0});
    timeline_log_put(&run->log, STEP_FRAME, site);
}

void run_replace_stack(struct run *run, const struct event *frames, size_t count)
{
    struct cursor *cursor = &run->cursor;
    forget(run, true);
    struct thread *thread = run_thread(run);
    cursor->top = run_root_parent(thread);
    for (size_t i = 0; i < count; i++)
        if (event_kind(frames[i]) == EVENT_LINE)
            run_put_at_line(run, event_operand(frames[i]));
        else
            put_frame(run, event_operand(frames[i]));
    run_meet_life(run);
    run_enter_segment(run, thread);
    cursor->base = 0;
    if (cursor->depth == 0) {
        cursor->top = NODES_UNATTRIBUTED;
    } else if (run->is_switched || suspends(run, cursor->top)) {
        run_wait(run, thread, 0);
        thread->is_new = run->is_switched;
    } else {
        nodes_touch(&run->nodes, cursor->top);
        timeline_log_put(&run->log, STEP_WAKE, 0);
    }
}

/* Makes each of these threads current and calls fn() for it. All frames wait then. */
static void visit_threads(struct run *run, const uint32_t *numbers, size_t count,
                          void (*fn)(struct run *run, struct thread *thread))
{
    struct thread *running = run_thread(run);
    if (run->cursor.depth > 0 && !running->is_waiting)
        run_wait(run, running, 0);
    size_t current = run->current;
    list_as_busy(run);
    for (size_t i = 0; i < count; i++) {
        struct thread *thread = &run->threads[numbers[i]];
        run->current = numbers[i];
        run_load(run, thread);
        run->cursor.top = NODES_UNATTRIBUTED;
        if (thread->depth > 0)
            timeline_log_put(&run->log, STEP_THREAD, numbers[i]);
        fn(run, thread);
        run_save(run);
    }
    run->current = current;
    timeline_log_put(&run->log, STEP_THREAD, (uint32_t)current);
    run_load(run, run_thread(run));
    run->cursor.top = NODES_UNATTRIBUTED;
}

/* The same for all threads with a stack. Then none has one. */
static void empty_stacks(struct run *run, void (*fn)(struct run *run, struct thread *thread))
{
    list_as_busy(run);
    visit_threads(run, run->busy, run->busy_count, fn);
    for (size_t i = 0; i < run->busy_count; i++)
        run->threads[run->busy[i]].is_busy = false;
    run->busy_count = 0;
    run->left_count = 0;
}

static void lose_stack(struct run *run, struct thread *thread)
{
    run_drop_stack(run, thread, false);
}

void run_lose_stacks(struct run *run)
{
    calibration_end_group(&run->calibration);
    empty_stacks(run, lose_stack);
}

void run_end_burst(struct run *run, uint32_t weight)
{
    run_lose_stacks(run);
    /* A mark of a burst in an exact run is damage. */
    if (run->sampling.is_on)
        sampling_end(&run->sampling, &run->nodes, weight);
    run_begin_part(run);
}

void run_begin_burst(struct run *run)
{
    run_end_burst(run, 0);
    run->is_switched = false;
    sampling_begin(&run->sampling);
}

static void fail_left(struct run *run, struct thread *thread)
{
    if (is_left_in_lua(run, thread))
        run_drop_stack(run, thread, true);
}

void run_fail_left(struct run *run, bool is_switch_next)
{
    if (is_switch_next)
        list_as_left(run, run_save(run));
    if (run->left_count > 0)
        visit_threads(run, run->left, run->left_count, fail_left);
    run->left_count = 0;
}

/* Frames that waited below a root, and never continued, were ended by an error. */
static void end_thread(struct run *run, struct thread *thread)
{
    run_end_closed_segment(run, thread);
    bool was_interrupted = thread->is_interrupted;
    struct cursor *cursor = &run->cursor;
    while (cursor->depth > 0) {
        uint32_t last = cursor->frames[cursor->depth - 1].node;
        run_drop_segment(run, thread, was_interrupted && !suspends(run, last));
        was_interrupted = true;
    }
}

void run_end_stacks(struct run *run)
{
    calibration_end_group(&run->calibration);
    run_forget_pending(run, false);
    if (run->sampling.is_on)
        run_end_burst(run, 0);
    if (run->left_count > 0)
        visit_threads(run, run->left, run->left_count, fail_left);
    empty_stacks(run, end_thread);
    run_release_stacks(run);
}
