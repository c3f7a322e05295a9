#include "rebuild/recording_rebuild.h"

#include "base/number.h"
#include "rebuild/ending/nodes_to_tree.h"
#include "rebuild/ending/overhead.h"
#include "rebuild/stacks/whole_stacks.h"

#include <math.h>

void recording_rebuild_begin(struct recording_rebuild *rebuild, uint32_t number,
                             const struct rebuild_settings *settings,
                             struct rebuild_results *results)
{
    *rebuild = (struct recording_rebuild){.stacks = mem_zeroed(1, sizeof *rebuild->stacks),
                                          .number = number,
                                          .settings = settings,
                                          .results = results,
                                          .result = {.is_there = true},
                                          .window = settings_have_window(settings) ? BEFORE_WINDOW
                                                                                   : IN_WINDOW};
    stacks_init(rebuild->stacks);
    rebuild->stacks->is_one_part = settings->needs == NEEDS_WHOLE;
    rebuild->stacks->entries.has_sums = settings_are_whole(settings) && !settings->keeps_changes &&
                                        !settings->keeps_end && settings->needs != NEEDS_WHOLE;
    if (rebuild->window == IN_WINDOW && settings->has_timeline)
        stacks_begin_log(rebuild->stacks);
}

/* The window --------------------------------------------------------------------------------- */

/* Tick 0 need not be at 0 seconds. */
static double zero_seconds(const struct stacks *stacks)
{
    if (stacks->begin.tick < 0 || stacks->begin.time_seconds < 0)
        return 0;
    return stacks->begin.time_seconds - (double)stacks->begin.tick / TICKS_A_SECOND;
}

/* Game time is a float: at 10 hours it is exact to 4 ms, and a tick has 100 ms. */
static const double SECONDS_ERROR = 0.01;

/* Whether a tick is at or after a border: one within a tick is at its beginning. The only tick that
 * is wanted is the one whose time is shown so, with a decimal (see tick_game_time()). */
static bool is_at(double zero_seconds, struct window_border border, int64_t tick)
{
    if (border.kind == WINDOW_TICK)
        return (double)tick >= border.value;
    double tenths = 10 * zero_seconds + (double)tick * 10 / TICKS_A_SECOND;
    if (border.is_tick)
        return round(tenths) >= round(10 * border.value);
    double end_seconds = zero_seconds + (double)(tick + 1) / TICKS_A_SECOND;
    return end_seconds - SECONDS_ERROR > border.value;
}

/* Whether a border is after the beginning of a tick. */
static bool is_within(double zero_seconds, struct window_border border, int64_t tick)
{
    double begin_seconds = zero_seconds + (double)tick / TICKS_A_SECOND;
    return border.kind == WINDOW_SECONDS && !border.is_tick && tick >= 0 &&
           is_at(zero_seconds, border, tick) && border.value > begin_seconds + SECONDS_ERROR;
}

bool window_has(const struct rebuild_settings *settings, double zero_seconds, int64_t tick)
{
    struct window_border from = settings->from, to = settings->to;
    if (tick < 0)
        return from.kind == WINDOW_OPEN;
    return (from.kind == WINDOW_OPEN || is_at(zero_seconds, from, tick)) &&
           (to.kind == WINDOW_OPEN || !is_at(zero_seconds, to, tick));
}

bool recording_rebuild_has(const struct recording_rebuild *rebuild, int64_t tick)
{
    return window_has(rebuild->settings, rebuild->result.zero_seconds, tick);
}

void recording_rebuild_find_moved(struct recording_rebuild *rebuild, int64_t tick)
{
    struct rebuilt_recording *result = &rebuild->result;
    if (is_within(result->zero_seconds, rebuild->settings->from, tick))
        result->moved_from = 1 + tick;
    if (is_within(result->zero_seconds, rebuild->settings->to, tick))
        result->moved_to = 1 + tick;
}

/* Calls since a part began. */
static uint64_t count_calls(const struct stacks *stacks, size_t first_part)
{
    const struct entries *entries = &stacks->entries;
    const struct nodes *nodes = &stacks->nodes;
    uint64_t calls = 0;
    for (size_t part = first_part; part < entries->part_count; part++) {
        struct entry_reader reader = entries_read_part(entries, part);
        for (uint32_t i = 0; i < entries->parts[part].count; i++)
            calls += entry_next_head(&reader).calls;
    }
    for (size_t i = 0; i < nodes->touched_count; i++)
        calls += nodes->at[nodes->touched[i]].calls;
    return calls;
}

