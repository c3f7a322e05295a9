#include "rebuild/rebuild.h"

#include "base/crew.h"
#include "base/number.h"
#include "rebuild/recording_rebuild.h"
#include "rebuild/stacks/event_loop.h"
#include "tree/tree_builder.h"

struct rebuild {
    struct rebuild_settings settings;
    struct recording_rebuild *
        *recordings; /* [recording_count] by number of the recording; NULL before its first event */
    size_t recording_count, recording_capacity;
    uint32_t current;
    struct recording_rebuild *waiting; /* one that is over, see end_events(); or NULL */
    struct rebuild_results results;
};

struct rebuild *rebuild_new(const struct rebuild_settings *settings)
{
    struct rebuild *rebuild = mem_zeroed(1, sizeof *rebuild);
    rebuild->settings = *settings;
    return rebuild;
}

static void release_recording(struct rebuild *rebuild, size_t i)
{
    if (rebuild->recordings[i] != NULL)
        recording_rebuild_release(rebuild->recordings[i]);
    free(rebuild->recordings[i]);
    rebuild->recordings[i] = NULL;
}

void rebuild_free(struct rebuild *rebuild)
{
    if (rebuild == NULL)
        return;
    struct rebuild_results *results = &rebuild->results;
    for (size_t i = 0; i < rebuild->recording_count; i++)
        release_recording(rebuild, i);
    tree_release(&results->tree);
    tick_list_release(&results->ticks);
    if (rebuild->settings.has_timeline)
        timeline_release(&results->timeline);
    if (results->slowest.at != NULL)
        slow_timelines_release(&results->slowest);
    for (size_t i = 0; i < results->durations.count; i++)
        free(results->durations.of[i].calls);
    MEM_FREE(results->durations.of, results->durations.long_calls);
    MEM_FREE(results->threads.at, results->threads.wakes, results->threads.lives);
    MEM_FREE(results->work.lines, results->work.functions, results->slow.at, results->wakes.all);
    MEM_FREE(results->changes.all, results->changes.ends, results->changes.longest);
    MEM_FREE(rebuild->recordings, rebuild);
}

/* Makes room for the numbers below `count`. */
static void make_room(struct rebuild *rebuild, size_t count)
{
    MEM_GROW(rebuild->recordings, rebuild->recording_capacity, count);
    while (rebuild->recording_count < count)
        rebuild->recordings[rebuild->recording_count++] = NULL;
}

/* Returns the recording with that number; begins it if necessary. */
static struct recording_rebuild *find_recording(struct rebuild *rebuild, uint32_t number)
{
    make_room(rebuild, (size_t)number + 1);
    if (rebuild->recordings[number] == NULL) {
        rebuild->recordings[number] = mem_zeroed(1, sizeof *rebuild->recordings[number]);
        recording_rebuild_begin(
            rebuild->recordings[number], number, &rebuild->settings, &rebuild->results);
    }
    return rebuild->recordings[number];
}

static void add_reference(struct recording_rebuild *recording, const struct event *event)
{
    struct event_reference timed;
    memcpy(&timed, event + 1, sizeof timed);
    recording_rebuild_add_reference(recording, &timed);
}

/*
 * The last of the events of a recording. More of its reference may follow, which is behind them.
 * Else it is ended when another one begins, while that is read, or after the last events, when no
 * thread is busy.
 */
static void end_events(struct rebuild *rebuild, struct recording_rebuild *recording, bool has_more)
{
    recording->is_over = true;
    rebuild->waiting = has_more ? NULL : recording;
}

/*
 * Applies the events of the current recording, starting at `event`. Returns the first event of
 * another recording.
 */
