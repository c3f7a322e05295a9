#include "rebuild/stacks/stacks.h"

#include <math.h>

/* Durations ---------------------------------------------------------------------------------- */

void durations_begin(struct durations *durations, double unit_ns)
{
    double units = ceil(DURATION_LONG_NS / unit_ns);
    durations->long_units = units < DURATION_UNITS_MIN   ? DURATION_UNITS_MIN
                            : units < (double)UINT32_MAX ? (int64_t)units
                                                         : (int64_t)UINT32_MAX;
}

void durations_release(struct durations *durations)
{
    for (size_t i = 0; i < durations->count; i++)
        free(durations->of[i].steps);
    MEM_FREE(durations->of, durations->long_calls);
    *durations = (struct durations){0};
}

/* Stacks ------------------------------------------------------------------------------------- */

void stacks_init(struct stacks *stacks)
{
    *stacks = (struct stacks){.tick = -1,
                              .weight = 1,
                              .begin = {.unit_ns = 1e9 / 1048576,
                                        .turn_ns = {-1, -1, -1},
                                        .time_seconds = -1,
                                        .tick = -1,
                                        .has_resumes = true}};
    durations_begin(&stacks->durations, stacks->begin.unit_ns);
    nodes_init(&stacks->nodes);
}

void stacks_release_threads(struct stacks *stacks)
{
    /* The cursor owns the frames of the running thread. */
    if (stacks->thread_count > 0)
        stacks_save(stacks);
    for (size_t i = 0; i < stacks->thread_count; i++) {
        struct thread *thread = &stacks->threads[i];
        MEM_FREE(thread->frames, thread->segments, thread->listed);
        *thread = (struct thread){.life = thread->life,
                                  .is_coroutine = thread->is_coroutine,
                                  .is_waiting = thread->is_waiting,
                                  .waiting = thread->waiting};
    }
    stacks->cursor = (struct cursor){.clock = stacks->cursor.clock, .calls = stacks->cursor.calls};
}

void stacks_release(struct stacks *stacks)
{
    stacks_release_threads(stacks);
    MEM_FREE(stacks->threads, stacks->busy, stacks->left, stacks->claims);
    calibration_release(&stacks->calibration);
    timeline_log_release(&stacks->log);
    entries_release(&stacks->entries);
    durations_release(&stacks->durations);
    MEM_FREE(stacks->wakes.all, stacks->wakes.lives);
    nodes_release(&stacks->nodes);
    *stacks = (struct stacks){0};
}

void stacks_begin_sampling(struct stacks *stacks)
{
    stacks->is_sampled = true;
    stacks->weight = 0;
    stacks->weighted_units = 0;
    stacks->entries.has_sums = false;
    for (size_t i = 0; i < stacks->entries.part_count; i++) {
        stacks->entries.parts[i].number = -1;
        stacks->entries.parts[i].weight = 0;
    }
    stacks->tick = -1;
}

void stacks_end_part(struct stacks *stacks)
{
    if (stacks->is_one_part)
        entries_keep_part(&stacks->entries, &stacks->nodes, stacks->serial++);
    else
        entries_end_part(
            &stacks->entries, &stacks->nodes, stacks->tick, stacks->serial, stacks->weight);
    stacks->waited = NODES_UNATTRIBUTED;
    stacks->weighted_units += (double)stacks->weight * (double)stacks->nodes.units;
    stacks->units_at_part = stacks_units(stacks);
    stacks->nodes.units = 0;
    stacks->part_events = 0;
    if (stacks->cursor.top != NODES_UNATTRIBUTED)
        nodes_touch(&stacks->nodes, stacks->cursor.top);
}

void stacks_end_one_part(struct stacks *stacks)
{
    if (!stacks->is_one_part)
        return;
    stacks_end_part(stacks);
    entries_end_kept(&stacks->entries, &stacks->nodes, stacks->serial++);
    stacks->is_one_part = false;
}

void stacks_begin_tick(struct stacks *stacks, int64_t tick)
{
    stacks_end_part(stacks);
    stacks->tick_count++;
    stacks->tick = tick;
    stacks->claim_count = 0;
    stacks->unattributed_at_tick = stacks->nodes.at[NODES_UNATTRIBUTED].self;
    stacks->unattributed_kb_at_tick =
        nodes_known_origin(&stacks->nodes, NODES_UNATTRIBUTED)->memory_kb;
}

void stacks_put_frame(struct stacks *stacks, struct frame frame)
{
    struct cursor *cursor = &stacks->cursor;
    MEM_APPEND(cursor->frames, cursor->depth, cursor->capacity, frame);
}