/* Makes a time line of the log. */
static void add_timeline(struct recording_rebuild *rebuild)
{
    struct stacks *stacks = rebuild->stacks;
    struct timeline *timeline = &rebuild->results->timeline;
    nodes_number_functions(&stacks->nodes);
    timeline->calls += count_calls(stacks, rebuild->timeline_first_part);
    if (rebuild->result.has_ticks)
        timeline->window_ticks += rebuild->timeline_last_tick - rebuild->timeline_first_tick + 1;
    timeline_add(timeline, stacks, &stacks->log, rebuild->number, rebuild->settings->threads);
    timeline_log_release(&stacks->log);
}

/* Keeps the log of a tick that, with the recorder's own functions, is among the slowest. */
static void keep_slow_tick(struct recording_rebuild *rebuild)
{
    const struct stacks *stacks = rebuild->stacks;
    const struct timeline_log *log = &stacks->log;
    if (!log->is_on || log->count == 0)
        return;
    int64_t waited = stacks->nodes.at[NODES_UNATTRIBUTED].self - stacks->unattributed_at_tick;
    double ns = (double)(log->now - log->steps[0].time - waited) * stacks->begin.unit_ns;
    if (slow_timelines_want(&rebuild->slowest, ns))
        slow_timelines_add(&rebuild->slowest, stacks);
}

/*
 * Ends the log of a tick, and begins that of the next. To begin it takes a step for each frame of
 * the threads that run in the tick: where stacks are deep and little happens, some ticks have no
 * log. Of such a tick the steps are not known: it counts as the last one that has a log.
 */
static void log_tick(struct recording_rebuild *rebuild)
{
    enum { FREE_FRAMES = 1000 * 1000 };
    struct stacks *stacks = rebuild->stacks;
    struct timeline_log *log = &stacks->log;
    keep_slow_tick(rebuild);
    rebuild->order_steps += log->count;
    rebuild->order_frames += log->is_on ? log->frame_count : 0;
    log->is_on = false;
    if (rebuild->order_frames <= rebuild->order_steps + FREE_FRAMES)
        stacks_begin_log(stacks);
}

/* Begins or ends the time line if the tick is at a border. */
static void move_window(struct recording_rebuild *rebuild, int64_t tick)
{
    bool is_inside = recording_rebuild_has(rebuild, tick);
    if (rebuild->window == BEFORE_WINDOW && is_inside) {
        rebuild->window = IN_WINDOW;
        rebuild->timeline_first_tick = tick;
        rebuild->timeline_first_part = rebuild->stacks->entries.part_count + 1;
        if (rebuild->settings->has_timeline)
            stacks_begin_log(rebuild->stacks);
    }
    if (rebuild->window == IN_WINDOW && !is_inside) {
        rebuild->window = AFTER_WINDOW;
        if (rebuild->settings->has_timeline)
            add_timeline(rebuild);
    }
}

static void begin_tick(struct recording_rebuild *rebuild, int64_t tick, bool is_switch_next)
{
    struct stacks *stacks = rebuild->stacks;
    struct rebuilt_recording *result = &rebuild->result;
    enum window_state before = rebuild->window;
    stacks_forget_pending(stacks, false);
    stacks_fail_left(stacks, is_switch_next);
    result->zero_seconds = zero_seconds(stacks);
    if (!result->has_ticks && !rebuild->is_watch) {
        result->all_first_tick = rebuild->timeline_first_tick = tick;
        result->has_ticks = result->has_any_ticks = true;
    }
    result->all_last_tick = tick;
    if (settings_have_window(rebuild->settings))
        move_window(rebuild, tick);
    if (rebuild->window == IN_WINDOW)
        rebuild->timeline_last_tick = tick;
    if (rebuild->settings->keeps_order && !rebuild->is_watch)
        log_tick(rebuild);
    stacks_begin_tick(stacks, tick);
    if (rebuild->settings->keeps_order || (before == BEFORE_WINDOW && rebuild->window == IN_WINDOW))
        timeline_log_put(&stacks->log, STEP_TICK, (uint32_t)tick); /* the log begins here */
    else if (stacks->log.is_on)
        timeline_log_tick(&stacks->log, (uint32_t)tick, stacks->cursor.top == NODES_UNATTRIBUTED);
}