static const struct event *add_to_recording(struct rebuild *rebuild,
                                            struct recording_rebuild *recording,
                                            const struct event *begin, const struct event *event,
                                            const struct event *end)
{
    while (event < end && event_kind(*event) != EVENT_RECORDING) {
        enum event_kind kind = event_kind(*event);
        const struct event *next = event + event_length(*event);
        /* Events after the end of a recording do not belong to it. */
        if (recording->stacks != NULL && kind == EVENT_REFERENCE)
            add_reference(recording, event);
        else if (recording->is_over)
            ;
        else if (recording->stacks != NULL && kind == EVENT_TICK)
            recording_rebuild_begin_tick(
                recording, event->units, next < end && event_kind(*next) == EVENT_THREAD);
        else if (recording->stacks != NULL && kind == EVENT_SAMPLE)
            recording_rebuild_sample(recording, event_operand(*event), event->units);
        else if (recording->stacks != NULL && kind == EVENT_END)
            end_events(rebuild, recording, event_operand(*event) != 0);
        else if (recording->stacks != NULL)
            next = stacks_do_events(recording->stacks, begin, event, end);
        event = next;
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
        struct recording_rebuild *waiting = rebuild->waiting;
        if (waiting != NULL && waiting->number != rebuild->current) {
            recording_rebuild_end(waiting, false);
            rebuild->waiting = NULL;
        }
        event = add_to_recording(
            rebuild, find_recording(rebuild, rebuild->current), events, event, end);
    }
}

bool rebuild_join(struct rebuild *rebuild, struct rebuild *later, uint32_t first,
                  const uint32_t *functions)
{
    struct rebuild_results *results = &rebuild->results;
    /* Times are limited by those of the recordings before. */
    if (results->time_ns + later->results.time_ns > (double)NUMBER_TIME_MAX_NS ||
        settings_limit_ns(&rebuild->settings) != settings_limit_ns(&later->settings))
        return false;
    results->time_ns += later->results.time_ns;
    make_room(rebuild, first + later->recording_count);
    for (uint32_t i = 0; i < later->recording_count; i++) {
        struct recording_rebuild *recording = later->recordings[i];
        if (recording != NULL)
            recording_rebuild_move(recording, first + i, &rebuild->settings, results, functions);
        rebuild->recordings[first + i] = recording;
    }
    later->recording_count = 0;
    return true;
}

uint32_t rebuild_keep_end(struct rebuild *rebuild, int64_t ticks, struct window_border *from)
{
    size_t last = rebuild->recording_count;
    while (last > 0 && rebuild->recordings[last - 1] == NULL)
        last--;
    if (last == 0 || !rebuild->recordings[--last]->result.has_ticks)
        return UINT32_MAX;
    from->kind = WINDOW_TICK;
    from->value = (double)rebuild->recordings[last]->result.all_last_tick + 1 - (double)ticks;
    rebuild->settings.from = *from;
    for (size_t i = 0; i < last; i++)
        release_recording(rebuild, i);
    return (uint32_t)last;
}

/* Sums ------------------------------------------------------------------------------------------
 */

/* Chooses the ticks of a recording that are in the window. */
static void choose_window(const struct rebuild *rebuild, struct recording_rebuild *recording,
                          struct chosen_ticks *chosen)
{
    const struct recorded *recorded = &recording->recorded;
    size_t count = recorded->tick_count;
    bool has_window = settings_have_window(&rebuild->settings);
    *chosen = (struct chosen_ticks){
        .is_chosen = mem_zeroed(count, sizeof *chosen->is_chosen),
        .ticks = mem_zeroed(count, sizeof *chosen->ticks),
        .threads = rebuild->settings.threads,
        .limit_ns = settings_limit_ns(&rebuild->settings),
        .keeps_all = rebuild->settings.keeps_all_ticks,
    };
    for (size_t i = 0; i < count; i++) {
        const struct recorded_tick *tick = &recorded->ticks[i];
        chosen->is_chosen[i] = (tick->weight > 0 || tick->number >= 0) &&
                               (!has_window || recording_rebuild_has(recording, tick->number));
        if (has_window)
            recording_rebuild_find_moved(recording, tick->number);
    }
}

