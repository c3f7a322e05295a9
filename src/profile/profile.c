#include "profile/profile.h"

#include "base/gzip.h"
#include "base/input.h"
#include "platform/thread.h"
#include "profile/queue.h"
#include "read/log.h"
#include "rebuild/recording_rebuild.h"

#include <zlib.h>

enum {
    /* Large enough that handing it over costs little, small enough to stay in the cache. */
    BATCH_FRAMES = 16 * 1024,
    /* With those of the recorder's longest line it takes 64 KB. */
    BATCH_EVENTS = 4800,
};

/* On the other thread. */
static void add_batch(void *context, const struct batch *batch)
{
    struct profile *profile = context;
    if (batch->stacks.count > 0)
        tree_builder_add_stacks(&profile->stacks, &batch->stacks);
    rebuild_add(profile->rebuilding, batch->events.at, batch->events.count);
}

/* On that thread, in its lock. */
static bool help_to_read(void *context)
{
    const struct profile *profile = context;
    return profile->shared != NULL && read_ahead_help(profile->shared);
}

static void init(struct profile *profile, struct grammar *grammar)
{
    *profile = (struct profile){.grammar = grammar};
    profile->frames.symbols = &profile->symbols;
    recordings_init(&profile->recordings, grammar, &profile->symbols);
    tree_builder_init(&profile->stacks, false);
    profile->rebuild.threads = NODE_MAIN | NODE_COROUTINE;
}

bool profile_init(struct profile *profile, struct error *err)
{
    struct grammar *grammar = grammar_new(err);
    *profile = (struct profile){0};
    if (grammar == NULL)
        return false;
    init(profile, grammar);
    return true;
}

void profile_clear(struct profile *profile)
{
    struct grammar *grammar = profile->grammar;
    profile->grammar = NULL;
    profile_release(profile);
    init(profile, grammar);
}

void profile_release(struct profile *profile)
{
    if (profile->queue != NULL)
        queue_finish(profile->queue);
    grammar_free(profile->grammar);
    symbols_release(&profile->symbols);
    mounts_release(&profile->mounts);
    /* What few logs have. */
    if (profile->frames.texts.count > 0)
        frames_release(&profile->frames);
    if (profile->hooks.batches.count > 0)
        hooks_release(&profile->hooks);
    for (size_t i = 0; i < profile->game_logs.count; i++) {
        free(profile->game_logs.all[i].name);
        game_log_release(&profile->game_logs.all[i].log);
    }
    tree_builder_release(&profile->stacks);
    recordings_release(&profile->recordings);
    tree_release(&profile->tree);
    rebuild_free(profile->rebuilding);
    tick_list_release(&profile->ticks);
    MEM_FREE(profile->game_logs.all, profile->rebuilt, profile->arguments);
}

/*
 * Adds a record to the totals, unless some sum of it with others could overflow. A self time is a
 * difference of two such sums.
 */
static bool count_record(struct profile_counts *counts, const struct stack *stack)
{
    int64_t size_ns = stack->total_ns < 0 ? -stack->total_ns : stack->total_ns;
    if (size_ns > INT64_MAX / 4 - counts->time_ns || stack->calls > UINT64_MAX - counts->calls)
        return false;
    counts->time_ns += size_ns;
    counts->calls += stack->calls;
    counts->records++;
    counts->untimed += !stack->has_time;
    return true;
}

static void push_record(struct profile *profile, const struct record *record)
{
    struct stack_batch *stacks = &queue_batch(profile->queue)->stacks;
    struct record_frame *frames = profile->frames.frames;

    MEM_APPEND(stacks->at, stacks->count, stacks->capacity, record->stack);
    MEM_GROW(stacks->frames, stacks->frame_capacity, stacks->frame_count + record->stack.depth);
    struct stack_frame *to = stacks->frames + stacks->frame_count;
    for (size_t i = 0; i < record->stack.depth; i++) {
        to[i] = profile->frames.in_stacks[record->frames[i]];
        profile->frames.is_used[record->frames[i]] = true;
    }
    stacks->frame_count += record->stack.depth;

    frames[record->frames[record->stack.depth - 1]].calls += record->stack.calls;
    if (stacks->frame_count >= BATCH_FRAMES) {
        profile->recordings.last = (struct last_line){0};
        queue_push(profile->queue);
    }
}

