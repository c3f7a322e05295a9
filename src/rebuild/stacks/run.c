#include "rebuild/stacks/run.h"

void run_init(struct run *run, struct nodes *spare)
{
    *run = (struct run){.begin = {.unit_ns = 1e9 / 1048576,
                                  .turn_ns = {-1, -1, -1},
                                  .time_seconds = -1,
                                  .tick = -1,
                                  .has_resumes = true}};
    nodes_init(&run->nodes, spare);
}

void run_release_stacks(struct run *run)
{
    /* The cursor owns the frames of the running thread. */
    if (run->thread_count > 0)
        run_save(run);
    for (size_t i = 0; i < run->thread_count; i++) {
        struct thread *thread = &run->threads[i];
        MEM_FREE(thread->frames, thread->works, thread->segments, thread->listed);
        *thread = (struct thread){.life = thread->life,
                                  .is_coroutine = thread->is_coroutine,
                                  .is_waiting = thread->is_waiting,
                                  .waiting = thread->waiting};
    }
    run->cursor = (struct cursor){.clock = run->cursor.clock, .calls = run->cursor.calls};
}

void run_release(struct run *run, struct nodes *spare)
{
    run_release_stacks(run);
    MEM_FREE(run->threads, run->busy, run->recent, run->left, run->claims);
    calibration_release(&run->calibration);
    timeline_log_release(&run->log);
    free(run->wakes.all);
    free(run->wakes.lives);
    work_release(&run->work);
    free(run->sampling.functions);
    nodes_recycle(&run->nodes, spare);
    *run = (struct run){0};
}

/* Frames with a known start are the last ones of their stack: those below them are older. */
static void forget_starts(struct run *run, const struct thread *thread)
{
    for (size_t i = thread->depth; i-- > 0 && thread->frames[i].start != START_UNKNOWN;) {
        nodes_count_unfinished(&run->nodes, thread->frames[i].node);
        thread->frames[i].start = START_UNKNOWN;
    }
}

void run_begin_part(struct run *run)
{
    bool is_left_out = run->sampling.leaves_out;
    if (is_left_out) {
        forget_starts(run, run_save(run));
        for (size_t i = 0; i < run->recent_count; i++) {
            struct thread *thread = &run->threads[run->recent[i]];
            forget_starts(run, thread);
            thread->is_recent = false;
        }
        run->recent_count = 0;
    }
    run->units_at_tick = run_units(run);
    nodes_begin_tick(&run->nodes, is_left_out);
    if (run->cursor.top != NODES_UNATTRIBUTED)
        nodes_touch(&run->nodes, run->cursor.top);
}

void run_begin_tick(struct run *run, bool is_left_out)
{
    run->sampling.leaves_out = is_left_out;
    if (!run->sampling.is_open)
        run_begin_part(run);
    run->tick_count++;
    run->work.is_left_out = is_left_out;
    work_wake(&run->work);
    run->claim_count = 0;
    run->unattributed_at_tick = run->nodes.at[NODES_UNATTRIBUTED].self;
    run->unattributed_kb_at_tick = nodes_known_origin(&run->nodes, NODES_UNATTRIBUTED)->memory_kb;
}

void run_put_frame(struct run *run, struct frame frame)
{
    struct cursor *cursor = &run->cursor;
    MEM_APPEND(cursor->frames, cursor->depth, cursor->capacity, frame);
    if (!run->work.is_on)
        return;
    MEM_GROW(cursor->works, cursor->work_capacity, cursor->capacity);
    cursor->works[cursor->depth - 1] =
        (struct work_frame){.hash = WORK_HASH_EMPTY,
                            .stretch = ++run->work.stretches,
                            .function = nodes_function(&run->nodes, frame.node)->id};
}

/* Whether a node has all calls of its function. */
static bool has_all_calls(const struct nodes *nodes, uint32_t node)
{
    uint32_t function = nodes->sites[node_site(&nodes->at[node])].function;
    for (uint32_t of = nodes->nodes_of[function]; of != 0; of = nodes->links[of].next_of_function)
        if (of != node && nodes_whole(nodes, of).calls > 0)
            return false;
    return true;
}

void run_end_work(struct run *run, const struct frame *frame, int64_t units, bool has_caller)
{
    const struct nodes *nodes = &run->nodes;
    struct work *work = &run->work;
    uint32_t node = nodes_call_of(nodes, frame->node);
    struct work_frame *done = &run->cursor.works[frame - run->cursor.frames];
    int64_t self = units - done->inner;
    work_end_call(work, done, units, run->cursor.calls - frame->calls_start);
    if (work_is_long(work, self))
        work_add_long(work, done->function, self,
                      nodes_whole(nodes, node).calls == 1 && has_all_calls(nodes, node));
    if (has_caller)
        work_count_return(done - 1, node_site(&nodes->at[node]), done->hash, units);
}

int64_t run_units(const struct run *run)
{
    return run->units_at_tick + run->nodes.counts.units;
}

int64_t run_tick_units(const struct run *run)
{
    int64_t unattributed = run->nodes.at[NODES_UNATTRIBUTED].self - run->unattributed_at_tick;
    return run->nodes.counts.units - unattributed;
}

struct thread *run_add_thread(struct run *run, uint32_t thread)
{
    size_t before = run->thread_count;
    MEM_GROW(run->threads, run->thread_capacity, (size_t)thread + 1);
    if (thread >= before)
        run->thread_count = (size_t)thread + 1;
    for (size_t i = before; i < run->thread_count; i++)
        run->threads[i] = (struct thread){0};
    return &run->threads[thread];
}

