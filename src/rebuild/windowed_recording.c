#include "rebuild/windowed_recording.h"

#include "base/number.h"
#include "rebuild/ending/overhead.h"
#include "rebuild/stacks/whole_stacks.h"
#include "tree/line_runs.h"

/* Puts the stack of the thread with that number into the log of a time line. */
static void log_stack(struct stacks *stacks, size_t number)
{
    struct timeline_log *log = &stacks->log;
    struct thread *thread = &stacks->threads[number];
    if (thread->depth > 0)
        timeline_log_put(log, STEP_THREAD, (uint32_t)number);
    size_t segment = 0;
    for (size_t k = 0; k < thread->depth; k++) {
        bool is_root = segment < thread->segment_count && thread->segments[segment].base == k;
        if (is_root) {
            timeline_log_put(log, STEP_ROOT, 0);
            segment++;
        }
        uint32_t site = nodes_called_from(&stacks->nodes, thread->frames[k].node);
        timeline_log_put(log, STEP_FRAME, site);
    }
}

/* Begins the log of a time line with the present stacks. Its times count from the begin of the
 * recording.
 */
static void begin_log(struct stacks *stacks)
{
    timeline_log_begin(&stacks->log, run_units(stacks));
    if (stacks->thread_count == 0)
        return;
    stacks_save(stacks);
    for (size_t i = 0; i < stacks->thread_count; i++)
        log_stack(stacks, i);
    timeline_log_put(&stacks->log, STEP_THREAD, (uint32_t)stacks->current);
    if (stacks->cursor.top != NODES_UNATTRIBUTED)
        timeline_log_put(&stacks->log, STEP_WAKE, 0);
    else
        timeline_log_wait(&stacks->log, 0);
}

void windowed_recording_begin(struct windowed_recording *windowed, uint32_t number,
                              const struct rebuild_settings *settings,
                              struct rebuild_results *results, struct nodes *spare)
{
    bool has_window = settings->from.kind != WINDOW_OPEN || settings->to.kind != WINDOW_OPEN;
    bool is_left_out = has_window || settings->choice != NULL;
    *windowed = (struct windowed_recording){.stacks = mem_zeroed(1, sizeof *windowed->stacks),
                                            .number = number,
                                            .settings = settings,
                                            .results = results,
                                            .result = {.is_there = true},
                                            .slow = {.limit_ns = settings_limit_ns(settings)},
                                            .tick = -1,
                                            .window = has_window ? BEFORE_WINDOW : IN_WINDOW,
                                            .was_inside = !is_left_out};
    stacks_init(windowed->stacks, spare);
    windowed->stacks->nodes.is_left_out = is_left_out;
    windowed->stacks->work.is_on = settings->counts_work;
    windowed->stacks->work.is_left_out = is_left_out;
    windowed->stacks->nodes.folds_recursion = settings->folds_recursion;
    windowed->stacks->nodes.keeps_moves = settings->keeps_changes;
    windowed->stacks->wakes.is_on = settings->keeps_wakes;
    if (!has_window && settings->has_timeline)
        begin_log(windowed->stacks);
}

/* How many ticks keep their functions until the end: for prices.h, slow ones in a late game. */
static size_t kept_ticks(const struct rebuild_settings *settings)
{
    enum { COMPARED_MAX = 4096 };
    if (settings->keeps_all_ticks)
        return SIZE_MAX;
    return settings->sums_slow_ticks && settings->kept_ticks < COMPARED_MAX ? COMPARED_MAX
                                                                            : settings->kept_ticks;
}

/* Whether a tick was too long, until the overhead is subtracted. */
static bool may_be_slow(const struct windowed_recording *windowed)
{
    const struct stacks *stacks = windowed->stacks;
    return (double)stacks_tick_units(stacks) * stacks->begin.unit_ns >
           (double)windowed->slow.limit_ns;
}

/* Adds the current tick to the sums of slow ticks, or what was before the first. */
static void sum_slow_tick(struct windowed_recording *windowed)
{
    struct nodes *nodes = &windowed->stacks->nodes;
    if (windowed->tick < 0) {
        slow_ticks_begin(nodes);
    } else if (may_be_slow(windowed)) {
        known_costs_update(&windowed->costs, windowed->stacks, windowed->settings);
        slow_ticks_add(&windowed->slow, nodes, &windowed->meter, windowed->stacks->begin.unit_ns,
                       &windowed->costs.costs);
    }
}

