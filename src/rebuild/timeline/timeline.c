#include "rebuild/timeline/timeline.h"

#include "base/number.h"
#include "base/sort.h"
#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/stacks/stacks.h"
#include "tree/stacks.h"

#define NO_SLICE UINT32_MAX
#define NO_TRACK UINT32_MAX
#define NO_THREAD SIZE_MAX

struct played_frame {
    uint32_t site;
    uint32_t slice;    /* the last one; NO_SLICE before the first */
    bool is_continued; /* the next slice will not be the call's first */
};

/* A root above other frames. */
struct played_root {
    size_t base;         /* frames below */
    size_t visible_from; /* the first frame that has slices while the root recordings */
};

struct played_thread {
    struct played_frame *frames; /* [depth] */
    size_t depth, frame_capacity;
    struct played_root *roots; /* [root_count], bases rise */
    size_t root_count, root_capacity;
    size_t open_from, open_to; /* number of frames with open slices */
    uint32_t track;
};

/* The state while a log is replayed. */
struct player {
    struct timeline *timeline;
    const struct stacks *stacks;
    const struct timeline_log *log;
    uint32_t recording;
    uint8_t kept_threads;
    double unit_ns;
    struct played_thread *threads; /* [log->thread_count] */
    size_t current;                /* thread whose steps follow */
    size_t owner;                  /* thread that owns the time, or NO_THREAD */
    size_t owner_depth;            /* number of its frames that recording; SIZE_MAX for all */
    size_t shown;                  /* thread with open slices, or NO_THREAD */
    int64_t now;                   /* units */
};

static int64_t to_ns(const struct player *player, int64_t units)
{
    return number_nearest((double)units * player->unit_ns);
}

static int32_t call_line(const struct nodes *nodes, const struct played_thread *thread,
                         size_t frame)
{
    if (frame == thread->open_from)
        return LINE_UNKNOWN;
    const struct event_site *caller = &nodes->sites[thread->frames[frame - 1].site];
    return nodes_call_line(
        nodes, thread->frames[frame].site, nodes->functions[caller->function].is_lua);
}

static bool is_coroutine(const struct player *player, size_t thread)
{
    return player->stacks->threads[player->log->threads[thread].number].is_coroutine;
}

static uint32_t add_track(struct player *player, size_t thread, uint32_t root)
{
    struct timeline *timeline = player->timeline;
    struct timeline_track track = {
        .recording = player->recording,
        .thread = player->log->threads[thread].number,
        .is_coroutine = is_coroutine(player, thread),
        .root = root,
    };
    MEM_APPEND(timeline->tracks, timeline->track_count, timeline->track_capacity, track);
    return (uint32_t)timeline->track_count - 1;
}

/* Opens a slice for the lowest frame that has none. */
static void open_slice(struct player *player, size_t number)
{
    struct timeline *timeline = player->timeline;
    const struct nodes *nodes = &player->stacks->nodes;
    struct played_thread *thread = &player->threads[number];
    size_t frame = thread->open_to;
    struct played_frame *at = &thread->frames[frame];
    size_t depth = frame - thread->open_from;
    /* fold_recorder_slices() makes ids of symbols.h of these. */
    uint32_t function = nodes->first_numbers[nodes->sites[at->site].function];
    if (thread->track == NO_TRACK)
        thread->track = add_track(player, number, function);
    MEM_GROW(timeline->slices, timeline->slice_capacity, timeline->slice_count + 1);
    timeline->slices[timeline->slice_count] = (struct slice){
        .begin_ns = to_ns(player, player->now),
        .track = thread->track,
        .function = depth < TIMELINE_DEPTH_MAX ? function : TIMELINE_TRUNCATED,
        .line = call_line(nodes, thread, frame),
        .depth = (uint16_t)depth,
        .flags = at->is_continued ? SLICE_CONTINUED : 0,
    };
    at->slice = (uint32_t)timeline->slice_count++;
    at->is_continued = true;
    thread->open_to++;
}

/* Closes slices of a thread down to `depth` frames. */
static void close_slices(struct player *player, struct played_thread *thread, size_t depth,
                         uint8_t flags)
{
    int64_t now_ns = to_ns(player, player->now);
    while (thread->open_to > depth && thread->open_to > thread->open_from) {
        uint32_t slice = thread->frames[--thread->open_to].slice;
        player->timeline->slices[slice].end_ns = now_ns;
        player->timeline->slices[slice].flags |= flags;
    }
}

static void hide(struct player *player)
{
    if (player->shown != NO_THREAD)
        close_slices(player, &player->threads[player->shown], 0, SLICE_UNFINISHED);
    player->shown = NO_THREAD;
}

static int compare_bases(const void *key, const void *root)
{
    const struct played_root *a = key, *b = root;
    return ORDER(a->base, b->base, 0);
}

