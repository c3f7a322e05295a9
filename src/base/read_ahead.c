#include "base/read_ahead.h"

#include "base/mem.h"
#include "platform/thread.h"

#include <stdlib.h>

/* Two blocks are in use: the last one handed out, and the one before it. */
enum { IN_USE = 2, BLOCK_COUNT = 8 };

struct slot {
    char *memory; /* NULL until it is used for the first time */
    struct read_block block;
    bool is_read;
    struct error err;
};

struct read_ahead {
    struct input *input;
    struct thread *thread; /* NULL: the caller's thread reads */
    struct monitor *monitor;
    /* Guarded by the monitor. Blocks [taken, filled) modulo BLOCK_COUNT are ready. */
    size_t filled, taken;
    struct slot slots[BLOCK_COUNT];
};

/* Returns whether there may be more. */
static bool fill(struct input *input, struct slot *slot)
{
    if (slot->memory == NULL)
        slot->memory = mem_zeroed(READ_HEAD_BYTES + READ_BLOCK_BYTES + READ_TAIL_BYTES, 1);
    struct read_block *block = &slot->block;
    block->at = slot->memory + READ_HEAD_BYTES;
    slot->is_read = input_read(input, block->at, READ_BLOCK_BYTES, &block->length, &slot->err);
    block->length = slot->is_read ? block->length : 0;
    block->at[block->length] = '\n';
    block->progress = input_progress(input);
    block->byte_count = input->byte_count;
    return block->length > 0;
}

static void run(void *context)
{
    struct read_ahead *ahead = context;
    size_t filled = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = fill(ahead->input, &ahead->slots[filled++ % BLOCK_COUNT]);
        monitor_enter(ahead->monitor);
        ahead->filled = filled;
        monitor_wake(ahead->monitor);
        while (goes_on && filled - ahead->taken == BLOCK_COUNT - IN_USE)
            monitor_wait(ahead->monitor);
        monitor_leave(ahead->monitor);
    }
}

struct read_ahead *read_ahead_start(struct input *input, bool has_thread)
{
    struct read_ahead *ahead = mem_zeroed(1, sizeof *ahead);
    ahead->input = input;
    ahead->monitor = has_thread ? monitor_new() : NULL;
    ahead->thread = ahead->monitor != NULL ? thread_start(run, ahead) : NULL;
    return ahead;
}

static void wait_for_block(struct read_ahead *ahead)
{
    monitor_enter(ahead->monitor);
    while (ahead->filled == ahead->taken)
        monitor_wait(ahead->monitor);
    ahead->taken++;
    /* Not for each block: to wake a thread takes as long as to read a part of one. */
    if (ahead->filled - ahead->taken <= BLOCK_COUNT / 2)
        monitor_wake(ahead->monitor);
    monitor_leave(ahead->monitor);
}

bool read_ahead_next(struct read_ahead *ahead, struct read_block *block, struct error *err)
{
    size_t used = ahead->thread != NULL ? BLOCK_COUNT : IN_USE;
    /* Only this thread changes `taken`, so it may read it without the monitor. */
    struct slot *slot = &ahead->slots[ahead->taken % used];
    if (ahead->thread != NULL) {
        wait_for_block(ahead);
    } else {
        fill(ahead->input, slot);
        ahead->taken++;
    }
    *block = slot->block;
    if (!slot->is_read)
        *err = slot->err;
    return slot->is_read;
}

void read_ahead_free(struct read_ahead *ahead)
{
    if (ahead->thread != NULL)
        thread_join(ahead->thread);
    monitor_free(ahead->monitor);
    for (size_t i = 0; i < BLOCK_COUNT; i++)
        free(ahead->slots[i].memory);
    free(ahead);
}
