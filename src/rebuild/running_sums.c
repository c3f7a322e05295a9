#include "rebuild/running_sums.h"

#include "base/mem.h"
#include "rebuild/recording_rebuild.h"

void running_sums_begin(struct running_sums *sums, size_t recording_count)
{
    function_sums_clear(&sums->functions);
    sums->ticks = (struct tick_sums){0};
    sums->length_count = 0;
    sums->time_ns = 0;
    MEM_GROW(sums->recordings, sums->recording_capacity, recording_count);
    for (size_t i = sums->recording_count; i < recording_count; i++)
        sums->recordings[i] = (struct running_recording){0};
    sums->recording_count = recording_count;
    for (size_t i = 0; i < recording_count; i++)
        sums->recordings[i].before_ns = sums->recordings[i].elapsed_ns;
}

void running_sums_end(struct running_sums *sums)
{
    int64_t advance_ns = 0;
    for (size_t i = 0; i < sums->recording_count; i++) {
        int64_t since_ns = sums->recordings[i].elapsed_ns - sums->recordings[i].before_ns;
        advance_ns = since_ns > advance_ns ? since_ns : advance_ns;
    }
    sums->clock_ns += advance_ns;
}

static void add_ticks(struct running_sums *sums, uint32_t number, const struct recorded *recorded,
                      int64_t present_tick)
{
    struct running_recording *known = &sums->recordings[number];
    known->tick_count = 0;
    for (size_t i = 0; i < recorded->entries.part_count; i++) {
        const struct recorded_tick *tick = &recorded->ticks[i];
        /* The present tick goes on. */
        if (tick->number < 0 || tick->number == present_tick)
            continue;
        struct tick_length length = {number, tick->joined, tick->number, tick->time_ns};
        tick_sums_add(&sums->ticks, tick->number, tick->time_ns, tick->joined, sums->limit_ns);
        MEM_APPEND(sums->lengths, sums->length_count, sums->length_capacity, length);
        known->tick_count += 1 + tick->joined;
    }
}

void running_sums_find_recent(struct running_sums *sums)
{
    size_t *seen = mem_zeroed(sums->recording_count, sizeof *seen);
    sums->recent_ticks = (struct tick_sums){0};
    for (size_t i = 0; i < sums->length_count; i++) {
        const struct tick_length *tick = &sums->lengths[i];
        if (seen[tick->recording] >= sums->recordings[tick->recording].known_ticks)
            tick_sums_add(&sums->recent_ticks, tick->number, tick->time_ns, tick->joined,
                          sums->limit_ns);
        seen[tick->recording] += 1 + tick->joined;
    }
    free(seen);
}

void running_sums_add(struct running_sums *sums, struct recording_rebuild *rebuild, bool is_running)
{
    struct running_recording *known = &sums->recordings[rebuild->number];
    struct tree snapshot = {0}, *tree = &rebuild->tree;
    struct recorded until_now = {0}, *recorded = &rebuild->recorded;
    int64_t present_tick = -1, units = 0;
    sums->limit_ns = settings_limit_ns(rebuild->settings);
    if (is_running) {
        present_tick = rebuild->stacks->tick;
        recording_rebuild_snapshot(rebuild, sums->time_ns, &snapshot, &until_now);
        tree = &snapshot;
        recorded = &until_now;
    }
    function_sums_add_tree(&sums->functions, tree);
    add_ticks(sums, rebuild->number, recorded, present_tick);
    for (size_t i = 0; i < recorded->entries.part_count; i++)
        units += recorded->ticks[i].measured_ns;
    sums->time_ns += (double)units;
    int64_t tick_ns = tick_kinds[rebuild->settings->state].limit_ns;
    known->elapsed_ns = known->tick_count > 0 ? (int64_t)known->tick_count * tick_ns : units;
    tree_release(&snapshot);
    recorded_release(&until_now);
}

void running_sums_copy(struct running_sums *to, const struct running_sums *from)
{
    function_sums_copy(&to->functions, &from->functions);
    MEM_GROW(to->recordings, to->recording_capacity, from->recording_count);
    if (from->recording_count > 0)
        memcpy(to->recordings, from->recordings, from->recording_count * sizeof *to->recordings);
    to->recording_count = from->recording_count;
    to->ticks = from->ticks;
    to->recent_ticks = from->recent_ticks;
    to->time_ns = from->time_ns;
    to->clock_ns = from->clock_ns;
}

void running_sums_release(struct running_sums *sums)
{
    function_sums_release(&sums->functions);
    MEM_FREE(sums->recordings, sums->lengths);
    *sums = (struct running_sums){0};
}