/* Chooses among them by their length. */
static void choose_ticks(const struct tick_choice *settings, struct tick_choice *choice,
                         const struct recorded *recorded, struct chosen_ticks *chosen)
{
    for (size_t i = 0; i < recorded->tick_count; i++) {
        const struct recorded_tick *tick = &recorded->ticks[i];
        if (!chosen->is_chosen[i])
            continue;
        if (tick->number < 0) {
            choice->outside_ns += tick->time_ns;
            chosen->is_chosen[i] = false;
            continue;
        }
        chosen->is_chosen[i] = tick_choice_has(settings, tick->time_ns);
        choice->count++;
        choice->chosen_count += chosen->is_chosen[i];
        if (tick->time_ns > choice->longest_ns)
            choice->longest_ns = tick->time_ns;
    }
}

/* Of ticks that were chosen by chance; of a single tick, the sums are what was recorded. */
static void weigh_ticks(const struct rebuild_settings *settings,
                        struct recording_rebuild *recording, struct chosen_ticks *chosen)
{
    const struct recorded *recorded = &recording->recorded;
    struct rebuilt_recording *result = &recording->result;
    bool is_one = settings_are_one_tick(settings);
    for (size_t i = 0; !is_one && i < recorded->tick_count; i++)
        result->sampled_ticks +=
            chosen->is_chosen[i] && recorded->ticks[i].number >= 0 && recorded->ticks[i].weight > 0;
    if (result->sampled_ticks == 0)
        return;
    chosen->weights = mem_zeroed(recorded->tick_count, sizeof *chosen->weights);
    for (size_t i = 0; i < recorded->tick_count; i++) {
        const struct recorded_tick *tick = &recorded->ticks[i];
        chosen->weights[i] = chosen->is_chosen[i] && tick->number >= 0 ? tick->weight : 0;
        result->weighted_ticks += (double)chosen->weights[i];
    }
}

/* Adds the chosen ticks to the list, and to what is known of the recording. */
static void list_ticks(struct rebuild_results *results, struct recording_rebuild *recording,
                       const struct chosen_ticks *chosen)
{
    struct tick_list *list = &results->ticks;
    struct rebuilt_recording *result = &recording->result;
    bool has_first = false;
    list->is_sampled |= chosen->weights != NULL;
    result->is_outside = true;
    for (size_t i = 0; i < recording->recorded.tick_count; i++) {
        const struct recorded_tick *from = &recording->recorded.ticks[i];
        if (!chosen->is_chosen[i])
            continue;
        result->is_outside = false;
        if (from->number < 0)
            continue;
        struct tick tick = {
            .number = from->number,
            .weight = chosen->weights != NULL ? chosen->weights[i] : 1,
            .recording = recording->number,
            .measured_ns = from->measured_ns,
            .time_ns = from->time_ns,
            .over_ns = from->time_ns - list->limit_ns,
            .usual_ns = -1,
            .calls = from->calls,
        };
        MEM_APPEND(list->ticks, list->count, list->capacity, tick);
        result->first_tick = has_first ? result->first_tick : from->number;
        result->last_tick = from->number;
        has_first = true;
    }
    /* Where ticks are not told apart, all are chosen. */
    if (!has_first && recording->settings->needs == NEEDS_WHOLE) {
        result->first_tick = result->all_first_tick;
        result->last_tick = result->all_last_tick;
    } else if (!has_first) {
        result->has_ticks = false;
    }
}

static int compare_lengths(const void *left, const void *right)
{
    const struct tick *a = *(struct tick *const *)left, *b = *(struct tick *const *)right;
    return ORDER(b->time_ns, a->time_ns, ORDER(a, b, 0));
}

/* The longest ticks get their functions. */
static void want_functions(struct tick_list *list, size_t kept_max)
{
    SCOPED_ARRAY struct tick **longest = mem_zeroed(list->count, sizeof(struct tick *));
    for (size_t i = 0; i < list->count; i++)
        longest[i] = &list->ticks[i];
    if (list->count > kept_max)
        qsort(longest, list->count, sizeof *longest, compare_lengths);
    for (size_t i = 0; i < list->count && i < kept_max; i++)
        longest[i]->function_count = 1;
}

