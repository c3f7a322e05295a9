/*
 * Reads any bytes as a log with recordings: whatever they hold, reading ends, and the
 * trees, ticks and time lines that come out of it keep their time and calls. Like fuzz_log.c, this
 * is called by libFuzzer and by replay.c.
 */
#include "read/memory_log.h"
#include "read/recording.h"
#include "rebuild/rebuild.h"
#include "rebuild/timeline_text.h"
#include "tree/fold.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_true)
{
    if (!is_true)
        abort();
}

/* The first byte chooses what a command line could ask for. */
static struct rebuild_settings choose_settings(uint8_t choice)
{
    static const uint8_t threads[] = {NODE_MAIN | NODE_COROUTINE, NODE_MAIN, NODE_COROUTINE,
                                      NODE_MAIN | NODE_COROUTINE};
    struct rebuild_settings settings = {.threads = threads[choice >> 5 & 3], .kept_ticks = 2};
    enum window_kind kind = choice & 4 ? WINDOW_SECONDS : WINDOW_TICK;
    double unit = choice & 4 ? 0.1 : 1;
    if (choice & 1)
        settings.from = (struct window_border){kind, 2 * unit, false};
    if (choice & 2)
        settings.to = (struct window_border){kind, 5 * unit, false};
    settings.keeps_costs = (choice & 8) != 0;
    settings.has_timeline = (choice & 24) == 24;
    if ((choice & 24) == 16)
        settings.costs =
            (struct call_costs){.is_known = true, .in_ns = {200, 1e6}, .out_ns = {0.3, 1e3}};
    if ((choice & 96) == 96)
        settings.choice = (struct tick_choice){.is_on = true, .over_ns = 1000, .up_to_ns = 1000000};
    return settings;
}

/* Returns the number of events that were read. */
static uint64_t read_lines(struct memory_log *memory, struct recordings *recordings,
                           struct rebuild *rebuild, bool is_given_by_line, size_t size)
{
    struct events events = {0};
    struct record record;
    struct error err;
    enum log_status status;
    size_t count = 0;
    uint32_t runs = 0;
    while ((status = log_next(&memory->log, &record, &err)) != LOG_END && status != LOG_FAILED) {
        check(++count <= size);
        if (status != LOG_RECORDER)
            continue;
        struct line_owner owner = recordings_find_owner(recordings, &record.recorder);
        if (owner.begins_one)
            owner.run = ++runs;
        recordings_read(recordings, &record.recorder, owner, record.is_cut, &events, &err);
        if (!is_given_by_line)
            continue;
        size_t settled = last_line_start(&recordings->last, &events);
        rebuild_add(rebuild, events.at, settled);
        events.count -= settled;
        if (settled > 0)
            memmove(events.at, events.at + settled, events.count * sizeof *events.at);
        recordings->last.end -= recordings->last.start;
        recordings->last.start = 0;
    }
    rebuild_add(rebuild, events.at, events.count);
    free(events.at);
    recordings_finish(recordings);
    check(runs == recordings->count);
    uint64_t event_count = 0;
    for (size_t i = 0; i < recordings->count; i++)
        event_count += recordings->all[i].events;
    return event_count;
}

static void check_details(const struct call_details *details, uint64_t event_max)
{
    check(details->errors < INT64_MAX && details->memory_kb < INT64_MAX);
    check(details->finished <= event_max);
    check(details->finished_ns >= 0);
    check(details->finished == 0 || (details->min_ns >= 0 && details->min_ns <= details->max_ns));
    check(details->variance_ns2 >= 0 && details->cost_error_ns >= 0);
}

/* `event_max`: no more events were read. */
static void check_tree(const struct tree *tree, const struct symbols *symbols, uint64_t event_max)
{
    int64_t self_ns = 0;
    uint64_t calls = 0;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        self_ns += tree->self_ns[node];
        calls += tree->call_counts[node];
        check(tree->self_ns[node] >= 0 && tree->total_ns[node] >= tree->self_ns[node]);
        check(tree->call_counts[node] <= event_max);
        check_details(&tree->details[node], event_max);
        if (node == TREE_ROOT)
            continue;
        check(tree->calls[node].parent < node);
        check(tree->calls[node].function < symbols->function_count);
        check(tree->flags[node] & (NODE_MAIN | NODE_COROUTINE));
    }
    check(self_ns == tree->total_ns[TREE_ROOT]);
    check(calls <= event_max);
}

static void check_ticks(const struct tick_list *list, uint64_t event_max)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        check(tick->time_ns >= 0 && tick->measured_ns >= 0);
        check(tick->calls <= event_max && tick->function_count <= TICK_FUNCTIONS_MAX);
        calls += tick->calls;
        for (size_t k = 0; k < tick->function_count; k++) {
            check(tick->functions[k].self_ns >= 0);
            check(tick->functions[k].calls <= event_max);
            check(k == 0 || tick->functions[k - 1].self_ns >= tick->functions[k].self_ns);
        }
    }
    check(calls <= event_max);
}

