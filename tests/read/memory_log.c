#include "read/memory_log.h"

#include <stdlib.h>
#include <string.h>

static bool read_memory(void *context, char *buffer, size_t capacity, size_t *length,
                        struct error *err)
{
    struct memory_log *memory = context;
    size_t count = memory->text.length < capacity ? memory->text.length : capacity;
    if (memory->read_max > 0 && count > memory->read_max)
        count = memory->read_max;
    if (count == 0 && memory->fails_at_end)
        return error_set(err, "the disk is gone");
    if (count > 0)
        memcpy(buffer, memory->text.at, count);
    memory->text.at += count;
    memory->text.length -= count;
    *length = count;
    return true;
}

static void count_mount(void *context, struct span directory, struct span mount_point)
{
    (void)directory, (void)mount_point;
    struct memory_log *memory = context;
    memory->mount_count++;
}

static void keep_hook(void *context, struct span base, struct span file)
{
    struct memory_log *memory = context;
    memory->hook_count++;
    memory->hook_bytes = base.length + file.length;
}

void memory_log_open(struct memory_log *memory, struct span text, size_t block_bytes)
{
    /* Kept for the next log: compiling it takes longer than reading a small one. */
    static struct grammar *grammar;
    struct error err;
    if (grammar == NULL)
        grammar = grammar_new(&err);
    if (grammar == NULL)
        abort();
    *memory = (struct memory_log){.text = text, .grammar = grammar};
    memory->frames.symbols = &memory->symbols;
    struct log_source source = {
        .read = read_memory, .mounted = count_mount, .hooked = keep_hook, .context = memory};
    log_init(&memory->log, source, memory->grammar, &memory->frames, block_bytes);
}

void memory_log_close(struct memory_log *memory)
{
    log_release(&memory->log);
    frames_release(&memory->frames);
    symbols_release(&memory->symbols);
}

struct memory_log_counts memory_log_read(struct memory_log *memory)
{
    struct memory_log_counts counts = {0};
    struct record record;
    struct error err;
    enum log_status status;
    while ((status = log_next(&memory->log, &record, &err)) != LOG_END && status != LOG_FAILED) {
        if (status == LOG_DAMAGED) {
            if (counts.damaged++ == 0)
                counts.first_damaged_line = record.line;
            continue;
        }
        counts.benchmarks += status == LOG_BENCHMARK;
        if (status != LOG_RECORD)
            continue;
        counts.records++;
        counts.frames += record.depth;
        counts.calls += record.totals.calls;
        counts.total_ns += record.totals.total_ns;
    }
    counts.has_failed = status == LOG_FAILED;
    return counts;
}