void recording_rebuild_begin_tick(struct recording_rebuild *rebuild, int64_t tick,
                                  bool is_switch_next)
{
    const struct stacks *stacks = rebuild->stacks;
    bool is_of_chance = stacks->is_sampled && stacks->sample != SAMPLE_SLOW;
    if (!is_of_chance)
        begin_tick(rebuild, tick, is_switch_next);
    else if (stacks->weight > 0 && tick <= stacks->tick + 1)
        begin_tick(rebuild, stacks->tick, is_switch_next);
    else if (stacks->weight > 0)
        recording_rebuild_sample(rebuild, SAMPLE_NOTHING, tick); /* the line that says so is lost */
}

/* It turns out to be a watch, of which there is no time line. */
static void begin_watch(struct recording_rebuild *rebuild)
{
    rebuild->is_watch = true;
    rebuild->window = AFTER_WINDOW;
    rebuild->result.zero_seconds = zero_seconds(rebuild->stacks);
    timeline_log_release(&rebuild->stacks->log);
}

/* Ends the wake that was recorded, if any; all its parts have ended. */
static void end_wake(struct recording_rebuild *rebuild, uint32_t sample)
{
    size_t first = rebuild->wake_part - 1;
    if (rebuild->wake_part > 0 && (sample == SAMPLE_WHOLE_WAKE || sample == SAMPLE_CUT_WAKE) &&
        first < rebuild->stacks->entries.part_count) {
        struct wake_start span = {first, sample == SAMPLE_CUT_WAKE};
        MEM_APPEND(
            rebuild->exact_starts, rebuild->exact_start_count, rebuild->exact_start_capacity, span);
    }
}

void recording_rebuild_sample(struct recording_rebuild *rebuild, uint32_t sample, int64_t tick)
{
    struct stacks *stacks = rebuild->stacks;
    bool is_left = sample == SAMPLE_LEFT;
    sample = is_left ? SAMPLE_NOTHING : sample;
    if (sample >= SAMPLE_WATCH && !rebuild->is_watch)
        begin_watch(rebuild);
    stacks_forget_pending(stacks, false);
    if (sample < SAMPLE_WATCH)
        stacks_fail_left(stacks, is_left);
    stacks_lose(stacks);
    stacks_end_part(stacks);
    stacks_end_one_part(stacks);
    if (!stacks->is_sampled)
        stacks_begin_sampling(stacks);
    end_wake(rebuild, sample);
    stacks->sample = sample;
    stacks->weight = 0;
    stacks->tick = -1;
    stacks->serial++;
    if (sample == SAMPLE_WAKE || (sample != SAMPLE_NOTHING && sample <= SAMPLE_SLOW))
        begin_tick(rebuild, tick, false);
    rebuild->wake_part = sample == SAMPLE_WAKE ? 1 + stacks->entries.part_count : 0;
    stacks->weight = sample <= SAMPLE_BLOCK_MAX ? sample : 0;
}

/* The end ------------------------------------------------------------------------------------ */

/*
 * Counts a time as 0 if no game can have measured it, since sums of such times could overflow. Only
 * a damaged log has them. Returns the time of the recording.
 */
static double limit_times(struct recording_rebuild *rebuild)
{
    struct stacks *stacks = rebuild->stacks;
    double units = (double)(stacks_units(stacks) - stacks->nodes.at[NODES_UNATTRIBUTED].self);
    if (stacks->is_sampled)
        units = fmax(units, stacks->weighted_units);
    rebuild->result.is_untimed =
        rebuild->results->time_ns + units * stacks->begin.unit_ns > (double)NUMBER_TIME_MAX_NS;
    if (stacks->begin.has_no_time || rebuild->result.is_untimed)
        stacks->begin.unit_ns = 0;
    return units * stacks->begin.unit_ns;
}

static double sum_recorder(const struct nodes *nodes, const uint8_t *flags, double unit_ns)
{
    double units = 0;
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        units += (flags[node] & NODE_RECORDER) != 0 ? (double)nodes->past[node].units : 0;
    return units * unit_ns;
}