/* The first of `depth` frames that has slices while the last of them recordings. */
static size_t visible_from(const struct played_thread *thread, size_t depth)
{
    struct played_root root = {.base = depth};
    size_t above =
        search_first(&root, thread->roots, thread->root_count, sizeof root, compare_bases);
    return above > 0 ? thread->roots[above - 1].visible_from : 0;
}

/* Opens and closes slices until just the running frames have one. */
static void show(struct player *player, size_t number, size_t depth)
{
    struct played_thread *thread = &player->threads[number];
    if (player->shown != number)
        hide(player);
    uint8_t kind = is_coroutine(player, number) ? NODE_COROUTINE : NODE_MAIN;
    if ((kind & player->kept_threads) == 0)
        return;
    if (depth > thread->depth)
        depth = thread->depth;
    size_t from = visible_from(thread, depth);
    if (thread->open_from != from)
        close_slices(player, thread, 0, SLICE_UNFINISHED);
    if (thread->open_from == thread->open_to)
        thread->open_from = thread->open_to = from;
    close_slices(player, thread, depth, SLICE_UNFINISHED);
    while (thread->open_to < depth && thread->open_to - from <= TIMELINE_DEPTH_MAX)
        open_slice(player, number);
    player->shown = number;
}

/* Time passes for its owner. */
static void pass(struct player *player, int64_t time)
{
    if (time == player->now)
        return;
    if (player->owner == NO_THREAD)
        hide(player);
    else
        show(player, player->owner, player->owner_depth);
    player->now = time;
}

static void push(struct played_thread *thread, uint32_t site, bool is_continued)
{
    MEM_GROW(thread->frames, thread->frame_capacity, thread->depth + 1);
    thread->frames[thread->depth++] = (struct played_frame){site, NO_SLICE, is_continued};
}

static void push_root(struct player *player, struct played_thread *thread)
{
    bool is_nested = player->owner == player->current && player->owner_depth >= thread->depth;
    size_t from = is_nested ? visible_from(thread, thread->depth) : thread->depth;
    struct played_root root = {thread->depth, from};
    MEM_APPEND(thread->roots, thread->root_count, thread->root_capacity, root);
}

static void pop(struct player *player, struct played_thread *thread, uint8_t flags)
{
    uint32_t slice = thread->frames[--thread->depth].slice;
    close_slices(player, thread, thread->depth, flags & SLICE_UNFINISHED);
    if (slice != NO_SLICE)
        player->timeline->slices[slice].flags |= flags & SLICE_FAILED;
    if (thread->root_count > 0 && thread->roots[thread->root_count - 1].base == thread->depth)
        thread->root_count--;
}

static void add_tick(struct player *player, int64_t number)
{
    struct timeline *timeline = player->timeline;
    struct timeline_tick tick = {
        .recording = player->recording, .number = number, .begin_ns = to_ns(player, player->now)};
    MEM_APPEND(timeline->ticks, timeline->tick_count, timeline->tick_capacity, tick);
}

static void call(struct player *player, struct played_thread *thread, uint32_t site)
{
    push(thread, site, false);
    player->owner = player->current;
    player->owner_depth = SIZE_MAX;
    /* Open it now, because it may return before any time passes. */
    show(player, player->current, SIZE_MAX);
    size_t depth = thread->depth - thread->open_from;
    player->timeline->truncated_count += player->shown != NO_THREAD && depth > TIMELINE_DEPTH_MAX;
}

static void begin_gap(struct player *player, const struct step *gap)
{
    player->owner = gap->operand == 0 ? NO_THREAD : gap->operand - 1;
    player->owner_depth = gap->depth;
}

static void play_step(struct player *player, const struct step *step)
{
    struct played_thread *thread = &player->threads[player->current];
    switch ((enum step_kind)step->kind) {
    case STEP_THREAD:
        player->current = step->operand;
        break;
    case STEP_FRAME:
        push(thread, step->operand, true);
        break;
    case STEP_ROOT:
        push_root(player, thread);
        break;
    case STEP_CALL:
        call(player, thread, step->operand);
        break;
    case STEP_RETURN:
        pop(player, thread, 0);
        break;
    case STEP_FAIL:
        pop(player, thread, SLICE_FAILED);
        break;
    case STEP_DROP:
        pop(player, thread, SLICE_UNFINISHED);
        break;
    case STEP_WAIT:
        begin_gap(player, step);
        break;
    case STEP_WAKE:
        player->owner = player->current;
        player->owner_depth = SIZE_MAX;
        break;
    case STEP_TICK:
        add_tick(player, step->operand);
        break;
    }
}

/* Every tick ends where the next one begins; the last tick ends with the window. */
static void end_ticks(struct timeline *timeline, size_t first, int64_t end_ns)
{
    for (size_t i = timeline->tick_count; i-- > first;) {
        timeline->ticks[i].end_ns = end_ns;
        end_ns = timeline->ticks[i].begin_ns;
    }
}

