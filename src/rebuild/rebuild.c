#include "rebuild/rebuild.h"

#include "base/mem.h"
#include "rebuild/event_loop.h"
#include "rebuild/windowed_run.h"

#include <stdlib.h>

struct rebuild {
    struct rebuild_settings settings;
    struct windowed_run *runs; /* [run_count] by number of the run */
    size_t run_count, run_capacity;
    uint32_t current;
    struct rebuild_results results;
    struct run_memory memory;
};

struct rebuild *rebuild_new(const struct rebuild_settings *settings)
{
    struct rebuild *rebuild = mem_zeroed(1, sizeof *rebuild);
    rebuild->settings = *settings;
    return rebuild;
}

void rebuild_free(struct rebuild *rebuild)
{
    if (rebuild == NULL)
        return;
    for (size_t i = 0; i < rebuild->run_count; i++)
        windowed_run_release(&rebuild->runs[i]);
    free(rebuild->runs);
    run_memory_release(&rebuild->memory);
    tree_release(&rebuild->results.tree);
    tree_builder_release(&rebuild->results.builder);
    tick_list_release(&rebuild->results.ticks);
    timeline_release(&rebuild->results.timeline);
    tick_changes_release(&rebuild->results.changes);
    free(rebuild);
}

/* Returns the run with that number; begins it if necessary. */
static struct windowed_run *find_run(struct rebuild *rebuild, uint32_t number)
{
    size_t before = rebuild->run_count;
    rebuild->runs =
        mem_grow(rebuild->runs, &rebuild->run_capacity, (size_t)number + 1, sizeof *rebuild->runs);
    if (number >= before)
        rebuild->run_count = (size_t)number + 1;
    for (size_t i = before; i < rebuild->run_count; i++)
        rebuild->runs[i] = (struct windowed_run){0};
    struct windowed_run *windowed = &rebuild->runs[number];
    if (!windowed->result.is_there)
        windowed_run_begin(windowed, number, &rebuild->settings, &rebuild->results,
                           &rebuild->memory);
    return windowed;
}

/*
 * Applies the events of the current run, starting at `event`. Returns the first event of another
 * run.
 */
static const struct event *add_to_run(struct windowed_run *windowed, const struct event *begin,
                                      const struct event *event, const struct event *end)
{
    while (event < end) {
        enum event_kind kind = event_kind(*event);
        if (kind == EVENT_RUN)
            break;
        if (kind == EVENT_TICK && windowed->run != NULL)
            windowed_run_begin_tick(windowed, event->units);
        if (kind == EVENT_END)
            windowed_run_end(windowed);
        /* Events after the end of a run do not belong to it. */
        if (kind == EVENT_TICK || kind == EVENT_END || windowed->run == NULL)
            event += event_length(*event);
        else
            event = run_do_events(windowed->run, begin, event, end);
    }
    return event;
}

void rebuild_add(struct rebuild *rebuild, const struct event *events, size_t count)
{
    /* With no events the pointer may be null, and C forbids adding to it. */
    const struct event *end = count == 0 ? events : events + count;
    const struct event *event = events;
    while (event < end) {
        if (event_kind(*event) == EVENT_RUN)
            rebuild->current = event_operand(*event++);
        event = add_to_run(find_run(rebuild, rebuild->current), events, event, end);
    }
}

void rebuild_sum(const struct rebuild *rebuild, struct running_sums *sums)
{
    running_sums_begin(sums, rebuild->run_count);
    running_sums_add_results(sums, &rebuild->results);
    for (size_t i = 0; i < rebuild->run_count; i++)
        if (rebuild->runs[i].run != NULL)
            running_sums_add_run(sums, &rebuild->runs[i]);
    running_sums_end(sums);
}

void rebuild_sum_recent_ticks(const struct rebuild *rebuild, struct running_sums *sums)
{
    running_sums_add_recent_results(sums, &rebuild->results);
    for (size_t i = 0; i < rebuild->run_count; i++)
        if (rebuild->runs[i].run != NULL)
            running_sums_add_recent(sums, &rebuild->runs[i]);
}

void rebuild_finish(struct rebuild *rebuild)
{
    for (size_t i = 0; i < rebuild->run_count; i++)
        windowed_run_end(&rebuild->runs[i]);
    struct rebuild_results *results = &rebuild->results;
    if (results->tree.node_count == 0 && results->builder.node_count == 0)
        tree_builder_init(&results->builder, TIMES_SELF, true);
    if (results->builder.node_count > 0)
        tree_builder_finish(&results->builder, &results->tree);
    timeline_finish(&rebuild->results.timeline);
}

struct rebuild_results *rebuild_results(struct rebuild *rebuild)
{
    return &rebuild->results;
}

struct rebuilt_run rebuild_run(const struct rebuild *rebuild, uint32_t run)
{
    return run < rebuild->run_count ? rebuild->runs[run].result : (struct rebuilt_run){0};
}