/* The context of the log's callbacks. */
struct log_reading {
    struct profile *profile;
    struct input input;
    struct read_ahead *ahead;
    struct log log;
};

/* All of a large log would take longer than to find its lines. */
static void add_checksum(struct named_game_log *log, const struct read_block *block)
{
    enum { PIECE_BYTES = 1 << 16, PIECES = 64 };
    size_t length;
    for (size_t at = 0; at < block->length; at += length, log->bytes += length) {
        length = PIECE_BYTES - (size_t)(log->bytes % PIECE_BYTES);
        length = length < block->length - at ? length : block->length - at;
        if (log->bytes / PIECE_BYTES % PIECES == 0)
            log->checksum = (uint32_t)crc32(
                log->checksum, (const unsigned char *)block->at + at, (unsigned)length);
    }
}

static bool next_block(void *context, struct read_block *block, struct error *err)
{
    struct log_reading *reading = context;
    struct profile *profile = reading->profile;
    bool is_read = read_ahead_next(reading->ahead, block, err);
    add_checksum(&profile->game_logs.all[profile->game_logs.count - 1], block);
    profile->is_cancelled =
        is_read && profile->on_progress != NULL &&
        !profile->on_progress(
            profile->context, reading->input.path, block->progress, block->byte_count);
    if (!profile->is_cancelled)
        return is_read;
    block->length = 0;
    return error_set(err, "%s: cancelled", reading->input.path);
}

static void add_mount(void *context, struct span directory, struct span mount_point)
{
    struct log_reading *reading = context;
    mounts_add(&reading->profile->mounts, directory, mount_point);
}

static void add_hook(void *context, struct span base, struct span file)
{
    struct log_reading *reading = context;
    hooks_add(&reading->profile->hooks, base, file);
}

/* Hands the batch over, but for the last line of events, which the next line may change. */
static void hand_over(struct profile *profile)
{
    struct events *events = &queue_batch(profile->queue)->events;
    struct last_line *last = &profile->recordings.last;
    size_t kept = events->count - last_line_start(last, events);
    SCOPED_ARRAY struct event *line = NULL;
    size_t room = 0;
    MEM_GROW(line, room, kept);
    if (kept > 0)
        memcpy(line, events->at + last->start, kept * sizeof *line);
    events->count -= kept;
    queue_push(profile->queue);
    events = &queue_batch(profile->queue)->events;
    last->end -= last->start;
    last->start = 0;
    MEM_GROW(events->at, events->capacity, kept);
    if (kept > 0)
        memcpy(events->at, line, kept * sizeof *line);
    events->count = kept;
}

/* Whether a recording is left out; it counts those at their first lines. */
static bool is_of_other_state(struct profile *profile, const struct grammar_recorder_line *line,
                              bool begins_one)
{
    enum lua_state state = line->run.at[0] == 'u' ? LUA_STATE_UI : LUA_STATE_SIM;
    if (profile->rebuild.state == LUA_STATE_FIRST)
        profile->rebuild.state = state;
    profile->counts.other_state += profile->rebuild.state != state && begins_one;
    return profile->rebuild.state != state;
}

/*
 * Reads a line of a recording. Its runs are counted together with those of delins' profiler, in the
 * order of their beginnings.
 */