/* Returns the self times, [node_count]. */
static int64_t *copy_times(const struct tree *tree)
{
    int64_t *self_ns = mem_zeroed(tree->node_count, sizeof *self_ns);
    memcpy(self_ns, tree->self_ns, tree->node_count * sizeof *self_ns);
    return self_ns;
}

/* Makes the tree of the recording, and the places of its entries. Returns the self times with the
 * recorder's cost, [node_count]; the caller frees them. */
/* Finds which threads of the reference are in no stack that was recorded. */
static void find_unseen(struct recording_rebuild *rebuild)
{
    const struct nodes *nodes = &rebuild->stacks->nodes;
    const struct tree *tree = &rebuild->tree;
    struct rebuilt_recording *result = &rebuild->result;
    SCOPED_ARRAY bool *is_seen = mem_zeroed(nodes->function_count, sizeof *is_seen);
    double all_ns = 0, unseen_ns = 0, most_ns = 0;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        is_seen[tree->calls[node].function] |= tree->calls[node].parent == TREE_ROOT;
    for (size_t i = 0; i < rebuild->reference.count; i++) {
        const struct event_reference *timed = &rebuild->reference.all[i];
        uint32_t function = nodes_find_function(nodes, timed->function);
        all_ns += timed->ns;
        if (function < nodes->function_count && is_seen[function])
            continue;
        unseen_ns += timed->ns;
        if (timed->ns <= most_ns)
            continue;
        most_ns = timed->ns;
        result->most_unseen = timed->function;
    }
    result->unseen_fraction = unseen_ns / fmax(all_ns, 1);
    result->most_unseen_fraction = most_ns / fmax(all_ns, 1);
}

static int64_t *make_tree(struct recording_rebuild *rebuild)
{
    struct stacks *stacks = rebuild->stacks;
    struct tree *tree = &rebuild->tree;
    struct call_costs *costs = &rebuild->result.costs;
    uint32_t *tree_nodes;
    uint8_t *flags;
    struct overhead_sums sums;
    nodes_to_tree(tree, &stacks->nodes, stacks->begin.unit_ns, &tree_nodes, &flags);
    rebuild->result.recorder_ns = sum_recorder(&stacks->nodes, flags, stacks->begin.unit_ns);
    rebuild->kinds = nodes_call_kinds(&stacks->nodes, tree);
    int64_t *measured_ns = copy_times(tree);
    struct reference_fit fit;
    if (stacks->is_sampled)
        find_unseen(rebuild);
    for (size_t i = 0; i < rebuild->reference.count; i++)
        rebuild->reference.all[i].function =
            nodes_find_function(&stacks->nodes, rebuild->reference.all[i].function);
    rebuild->reference.is_sampled = stacks->is_sampled;
    if (rebuild->settings->costs.is_known)
        rebuild->reference.count = 0; /* the user knows better */
    reference_fit(&fit, &rebuild->reference, &stacks->wakes, tree, rebuild->kinds, costs);
    overhead_remove(tree, rebuild->kinds, costs, &sums);
    bool has_scales = fit.scales != NULL;
    float *first_factors =
        has_scales ? overhead_first_factors(tree, rebuild->kinds, costs, measured_ns) : NULL;
    int64_t *unscaled_ns = has_scales ? copy_times(tree) : NULL;
    SCOPED_ARRAY float *scales = has_scales ? reference_apply(&fit, tree, measured_ns) : NULL;
    /* In a single wake, cost and time cannot be told apart: there a stack keeps the same part of
       its time as in all wakes together. */
    recorded_begin(&rebuild->recorded,
                   &stacks->entries,
                   &stacks->durations,
                   stacks->begin.unit_ns,
                   rebuild->is_watch ? &(struct call_costs){0} : costs);
    recorded_make_places(
        &rebuild->recorded, &stacks->nodes, tree, tree_nodes, flags, rebuild->kinds);
    recorded_take_sums(&rebuild->recorded, &stacks->nodes);
    if (has_scales)
        recorded_scale(&rebuild->recorded, scales, first_factors, unscaled_ns);
    struct rebuilt_recording *result = &rebuild->result;
    result->reference_ratio = fit.is_known ? fit.ratio : 0;
    result->reference_rest = fit.rest;
    result->reference_covered = fit.covered;
    result->cost_fraction = fit.is_known ? fit.cost_fraction : 1;
    result->reference_change = fit.change;
    result->unlike_count = fit.unlike_count;
    result->coldness = fit.coldness;
    result->has_reference_before = fit.has_before;
    result->has_reference_after = fit.has_after;
    MEM_FREE(tree_nodes, flags, fit.scales, fit.is_timed);
    return measured_ns;
}

