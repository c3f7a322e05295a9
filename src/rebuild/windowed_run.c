#include "rebuild/windowed_run.h"

#include "base/mem.h"
#include "base/number.h"
#include "rebuild/nodes_to_tree.h"
#include "rebuild/overhead.h"
#include "rebuild/whole_stacks.h"

#include <stdlib.h>

enum { SECOND_TICKS = 10 };

/* All present frames began before the window. */
static void forget_what_was_before(struct run *run)
{
    nodes_reset(&run->nodes);
    run->claim_count = 0;
    run_save(run);
    for (size_t i = 0; i < run->thread_count; i++) {
        struct thread *thread = &run->threads[i];
        for (size_t k = 0; k < thread->depth; k++)
            thread->frames[k].start = START_UNKNOWN;
        thread->waiting.unattributed = 0;
        thread->waiting.unattributed_kb = 0;
        for (size_t k = 0; k < thread->segment_count; k++) {
            struct segment *segment = &thread->segments[k];
            segment->below.unattributed = 0;
            segment->below.unattributed_kb = 0;
            segment->units_before = 0;
            segment->memory_kb_before = 0;
        }
    }
}

/* All present frames did not return in the window. */
static void count_unfinished(struct run *run)
{
    run_save(run);
    for (size_t i = 0; i < run->thread_count; i++) {
        const struct thread *thread = &run->threads[i];
        for (size_t k = 0; k < thread->depth; k++)
            run->nodes.origins[thread->frames[k].node].unfinished +=
                thread->frames[k].start != START_UNKNOWN;
    }
}

/* Returns the sum of the units in all nodes: the time since they were reset. */
static int64_t counted_units(const struct run *run)
{
    int64_t units = 0;
    for (uint32_t node = 0; node < run->nodes.count; node++)
        units += run->nodes.at[node].self;
    return units;
}

/* Puts the stack of the thread with that number into the log of a time line. */
static void log_stack(struct run *run, size_t number)
{
    struct timeline_log *log = &run->log;
    struct thread *thread = &run->threads[number];
    if (thread->depth > 0)
        timeline_log_put(log, STEP_THREAD, (uint32_t)number);
    size_t segment = 0;
    for (size_t k = 0; k < thread->depth; k++) {
        bool is_root = segment < thread->segment_count && thread->segments[segment].base == k;
        if (is_root) {
            timeline_log_put(log, STEP_ROOT, 0);
            segment++;
        }
        uint32_t site = run->nodes.at[thread->frames[k].node].site & ~SITE_IS_OPEN;
        timeline_log_put(log, STEP_FRAME, site);
    }
}

/*
 * Begins the log of a time line with the present stacks. Its times count from the begin of the run,
 * `now` units ago.
 */
static void begin_log(struct run *run, int64_t now)
{
    timeline_log_begin(&run->log, now);
    if (run->thread_count == 0)
        return;
    run_save(run);
    for (size_t i = 0; i < run->thread_count; i++)
        log_stack(run, i);
    timeline_log_put(&run->log, STEP_THREAD, (uint32_t)run->current);
    if (run->cursor.top != NODES_UNATTRIBUTED)
        timeline_log_put(&run->log, STEP_WAKE, 0);
    else
        timeline_log_wait(&run->log, 0);
}

void windowed_run_begin(struct windowed_run *windowed, uint32_t number,
                        const struct rebuild_settings *settings, struct rebuild_results *results)
{
    bool has_window = settings->from.kind != WINDOW_OPEN || settings->to.kind != WINDOW_OPEN;
    *windowed = (struct windowed_run){.run = mem_zeroed(1, sizeof *windowed->run),
                                      .number = number,
                                      .settings = settings,
                                      .results = results,
                                      .result = {.is_there = true},
                                      .tick = -1,
                                      .window = has_window ? BEFORE_WINDOW : IN_WINDOW,
                                      .was_inside = !has_window && settings->choice == NULL};
    run_init(windowed->run);
    if (!has_window && settings->has_timeline)
        begin_log(windowed->run, 0);
}

