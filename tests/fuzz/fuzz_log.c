/*
 * Reads any bytes as a log: whatever they hold, reading ends, and the tree that
 * comes out of it keeps its time. libFuzzer calls this with inputs of its own;
 * replay.c calls it with the corpus and the fixtures, as a test.
 */
#include "base/mem.h"
#include "read/memory_log.h"
#include "tree/tree_builder.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_record(struct tree_builder *builder, const struct memory_log *memory,
                       const struct record *record)
{
    struct stack stack = {
        .depth = record->stack.depth,
        /* Sums of many times near the limit would overflow, which no game reaches. */
        .total_ns = record->stack.total_ns % 1000000000,
        .has_time = record->stack.has_time,
    };
    struct stack_batch stacks = {.at = &stack, .count = 1, .frame_count = record->stack.depth};
    stacks.frames = mem_zeroed(record->stack.depth, sizeof *stacks.frames);
    for (size_t i = 0; i < record->stack.depth; i++) {
        memory->frames.is_used[record->frames[i]] = true;
        stacks.frames[i] = memory->frames.in_stacks[record->frames[i]];
    }
    tree_builder_add_stacks(builder, &stacks);
    free(stacks.frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    /* The first byte chooses how the rest is cut into blocks. */
    size_t block_bytes = 40 + (size_t)data[0] * 8;
    struct memory_log memory;
    memory_log_open(&memory, (struct span){(const char *)data + 1, size - 1}, block_bytes);
    struct tree_builder builder;
    tree_builder_init(&builder, false);

    struct record record;
    struct error err;
    enum log_status status;
    size_t count = 0;
    while ((status = log_next(&memory.log, &record, &err)) != LOG_END && status != LOG_FAILED) {
        if (++count > size)
            abort(); /* it takes at least a byte to make a record */
        if (status == LOG_RECORD)
            add_record(&builder, &memory, &record);
    }
    frames_name_functions(&memory.frames);
    symbols_name_functions(memory.frames.symbols);
    struct tree tree;
    tree_builder_finish(&builder, &tree);
    int64_t self_ns = 0;
    for (uint32_t node = 0; node < tree.node_count; node++)
        self_ns += tree.self_ns[node];
    if (self_ns != tree.total_ns[TREE_ROOT])
        abort();
    tree_release(&tree);
    memory_log_close(&memory);
    return 0;
}