/* Returns the time of the stacks of each root function, [function_count]. */
static int64_t *sum_roots(const struct tree *tree, size_t function_count)
{
    int64_t *roots_ns = mem_zeroed(function_count, sizeof *roots_ns);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        if (tree->calls[node].parent == TREE_ROOT)
            roots_ns[tree->calls[node].function] += tree->total_ns[node];
    return roots_ns;
}

/* Ticks, slow and other ticks, and wakes are parts of the tree, to the nanosecond. */
static void check_sums(const struct rebuild_results *results, const struct tree *tree,
                       const struct rebuild_settings *settings)
{
    int64_t time_ns = 0, listed_ns = 0;
    for (size_t i = 0; i < results->ticks.count; i++)
        time_ns += results->ticks.ticks[i].time_ns * results->ticks.ticks[i].weight;
    check(time_ns <= tree->total_ns[TREE_ROOT]);
    check(!settings->choice.is_on || time_ns == tree->total_ns[TREE_ROOT]);
    check(!settings->choice.is_on || results->choice.chosen_count == results->ticks.count);
    check(results->slow.all.slow_ns + results->slow.all.other_ns == time_ns);
    for (size_t i = 0; i < results->slow.count; i++)
        listed_ns += results->slow.at[i].slow_ns + results->slow.at[i].other_ns;
    check(listed_ns == time_ns);
    /* Wakes are those that were recorded. */
    if (results->ticks.is_sampled)
        return;
    size_t function_count = tree_count_functions(tree);
    int64_t *roots_ns = sum_roots(tree, function_count);
    for (size_t i = 0; i < results->threads.wake_count; i++) {
        const struct wake *wake = &results->threads.wakes[i];
        check(wake->ns >= 0);
        check(wake->ns == 0 || wake->function < function_count);
        if (wake->ns > 0)
            roots_ns[wake->function] -= wake->ns;
    }
    for (size_t i = 0; i < function_count; i++)
        check(roots_ns[i] >= 0);
    free(roots_ns);
}

/* Every call has a slice, unless it was too deep. */
static void check_slices(const struct timeline *timeline, const struct rebuild_settings *settings)
{
    uint64_t calls = timeline->truncated_count;
    timeline_check(timeline);
    for (size_t i = 0; i < timeline->slice_count; i++) {
        const struct slice *slice = &timeline->slices[i];
        calls += !(slice->flags & SLICE_CONTINUED) && slice->function != TIMELINE_TRUNCATED;
    }
    check(settings->threads != (NODE_MAIN | NODE_COROUTINE) || timeline->is_too_long ||
          calls == timeline->calls);
}

static void check_runs(const struct rebuild *rebuild, const struct recordings *recordings)
{
    for (uint32_t i = 0; i < recordings->count; i++) {
        struct rebuilt_recording run = rebuild_recording(rebuild, i);
        check(run.measured_ns >= 0 && run.removed_ns >= 0 && run.clamped_ns >= 0);
        check(run.removed_ns <= run.measured_ns);
        check(!run.costs.is_known || (run.costs.in_ns[0] >= 0 && run.costs.out_ns[0] >= 0 &&
                                      run.costs.in_ns[1] >= 0 && run.costs.out_ns[1] >= 0));
    }
    check(!rebuild_recording(rebuild, (uint32_t)recordings->count).is_there);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { BLOCK_BYTES = 1024 };
    if (size == 0)
        return 0;
    struct memory_log memory;
    memory_log_open(&memory, (struct span){(const char *)data + 1, size - 1}, BLOCK_BYTES);
    struct recordings recordings;
    recordings_init(&recordings, memory.grammar, &memory.symbols);
    struct rebuild_settings settings = choose_settings(data[0]);
    struct rebuild *rebuild = rebuild_new(&settings);

    uint64_t event_count = read_lines(&memory, &recordings, rebuild, (data[0] & 128) != 0, size);
    check(event_count <= size);
    rebuild_finish(rebuild);
    uint64_t event_max = event_count;
    if (rebuild_results(rebuild)->ticks.is_sampled)
        event_max *= SAMPLE_BLOCK_MAX;
    struct tree tree = rebuild_results(rebuild)->tree;
    rebuild_results(rebuild)->tree = (struct tree){0};
    struct tree merged;
    fold_lines(&merged, &tree);
    check_tree(&tree, &memory.symbols, event_max);
    check_ticks(&rebuild_results(rebuild)->ticks, event_count);
    if (settings.threads == (NODE_MAIN | NODE_COROUTINE))
        check_sums(rebuild_results(rebuild), &tree, &settings);
    check_runs(rebuild, &recordings);
    if (settings.has_timeline)
        check_slices(&rebuild_results(rebuild)->timeline, &settings);
    check_tree(&merged, &memory.symbols, event_max);
    tree_keep_thread(&merged, NODE_MAIN);
    check(merged.total_ns[TREE_ROOT] <= tree.total_ns[TREE_ROOT]);

    tree_release(&tree);
    tree_release(&merged);
    rebuild_free(rebuild);
    recordings_release(&recordings);
    memory_log_close(&memory);
    return 0;
}