/* Ends the current tick. */
static void end_tick(struct windowed_run *windowed)
{
    struct nodes *nodes = &windowed->run->nodes;
    bool is_in_window = windowed->tick >= 0 && windowed->window == IN_WINDOW;
    if (is_in_window && (windowed->settings->choice == NULL || windowed->is_chosen))
        tick_meter_add(&windowed->meter, nodes, windowed->tick, windowed->settings->kept_ticks);
    windowed->tick_index += is_in_window;
    nodes_begin_tick(nodes);
}

/* Keeps the counts of a row of chosen ticks, which ends here. */
static void keep_chosen(struct windowed_run *windowed)
{
    if (windowed->is_chosen) {
        count_unfinished(windowed->run);
        nodes_keep(&windowed->run->nodes);
    }
    windowed->is_chosen = false;
}

/* Begins or ends a row of chosen ticks. */
static void choose_tick(struct windowed_run *windowed)
{
    const struct tick_choice *choice = windowed->settings->choice;
    bool is_chosen = windowed->window == IN_WINDOW &&
                     tick_choice_has(choice, windowed->number, windowed->tick_index);
    if (!is_chosen) {
        keep_chosen(windowed);
    } else if (!windowed->is_chosen) {
        forget_what_was_before(windowed->run);
        windowed->is_chosen = true;
        windowed->was_inside = true;
    }
}

/*
 * Counts a time as 0 if no game can have measured it, since sums of such times could overflow. Only
 * a damaged log has them.
 */
static void limit_times(struct run *run, struct rebuild_results *results)
{
    double time_ns = 0;
    for (uint32_t node = NODES_FIRST; node < run->nodes.count; node++)
        time_ns += (double)run->nodes.at[node].self * run->begin.unit_ns;
    if (results->time_ns + time_ns > (double)NUMBER_TIME_MAX_NS)
        run->begin.unit_ns = 0;
    else
        results->time_ns += time_ns;
}

static void add_timeline(struct windowed_run *windowed)
{
    struct run *run = windowed->run;
    const struct rebuilt_run *result = &windowed->result;
    uint8_t *threads = mem_zeroed(run->thread_count, sizeof *threads);
    for (size_t i = 0; i < run->thread_count; i++)
        threads[i] = run->threads[i].is_coroutine ? NODE_COROUTINE : NODE_MAIN;
    struct timeline_source source = {
        .run = windowed->number,
        .log = &run->log,
        .nodes = &run->nodes,
        .threads = threads,
        .thread_count = run->thread_count,
        .unit_ns = run->begin.unit_ns,
        .kept_threads = windowed->settings->threads,
        .tick_count = result->has_ticks ? result->last_tick - result->first_tick + 1 : 0,
    };
    timeline_add(&windowed->results->timeline, &source);
    timeline_log_release(&run->log);
    free(threads);
}

/* The counts of the run are final. */
static void end_window(struct windowed_run *windowed)
{
    struct run *run = windowed->run;
    if (windowed->settings->choice == NULL) {
        count_unfinished(run);
    } else {
        keep_chosen(windowed);
        nodes_take_kept(&run->nodes);
    }
    limit_times(run, windowed->results);
    if (windowed->settings->has_timeline)
        add_timeline(windowed);
    nodes_to_tree(&windowed->tree, &run->nodes, run->begin.unit_ns, windowed->settings->threads);
    windowed->window = AFTER_WINDOW;
}

/* Tick 0 need not be at 0 seconds. */
static double zero_seconds(const struct run *run)
{
    if (run->begin.tick < 0 || run->begin.time_seconds < 0)
        return 0;
    return run->begin.time_seconds - (double)run->begin.tick / SECOND_TICKS;
}