static bool read_recorder_line(struct profile *profile, struct log *log,
                               const struct record *record, struct error *err)
{
    struct recordings *recordings = &profile->recordings;
    const struct grammar_recorder_line *line = &record->recorder;
    struct line_owner owner = recordings_find_owner(recordings, line);
    if (owner.begins_one) {
        log->run++;
        owner.run = profile->counts.runs + log->run;
    }
    bool is_other_run = profile->only_run != 0 && owner.run != 0 && owner.run != profile->only_run;
    bool is_other =
        is_other_run || (owner.run != 0 && is_of_other_state(profile, line, owner.begins_one));
    struct batch *batch = queue_batch(profile->queue);
    size_t count = batch->events.count;
    bool is_read = recordings_read(recordings, line, owner, record->is_cut, &batch->events, err);
    if (is_other) {
        batch->events.count = count;
        recordings->last = (struct last_line){0};
        profile->counts.other_runs += is_other_run;
    } else if (batch->events.count >= BATCH_EVENTS &&
               last_line_start(&recordings->last, &batch->events) > 0) {
        hand_over(profile);
    }
    return is_read;
}

/* A run of delins' profiler is known by the sum of its records, a recording by its times. */
static void add_to_run(struct game_logs *logs, uint32_t run, uint64_t value)
{
    struct named_game_log *log = &logs->all[logs->count - 1];
    if (run != log->run) {
        log->has_same_run |=
            log->run_sum != 0 && (log->run_sum == log->first_sum || log->run_sum == log->last_sum);
        log->first_sum = log->first_sum == 0 ? log->run_sum : log->first_sum;
        log->last_sum = log->run_sum;
        log->run_sum = 0;
    }
    log->run = run;
    log->run_sum += value;
}

/* `record` is memory for the record. */
static enum log_status read_one(struct profile *profile, struct log *log, const char *path,
                                struct record *record, struct error *err)
{
    enum log_status status = log_next(log, record, err);
    bool is_wanted =
        profile->only_run == 0 || profile->only_run == profile->counts.runs + record->run;
    const struct rebuild_settings *settings = &profile->rebuild;
    bool is_part = settings_have_window(settings) || settings->choice.is_on;
    if (status == LOG_RECORD && is_wanted && !is_part &&
        !count_record(&profile->counts, &record->stack)) {
        status = LOG_DAMAGED;
        error_set(err, "its time or calls, added to the others, are more than can be counted");
    }
    if (status == LOG_RECORDER && !read_recorder_line(profile, log, record, err))
        status = LOG_DAMAGED;
    if (status != LOG_END && status != LOG_FAILED)
        profile->counts.is_end_damaged = status == LOG_DAMAGED && record->is_cut;
    profile->counts.has_lines |= status != LOG_END && status != LOG_FAILED;
    if (status == LOG_BENCHMARK)
        recordings_add_benchmark(&profile->recordings, &record->benchmark);
    if (status == LOG_DAMAGED) {
        profile->counts.damaged++;
        if (profile->on_damage != NULL)
            profile->on_damage(profile->context, path, record->line, err->text);
    } else if (status == LOG_RECORD && is_part) {
        profile->counts.timeless++;
    } else if (status == LOG_RECORD && is_wanted) {
        add_to_run(&profile->game_logs,
                   record->run,
                   hash_number((uint64_t)record->stack.total_ns * 3 + record->stack.calls,
                               record->frames[record->stack.depth - 1]));
        push_record(profile, record);
    } else if (status == LOG_RECORD) {
        profile->counts.other_runs++;
    }
    return status;
}

/* Counts what a log had until now. */
static void end_log(struct profile *profile, const struct log_reading *reading)
{
    game_log_end(&profile->game_logs.all[profile->game_logs.count - 1].log,
                 reading->log.grammar,
                 reading->log.line_count);
    profile->counts.runs += reading->log.run;
    profile->counts.events = 0;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        profile->counts.events += recording->events;
        if (profile->only_run == 0 && recording->from_ns > 0 &&
            recording->log + 1 == profile->recordings.log_count)
            add_to_run(&profile->game_logs,
                       UINT32_MAX - recording->run,
                       (uint64_t)recording->from_ns * 3 + (uint64_t)recording->to_ns +
                           recording->events);
    }
    add_to_run(&profile->game_logs, 0, 0);
    profile->counts.bytes += reading->input.byte_count;
}