/* The first tree needs no copy. */
static void add_tree(struct rebuild_results *results, struct tree_builder *builder,
                     struct tree *tree)
{
    if (results->tree.node_count == 0 && builder->tree.node_count == 0) {
        results->tree = *tree;
        *tree = (struct tree){0};
        return;
    }
    if (builder->tree.node_count == 0) {
        tree_builder_init_like(builder, &results->tree);
        tree_builder_add_tree(builder, &results->tree);
        tree_release(&results->tree);
    }
    tree_builder_add_tree(builder, tree);
    tree_release(tree);
}

static bool is_watch(const struct rebuild *rebuild, size_t i)
{
    return rebuild->recordings[i] != NULL && rebuild->recordings[i]->is_watch;
}

/* A watch is in no other result. */
static void add_watch(struct rebuild *rebuild, struct recording_rebuild *watch)
{
    watch->result.is_outside = true;
    exact_wakes_add(&rebuild->results.wakes,
                    &watch->recorded,
                    watch->number,
                    watch->exact_starts,
                    watch->exact_start_count);
}

/* A recording whose chosen ticks are added to the results. */
struct adding {
    struct rebuild *rebuild;
    struct recording_rebuild *recording;
    const struct chosen_ticks *chosen;
    struct tree_sums tree;
    struct slow_sums *slow; /* see tick_sums.h */
    struct work_sums *work;
    struct tick_sums *ticks; /* NULL: they are still to be read */
};

static void make_tree(void *context)
{
    struct adding *adding = context;
    struct recording_rebuild *recording = adding->recording;
    const struct chosen_ticks *chosen = adding->chosen;
    tree_sums_make(&adding->tree, &recording->recorded, chosen);
    if (adding->rebuild->settings.needs != NEEDS_WHOLE)
        call_durations_add(&adding->rebuild->results.durations,
                           &recording->recorded,
                           recording->number,
                           chosen->is_chosen,
                           chosen->threads);
}

static void read_ticks(struct adding *adding, bool has_thread)
{
    struct recording_rebuild *recording = adding->recording;
    adding->ticks = tick_sums_read(adding->slow,
                                   adding->work,
                                   &recording->recorded,
                                   adding->chosen,
                                   &recording->wakes,
                                   has_thread);
}

static void add_ticks(void *context)
{
    struct adding *adding = context;
    struct recording_rebuild *recording = adding->recording;
    if (adding->ticks == NULL)
        read_ticks(adding, false);
    tick_sums_end(adding->ticks);
    thread_sums_add(&adding->rebuild->results.threads, &recording->wakes);
}

/* Adds the chosen ticks of a recording to the results; `next` is the first of them in the list. */
static void add_recording(struct rebuild *rebuild, struct recording_rebuild *recording,
                          bool is_only_one, struct chosen_ticks *chosen,
                          struct tree_builder *builder, size_t *next)
{
    struct rebuild_results *results = &rebuild->results;
    const struct recorded *recorded = &recording->recorded;
    struct rebuilt_recording *result = &recording->result;
    for (size_t i = 0; i < recorded->tick_count; i++)
        if (chosen->is_chosen[i] && recorded->ticks[i].number >= 0)
            chosen->ticks[i] = &results->ticks.ticks[(*next)++];
    bool is_for_findings = rebuild->settings.needs == NEEDS_FINDINGS &&
                           chosen->threads == (NODE_MAIN | NODE_COROUTINE);
    bool has_changes = rebuild->settings.keeps_changes && is_only_one && chosen->weights == NULL;
    struct adding adding = {.rebuild = rebuild,
                            .recording = recording,
                            .chosen = chosen,
                            .tree = {.tree = &recording->tree,
                                     .kinds = recording->kinds,
                                     .changes = has_changes ? &results->changes : NULL},
                            .slow = is_for_findings ? &results->slow : NULL,
                            .work = is_for_findings ? &results->work : NULL};
    bool has_thread =
        rebuild->settings.has_threads && recorded->entries.count > RECORDED_FEW_ENTRIES;
    /* Else a walk makes the tree, which takes as long. */
    if (recorded->entries.has_sums && has_thread)
        read_ticks(&adding, true);
    if (rebuild->settings.needs == NEEDS_WHOLE)
        make_tree(&adding);
    else
        crew_run_both(add_ticks, &adding, make_tree, &adding, has_thread);
    if (has_changes) {
        results->slowest = recording->slowest;
        recording->slowest = (struct slow_timelines){0};
    }
    result->measured_ns = adding.tree.overhead.measured_ns;
    result->removed_ns = adding.tree.overhead.removed_ns;
    result->clamped_ns = adding.tree.overhead.clamped_ns;
    /* Its functions get their ids of symbols.h. */
    for (uint32_t node = TREE_ROOT + 1; node < recording->tree.node_count; node++) {
        struct call *call = &recording->tree.calls[node];
        call->function = recorded->function_ids[call->function];
    }
    add_tree(results, builder, &recording->tree);
}

