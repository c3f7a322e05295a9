#include "rebuild/rebuild.h"

#include "base/job.h"
#include "rebuild/stacks/event_loop.h"
#include "rebuild/windowed_run.h"

/*
 * The end of a run takes half as long as its events if it is short: the tree, the overhead, the
 * merging with other runs. Another thread does that while this one goes on with the next run:
 * otherwise 100 short runs take 19 % more time, and five 11 %.
 */
struct ending {
    struct job job;
    struct windowed_run run;    /* used by the job alone until it is waited for */
    struct rebuilt_run *result; /* where the result of that run belongs */
    struct nodes spare;         /* after that: the memory of its nodes */
    struct tree space;          /* of its tree */
};

struct rebuild {
    struct rebuild_settings settings;
    struct windowed_run **runs; /* [run_count] by number of the run; NULL before its first event */
    size_t run_count, run_capacity;
    uint32_t current;
    struct rebuild_results results; /* used by the job, too */
    struct ending *ending;
    struct nodes spare; /* memory for the nodes of the next run */
};

struct rebuild *rebuild_new(const struct rebuild_settings *settings)
{
    struct rebuild *rebuild = mem_zeroed(1, sizeof *rebuild);
    rebuild->settings = *settings;
    rebuild->ending = mem_zeroed(1, sizeof *rebuild->ending);
    return rebuild;
}

void rebuild_free(struct rebuild *rebuild)
{
    if (rebuild == NULL)
        return;
    job_wait(&rebuild->ending->job);
    for (size_t i = 0; i < rebuild->run_count; i++) {
        if (rebuild->runs[i] != NULL)
            windowed_run_release(rebuild->runs[i], &rebuild->spare);
        free(rebuild->runs[i]);
    }
    free(rebuild->runs);
    nodes_release(&rebuild->spare);
    nodes_release(&rebuild->ending->spare);
    tree_release(&rebuild->ending->space);
    free(rebuild->ending);
    tree_release(&rebuild->results.tree);
    tree_builder_release(&rebuild->results.builder);
    tick_list_release(&rebuild->results.ticks);
    slow_sums_release(&rebuild->results.slow);
    thread_sums_release(&rebuild->results.threads);
    work_sums_release(&rebuild->results.work);
    timeline_release(&rebuild->results.timeline);
    tick_changes_release(&rebuild->results.changes);
    free(rebuild);
}

/* Returns the run with that number; begins it if necessary. */
static struct windowed_run *find_run(struct rebuild *rebuild, uint32_t number)
{
    MEM_GROW(rebuild->runs, rebuild->run_capacity, (size_t)number + 1);
    while (rebuild->run_count <= number)
        rebuild->runs[rebuild->run_count++] = NULL;
    if (rebuild->runs[number] == NULL) {
        rebuild->runs[number] = mem_zeroed(1, sizeof *rebuild->runs[number]);
        windowed_run_begin(rebuild->runs[number], number, &rebuild->settings, &rebuild->results,
                           &rebuild->spare);
    }
    return rebuild->runs[number];
}

/* On another thread. */
static void do_end(void *context)
{
    struct rebuild *rebuild = context;
    struct ending *ending = rebuild->ending;
    windowed_run_end(&ending->run, &ending->space);
    windowed_run_release(&ending->run, &ending->spare);
    *ending->result = ending->run.result;
}

/* Ends a run, unless it has ended. Its result is there when the end has been waited for. */
static void end_run(struct rebuild *rebuild, struct windowed_run *windowed)
{
    /* The end of a smaller run takes little longer than the start of a thread. */
    enum { NODES_FOR_A_THREAD = 4096 };
    struct ending *ending = rebuild->ending;
    if (windowed->run == NULL)
        return;
    job_wait(&rebuild->ending->job);
    if (ending->spare.at != NULL) {
        nodes_release(&rebuild->spare);
        rebuild->spare = ending->spare;
        ending->spare = (struct nodes){0};
    }
    ending->run = windowed_run_take(windowed);
    ending->result = &windowed->result;
    /*
     * With a window, another run changes the results when its window ends, and two threads must not
     * do that at once.
     */
    bool shares_results = rebuild->settings.to.kind != WINDOW_OPEN;
    if (shares_results || ending->run.run->nodes.count < NODES_FOR_A_THREAD)
        do_end(rebuild);
    else
        job_start(&ending->job, do_end, rebuild);
}

/*
 * Applies the events of the current run, starting at `event`. Returns the first event of another
 * run.
 */
static const struct event *add_to_run(struct rebuild *rebuild, struct windowed_run *windowed,
                                      const struct event *begin, const struct event *event,
                                      const struct event *end)
{
    while (event < end) {
        enum event_kind kind = event_kind(*event);
        if (kind == EVENT_RUN)
            break;
        if (kind == EVENT_TICK && windowed->run != NULL)
            windowed_run_begin_tick(windowed, event->units,
                                    event + 1 < end && event_kind(event[1]) == EVENT_THREAD);
        if (kind == EVENT_END)
            end_run(rebuild, windowed);
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
        event = add_to_run(rebuild, find_run(rebuild, rebuild->current), events, event, end);
    }
}

static bool is_running(const struct windowed_run *windowed)
{
    return windowed != NULL && windowed->run != NULL;
}

void rebuild_sum(const struct rebuild *rebuild, struct running_sums *sums)
{
    job_wait(&rebuild->ending->job);
    running_sums_begin(sums, rebuild->run_count);
    running_sums_add_results(sums, &rebuild->results);
    for (size_t i = 0; i < rebuild->run_count; i++)
        if (is_running(rebuild->runs[i]))
            running_sums_add_run(sums, rebuild->runs[i]);
    running_sums_end(sums);
}

void rebuild_sum_recent_ticks(const struct rebuild *rebuild, struct running_sums *sums)
{
    job_wait(&rebuild->ending->job);
    running_sums_add_recent_results(sums, &rebuild->results);
    for (size_t i = 0; i < rebuild->run_count; i++)
        if (is_running(rebuild->runs[i]))
            running_sums_add_recent(sums, rebuild->runs[i]);
}

void rebuild_finish(struct rebuild *rebuild)
{
    for (size_t i = 0; i < rebuild->run_count; i++)
        if (rebuild->runs[i] != NULL)
            end_run(rebuild, rebuild->runs[i]);
    job_wait(&rebuild->ending->job);
    struct rebuild_results *results = &rebuild->results;
    if (results->tree.node_count == 0 && results->builder.tree.node_count == 0)
        tree_builder_init(&results->builder, TIMES_SELF, true);
    if (results->builder.tree.node_count > 0)
        tree_builder_finish(&results->builder, &results->tree);
    timeline_finish(&rebuild->results.timeline);
    thread_sums_finish(&rebuild->results.threads);
}

struct rebuild_results *rebuild_results(struct rebuild *rebuild)
{
    return &rebuild->results;
}

struct rebuilt_run rebuild_run(const struct rebuild *rebuild, uint32_t run)
{
    return run < rebuild->run_count && rebuild->runs[run] != NULL ? rebuild->runs[run]->result
                                                                  : (struct rebuilt_run){0};
}