/* It stays at its address until the next log. */
static struct game_log *add_game_log(struct game_logs *logs, const char *path)
{
    const char *name = file_name(input_name(path));
    struct named_game_log *added;
    MEM_GROW(logs->all, logs->capacity, logs->count + 1);
    added = &logs->all[logs->count++];
    *added = (struct named_game_log){.name = mem_zeroed(strlen(name) + 1, 1)};
    memcpy(added->name, name, strlen(name));
    return &added->log;
}

void profile_take_game_logs(struct profile *profile, struct profile *from)
{
    struct game_logs *logs = &profile->game_logs;
    for (size_t i = 0; i < from->game_logs.count; i++)
        MEM_APPEND(logs->all, logs->count, logs->capacity, from->game_logs.all[i]);
    from->game_logs.count = 0;
}

void profile_end_log(struct profile *profile)
{
    if (profile->queue != NULL)
        queue_drain(profile->queue);
    profile->recordings.last = (struct last_line){0};
    if (profile->rebuilding != NULL)
        rebuild_end_recordings(profile->rebuilding);
}

/*
 * Whether a plain log is read by a thread of its own: for a small one, or a recording, whose events
 * are the most work, that would be no faster. What comes through a pipe is read where a signal
 * can interrupt it.
 */
static bool is_large(const struct file_status *status)
{
    enum { LARGE_BYTES = 64 << 20 };
    return status->kind == FILE_REGULAR && status->byte_count >= LARGE_BYTES;
}

/*
 * Starts the threads. With three, one reads a log that is large or to be decompressed. With two,
 * the one that builds the tree helps: so both have work until the end.
 */
static struct read_ahead *start_threads(struct profile *profile, struct input *input)
{
    bool is_compressed = gzip_is_compressed(input->gzip);
    size_t threads = profile->thread_max != 0 ? profile->thread_max : PROFILE_THREADS;
    bool is_shared = threads == 2 && input->status.kind == FILE_REGULAR &&
                     (is_compressed || is_large(&input->status));
    profile->rebuild.has_threads = threads > 1;
    profile->rebuild.keeps_end = profile->window_ns > 0;
    if (profile->rebuilding == NULL)
        profile->rebuilding = rebuild_new(&profile->rebuild);
    if (profile->queue == NULL)
        profile->queue = queue_start((struct queue_work){add_batch, help_to_read, profile},
                                     threads > (is_compressed && !is_shared ? 2 : 1));
    struct worker *worker = queue_worker(profile->queue);
    if (!is_shared || worker == NULL)
        return read_ahead_start(
            input, is_compressed ? threads > 1 : threads > 2 && is_large(&input->status));
    struct read_ahead *shared = read_ahead_share(input, worker);
    worker_enter(worker);
    profile->shared = shared;
    worker_leave(worker);
    return shared;
}

bool profile_read(struct profile *profile, const char *path, struct error *err)
{
    struct log_reading reading = {.profile = profile};
    if (!input_open(&reading.input, path, FILE_WAITS, err))
        return false;
    profile_end_log(profile);
    reading.ahead = start_threads(profile, &reading.input);
    recordings_begin_log(&profile->recordings);
    struct game_log *game_log = add_game_log(&profile->game_logs, path);

    struct log_source source = {.next = next_block,
                                .mounted = add_mount,
                                .hooked = add_hook,
                                .context = &reading,
                                .game_log = game_log};
    log_init(&reading.log, source, profile->grammar, &profile->frames);
    struct record record = {0};
    enum log_status status;
    do
        status = read_one(profile, &reading.log, path, &record, err);
    while (status != LOG_END && status != LOG_FAILED);

    struct worker *worker = queue_worker(profile->queue);
    worker_enter(worker);
    profile->shared = NULL;
    worker_leave(worker);
    read_ahead_free(reading.ahead);
    if (profile->hooks.open_count > 0)
        hooks_end_batch(&profile->hooks);
    end_log(profile, &reading);
    profile->read_fraction = input_progress(&reading.input);
    log_release(&reading.log);
    input_close(&reading.input);
    return status == LOG_END;
}

