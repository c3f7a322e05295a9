#include "read/memory_log.h"

#include <stdlib.h>
#include <string.h>

/* Each block has memory of its own, so that a use of more or for longer than is promised shows. */
static bool next_block(void *context, struct read_block *block, struct error *err)
{
    struct memory_log *memory = context;
    size_t capacity = memory->block_bytes;
    size_t count = memory->text.length < capacity ? memory->text.length : capacity;
    if (memory->read_max > 0 && count > memory->read_max)
        count = memory->read_max;
    free(memory->blocks[0]);
    memory->blocks[0] = memory->blocks[1];
    memory->blocks[1] = malloc(READ_HEAD_BYTES + count + READ_TAIL_BYTES);
    *block = (struct read_block){.at = memory->blocks[1] + READ_HEAD_BYTES, .length = count};
    block->at[0] = '\n';
    if (count == 0 && memory->fails_at_end)
        return error_set(err, "the disk is gone");
    if (count > 0)
        memcpy(block->at, memory->text.at, count);
    memset(block->at + count, ';', READ_TAIL_BYTES);
    block->at[count] = '\n';
    memory->text.at += count;
    memory->text.length -= count;
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
    *memory = (struct memory_log){.text = text, .block_bytes = block_bytes, .grammar = grammar};
    memory->frames.symbols = &memory->symbols;
    struct log_source source = {
        .next = next_block, .mounted = count_mount, .hooked = keep_hook, .context = memory};
    log_init(&memory->log, source, memory->grammar, &memory->frames);
}

void memory_log_close(struct memory_log *memory)
{
    log_release(&memory->log);
    for (size_t i = 0; i < 2; i++)
        free(memory->blocks[i]);
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
        counts.frames += record.stack.depth;
        counts.calls += record.stack.calls;
        counts.total_ns += record.stack.total_ns;
    }
    counts.has_failed = status == LOG_FAILED;
    return counts;
}