void rebuild_end_recordings(struct rebuild *rebuild)
{
    for (size_t i = 0; i < rebuild->recording_count; i++)
        if (rebuild->recordings[i] != NULL && rebuild->recordings[i]->stacks != NULL)
            recording_rebuild_end(rebuild->recordings[i], rebuild->settings.has_threads);
    rebuild->waiting = NULL;
}

void rebuild_finish(struct rebuild *rebuild)
{
    struct rebuild_results *results = &rebuild->results;
    SCOPED_ARRAY struct chosen_ticks *chosen = mem_zeroed(rebuild->recording_count, sizeof *chosen);
    struct tree_builder builder = {0};
    size_t next = 0, watch_count = 0;
    results->ticks.state = rebuild->settings.state;
    results->ticks.limit_ns = settings_limit_ns(&rebuild->settings);
    rebuild_end_recordings(rebuild);
    for (size_t i = 0; i < rebuild->recording_count; i++) {
        watch_count += is_watch(rebuild, i);
        if (rebuild->recordings[i] == NULL || is_watch(rebuild, i))
            continue;
        choose_window(rebuild, rebuild->recordings[i], &chosen[i]);
        if (rebuild->settings.choice.is_on)
            choose_ticks(&rebuild->settings.choice,
                         &results->choice,
                         &rebuild->recordings[i]->recorded,
                         &chosen[i]);
        if (rebuild->recordings[i]->result.is_sampled)
            weigh_ticks(&rebuild->settings, rebuild->recordings[i], &chosen[i]);
        list_ticks(results, rebuild->recordings[i], &chosen[i]);
    }
    if (rebuild->settings.needs != NEEDS_WHOLE)
        want_functions(&results->ticks, rebuild->settings.kept_ticks);
    bool is_only_one = rebuild->recording_count - watch_count == 1;
    for (size_t i = 0; i < rebuild->recording_count; i++) {
        struct recording_rebuild *recording = rebuild->recordings[i];
        if (is_watch(rebuild, i))
            add_watch(rebuild, recording);
        else if (recording != NULL)
            add_recording(rebuild, recording, is_only_one, &chosen[i], &builder, &next);
        /* Only its summary is needed from now on. */
        if (recording != NULL)
            recording_rebuild_release(recording);
        MEM_FREE(chosen[i].is_chosen, chosen[i].weights, chosen[i].ticks);
    }
    if (results->tree.node_count == 0 && builder.tree.node_count == 0)
        tree_builder_init(&builder, true);
    if (builder.tree.node_count > 0)
        tree_builder_finish(&builder, &results->tree);
    if (results->durations.count > 0 && !results->ticks.is_sampled &&
        settings_are_whole(&rebuild->settings))
        call_durations_fit(&results->durations, &results->tree);
    if (rebuild->settings.has_timeline)
        timeline_finish(&results->timeline);
    if (rebuild->settings.needs != NEEDS_WHOLE)
        thread_sums_finish(&results->threads);
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