static void remove_costs_of_delins(struct profile *profile)
{
    const struct tree *tree = &profile->tree;
    SCOPED_ARRAY uint8_t *kinds = mem_zeroed(tree->node_count, 1);
    for (uint32_t node = 1; node < tree->node_count; node++)
        kinds[node] =
            symbols_is_lua(&profile->symbols, tree->calls[node].function) ? CALL_OF_LUA : CALL_OF_C;
    overhead_remove(&profile->tree, kinds, &profile->costs, &profile->delins_costs);
}

static void use_function(struct profile *profile, int64_t function)
{
    if (function >= 0)
        profile->symbols.functions[function].is_used = true;
}

/* Ticks have the time of all threads, even if the tree has only some of them, a time line shows the
 * recorder, too, and what recorded wakes of a watch did is in no tree, nor are threads that ran in
 * no chosen tick. */
static void use_functions_beside_tree(struct profile *profile)
{
    const struct timeline *timeline = &profile->timeline;
    for (size_t i = 0; i < profile->ticks.count; i++)
        for (size_t k = 0; k < profile->ticks.ticks[i].function_count; k++)
            use_function(profile, profile->ticks.ticks[i].functions[k].function);
    for (size_t i = 0; i < timeline->track_count; i++)
        use_function(profile, timeline->tracks[i].root);
    for (size_t i = 0; i < timeline->slice_count; i++)
        if (timeline->slices[i].function != TIMELINE_TRUNCATED)
            use_function(profile, timeline->slices[i].function);
    for (size_t i = 0; i < profile->exact_wakes.count; i++) {
        const struct exact_wake *wake = &profile->exact_wakes.all[i];
        for (size_t k = 0; k < wake->function_count; k++) {
            use_function(profile, wake->functions[k].function);
            if (wake->functions[k].caller != TREE_NONE)
                use_function(profile, wake->functions[k].caller);
        }
    }
    for (size_t i = 0; i < profile->recordings.count; i++)
        if (profile->rebuilt[i].unseen_fraction > 0)
            use_function(profile, profile->rebuilt[i].most_unseen);
}

/* A watch names the functions that threads of its slow ticks began with, and where they wait. */
static void use_functions_of_watches(struct profile *profile)
{
    const struct watches *watches = &profile->recordings.watches;
    for (size_t i = 0; i < watches->slow_tick_count; i++) {
        const struct watch_slow_tick *slow = &watches->slow_ticks[i];
        if (!profile_takes_watch(profile, slow->recording))
            continue;
        for (size_t k = 0; k < slow->count; k++)
            use_function(profile, watches->sums[slow->from + k].function);
        use_function(profile, slow->gaps.function);
    }
    for (size_t i = 0; i < watches->wake_count; i++) {
        const struct watch_wake *wake = &watches->wakes[i];
        if (profile_takes_watch(profile, wake->recording) && wake->stack_count > 1)
            use_function(profile,
                         watches->frames[wake->stack_from + wake->stack_count - 2].function);
    }
    for (size_t i = 0; i < watches->thread_count; i++) {
        const struct watch_threads *threads = &watches->threads[i];
        for (size_t k = 0; k < threads->count && profile_takes_watch(profile, threads->recording);
             k++)
            use_function(profile, watches->sums[threads->from + k].function);
    }
}

/* Of several recordings, at least as many arguments are different as in one. */
static void add_arguments(struct argument_counts *sum, const struct argument_counts *counts)
{
    for (size_t i = 0; i < ARGUMENTS_COUNT; i++) {
        bool is_sum = i != ARGUMENTS_DISTINCT && i != ARGUMENTS_BETWEEN;
        uint64_t most = sum->of[i] > counts->of[i] ? sum->of[i] : counts->of[i];
        sum->of[i] = is_sum ? sum->of[i] + counts->of[i] : most;
    }
    sum->recordings++;
}