static void give_up(struct timeline *timeline)
{
    timeline->is_too_long = true;
    timeline->slice_count = timeline->track_count = timeline->tick_count = 0;
    timeline->window_count = 0;
}

/*
 * The threads with their stacks when the log began. A root is nested in a frame that has claimed
 * the gap with which the log begins.
 */
static void begin_threads(struct player *player)
{
    const struct timeline_log *log = player->log;
    begin_gap(player, &log->steps[TIMELINE_BEGIN_STEPS - 1]);
    for (size_t number = 0; number < log->thread_count; number++) {
        struct played_thread *thread = &player->threads[number];
        thread->track = NO_TRACK;
        player->current = number;
        for (size_t i = 0; i < log->threads[number].count; i++) {
            const struct logged_frame *frame = &log->frames[log->threads[number].first + i];
            if (frame->is_root)
                push_root(player, thread);
            push(thread, frame->site, true);
        }
    }
    player->current = 0;
}

static void play(struct timeline *timeline, const struct stacks *stacks,
                 const struct timeline_log *log, uint32_t recording, uint8_t kept_threads)
{
    struct player player = {
        .timeline = timeline,
        .stacks = stacks,
        .log = log,
        .recording = recording,
        .kept_threads = kept_threads,
        .unit_ns = stacks->begin.unit_ns,
        .threads = mem_zeroed(log->thread_count, sizeof *player.threads),
        .owner = NO_THREAD,
        .shown = NO_THREAD,
        .now = log->steps[0].time,
    };
    begin_threads(&player);
    /* No game lasts so long: only a damaged log has such times. */
    if ((double)log->now * player.unit_ns > (double)NUMBER_TIME_MAX_NS)
        player.unit_ns = 0;
    size_t first_tick = timeline->tick_count;
    for (size_t i = TIMELINE_BEGIN_STEPS;
         i < log->count && timeline->slice_count <= TIMELINE_SLICES_MAX;
         i++) {
        pass(&player, log->steps[i].time);
        play_step(&player, &log->steps[i]);
    }
    pass(&player, log->now);
    hide(&player);
    end_ticks(timeline, first_tick, to_ns(&player, player.now));
    struct timeline_window window = {
        recording, to_ns(&player, log->steps[0].time), to_ns(&player, player.now)};
    MEM_APPEND(timeline->windows, timeline->window_count, timeline->window_capacity, window);
    for (size_t i = 0; i < log->thread_count; i++)
        MEM_FREE(player.threads[i].frames, player.threads[i].roots);
    free(player.threads);
}

/* Makes slices of the recorder one function, in which no others are nested, and gives functions
 * their ids of symbols.h. */
static void fold_recorder_slices(struct timeline *timeline, const struct stacks *stacks,
                                 size_t first_track, size_t first_slice)
{
    const struct event_function *functions = stacks->nodes.functions;
    struct recorder_functions recorder = nodes_recorder_functions(&stacks->nodes);
    /* By track: the depth of the recorder's slice that is open. */
    SCOPED_ARRAY int32_t *depths = mem_zeroed(timeline->track_count, sizeof *depths);
    for (size_t i = first_track; i < timeline->track_count; i++) {
        struct timeline_track *track = &timeline->tracks[i];
        track->root =
            recorder.is_root[track->root] ? stacks->begin.recorder : functions[track->root].id;
        depths[i] = TIMELINE_DEPTH_MAX;
    }
    size_t kept = first_slice;
    for (size_t i = first_slice; i < timeline->slice_count; i++) {
        struct slice slice = timeline->slices[i];
        if (slice.depth > depths[slice.track]) {
            timeline->calls -=
                !(slice.flags & SLICE_CONTINUED) && slice.function != TIMELINE_TRUNCATED;
            continue;
        }
        bool is_recorder = slice.function != TIMELINE_TRUNCATED &&
                           (recorder.is_own[slice.function] ||
                            (slice.depth == 0 && recorder.is_root[slice.function]));
        depths[slice.track] = is_recorder ? slice.depth : TIMELINE_DEPTH_MAX;
        if (slice.function != TIMELINE_TRUNCATED)
            slice.function = is_recorder ? stacks->begin.recorder : functions[slice.function].id;
        slice.flags |= is_recorder ? SLICE_RECORDER : 0;
        timeline->slices[kept++] = slice;
    }
    timeline->slice_count = kept;
    MEM_FREE(recorder.is_root, recorder.is_own);
}