/* Whether a tick is at or after a border. */
static bool is_at(const struct run *run, struct window_border border, int64_t tick)
{
    if (border.kind == WINDOW_TICK)
        return (double)tick >= border.value;
    double seconds = zero_seconds(run) + (double)tick / SECOND_TICKS;
    /* Game time is a float: at 10 hours it is exact to 4 ms, and a tick has 100 ms. */
    return seconds + 0.01 >= border.value;
}

/* Begins or ends the window if the tick is at its border. */
static void move_window(struct windowed_run *windowed, int64_t tick)
{
    const struct rebuild_settings *settings = windowed->settings;
    struct run *run = windowed->run;
    if (windowed->window == BEFORE_WINDOW &&
        (settings->from.kind == WINDOW_OPEN || is_at(run, settings->from, tick))) {
        int64_t now = counted_units(run);
        windowed->window = IN_WINDOW;
        forget_what_was_before(run);
        if (settings->has_timeline)
            begin_log(run, now);
    }
    if (windowed->window == IN_WINDOW && settings->to.kind != WINDOW_OPEN &&
        is_at(run, settings->to, tick))
        end_window(windowed);
    windowed->was_inside |= windowed->window == IN_WINDOW && settings->choice == NULL;
}

void windowed_run_begin_tick(struct windowed_run *windowed, int64_t tick)
{
    struct run *run = windowed->run;
    struct rebuilt_run *result = &windowed->result;
    end_tick(windowed);
    if (windowed->window == BEFORE_WINDOW || !result->has_ticks)
        result->first_tick = tick;
    move_window(windowed, tick);
    if (windowed->settings->choice != NULL)
        choose_tick(windowed);
    windowed->tick = tick;
    timeline_log_put(&run->log, STEP_TICK, (uint32_t)tick);
    if (windowed->window != AFTER_WINDOW)
        result->last_tick = tick;
    if (!result->has_ticks)
        result->all_first_tick = tick;
    result->all_last_tick = tick;
    result->has_ticks = true;
    result->zero_seconds = zero_seconds(run);
    if (run->cursor.top != NODES_UNATTRIBUTED)
        nodes_touch(&run->nodes, run->cursor.top);
}

static struct call_costs choose_costs(const struct rebuild_settings *settings,
                                      const struct run *run)
{
    if (settings->keeps_costs || settings->costs.is_known)
        return settings->costs;
    return calibration_estimate(&run->calibration, run->begin.unit_ns, run->begin.turn_ns);
}

/* Subtracts the recording overhead from the counts of the window, and adds them to the results. */
static void add_to_results(struct windowed_run *windowed)
{
    const struct run *run = windowed->run;
    struct rebuilt_run *result = &windowed->result;
    struct rebuild_results *results = windowed->results;
    struct overhead_sums sums;
    uint8_t *kinds = nodes_call_kinds(&run->nodes);
    overhead_remove(&windowed->tree, kinds, &result->costs, &sums);
    free(kinds);
    result->measured_ns = sums.measured_ns;
    result->removed_ns = sums.removed_ns;
    result->clamped_ns = sums.clamped_ns;
    tick_meter_finish(&windowed->meter, &results->ticks, windowed->number, run->begin.unit_ns,
                      &result->costs);
    tree_builder_add_tree(&results->builder, &windowed->tree);
}

void windowed_run_end(struct windowed_run *windowed)
{
    struct run *run = windowed->run;
    if (run == NULL)
        return;
    run_end_stacks(run);
    end_tick(windowed);
    if (windowed->window == IN_WINDOW)
        end_window(windowed);
    windowed->result.is_outside = !windowed->was_inside;
    windowed->result.costs = choose_costs(windowed->settings, run);
    windowed->result.contradictions = run->contradictions;
    if (windowed->window == AFTER_WINDOW)
        add_to_results(windowed);
    windowed_run_release(windowed);
}

void windowed_run_release(struct windowed_run *windowed)
{
    tick_meter_release(&windowed->meter);
    tree_release(&windowed->tree);
    if (windowed->run != NULL)
        run_release(windowed->run);
    free(windowed->run);
    windowed->run = NULL;
}