void stacks_add_duration(struct stacks *stacks, uint32_t node, int64_t units, uint32_t inside)
{
    struct durations *durations = &stacks->durations;
    uint32_t function = nodes_function_number(&stacks->nodes, node);
    if (units < DURATION_UNITS_MIN)
        return;
    MEM_GROW_ZEROED(durations->of, durations->count, (size_t)function + 1);
    struct function_durations *of = &durations->of[function];
    uint32_t step = duration_step(units);
    MEM_GROW_ZEROED(of->steps, of->count, (size_t)step + 1);
    duration_sum_add(&of->steps[step], units, inside);
    struct long_call call = {
        .part = (uint32_t)stacks->entries.part_count,
        .node = node,
        .inside = inside,
        .thread = (uint32_t)stacks->current,
        .start = stacks->cursor.clock - units,
        .units = units,
    };
    if (units >= durations->long_units)
        MEM_APPEND(durations->long_calls, durations->long_count, durations->long_capacity, call);
}

void stacks_add_return(struct stacks *stacks, const struct frame *frame)
{
    if (frame->start != START_UNKNOWN)
        stacks_add_duration(stacks,
                            frame->node,
                            stacks->cursor.clock - frame->start,
                            stacks->cursor.calls - frame->calls_start);
}

/* Of a damaged log, the call may never have been counted. */
void stacks_take_return_back(struct stacks *stacks, const struct frame *frame)
{
    struct durations *durations = &stacks->durations;
    uint32_t function = nodes_function_number(&stacks->nodes, frame->node);
    if (frame->start == START_UNKNOWN || function >= durations->count)
        return;
    const struct function_durations *of = &durations->of[function];
    int64_t units = stacks->cursor.clock - frame->start;
    uint32_t step = units < DURATION_UNITS_MIN ? UINT32_MAX : duration_step(units);
    if (step >= of->count || of->steps[step].calls == 0)
        return;
    of->steps[step].calls--;
    of->steps[step].inside -= stacks->cursor.calls - frame->calls_start;
    of->steps[step].units -= units;
    if (units >= durations->long_units && durations->long_count > 0 &&
        durations->long_calls[durations->long_count - 1].node == frame->node)
        durations->long_count--;
}

struct thread *stacks_add_thread(struct stacks *stacks, uint32_t thread)
{
    size_t before = stacks->thread_count;
    MEM_GROW(stacks->threads, stacks->thread_capacity, (size_t)thread + 1);
    if (thread >= before)
        stacks->thread_count = (size_t)thread + 1;
    for (size_t i = before; i < stacks->thread_count; i++)
        stacks->threads[i] = (struct thread){0};
    return &stacks->threads[thread];
}

struct thread *stacks_thread(struct stacks *stacks)
{
    /* A log without its beginning may not name the thread. */
    if (stacks->current >= stacks->thread_count)
        stacks->current = 0;
    return stacks->thread_count > 0 ? &stacks->threads[stacks->current]
                                    : stacks_add_thread(stacks, 0);
}

struct thread *stacks_save(struct stacks *stacks)
{
    struct thread *thread = stacks_thread(stacks);
    thread->frames = stacks->cursor.frames;
    thread->depth = stacks->cursor.depth;
    thread->frame_capacity = stacks->cursor.capacity;
    return thread;
}

void stacks_enter_segment(struct stacks *stacks, const struct thread *thread)
{
    stacks->cursor.base = thread->is_waiting ? stacks->cursor.depth : thread_base(thread);
    stacks->cursor.lists =
        thread->segment_count > 0 && thread->segments[thread->segment_count - 1].is_open;
}

void stacks_load(struct stacks *stacks, const struct thread *thread)
{
    struct cursor *cursor = &stacks->cursor;
    cursor->frames = thread->frames;
    cursor->depth = thread->depth;
    cursor->capacity = thread->frame_capacity;
    stacks_enter_segment(stacks, thread);
}

/* Puts the stack of a thread, which was just added, into the log of a time line. */
static void log_stack(struct stacks *stacks, struct thread *thread)
{
    struct timeline_log *log = &stacks->log;
    size_t segment = 0;
    for (size_t k = 0; k < thread->depth; k++) {
        bool is_root = segment < thread->segment_count && thread->segments[segment].base == k;
        segment += is_root;
        timeline_log_add_frame(
            log, nodes_called_from(&stacks->nodes, thread->frames[k].node), is_root);
    }
    thread->log = log->number;
    thread->in_log = (uint32_t)log->thread_count - 1;
}

void stacks_begin_log(struct stacks *stacks)
{
    struct timeline_log *log = &stacks->log;
    bool has_thread = stacks->current < stacks->thread_count;
    timeline_log_begin(log, stacks_units(stacks), has_thread ? (uint32_t)stacks->current : 0);
    if (!has_thread)
        return;
    log_stack(stacks, stacks_save(stacks));
    if (stacks->cursor.top != NODES_UNATTRIBUTED)
        timeline_log_put(log, STEP_WAKE, 0);
    else
        timeline_log_wait(log, 0);
}

void stacks_log_thread(struct stacks *stacks, uint32_t number)
{
    struct timeline_log *log = &stacks->log;
    struct thread *thread = &stacks->threads[number];
    if (!log->is_on)
        return;
    /* The first thread may not have existed when the log began. */
    bool is_first = number == log->threads[0].number;
    if (thread->log != log->number && !is_first) {
        timeline_log_add_thread(log, number);
        log_stack(stacks, thread);
    }
    timeline_log_switch(log, is_first ? 0 : thread->in_log);
}