struct thread *run_thread(struct run *run)
{
    /* A log without its beginning may not name the thread. */
    if (run->current >= run->thread_count)
        run->current = 0;
    return run->thread_count > 0 ? &run->threads[run->current] : run_add_thread(run, 0);
}

struct thread *run_save(struct run *run)
{
    struct thread *thread = run_thread(run);
    thread->frames = run->cursor.frames;
    thread->depth = run->cursor.depth;
    thread->frame_capacity = run->cursor.capacity;
    thread->works = run->cursor.works;
    thread->work_capacity = run->cursor.work_capacity;
    return thread;
}

void run_enter_segment(struct run *run, const struct thread *thread)
{
    run->cursor.base = thread->is_waiting ? run->cursor.depth : thread_base(thread);
    run->cursor.lists =
        thread->segment_count > 0 && thread->segments[thread->segment_count - 1].is_open;
}

void run_load(struct run *run, const struct thread *thread)
{
    struct cursor *cursor = &run->cursor;
    cursor->frames = thread->frames;
    cursor->depth = thread->depth;
    cursor->capacity = thread->frame_capacity;
    cursor->works = thread->works;
    cursor->work_capacity = thread->work_capacity;
    run_enter_segment(run, thread);
}

/* The thread, if its wakes are kept. */
static struct thread *find_thread(struct run *run)
{
    struct thread *thread = run->wakes.is_on ? run_thread(run) : NULL;
    return thread != NULL && thread->is_coroutine ? thread : NULL;
}

/* The clock and the calls of the first segment: while a callback runs above it, it waits. */
static struct waiting root_of(const struct run *run, const struct thread *thread)
{
    if (thread->segment_count > 0)
        return thread->segments[0].below;
    if (thread->is_waiting)
        return thread->waiting;
    return (struct waiting){.clock = run->cursor.clock, .calls = run->cursor.calls};
}

static void end_wake(struct run *run, struct thread *thread)
{
    struct life *life = &thread->life;
    struct waiting root = root_of(run, thread);
    if (!life->is_awake)
        return;
    run->wakes.all[life->wake].units = root.clock - life->clock;
    run->wakes.all[life->wake].calls = root.calls - life->calls;
    life->is_awake = false;
}

static void put_life(struct run *run, struct life *life)
{
    const struct nodes *nodes = &run->nodes;
    bool is_whole = life->has_begun && life->has_ended;
    if (life->has_woken) {
        struct ended_life ended = {
            .function = nodes->functions[life->root - 1].id,
            .ticks = is_whole ? life->end_tick - life->begin_tick : LIFE_UNKNOWN,
            .has_ended = life->has_ended,
            .has_failed = life->has_failed,
            .is_short = is_whole && !life->has_slept,
        };
        MEM_APPEND(run->wakes.lives, run->wakes.life_count, run->wakes.life_capacity, ended);
    }
    *life = (struct life){0};
}

void run_begin_life(struct run *run, uint32_t site)
{
    struct thread *thread = find_thread(run);
    if (thread == NULL)
        return;
    put_life(run, &thread->life);
    thread->life = (struct life){.root = 1 + run->nodes.sites[site & ~SITE_IS_OPEN].function,
                                 .has_begun = true,
                                 .begin_tick = (uint32_t)run->tick_count};
    run_begin_wake(run);
    thread->life.has_slept = false;
}

void run_meet_life(struct run *run)
{
    struct thread *thread = find_thread(run);
    if (thread == NULL || thread->life.root != 0 || run->cursor.depth == 0)
        return;
    const struct nodes *nodes = &run->nodes;
    const struct node *root = &nodes->at[run->cursor.frames[0].node];
    thread->life.root = 1 + nodes->sites[node_site(root)].function;
}

void run_begin_wake(struct run *run)
{
    struct thread *thread = find_thread(run);
    if (thread == NULL || thread->life.root == 0 || thread->life.has_ended)
        return;
    struct life *life = &thread->life;
    life->has_slept = true;
    end_wake(run, thread);
    if (run->nodes.is_left_out)
        return;
    struct wake wake = {.function = run->nodes.functions[life->root - 1].id,
                        .tick = run->work.tick,
                        .number = (uint32_t)run->wakes.count};
    life->is_awake = life->has_woken = true;
    life->wake = run->wakes.count;
    life->clock = root_of(run, thread).clock;
    life->calls = root_of(run, thread).calls;
    MEM_APPEND(run->wakes.all, run->wakes.count, run->wakes.capacity, wake);
}

void run_end_wake(struct run *run, bool has_returned, bool has_failed)
{
    struct thread *thread = find_thread(run);
    if (thread == NULL || thread->life.root == 0)
        return;
    end_wake(run, thread);
    thread->life.has_ended |= has_returned || has_failed;
    thread->life.has_failed |= has_failed;
    thread->life.end_tick = (uint32_t)run->tick_count;
}

void run_finish_lives(struct run *run)
{
    if (!run->wakes.is_on || run->thread_count == 0)
        return;
    run_save(run);
    for (size_t i = 0; i < run->thread_count; i++) {
        struct thread *thread = &run->threads[i];
        bool is_current = i == run->current;
        /* The other threads wait. */
        if (is_current || thread->is_waiting)
            end_wake(run, thread);
        put_life(run, &thread->life);
    }
    run->wakes.is_on = false;
}