/* Those of the recorder's own thread say nothing about the game. */
static void drop_wakes_of_recorder(struct wakes *wakes, const struct nodes *nodes)
{
    struct recorder_functions recorder = nodes_recorder_functions(nodes);
    size_t kept = 0;
    for (size_t i = 0; i < wakes->count; i++) {
        struct wake wake = wakes->all[i];
        if (recorder.is_root[wake.function])
            continue;
        wake.number = (uint32_t)kept;
        wakes->all[kept++] = wake;
    }
    wakes->count = kept;
    MEM_FREE(recorder.is_root, recorder.is_own);
}

void recording_rebuild_add_reference(struct recording_rebuild *rebuild,
                                     const struct event_reference *timed)
{
    struct reference *reference = &rebuild->reference;
    MEM_APPEND(reference->all, reference->count, reference->capacity, *timed);
}

void recording_rebuild_end(struct recording_rebuild *rebuild, bool has_thread)
{
    struct stacks *stacks = rebuild->stacks;
    struct rebuilt_recording *result = &rebuild->result;
    struct recorded *recorded = &rebuild->recorded;
    stacks_end(stacks);
    stacks_end_part(stacks);
    stacks_end_one_part(stacks);
    nodes_end(&stacks->nodes);
    rebuild->results->time_ns += limit_times(rebuild);
    if (rebuild->settings->keeps_order) {
        keep_slow_tick(rebuild);
        slow_timelines_finish(
            &rebuild->slowest, stacks, rebuild->number, rebuild->settings->threads);
    } else if (rebuild->window == IN_WINDOW && rebuild->settings->has_timeline) {
        add_timeline(rebuild);
    }
    stacks_finish_lives(stacks);
    result->costs = recording_costs(stacks, rebuild->settings);
    result->contradictions = stacks->contradictions;
    result->is_sampled = stacks->is_sampled;
    SCOPED_ARRAY int64_t *measured_ns = make_tree(rebuild);
    /* The whole is no sum of wakes, and says nothing of single calls. */
    if (rebuild->settings->needs != NEEDS_WHOLE) {
        recorded_join_durations(recorded, &stacks->nodes);
        drop_wakes_of_recorder(&stacks->wakes, &stacks->nodes);
        rebuild->wakes = stacks->wakes;
        stacks->wakes = (struct wakes){0};
        recorded_find_root_costs(recorded, &rebuild->tree, measured_ns);
    }
    stacks_release(stacks);
    free(stacks);
    rebuild->stacks = NULL;
    recorded_divide(recorded,
                    &rebuild->tree,
                    has_thread && recorded->entries.count > RECORDED_UNDIVIDED_ENTRIES);
    /* Nodes only explain what recorded_divide() has found. */
    MEM_FREE(recorded->nodes, recorded->node_of, rebuild->reference.all);
    recorded->nodes = NULL;
    recorded->node_of = NULL;
    rebuild->reference = (struct reference){0};
}

void recording_rebuild_move(struct recording_rebuild *rebuild, uint32_t number,
                            const struct rebuild_settings *settings,
                            struct rebuild_results *results, const uint32_t *functions)
{
    rebuild->number = number;
    rebuild->settings = settings;
    rebuild->results = results;
    recorded_move_functions(&rebuild->recorded, functions);
    if (rebuild->result.unseen_fraction > 0)
        rebuild->result.most_unseen = functions[rebuild->result.most_unseen];
}

void recording_rebuild_release(struct recording_rebuild *rebuild)
{
    if (rebuild->stacks != NULL)
        stacks_release(rebuild->stacks);
    free(rebuild->stacks);
    tree_release(&rebuild->tree);
    recorded_release(&rebuild->recorded);
    if (rebuild->slowest.at != NULL)
        slow_timelines_release(&rebuild->slowest);
    MEM_FREE(rebuild->wakes.all,
             rebuild->wakes.lives,
             rebuild->kinds,
             rebuild->exact_starts,
             rebuild->reference.all);
    *rebuild = (struct recording_rebuild){.result = rebuild->result};
}
