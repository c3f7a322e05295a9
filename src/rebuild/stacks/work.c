#include "rebuild/stacks/work.h"

#include "base/hash.h"
#include "base/mem.h"

void work_release(struct work *work)
{
    free(work->lines);
    index_release(&work->line_index);
    free(work->site_lines);
    free(work->same);
    index_release(&work->same_index);
    free(work->same_of);
    free(work->long_calls);
    *work = (struct work){0};
}

void work_define_site(struct work *work, uint32_t site)
{
    MEM_GROW_ZEROED(work->site_lines, work->site_capacity, (size_t)site + 1);
}

void work_define_function(struct work *work, uint32_t function)
{
    MEM_GROW_ZEROED(work->same_of, work->function_capacity, (size_t)function + 1);
}

struct call_line *work_find_line(struct work *work, uint32_t caller, uint32_t site)
{
    struct index *index = &work->line_index;
    index_reserve(index);
    uint32_t hash = (uint32_t)hash_number((uint64_t)caller << 32 | site, index->seed);
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        const struct call_line *line = &work->lines[index->slots[slot].id];
        if (index->slots[slot].hash == hash && line->caller == caller && line->site == site)
            break;
    }
    if (index->slots[slot].id == INDEX_FREE) {
        if (work->line_count == CALL_LINES_MAX)
            return NULL;
        index_put(index, slot, hash, (uint32_t)work->line_count);
        struct call_line line = {.caller = caller, .site = site, .width = 1};
        MEM_APPEND(work->lines, work->line_count, work->line_capacity, line);
    }
    uint32_t id = index->slots[slot].id;
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
    struct index *index = &work->same_index;
    index_reserve(index);
    uint32_t hash =
        (uint32_t)hash_number(frame->hash ^ (uint64_t)frame->function << 32, index->seed);
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        struct same_calls *same = &work->same[index->slots[slot].id];
        if (index->slots[slot].hash == hash && same->hash == frame->hash &&
            same->function == frame->function) {
            same->count++;
            same->units += units;
            of->last = index->slots[slot].id;
            return;
        }
    }
    if (of->count == SAME_CALLS_A_FUNCTION || work->same_count == SAME_CALLS_MAX)
        return;
    of->count++;
    of->last = (uint32_t)work->same_count;
    index_put(index, slot, hash, of->last);
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
