#include "rebuild/rebuild.h"

#include "base/job.h"
#include "rebuild/stacks/event_loop.h"
#include "rebuild/windowed_recording.h"

/*
 * The end of a recording takes half as long as its events if it is short: the tree, the overhead,
 * the merging with other recordings. Another thread does that while this one goes on with the next
 * recording: otherwise 100 short recordings take 19 % more time, and five 11 %.
 */
struct ending {
    struct job job;
    struct windowed_recording recording; /* used by the job alone until it is waited for */
    struct rebuilt_recording *result;    /* where the result of that recording belongs */
    struct nodes spare;                  /* after that: the memory of its nodes */
    struct tree space;                   /* of its tree */
};

struct rebuild {
    struct rebuild_settings settings;
    struct windowed_recording *
        *recordings; /* [recording_count] by number of the recording; NULL before its first event */
    size_t recording_count, recording_capacity;
    uint32_t current;
    struct rebuild_results results; /* used by the job, too */
    struct ending *ending;
    struct nodes spare; /* memory for the nodes of the next recording */
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
    for (size_t i = 0; i < rebuild->recording_count; i++) {
        if (rebuild->recordings[i] != NULL)
            windowed_recording_release(rebuild->recordings[i], &rebuild->spare);
        free(rebuild->recordings[i]);
    }
    free(rebuild->recordings);
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

/* Returns the recording with that number; begins it if necessary. */
static struct windowed_recording *find_recording(struct rebuild *rebuild, uint32_t number)
{
    MEM_GROW(rebuild->recordings, rebuild->recording_capacity, (size_t)number + 1);
    while (rebuild->recording_count <= number)
        rebuild->recordings[rebuild->recording_count++] = NULL;
    if (rebuild->recordings[number] == NULL) {
        rebuild->recordings[number] = mem_zeroed(1, sizeof *rebuild->recordings[number]);
        windowed_recording_begin(rebuild->recordings[number], number, &rebuild->settings,
                                 &rebuild->results, &rebuild->spare);
    }
    return rebuild->recordings[number];
}

/* On another thread. */
static void do_end(void *context)
{
    struct rebuild *rebuild = context;
    struct ending *ending = rebuild->ending;
    windowed_recording_end(&ending->recording, &ending->space);
    windowed_recording_release(&ending->recording, &ending->spare);
    *ending->result = ending->recording.result;
}

/* Ends a recording, unless it has ended. Its result is there when the end has been waited for. */
static void end_recording(struct rebuild *rebuild, struct windowed_recording *windowed)
{
    /* The end of a smaller recording takes little longer than the start of a thread. */
    enum { NODES_FOR_A_THREAD = 4096 };
    struct ending *ending = rebuild->ending;
    if (windowed->stacks == NULL)
        return;
    job_wait(&rebuild->ending->job);
    if (ending->spare.at != NULL) {
        nodes_release(&rebuild->spare);
        rebuild->spare = ending->spare;
        ending->spare = (struct nodes){0};
    }
    ending->recording = windowed_recording_take(windowed);
    ending->result = &windowed->result;
    /*
     * With a window, another recording changes the results when its window ends, and two threads
     * must not do that at once.
     */
    bool shares_results = rebuild->settings.to.kind != WINDOW_OPEN;
    if (shares_results || ending->recording.stacks->nodes.count < NODES_FOR_A_THREAD)
        do_end(rebuild);
    else
        job_start(&ending->job, do_end, rebuild);
}

/*
 * Applies the events of the current recording, starting at `event`. Returns the first event of
 * another recording.
 */
static const struct event *add_to_recording(struct rebuild *rebuild,
                                            struct windowed_recording *windowed,
                                            const struct event *begin, const struct event *event,
                                            const struct event *end)
{
    while (event < end) {
        enum event_kind kind = event_kind(*event);
        if (kind == EVENT_RECORDING)
            break;
        if (kind == EVENT_TICK && windowed->stacks != NULL)
            windowed_recording_begin_tick(windowed, event->units,
                                          event + 1 < end && event_kind(event[1]) == EVENT_THREAD);
        if (kind == EVENT_END)
            end_recording(rebuild, windowed);
        /* Events after the end of a recording do not belong to it. */
        if (kind == EVENT_TICK || kind == EVENT_END || windowed->stacks == NULL)
            event += event_length(*event);
        else
            event = stacks_do_events(windowed->stacks, begin, event, end);
    }
    return event;
}

void rebuild_add(struct rebuild *rebuild, const struct event *events, size_t count)
{
    /* With no events the pointer may be null, and C forbids adding to it. */
    const struct event *end = count == 0 ? events : events + count;
    const struct event *event = events;
    while (event < end) {
        if (event_kind(*event) == EVENT_RECORDING)
            rebuild->current = event_operand(*event++);
        event = add_to_recording(rebuild, find_recording(rebuild, rebuild->current), events, event,
                                 end);
    }
}

static bool is_running(const struct windowed_recording *windowed)
{
    return windowed != NULL && windowed->stacks != NULL;
}

void rebuild_sum(const struct rebuild *rebuild, struct running_sums *sums)
{
    job_wait(&rebuild->ending->job);
    running_sums_begin(sums, rebuild->recording_count);
    running_sums_add_results(sums, &rebuild->results);
    for (size_t i = 0; i < rebuild->recording_count; i++)
        if (is_running(rebuild->recordings[i]))
            running_sums_add_recording(sums, rebuild->recordings[i]);
    running_sums_end(sums);
}

void rebuild_sum_recent_ticks(const struct rebuild *rebuild, struct running_sums *sums)
{
    job_wait(&rebuild->ending->job);
    running_sums_add_recent_results(sums, &rebuild->results);
    for (size_t i = 0; i < rebuild->recording_count; i++)
        if (is_running(rebuild->recordings[i]))
            running_sums_add_recent(sums, rebuild->recordings[i]);
}

void rebuild_finish(struct rebuild *rebuild)
{
    for (size_t i = 0; i < rebuild->recording_count; i++)
        if (rebuild->recordings[i] != NULL)
            end_recording(rebuild, rebuild->recordings[i]);
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

struct rebuilt_recording rebuild_recording(const struct rebuild *rebuild, uint32_t recording)
{
    return recording < rebuild->recording_count && rebuild->recordings[recording] != NULL
               ? rebuild->recordings[recording]->result
               : (struct rebuilt_recording){0};
}