/* Adds up what the recordings have counted. */
static void sum_arguments(struct profile *profile)
{
    const struct recordings *recordings = &profile->recordings;
    for (size_t i = 0; i < recordings->argument_count; i++) {
        const struct function_arguments *arguments = &recordings->arguments[i];
        if (!profile->rebuilt[arguments->recording].is_there)
            continue;
        if (profile->arguments == NULL) {
            profile->argument_functions = profile->symbols.function_count;
            profile->arguments =
                mem_zeroed(profile->argument_functions, sizeof *profile->arguments);
        }
        add_arguments(&profile->arguments[arguments->function], &arguments->counts);
    }
}

/*
 * Takes the results of the recordings, and merges them with the stacks of logs of delins' profiler.
 */
static void take_recordings(struct profile *profile)
{
    struct rebuild *rebuild = profile->rebuilding;
    rebuild_finish(rebuild);
    size_t count = profile->recordings.count;
    profile->rebuilt = mem_zeroed(count, sizeof *profile->rebuilt);
    for (uint32_t i = 0; i < count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        profile->rebuilt[i] = rebuild_recording(rebuild, i);
        profile->has_watches |= recording->is_watch;
        profile->has_memory |= recording->has_memory;
        profile->has_coarse_clock |= recording->is_coarse && profile->rebuilt[i].is_there;
    }
    if (profile->recordings.argument_count > 0)
        sum_arguments(profile);
    struct rebuild_results *results = rebuild_results(rebuild);
    profile->ticks = results->ticks;
    profile->slow = results->slow;
    profile->threads = results->threads;
    profile->work = results->work;
    profile->durations = results->durations;
    profile->choice = results->choice;
    profile->timeline = results->timeline;
    profile->slowest = results->slowest;
    profile->changes = results->changes;
    profile->exact_wakes = results->wakes;
    struct tree recorded = results->tree;
    results->ticks = (struct tick_list){0};
    results->tree = (struct tree){0};
    if (profile->counts.records > 0)
        profile->changes = (struct tick_changes){0};
    use_functions_beside_tree(profile);
    if (profile->has_watches)
        use_functions_of_watches(profile);
    for (uint32_t node = 1; node < recorded.node_count; node++)
        profile->symbols.functions[recorded.calls[node].function].is_used = true;
    if (profile->counts.records == 0) {
        tree_release(&profile->tree);
        profile->tree = recorded;
        return;
    }
    struct tree_builder both;
    tree_builder_init(&both, true);
    tree_builder_add_tree(&both, &recorded);
    tree_builder_add_tree(&both, &profile->tree);
    tree_builder_replace(&both, &profile->tree);
    tree_release(&recorded);
}

/* Reduces the profile to the end of its last recording; records have no time. */
static void keep_end(struct profile *profile)
{
    struct profile_counts *counts = &profile->counts;
    int64_t ticks = profile->window_ns / tick_kinds[profile->rebuild.state].limit_ns;
    uint32_t last = rebuild_keep_end(profile->rebuilding, ticks, &profile->rebuild.from);
    if (last == UINT32_MAX)
        return;
    profile->only_run = profile->recordings.all[last].run;
    tree_builder_release(&profile->stacks);
    tree_builder_init(&profile->stacks, false);
    counts->timeless += counts->records;
    counts->records = counts->calls = 0;
    counts->time_ns = 0;
}

void profile_finish(struct profile *profile)
{
    if (profile->queue != NULL) {
        queue_drain(profile->queue);
        queue_finish(profile->queue);
        profile->queue = NULL;
    }
    if (profile->window_ns > 0)
        keep_end(profile);
    if (profile->frames.texts.count > 0)
        frames_name_functions(&profile->frames);
    symbols_name_functions(&profile->symbols);
    recordings_finish(&profile->recordings);
    tree_builder_finish(&profile->stacks, &profile->tree);
    if (profile->costs.is_known)
        remove_costs_of_delins(profile);
    if (profile->recordings.count > 0)
        take_recordings(profile);
    profile->ticks.state = profile->rebuild.state;
    profile->ticks.limit_ns = settings_limit_ns(&profile->rebuild);
}