/* The thread, if it is a coroutine. */
static struct thread *find_thread(struct stacks *stacks)
{
    struct thread *thread = stacks_thread(stacks);
    return thread->is_coroutine ? thread : NULL;
}

/* The clock and the calls of the first segment: while a callback runs above it, it waits. */
static struct waiting root_of(const struct stacks *stacks, const struct thread *thread)
{
    if (thread->segment_count > 0)
        return thread->segments[0].below;
    if (thread->is_waiting)
        return thread->waiting;
    return (struct waiting){.clock = stacks->cursor.clock, .calls = stacks->cursor.calls};
}

static void end_wake(struct stacks *stacks, struct thread *thread)
{
    struct life *life = &thread->life;
    struct waiting root = root_of(stacks, thread);
    if (!life->is_awake)
        return;
    stacks->wakes.all[life->wake].units = root.clock - life->clock;
    stacks->wakes.all[life->wake].calls = root.calls - life->calls;
    life->is_awake = false;
}

static void put_life(struct stacks *stacks, struct life *life)
{
    bool is_whole = life->has_begun && life->has_ended;
    if (life->number != 0) {
        struct ended_life ended = {
            .number = life->number,
            .function = life->root - 1,
            .ticks = is_whole ? life->end_tick - life->begin_tick : LIFE_UNKNOWN,
            .has_ended = life->has_ended,
            .has_failed = life->has_failed,
            .is_short = is_whole && !life->has_slept,
        };
        MEM_APPEND(
            stacks->wakes.lives, stacks->wakes.life_count, stacks->wakes.life_capacity, ended);
    }
    *life = (struct life){0};
}

void stacks_begin_life(struct stacks *stacks, uint32_t site)
{
    struct thread *thread = find_thread(stacks);
    if (thread == NULL)
        return;
    put_life(stacks, &thread->life);
    thread->life = (struct life){.root = 1 + stacks->nodes.sites[site & ~SITE_IS_OPEN].function,
                                 .number = ++stacks->wakes.last_life,
                                 .has_begun = true,
                                 .begin_tick = (uint32_t)stacks->tick_count};
    stacks_begin_wake(stacks);
    thread->life.has_slept = false;
}

void stacks_meet_life(struct stacks *stacks)
{
    struct thread *thread = find_thread(stacks);
    if (thread == NULL || thread->life.root != 0 || stacks->cursor.depth == 0)
        return;
    const struct nodes *nodes = &stacks->nodes;
    const struct node *root = &nodes->at[stacks->cursor.frames[0].node];
    thread->life.root = 1 + nodes->sites[node_site(root)].function;
    thread->life.number = ++stacks->wakes.last_life;
}

void stacks_begin_wake(struct stacks *stacks)
{
    struct thread *thread = find_thread(stacks);
    if (thread == NULL || thread->life.root == 0 || thread->life.has_ended)
        return;
    struct life *life = &thread->life;
    life->has_slept = true;
    end_wake(stacks, thread);
    struct wake wake = {.function = life->root - 1,
                        .tick = stacks->tick < 0 ? 0 : (uint32_t)stacks->tick,
                        .part = (uint32_t)stacks->entries.part_count,
                        .life = life->number,
                        .number = (uint32_t)stacks->wakes.count};
    life->is_awake = true;
    life->wake = stacks->wakes.count;
    life->clock = root_of(stacks, thread).clock;
    life->calls = root_of(stacks, thread).calls;
    MEM_APPEND(stacks->wakes.all, stacks->wakes.count, stacks->wakes.capacity, wake);
}

void stacks_end_wake(struct stacks *stacks, bool has_returned, bool has_failed)
{
    struct thread *thread = find_thread(stacks);
    if (thread == NULL || thread->life.root == 0)
        return;
    end_wake(stacks, thread);
    thread->life.has_ended |= has_returned || has_failed;
    thread->life.has_failed |= has_failed;
    thread->life.end_tick = (uint32_t)stacks->tick_count;
}

void stacks_finish_lives(struct stacks *stacks)
{
    if (stacks->thread_count == 0)
        return;
    stacks_save(stacks);
    for (size_t i = 0; i < stacks->thread_count; i++) {
        struct thread *thread = &stacks->threads[i];
        bool is_current = i == stacks->current;
        /* The other threads wait. */
        if (is_current || thread->is_waiting)
            end_wake(stacks, thread);
        put_life(stacks, &thread->life);
    }
    const uint32_t *first_numbers = stacks->nodes.first_numbers;
    for (size_t i = 0; i < stacks->wakes.count; i++)
        stacks->wakes.all[i].function = first_numbers[stacks->wakes.all[i].function];
    for (size_t i = 0; i < stacks->wakes.life_count; i++)
        stacks->wakes.lives[i].function = first_numbers[stacks->wakes.lives[i].function];
}