void timeline_add(struct timeline *timeline, const struct stacks *stacks,
                  const struct timeline_log *log, uint32_t recording, uint8_t kept_threads)
{
    if (log->is_full)
        give_up(timeline);
    if (timeline->is_too_long || log->count == 0 || stacks->thread_count == 0)
        return;
    size_t first_track = timeline->track_count, first_slice = timeline->slice_count;
    play(timeline, stacks, log, recording, kept_threads);
    if (timeline->slice_count > TIMELINE_SLICES_MAX)
        give_up(timeline);
    else
        fold_recorder_slices(timeline, stacks, first_track, first_slice);
}

static int compare_tracks(const void *a, const void *b)
{
    const struct timeline_track *left = a, *right = b;
    return ORDER(
        left->recording,
        right->recording,
        ORDER(left->is_coroutine, right->is_coroutine, ORDER(left->thread, right->thread, 0)));
}

static int compare_ticks(const void *a, const void *b)
{
    const struct timeline_tick *left = a, *right = b;
    int order = ORDER(left->end_ns, right->end_ns, ORDER(left->number, right->number, 0));
    return ORDER(left->recording, right->recording, ORDER(left->begin_ns, right->begin_ns, order));
}

static int compare_windows(const void *a, const void *b)
{
    const struct timeline_window *left = a, *right = b;
    return ORDER(left->recording, right->recording, 0);
}

/* Sorts the tracks and groups the slices by track, in the same order within a track. */
static void sort_tracks(struct timeline *timeline)
{
    SCOPED_ARRAY uint32_t *target = mem_zeroed(timeline->track_count, sizeof *target);
    for (size_t i = 0; i < timeline->track_count; i++)
        timeline->tracks[i].first_slice = i; /* first its old number, then its new one */
    qsort(timeline->tracks, timeline->track_count, sizeof *timeline->tracks, compare_tracks);
    for (size_t i = 0; i < timeline->track_count; i++)
        target[timeline->tracks[i].first_slice] = (uint32_t)i;
    for (size_t i = 0; i < timeline->slice_count; i++) {
        struct slice *slice = &timeline->slices[i];
        slice->track = target[slice->track];
        timeline->tracks[slice->track].slices++;
    }
    size_t first = 0;
    for (size_t i = 0; i < timeline->track_count; i++) {
        timeline->tracks[i].first_slice = first;
        first += timeline->tracks[i].slices;
        timeline->tracks[i].slices = 0;
    }
    struct slice *sorted = mem_zeroed(timeline->slice_count, sizeof *sorted);
    for (size_t i = 0; i < timeline->slice_count; i++) {
        struct timeline_track *track = &timeline->tracks[timeline->slices[i].track];
        sorted[track->first_slice + track->slices++] = timeline->slices[i];
    }
    free(timeline->slices);
    timeline->slices = sorted;
    timeline->slice_capacity = timeline->slice_count;
}

void timeline_finish(struct timeline *timeline)
{
    if (timeline->slice_count > 0)
        sort_tracks(timeline);
    if (timeline->tick_count > 0)
        qsort(timeline->ticks, timeline->tick_count, sizeof *timeline->ticks, compare_ticks);
    if (timeline->window_count > 0)
        qsort(
            timeline->windows, timeline->window_count, sizeof *timeline->windows, compare_windows);
}

void timeline_shift_lines(struct timeline *timeline, const int32_t *shifts)
{
    /* The functions of the slices that the present one is nested in, by depth. */
    uint32_t callers[TIMELINE_DEPTH_MAX + 1];
    for (size_t depth = 0; depth <= TIMELINE_DEPTH_MAX; depth++)
        callers[depth] = TIMELINE_TRUNCATED;
    for (size_t i = 0; i < timeline->slice_count; i++) {
        struct slice *slice = &timeline->slices[i];
        uint32_t caller = slice->depth == 0 ? TIMELINE_TRUNCATED : callers[slice->depth - 1];
        if (caller != TIMELINE_TRUNCATED)
            slice->line = line_moved(slice->line, -(int64_t)shifts[caller]);
        callers[slice->depth] = slice->function;
    }
}

void timeline_release(struct timeline *timeline)
{
    MEM_FREE(timeline->slices, timeline->tracks, timeline->ticks, timeline->windows);
    *timeline = (struct timeline){0};
}

uint64_t timeline_walk(const struct timeline *timeline, const struct timeline_track *track,
                       uint32_t depth_max, slice_border *put, void *context)
{
    const struct slice *open[TIMELINE_DEPTH_MAX + 1];
    size_t depth = 0;
    uint64_t left_out = 0;
    for (size_t i = 0; i < track->slices; i++) {
        const struct slice *slice = &timeline->slices[track->first_slice + i];
        if (slice->depth > depth_max) {
            left_out += !(slice->flags & SLICE_CONTINUED);
            continue;
        }
        while (depth > slice->depth)
            put(context, track, open[--depth], false);
        if (!put(context, track, slice, true))
            return left_out;
        open[depth++] = slice;
    }
    while (depth > 0)
        put(context, track, open[--depth], false);
    return left_out;
}