/* Ends the current tick. */
static void end_tick(struct windowed_recording *windowed)
{
    struct nodes *nodes = &windowed->stacks->nodes;
    const struct rebuild_settings *settings = windowed->settings;
    if (windowed->tick >= 0 && !nodes->is_left_out)
        tick_meter_add(&windowed->meter, nodes, windowed->tick, stacks_tick_units(windowed->stacks),
                       kept_ticks(settings), settings->sums_slow_ticks && !may_be_slow(windowed));
    if (settings->sums_slow_ticks && !nodes->is_left_out)
        sum_slow_tick(windowed);
    if (settings->keeps_changes)
        tick_changes_add(&windowed->changes, nodes);
    nodes_end_tick(nodes);
    windowed->tick_index += windowed->tick >= 0 && windowed->window == IN_WINDOW;
}

/*
 * Counts a time as 0 if no game can have measured it, since sums of such times could overflow. Only
 * a damaged log has them. Returns the time of the recording.
 */
static double limit_times(struct stacks *stacks, const struct rebuild_results *results)
{
    const struct nodes *nodes = &stacks->nodes;
    double units = 0;
    for (uint32_t node = NODES_FIRST; node < nodes->count; node++)
        units += (double)nodes_whole(nodes, node).self;
    if (results->time_ns + units * stacks->begin.unit_ns > (double)NUMBER_TIME_MAX_NS)
        stacks->begin.unit_ns = 0;
    return units * stacks->begin.unit_ns;
}

static void add_timeline(struct windowed_recording *windowed)
{
    struct stacks *stacks = windowed->stacks;
    const struct rebuilt_recording *result = &windowed->result;
    uint8_t *threads = mem_zeroed(stacks->thread_count, sizeof *threads);
    for (size_t i = 0; i < stacks->thread_count; i++)
        threads[i] = stacks->threads[i].is_coroutine ? NODE_COROUTINE : NODE_MAIN;
    struct timeline_source source = {
        .recording = windowed->number,
        .log = &stacks->log,
        .nodes = &stacks->nodes,
        .threads = threads,
        .thread_count = stacks->thread_count,
        .unit_ns = stacks->begin.unit_ns,
        .kept_threads = windowed->settings->threads,
        .tick_count = result->has_ticks ? result->last_tick - result->first_tick + 1 : 0,
    };
    timeline_add(&windowed->results->timeline, &source);
    timeline_log_release(&stacks->log);
    free(threads);
}

static void end_window(struct windowed_recording *windowed)
{
    limit_times(windowed->stacks, windowed->results);
    stacks_finish_lives(windowed->stacks);
    if (windowed->settings->has_timeline)
        add_timeline(windowed);
    windowed->window = AFTER_WINDOW;
}

/* Tick 0 need not be at 0 seconds. */
static double zero_seconds(const struct stacks *stacks)
{
    if (stacks->begin.tick < 0 || stacks->begin.time_seconds < 0)
        return 0;
    return stacks->begin.time_seconds - (double)stacks->begin.tick / TICKS_A_SECOND;
}

/* Whether a tick is at or after a border. */
static bool is_at(const struct stacks *stacks, struct window_border border, int64_t tick)
{
    if (border.kind == WINDOW_TICK)
        return (double)tick >= border.value;
    double seconds = zero_seconds(stacks) + (double)tick / TICKS_A_SECOND;
    /* Game time is a float: at 10 hours it is exact to 4 ms, and a tick has 100 ms. */
    return seconds + 0.01 >= border.value;
}

/* Begins or ends the window if the tick is at its border. */
static void move_window(struct windowed_recording *windowed, int64_t tick)
{
    const struct rebuild_settings *settings = windowed->settings;
    struct stacks *stacks = windowed->stacks;
    if (windowed->window == BEFORE_WINDOW &&
        (settings->from.kind == WINDOW_OPEN || is_at(stacks, settings->from, tick))) {
        windowed->window = IN_WINDOW;
        if (settings->has_timeline)
            begin_log(stacks);
    }
    if (windowed->window == IN_WINDOW && settings->to.kind != WINDOW_OPEN &&
        is_at(stacks, settings->to, tick))
        end_window(windowed);
}

/* Whether the results are to include the present tick. */
static bool is_wanted(const struct windowed_recording *windowed)
{
    const struct tick_choice *choice = windowed->settings->choice;
    return windowed->window == IN_WINDOW &&
           (choice == NULL || tick_choice_has(choice, windowed->number, windowed->tick_index));
}

