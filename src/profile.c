#include "profile.h"

#include "grammar.h"
#include "input.h"
#include "log.h"
#include "mem.h"

#include <string.h>

enum {
    /* Large enough that handing it over costs nothing, small enough to stay in the cache. */
    BATCH_FRAMES = 16 * 1024,
};

static void add_to_tree(void *context, const struct stack_batch *batch)
{
    tree_add(context, batch);
}

bool profile_init(struct profile *profile, struct error *err)
{
    *profile = (struct profile){0};
    profile->grammar = grammar_new(err);
    if (profile->grammar == NULL)
        return false;
    profile->frames.symbols = &profile->symbols;
    tree_init(&profile->tree);
    return true;
}

void profile_release(struct profile *profile)
{
    if (profile->queue != NULL)
        stack_queue_finish(profile->queue);
    grammar_free(profile->grammar);
    frames_release(&profile->frames);
    symbols_release(&profile->symbols);
    mounts_release(&profile->mounts);
    tree_release(&profile->tree);
}

/*
 * Adds a record to the totals, unless some sum of it with others could overflow. A
 * self time is a difference of two sums.
 */
static bool count_record(struct profile_counts *counts, const struct grammar_totals *totals)
{
    int64_t size_ns = totals->total_ns < 0 ? -totals->total_ns : totals->total_ns;
    if (size_ns > INT64_MAX / 4 - counts->time_ns || totals->calls > UINT64_MAX - counts->calls)
        return false;
    counts->time_ns += size_ns;
    counts->calls += totals->calls;
    counts->records++;
    counts->untimed += !totals->has_time;
    return true;
}

static void push_record(struct profile *profile, const struct record *record)
{
    struct stack_batch *batch = stack_queue_batch(profile->queue);
    struct frame *frames = profile->frames.frames;

    batch->stacks = mem_grow(batch->stacks, &batch->stack_capacity, batch->stack_count + 1,
                             sizeof *batch->stacks);
    batch->stacks[batch->stack_count++] = (struct stack){
        .depth = record->depth,
        .calls = record->totals.calls,
        .total_ns = record->totals.total_ns,
        .has_time = record->totals.has_time,
        .on_main = record->totals.on_main,
        .on_coroutine = record->totals.on_coroutine,
    };
    batch->frames = mem_grow(batch->frames, &batch->frame_capacity,
                             batch->frame_count + record->depth, sizeof *batch->frames);
    struct stack_frame *to = batch->frames + batch->frame_count;
    for (size_t i = 0; i < record->depth; i++) {
        struct frame *frame = &frames[record->frames[i]];
        frame->is_used = true;
        to[i] = (struct stack_frame){frame->function, frame->call_line};
    }
    batch->frame_count += record->depth;

    frames[record->frames[record->depth - 1]].calls += record->totals.calls;
    if (batch->frame_count >= BATCH_FRAMES)
        stack_queue_push(profile->queue);
}

/* What the log's callbacks need. */
struct reading {
    struct profile *profile;
    struct input input;
};

static bool read_input(void *context, char *buffer, size_t capacity, size_t *length,
                       struct error *err)
{
    struct reading *reading = context;
    const struct profile *profile = reading->profile;
    bool is_read = input_read(&reading->input, buffer, capacity, length, err);
    if (profile->on_progress != NULL)
        profile->on_progress(profile->context, reading->input.path, input_progress(&reading->input),
                             reading->input.byte_count);
    return is_read;
}

static void add_mount(void *context, struct span directory, struct span mount_point)
{
    struct reading *reading = context;
    mounts_add(&reading->profile->mounts, directory, mount_point);
}

static void count_recorder_line(struct profile_counts *counts,
                                const struct grammar_recorder_line *line)
{
    counts->recorder_lines++;
    counts->recorder_runs += line->kind.length == 5 && memcmp(line->kind.at, "begin", 5) == 0;
    if (line->version > counts->recorder_version)
        counts->recorder_version = line->version;
}

static enum log_status read_one(struct profile *profile, struct log *log, const char *path,
                                uint32_t runs_before, struct error *err)
{
    struct record record = {0};
    enum log_status status = log_next(log, &record, err);
    bool is_wanted = profile->only_run == 0 || profile->only_run == runs_before + record.run;
    if (status == LOG_RECORD && is_wanted && !count_record(&profile->counts, &record.totals)) {
        status = LOG_DAMAGED;
        error_set(err, "its time or calls, added to the others, are more than can be counted");
    }
    if (status == LOG_RECORDER) {
        count_recorder_line(&profile->counts, &record.recorder);
    } else if (status == LOG_DAMAGED) {
        profile->counts.damaged++;
        if (profile->on_damage != NULL)
            profile->on_damage(profile->context, path, record.line, err->text);
    } else if (status == LOG_RECORD) {
        if (is_wanted)
            push_record(profile, &record);
        else
            profile->counts.other_runs++;
    }
    return status;
}

bool profile_read(struct profile *profile, const char *path, struct error *err)
{
    struct reading reading = {.profile = profile};
    if (!input_open(&reading.input, path, err))
        return false;
    if (profile->queue == NULL)
        profile->queue = stack_queue_start(add_to_tree, &profile->tree);

    struct log log;
    struct log_source source = {.read = read_input, .mounted = add_mount, .context = &reading};
    log_init(&log, source, profile->grammar, &profile->frames, LOG_BLOCK_BYTES);
    uint32_t runs_before = profile->counts.runs;
    enum log_status status;
    do
        status = read_one(profile, &log, path, runs_before, err);
    while (status != LOG_END && status != LOG_FAILED);

    profile->counts.runs += log.run;
    profile->counts.bytes += reading.input.byte_count;
    log_release(&log);
    input_close(&reading.input);
    return status == LOG_END;
}

void profile_finish(struct profile *profile)
{
    if (profile->queue != NULL) {
        stack_queue_push(profile->queue);
        stack_queue_finish(profile->queue);
        profile->queue = NULL;
    }
    frames_name_functions(&profile->frames);
    tree_settle(&profile->tree);
}
