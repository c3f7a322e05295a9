#include "rebuild/timeline/slow_timelines.h"

#include "base/mem.h"
#include "base/sort.h"
#include "rebuild/stacks/stacks.h"

/* The place of the tick that took least, or a free one. */
static size_t find_place(const struct slow_timelines *slowest)
{
    size_t place = 0;
    if (slowest->count < SLOW_TIMELINES_MAX)
        return slowest->count;
    for (size_t i = 1; i < slowest->count; i++)
        place = slowest->at[i].ns <= slowest->at[place].ns ? i : place;
    return place;
}

bool slow_timelines_want(const struct slow_timelines *slowest, double ns)
{
    size_t place = find_place(slowest);
    return place == slowest->count || ns > (double)slowest->at[place].ns;
}

static int64_t sum_slices(const struct timeline *timeline, uint32_t recorder)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < timeline->slice_count; i++) {
        const struct slice *slice = &timeline->slices[i];
        int64_t ns = slice->end_ns - slice->begin_ns;
        sum_ns += slice->depth == 0 ? ns : 0;
        sum_ns -= slice->function == recorder ? ns : 0;
    }
    return sum_ns;
}

static uint64_t length_of(const struct slice *slice)
{
    return (uint64_t)(slice->end_ns - slice->begin_ns);
}

/*
 * Leaves out the shortest slices; of equals, the last, so that callers stay. Returns how many calls
 * those are.
 */
static uint64_t keep_longest(struct timeline *timeline)
{
    size_t count = timeline->slice_count, kept = 0, equal_room = SLOW_SLICES_MAX;
    uint64_t left_out = 0;
    SCOPED_ARRAY uint64_t *lengths = mem_zeroed(count, sizeof *lengths);
    for (size_t i = 0; i < count; i++)
        lengths[i] = length_of(&timeline->slices[i]);
    uint64_t least = count > SLOW_SLICES_MAX ? largest_at(lengths, count, SLOW_SLICES_MAX) : 0;
    for (size_t i = 0; i < count; i++)
        equal_room -= lengths[i] > least;
    for (size_t i = 0; i < count; i++) {
        const struct slice *slice = &timeline->slices[i];
        bool is_equal = length_of(slice) == least;
        if (slice->function != TIMELINE_TRUNCATED &&
            (is_equal ? equal_room > 0 : length_of(slice) > least)) {
            equal_room -= is_equal;
            timeline->slices[kept++] = *slice;
        } else {
            left_out += (slice->flags & SLICE_CONTINUED) == 0;
        }
    }
    timeline->slice_count = kept;
    /* Its memory was for all of them. */
    struct slice *slices = mem_zeroed(kept, sizeof *slices);
    memcpy(slices, timeline->slices, kept * sizeof *slices);
    free(timeline->slices);
    timeline->slices = slices;
    timeline->slice_capacity = kept;
    return left_out;
}

void slow_timelines_add(struct slow_timelines *slowest, const struct stacks *stacks,
                        uint32_t recording, uint8_t kept_threads)
{
    struct slow_timeline slow = {0};
    timeline_add(&slow.timeline, stacks, &stacks->log, recording, kept_threads);
    slow.ns = sum_slices(&slow.timeline, stacks->begin.recorder);
    if (slow.timeline.slice_count == 0 || slow.timeline.tick_count != 1 ||
        !slow_timelines_want(slowest, (double)slow.ns)) {
        timeline_release(&slow.timeline);
        return;
    }
    slow.left_out = keep_longest(&slow.timeline) + slow.timeline.truncated_count;
    size_t place = find_place(slowest);
    slowest->count += place == slowest->count;
    timeline_release(&slowest->at[place].timeline);
    slowest->at[place] = slow;
}

void slow_timelines_release(struct slow_timelines *slowest)
{
    for (size_t i = 0; i < slowest->count; i++)
        timeline_release(&slowest->at[i].timeline);
    *slowest = (struct slow_timelines){0};
}