void windowed_recording_begin_tick(struct windowed_recording *windowed, int64_t tick,
                                   bool is_switch_next)
{
    struct stacks *stacks = windowed->stacks;
    struct rebuilt_recording *result = &windowed->result;
    enum window_state before = windowed->window;
    stacks_forget_pending(stacks, false);
    stacks_fail_left(stacks, is_switch_next);
    end_tick(windowed);
    if (before == BEFORE_WINDOW || !result->has_ticks)
        result->first_tick = tick;
    move_window(windowed, tick);
    windowed->tick = tick;
    stacks->work.tick = (uint32_t)tick;
    windowed->was_inside |= is_wanted(windowed);
    stacks_begin_tick(stacks, !is_wanted(windowed));
    if (before == BEFORE_WINDOW && windowed->window == IN_WINDOW)
        timeline_log_put(&stacks->log, STEP_TICK, (uint32_t)tick); /* the log begins here */
    else
        timeline_log_tick(&stacks->log, (uint32_t)tick, stacks->cursor.top == NODES_UNATTRIBUTED);
    if (windowed->window != AFTER_WINDOW)
        result->last_tick = tick;
    if (!result->has_ticks)
        result->all_first_tick = tick;
    result->all_last_tick = tick;
    result->has_ticks = true;
    result->zero_seconds = zero_seconds(stacks);
}

/* Subtracts the overhead of a tree that is a part of what was recorded. */
static void remove_overhead_of_part(struct windowed_recording *windowed, struct tree *tree,
                                    const uint32_t *tree_nodes, const uint8_t *kinds,
                                    struct overhead_sums *sums)
{
    struct tree whole;
    uint32_t *whole_of =
        nodes_to_whole_tree(&whole, &windowed->stacks->nodes, windowed->stacks->begin.unit_ns,
                            tree_nodes, tree->node_count);
    overhead_remove_part(tree, whole_of, &whole, kinds, &windowed->result.costs, sums);
    tree_release(&whole);
    free(whole_of);
}

static int64_t *copy_self_times(const struct tree *tree)
{
    int64_t *self_ns = mem_zeroed(tree->node_count, sizeof *self_ns);
    memcpy(self_ns, tree->self_ns, tree->node_count * sizeof *self_ns);
    return self_ns;
}

/*
 * Changes take much memory for each node. A log that has a new node in each of its bytes leaves no
 * room for that; in the log of a game, each node changes in many ticks.
 */
static bool keeps_changes(struct windowed_recording *windowed)
{
    enum { NODES_ALWAYS = 1 << 19, CHANGES_A_NODE = 4 };
    size_t count = windowed->stacks->nodes.count;
    bool has_room = count <= NODES_ALWAYS || windowed->changes.count / CHANGES_A_NODE >= count;
    if (!has_room)
        tick_changes_release(&windowed->changes);
    return windowed->settings->keeps_changes && has_room;
}

/* Makes the tree of the window, and subtracts the recording overhead. */
static void make_tree(struct windowed_recording *windowed, struct tree *tree, struct tree *space,
                      struct overhead_sums *sums)
{
    struct nodes *nodes = &windowed->stacks->nodes;
    const struct rebuild_settings *settings = windowed->settings;
    double unit_ns = windowed->stacks->begin.unit_ns;
    const struct call_costs *costs = &windowed->result.costs;
    bool has_changes = keeps_changes(windowed);
    bool is_all = nodes->left_out == NULL && settings->threads == (NODE_MAIN | NODE_COROUTINE);
    bool needs_whole = !is_all && costs->is_known;
    bool has_slow_ticks = windowed->slow.decided_count > 0;
    uint8_t *kinds = nodes_call_kinds(nodes);
    uint32_t *tree_nodes = NULL;
    struct node_part *parts = NULL;
    nodes_to_tree(tree, nodes, unit_ns, settings->threads,
                  has_changes || needs_whole ? &tree_nodes : NULL, has_slow_ticks ? &parts : NULL,
                  space);
    if (has_changes)
        tick_changes_finish(&windowed->changes, nodes, tree_nodes, unit_ns);
    bool needs_measured = settings->sums_slow_ticks || settings->keeps_wakes;
    int64_t *measured_ns = needs_measured ? copy_self_times(tree) : NULL;
    if (needs_whole)
        remove_overhead_of_part(windowed, tree, tree_nodes, kinds, sums);
    else
        overhead_remove(tree, kinds, costs, sums);
    line_runs_fit(tree->lines, tree->self_ns);
    if (settings->sums_slow_ticks)
        slow_sums_add(&windowed->results->slow, tree, measured_ns, parts, unit_ns);
    if (settings->keeps_wakes)
        thread_sums_add(&windowed->results->threads, &windowed->stacks->wakes, unit_ns, tree,
                        measured_ns);
    MEM_FREE(measured_ns, tree_nodes, parts, kinds);
}

