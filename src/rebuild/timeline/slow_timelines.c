#include "rebuild/timeline/slow_timelines.h"

#include "base/number.h"
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

/* A thread of a log, while the time of the log is added up without slices of it. */
struct measured_thread {
    size_t depth;
    size_t recorder_depth; /* frames up to the first of the recorder; 0: none is */
    bool is_root_next;     /* above its frames */
};

struct measure {
    const struct nodes *nodes;
    struct measured_thread *threads; /* [log->thread_count] */
    struct measured_thread *thread;  /* whose steps follow */
    struct measured_thread *owner;   /* the one that runs, or NULL */
    size_t owner_depth;
    int64_t units; /* that passed, without the recorder */
    size_t call_count, tick_count;
};

static void measure_push(struct measure *measure, struct measured_thread *thread, uint32_t site)
{
    const struct nodes *nodes = measure->nodes;
    bool is_root = thread->is_root_next || thread->depth == 0;
    thread->depth++;
    thread->is_root_next = false;
    if (thread->recorder_depth != 0)
        return;
    const struct event_function *function = &nodes->functions[nodes->sites[site].function];
    if (function->calibrates || function->is_command || (is_root && function->is_recorder_root))
        thread->recorder_depth = thread->depth;
}

static void measure_step(struct measure *measure, const struct step *step)
{
    struct measured_thread *thread = measure->thread;
    switch ((enum step_kind)step->kind) {
    case STEP_CALL:
        measure->call_count++;
        measure_push(measure, thread, step->operand);
        measure->owner = thread;
        measure->owner_depth = SIZE_MAX;
        break;
    case STEP_RETURN:
    case STEP_FAIL:
    case STEP_DROP:
        thread->depth--;
        if (thread->recorder_depth > thread->depth)
            thread->recorder_depth = 0;
        break;
    case STEP_THREAD:
        measure->thread = &measure->threads[step->operand];
        break;
    case STEP_FRAME:
        measure_push(measure, thread, step->operand);
        break;
    case STEP_ROOT:
        thread->is_root_next = true;
        break;
    case STEP_WAIT:
        measure->owner = step->operand == 0 ? NULL : &measure->threads[step->operand - 1];
        measure->owner_depth = step->depth;
        break;
    case STEP_WAKE:
        measure->owner = thread;
        measure->owner_depth = SIZE_MAX;
        break;
    case STEP_TICK:
        measure->tick_count++;
        break;
    }
}

/* Whether time passes for a function, and not for the recorder. */
static bool measure_counts(const struct measure *measure)
{
    const struct measured_thread *owner = measure->owner;
    return owner != NULL &&
           (owner->recorder_depth == 0 || owner->recorder_depth > measure->owner_depth);
}

/*
 * Returns the time of the log's tick: that of its slices, without those of the recorder. -1 if it
 * has none, or is not of one tick.
 */
static int64_t measure_ns(const struct stacks *stacks, const struct timeline_log *log)
{
    SCOPED_ARRAY struct measured_thread *threads = mem_zeroed(log->thread_count, sizeof *threads);
    struct measure measure = {.nodes = &stacks->nodes, .threads = threads, .thread = threads};
    int64_t before = log->steps[0].time;
    for (size_t i = 0; i < log->thread_count; i++)
        for (size_t k = 0; k < log->threads[i].count; k++) {
            const struct logged_frame *frame = &log->frames[log->threads[i].first + k];
            threads[i].is_root_next = frame->is_root;
            measure_push(&measure, &threads[i], frame->site);
        }
    for (size_t i = 0; i < log->count; i++) {
        const struct step *step = &log->steps[i];
        if (step->time != before && measure_counts(&measure))
            measure.units += step->time - before;
        before = step->time;
        measure_step(&measure, step);
    }
    measure.units += measure_counts(&measure) ? log->now - before : 0;
    if (measure.tick_count != 1 || (measure.call_count == 0 && measure.units == 0))
        return -1;
    return number_nearest((double)measure.units * stacks->begin.unit_ns);
}

static uint64_t length_of(const struct slice *slice)
{
    return (uint64_t)(slice->end_ns - slice->begin_ns);
}

/* Leaves out what the recorder did: it is in no time of a tick. */
static void drop_recorder(struct timeline *timeline)
{
    size_t kept = 0;
    for (size_t i = 0; i < timeline->slice_count; i++)
        if ((timeline->slices[i].flags & SLICE_RECORDER) == 0)
            timeline->slices[kept++] = timeline->slices[i];
    timeline->slice_count = kept;
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

/* Only what a time line is made from. */
static struct timeline_log copy_log(const struct timeline_log *log)
{
    struct timeline_log copy = *log;
    copy.gaps = NULL;
    copy.gap_count = copy.gap_capacity = 0;
    copy.steps = mem_zeroed(log->count, sizeof *log->steps);
    memcpy(copy.steps, log->steps, log->count * sizeof *log->steps);
    copy.threads = mem_zeroed(log->thread_count, sizeof *log->threads);
    memcpy(copy.threads, log->threads, log->thread_count * sizeof *log->threads);
    copy.frames = mem_zeroed(log->frame_count, sizeof *log->frames);
    if (log->frame_count > 0)
        memcpy(copy.frames, log->frames, log->frame_count * sizeof *log->frames);
    return copy;
}

void slow_timelines_add(struct slow_timelines *slowest, const struct stacks *stacks)
{
    int64_t ns = measure_ns(stacks, &stacks->log);
    if (ns < 0 || !slow_timelines_want(slowest, (double)ns))
        return;
    if (slowest->at == NULL)
        slowest->at = mem_zeroed(SLOW_TIMELINES_MAX, sizeof *slowest->at);
    size_t place = find_place(slowest);
    slowest->count += place == slowest->count;
    timeline_log_release(&slowest->at[place].log);
    slowest->at[place] = (struct slow_timeline){.ns = ns, .log = copy_log(&stacks->log)};
}

void slow_timelines_finish(struct slow_timelines *slowest, const struct stacks *stacks,
                           uint32_t recording, uint8_t kept_threads)
{
    size_t kept = 0;
    for (size_t i = 0; i < slowest->count; i++) {
        struct slow_timeline slow = slowest->at[i];
        timeline_add(&slow.timeline, stacks, &slow.log, recording, kept_threads);
        timeline_log_release(&slow.log);
        drop_recorder(&slow.timeline);
        slow.left_out = keep_longest(&slow.timeline) + slow.timeline.truncated_count;
        if (slow.timeline.slice_count > 0)
            slowest->at[kept++] = slow;
        else
            timeline_release(&slow.timeline);
    }
    slowest->count = kept;
}

void slow_timelines_release(struct slow_timelines *slowest)
{
    for (size_t i = 0; i < slowest->count; i++) {
        timeline_log_release(&slowest->at[i].log);
        timeline_release(&slowest->at[i].timeline);
    }
    free(slowest->at);
    *slowest = (struct slow_timelines){0};
}
