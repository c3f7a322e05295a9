#include "rebuild/stacks/whole_stacks.h"

#include "rebuild/stacks/calls.h"

static bool suspends(const struct stacks *stacks, uint32_t node)
{
    return nodes_function(&stacks->nodes, node)->suspends;
}

/* Lists the running thread. Threads that have run and are not listed have no stack. */
static void list_as_busy(struct stacks *stacks)
{
    struct thread *thread = stacks_save(stacks);
    uint32_t number = (uint32_t)stacks->current;
    if (!thread->is_busy)
        MEM_APPEND(stacks->busy, stacks->busy_count, stacks->busy_capacity, number);
    thread->is_busy = true;
}

/* Whether no function on top of its stack can have suspended it. */
static bool is_left_running(const struct stacks *stacks, const struct thread *thread)
{
    if (!thread->is_coroutine || thread->depth == 0)
        return false;
    const struct event_function *top =
        nodes_function(&stacks->nodes, thread->frames[thread->depth - 1].node);
    return top->is_lua || (top->never_suspends && !top->suspends);
}

/* Lists the running thread, if it is left so. */
static void list_as_left(struct stacks *stacks, const struct thread *thread)
{
    uint32_t number = (uint32_t)stacks->current;
    if (is_left_running(stacks, thread))
        MEM_APPEND(stacks->left, stacks->left_count, stacks->left_capacity, number);
}

void stacks_switch_thread(struct stacks *stacks, uint32_t thread)
{
    calibration_end_group(&stacks->calibration);
    struct thread *from = stacks_thread(stacks);
    stacks_end_closed_segment(stacks, from);
    if (stacks->cursor.depth > 0 && !from->is_waiting)
        stacks_wait(stacks, from, 0);
    list_as_busy(stacks);
    list_as_left(stacks, from);
    stacks_add_thread(stacks, thread);
    stacks->current = thread;
    stacks_log_thread(stacks, thread);
    stacks_load(stacks, &stacks->threads[thread]);
    stacks->cursor.top = NODES_UNATTRIBUTED;
    stacks->is_switched = true;
}

/* Errors have ended the stack of the running thread. `is_replaced`: a whole stack follows, which
 * replaces it. */
static void forget(struct stacks *stacks, bool is_replaced)
{
    struct thread *thread = stacks_thread(stacks);
    stacks_end_closed_segment(stacks, thread);
    struct cursor *cursor = &stacks->cursor;
    if (cursor->depth > 0)
        stacks_drop_thread(stacks,
                           thread,
                           !is_replaced &&
                               !suspends(stacks, cursor->frames[cursor->depth - 1].node));
}

void stacks_forget_pending(struct stacks *stacks, bool is_replaced)
{
    if (!stacks->forgets)
        return;
    stacks->forgets = false;
    forget(stacks, is_replaced);
}

void stacks_replace(struct stacks *stacks, const struct event *frames, size_t count)
{
    struct cursor *cursor = &stacks->cursor;
    forget(stacks, true);
    struct thread *thread = stacks_thread(stacks);
    cursor->top = stacks_root_parent(thread);
    for (size_t i = 0; i < count; i++) {
        uint32_t site = event_operand(frames[i]);
        if (event_kind(frames[i]) == EVENT_LINE) {
            stacks_put_at_line(stacks, site);
            continue;
        }
        /* The frame existed before. */
        cursor->top = nodes_child(&stacks->nodes, cursor->top, site);
        stacks_put_frame(stacks, (struct frame){START_UNKNOWN, cursor->top, 0});
        timeline_log_put(&stacks->log, STEP_FRAME, site);
    }
    stacks_meet_life(stacks);
    stacks_enter_segment(stacks, thread);
    cursor->base = 0;
    if (cursor->depth == 0) {
        cursor->top = NODES_UNATTRIBUTED;
    } else if (stacks->is_switched || suspends(stacks, cursor->top)) {
        stacks_wait(stacks, thread, 0);
        thread->is_new = stacks->is_switched;
    } else {
        nodes_touch(&stacks->nodes, cursor->top);
        timeline_log_put(&stacks->log, STEP_WAKE, 0);
    }
}

/* Makes each of these threads current and calls fn() for it. All frames wait then. */
static void visit_threads(struct stacks *stacks, const uint32_t *numbers, size_t count,
                          void (*fn)(struct stacks *stacks, struct thread *thread))
{
    struct thread *running = stacks_thread(stacks);
    if (stacks->cursor.depth > 0 && !running->is_waiting)
        stacks_wait(stacks, running, 0);
    size_t current = stacks->current;
    list_as_busy(stacks);
    for (size_t i = 0; i < count; i++) {
        struct thread *thread = &stacks->threads[numbers[i]];
        stacks->current = numbers[i];
        stacks_load(stacks, thread);
        stacks->cursor.top = NODES_UNATTRIBUTED;
        if (thread->depth > 0)
            stacks_log_thread(stacks, numbers[i]);
        fn(stacks, thread);
        stacks_save(stacks);
    }
    stacks->current = current;
    stacks_log_thread(stacks, (uint32_t)current);
    stacks_load(stacks, stacks_thread(stacks));
    stacks->cursor.top = NODES_UNATTRIBUTED;
}

/* The same for all threads with a stack. Then none has one. */
static void empty_stacks(struct stacks *stacks,
                         void (*fn)(struct stacks *stacks, struct thread *thread))
{
    list_as_busy(stacks);
    visit_threads(stacks, stacks->busy, stacks->busy_count, fn);
    for (size_t i = 0; i < stacks->busy_count; i++)
        stacks->threads[stacks->busy[i]].is_busy = false;
    stacks->busy_count = 0;
    stacks->left_count = 0;
}

static void lose_stack(struct stacks *stacks, struct thread *thread)
{
    stacks_drop_thread(stacks, thread, false);
}

void stacks_lose(struct stacks *stacks)
{
    calibration_end_group(&stacks->calibration);
    empty_stacks(stacks, lose_stack);
}

static void fail_left(struct stacks *stacks, struct thread *thread)
{
    if (is_left_running(stacks, thread))
        stacks_drop_thread(stacks, thread, true);
}

void stacks_fail_left(struct stacks *stacks, bool is_switch_next)
{
    if (is_switch_next)
        list_as_left(stacks, stacks_save(stacks));
    if (stacks->left_count > 0)
        visit_threads(stacks, stacks->left, stacks->left_count, fail_left);
    stacks->left_count = 0;
}

/* Frames that waited below a root, and never continued, were ended by an error. */
static void end_thread(struct stacks *stacks, struct thread *thread)
{
    stacks_end_closed_segment(stacks, thread);
    bool was_interrupted = thread->is_interrupted;
    struct cursor *cursor = &stacks->cursor;
    while (cursor->depth > 0) {
        uint32_t last = cursor->frames[cursor->depth - 1].node;
        stacks_drop_segment(stacks, thread, was_interrupted && !suspends(stacks, last));
        was_interrupted = true;
    }
}

void stacks_end(struct stacks *stacks)
{
    calibration_end_group(&stacks->calibration);
    stacks_forget_pending(stacks, false);
    if (stacks->left_count > 0)
        visit_threads(stacks, stacks->left, stacks->left_count, fail_left);
    empty_stacks(stacks, end_thread);
    stacks_release_threads(stacks);
}