/* Adds the tree of a recording to that of the recordings before. */
static void add_tree(struct rebuild_results *results, const struct tree *tree)
{
    struct tree_builder *builder = &results->builder;
    if (builder->tree.node_count == 0)
        tree_builder_take(builder, &results->tree);
    tree_builder_add_tree(builder, tree);
}

/* The first tree needs no copy. A small tree that is copied needs no memory of its own. */
static void take_tree(struct windowed_recording *windowed, struct tree *space,
                      struct overhead_sums *sums)
{
    struct rebuild_results *results = windowed->results;
    struct tree tree;
    if (results->tree.node_count == 0 && results->builder.tree.node_count == 0) {
        make_tree(windowed, &results->tree, NULL, sums);
    } else if (windowed->stacks->nodes.count <= NODES_RECYCLED_MAX) {
        make_tree(windowed, &tree, space, sums);
        add_tree(results, &tree);
        line_runs_free(tree.lines);
    } else {
        make_tree(windowed, &tree, NULL, sums);
        add_tree(results, &tree);
        tree_release(&tree);
    }
}

static void add_to_results(struct windowed_recording *windowed, struct tree *space)
{
    struct stacks *stacks = windowed->stacks;
    struct rebuilt_recording *result = &windowed->result;
    struct rebuild_results *results = windowed->results;
    if (windowed->window == IN_WINDOW)
        end_window(windowed);
    results->time_ns += limit_times(stacks, results);
    struct overhead_sums sums;
    slow_ticks_finish(&windowed->slow, &stacks->nodes, &windowed->meter, stacks->begin.unit_ns,
                      &result->costs);
    results->slow.is_wrong |= windowed->slow.is_wrong;
    prices_finish(&windowed->meter.prices);
    work_sums_add(&results->work, &stacks->work, &stacks->nodes, &windowed->meter.prices,
                  stacks->begin.unit_ns);
    nodes_fold_lines(&stacks->nodes);
    take_tree(windowed, space, &sums);
    result->measured_ns = sums.measured_ns;
    result->removed_ns = sums.removed_ns;
    result->clamped_ns = sums.clamped_ns;
    results->ticks.state = windowed->settings->state;
    results->ticks.limit_ns = windowed->slow.limit_ns;
    tick_meter_finish(&windowed->meter, &results->ticks, windowed->number, stacks->begin.unit_ns,
                      &result->costs, windowed->settings->kept_ticks,
                      windowed->settings->keeps_all_ticks   ? -1
                      : windowed->settings->sums_slow_ticks ? windowed->slow.limit_ns
                                                            : INT64_MAX);
    /* The nodes of the first tree keep their numbers. */
    if (results->changed_recordings++ == 0) {
        results->changes = windowed->changes;
        windowed->changes = (struct tick_changes){0};
    } else {
        tick_changes_release(&results->changes);
    }
}

void windowed_recording_end(struct windowed_recording *windowed, struct tree *space)
{
    struct stacks *stacks = windowed->stacks;
    stacks_end(stacks);
    end_tick(windowed);
    nodes_end(&stacks->nodes);
    windowed->result.costs = recording_costs(stacks, windowed->settings);
    windowed->result.is_outside = !windowed->was_inside;
    windowed->result.contradictions = stacks->contradictions;
    if (windowed->window != BEFORE_WINDOW)
        add_to_results(windowed, space);
}

struct windowed_recording windowed_recording_take(struct windowed_recording *windowed)
{
    struct windowed_recording taken = *windowed;
    *windowed = (struct windowed_recording){.number = taken.number};
    return taken;
}

void windowed_recording_release(struct windowed_recording *windowed, struct nodes *spare)
{
    tick_meter_release(&windowed->meter);
    tick_changes_release(&windowed->changes);
    slow_ticks_release(&windowed->slow);
    if (windowed->stacks != NULL)
        stacks_release(windowed->stacks, spare);
    free(windowed->stacks);
    windowed->stacks = NULL;
}
