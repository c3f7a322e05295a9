#include "rebuild/stacks/work.h"

void work_release(struct work *work)
{
    free(work->lines);
    intern_release(&work->line_keys);
    free(work->site_lines);
    free(work->same);
    intern_release(&work->same_keys);
    free(work->same_of);
    free(work->long_calls);
    *work = (struct work){0};
}

struct call_line *work_find_line(struct work *work, uint32_t caller, uint32_t site)
{
    const uint32_t key[] = {caller, site};
    uint32_t id = intern_find(&work->line_keys, (const char *)key, sizeof key);
    if (id == INTERN_NONE) {
        if (work->line_count == CALL_LINES_MAX)
            return NULL;
        id = intern_add(&work->line_keys, (const char *)key, sizeof key);
        struct call_line line = {.caller = caller, .site = site, .width = 1};
        MEM_APPEND(work->lines, work->line_count, work->line_capacity, line);
    }
    work->site_lines[site] = (struct site_line){caller + 1, id};
    return &work->lines[id];
}

void work_end_stretch(struct call_line *line, uint64_t next)
{
    if (line->count > 0) {
        uint32_t *buckets = line->buckets;
        if (line->invocations / line->width == CALL_LINE_BUCKETS) {
            for (size_t i = 0; i < CALL_LINE_BUCKETS; i++)
                buckets[i] = 2 * i < CALL_LINE_BUCKETS ? buckets[2 * i] + buckets[2 * i + 1] : 0;
            line->width *= 2;
        }
        buckets[line->invocations++ / line->width] += line->count;
        line->largest = line->count > line->largest ? line->count : line->largest;
    }
    line->count = 0;
    line->stretch = next;
}

void work_add_same(struct work *work, const struct work_frame *frame, int64_t units, uint32_t below)
{
    struct same_of_function *of = &work->same_of[frame->function];
    const uint64_t key[] = {frame->hash, frame->function};
    uint32_t id = intern_find(&work->same_keys, (const char *)key, sizeof key);
    if (id != INTERN_NONE) {
        work->same[id].count++;
        work->same[id].units += units;
        of->last = id;
        return;
    }
    if (of->count == SAME_CALLS_A_FUNCTION || work->same_count == SAME_CALLS_MAX)
        return;
    of->count++;
    of->last = intern_add(&work->same_keys, (const char *)key, sizeof key);
    struct same_calls same = {frame->hash, units, frame->function, 1, below};
    MEM_APPEND(work->same, work->same_count, work->same_capacity, same);
}

void work_begin_same_tick(struct same_of_function *of, uint32_t tick)
{
    uint32_t passed = tick - of->tick;
    of->before = of->tick_count > 0 && passed <= CALL_DISTANCE_MAX ? of->before << passed : 0;
    for (size_t i = 1; i <= CALL_DISTANCE_MAX; i++)
        of->distances[i] += (uint32_t)(of->before >> i & 1);
    of->before |= 1;
    of->tick = tick;
    of->tick_count++;
}

void work_add_long(struct work *work, uint32_t function, int64_t units, bool is_first)
{
    struct long_call call = {units, function, work->tick, is_first};
    if (work->long_count < LONG_CALLS_MAX)
        MEM_APPEND(work->long_calls, work->long_count, work->long_capacity, call);
}
