#include "rebuild/stacks/timeline_log.h"

#include "base/mem.h"

void timeline_log_begin(struct timeline_log *log, int64_t now, uint32_t thread)
{
    size_t base = log->base + log->count;
    log->is_on = true;
    log->is_full = false;
    log->now = now;
    log->count = log->gap_count = log->thread_count = log->frame_count = 0;
    log->number++;
    log->base = log->tick_at = base;
    /* So step 0 is never a gap, and 0 can mean the gaps before the log. */
    timeline_log_switch(log, timeline_log_add_thread(log, thread));
    timeline_log_wait(log, 0);
}

void timeline_log_release(struct timeline_log *log)
{
    MEM_FREE(log->steps, log->gaps, log->threads, log->frames);
    *log = (struct timeline_log){.number = log->number};
}

uint32_t timeline_log_add_thread(struct timeline_log *log, uint32_t thread)
{
    struct logged_thread added = {.number = thread, .first = log->frame_count};
    MEM_APPEND(log->threads, log->thread_count, log->thread_capacity, added);
    return (uint32_t)log->thread_count - 1;
}

void timeline_log_add_frame(struct timeline_log *log, uint32_t site, bool is_root)
{
    struct logged_frame frame = {site, is_root};
    MEM_APPEND(log->frames, log->frame_count, log->frame_capacity, frame);
    log->threads[log->thread_count - 1].count++;
}

void timeline_log_add(struct timeline_log *log, struct step step)
{
    if (log->count == TIMELINE_STEPS_MAX) {
        size_t base = log->base + log->count;
        timeline_log_release(log);
        log->is_full = true;
        log->base = base;
        return;
    }
    MEM_GROW(log->steps, log->capacity, log->count + 1);
    log->steps[log->count++] = step;
}

void timeline_log_switch(struct timeline_log *log, uint32_t thread)
{
    log->thread = thread;
    timeline_log_put(log, STEP_THREAD, thread);
}

size_t timeline_log_wait(struct timeline_log *log, uint32_t units_ago)
{
    if (log->is_on)
        timeline_log_add(log, (struct step){.time = log->now - units_ago, .kind = STEP_WAIT});
    if (!log->is_on)
        return 0;
    MEM_GROW(log->gaps, log->gap_capacity, log->gap_count + 1);
    log->last_gap = log->base + log->count - 1;
    log->gaps[log->gap_count++] = log->last_gap;
    return log->last_gap;
}

void timeline_log_tick(struct timeline_log *log, uint32_t tick, bool is_gap)
{
    timeline_log_put(log, STEP_TICK, tick);
    log->gap_count = 0;
    log->tick_at = log->base + log->count;
    if (is_gap)
        timeline_log_wait(log, 0);
}

void timeline_log_wait_before_return(struct timeline_log *log, uint32_t units)
{
    if (!log->is_on || log->steps[log->count - 1].kind != STEP_RETURN)
        return;
    int64_t now = log->now;
    log->now = log->steps[--log->count].time;
    timeline_log_wait(log, units);
    timeline_log_put(log, STEP_WAKE, 0);
    timeline_log_put(log, STEP_RETURN, 0);
    /* If there was no room for these steps, the log is off now. */
    log->now = log->is_on ? now : 0;
}

void timeline_log_claim(struct timeline_log *log, size_t gap, size_t depth)
{
    if (!log->is_on || gap < log->tick_at)
        return;
    struct step *step = &log->steps[gap - log->base];
    if (step->kind != STEP_WAIT || step->operand != 0)
        return;
    step->operand = log->thread + 1;
    step->depth = (uint32_t)(depth < STEP_DEPTH_MAX ? depth : STEP_DEPTH_MAX) & STEP_DEPTH_MAX;
}

void timeline_log_claim_from(struct timeline_log *log, size_t gap, size_t depth)
{
    /* Each gap leaves the list once, so all claims together take linear time. */
    while (log->gap_count > 0 && log->gaps[log->gap_count - 1] >= gap)
        timeline_log_claim(log, log->gaps[--log->gap_count], depth);
}
