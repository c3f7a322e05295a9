#include "rebuild/stacks/wakes.h"

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