void profile_shift_lines(struct profile *profile, const struct hooked_functions *hooked)
{
    if (hooked->moved == 0)
        return;
    hooked_functions_shift_lines(hooked, &profile->tree);
    timeline_shift_lines(&profile->timeline, hooked->shifts);
}

bool profile_has_only_benchmarks(const struct profile *profile)
{
    const struct profile_counts *counts = &profile->counts;
    return profile->recordings.benchmark_count > 0 && counts->records == 0 && counts->events == 0 &&
           counts->other_runs == 0 && counts->timeless == 0;
}

bool profile_is_unrecorded(const struct profile *profile)
{
    const struct profile_counts *counts = &profile->counts;
    if (counts->records + counts->damaged + counts->other_runs + counts->timeless + counts->runs +
            profile->recordings.count + profile->recordings.benchmark_count >
        0)
        return false;
    for (size_t i = 0; i < profile->game_logs.count; i++)
        if (profile->game_logs.all[i].log.is_game)
            return true;
    return false;
}

uint64_t profile_missing_lines(const struct profile *profile)
{
    uint64_t count = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        count += profile->recordings.all[i].missing_lines;
    return count;
}

uint64_t profile_missing_events(const struct profile *profile)
{
    uint64_t count = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        count += recording_missing_events(&profile->recordings.all[i]);
    return count;
}

bool profile_takes(const struct profile *profile, const struct recording *recording)
{
    return (profile->only_run == 0 || profile->only_run == recording->run) &&
           recording->is_sim == (profile->rebuild.state != LUA_STATE_UI);
}

bool profile_takes_watch(const struct profile *profile, uint32_t recording)
{
    const struct recording *watch = &profile->recordings.all[recording];
    return watch->is_watch && watch->slow_ns > 0 && profile_takes(profile, watch);
}

bool profile_takes_tick(const struct profile *profile, uint32_t recording, int64_t tick)
{
    return !settings_have_window(&profile->rebuild) || profile->rebuilt == NULL ||
           window_has(&profile->rebuild, profile->rebuilt[recording].zero_seconds, tick);
}

bool profile_next_watch_tick(const struct profile *profile, struct watch_tick *tick)
{
    const struct watches *watches = &profile->recordings.watches;
    for (; tick->row < watches->tick_count; tick->row++, tick->next = 0) {
        const struct watch_ticks *ticks = &watches->ticks[tick->row];
        bool is_taken = profile_takes_watch(profile, ticks->recording);
        while (is_taken && tick->next < ticks->count) {
            size_t i = tick->next++;
            tick->recording = ticks->recording;
            tick->number = ticks->first + (int64_t)i;
            tick->length_ns = watches->lengths[ticks->from + i];
            if (profile_takes_tick(profile, tick->recording, tick->number))
                return true;
        }
    }
    return false;
}

bool profile_has_watch(const struct profile *profile)
{
    const struct watches *watches = &profile->recordings.watches;
    bool has_one = profile_next_watch_tick(profile, &(struct watch_tick){0});
    for (size_t i = 0; i < watches->slow_tick_count && !has_one; i++) {
        const struct watch_slow_tick *slow = &watches->slow_ticks[i];
        has_one = profile_takes_watch(profile, slow->recording) &&
                  profile_takes_tick(profile, slow->recording, slow->tick);
    }
    return has_one;
}

size_t profile_count_unused(const struct profile *profile, const struct recording **first)
{
    size_t count = 0;
    for (size_t i = profile->recordings.count; i-- > 0;) {
        const struct recording *recording = &profile->recordings.all[i];
        if (!recording->has_bursts || !profile_takes(profile, recording))
            continue;
        count++;
        if (first != NULL)
            *first = recording;
    }
    return count;
}
