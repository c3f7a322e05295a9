#include "base/read_ahead.h"

#include "platform/thread.h"

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
    struct os_thread *thread; /* NULL: a block is read when it is taken */
    struct monitor *monitor;
    /* Guarded by the monitor. Blocks [taken, filled) modulo `slot_count` are ready. */
    size_t filled, taken;
    size_t slot_count;
    struct slot slots[BLOCK_COUNT];
};

/* Returns whether there may be more. */
static bool fill(struct read_ahead *ahead, size_t number)
{
    struct input *input = ahead->input;
    struct slot *slot = &ahead->slots[number % ahead->slot_count];
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

/* On the other thread, which alone changes `filled`. */
static void read_all(void *context)
{
    struct read_ahead *ahead = context;
    for (bool goes_on = true; goes_on;) {
        goes_on = fill(ahead, ahead->filled);
        monitor_enter(ahead->monitor);
        ahead->filled++;
        monitor_wake(ahead->monitor);
        while (goes_on && ahead->filled - ahead->taken == BLOCK_COUNT - IN_USE)
            monitor_wait(ahead->monitor);
        monitor_leave(ahead->monitor);
    }
}

struct read_ahead *read_ahead_start(struct input *input, bool has_thread)
{
    struct read_ahead *ahead = mem_zeroed(1, sizeof *ahead);
    ahead->input = input;
    ahead->slot_count = BLOCK_COUNT;
    ahead->monitor = has_thread ? monitor_new() : NULL;
    ahead->thread = ahead->monitor != NULL ? thread_start(read_all, ahead) : NULL;
    if (ahead->thread == NULL)
        ahead->slot_count = IN_USE;
    return ahead;
}

static void wait_for_block(struct read_ahead *ahead)
{
    monitor_enter(ahead->monitor);
    while (ahead->filled == ahead->taken)
        monitor_wait(ahead->monitor);
    ahead->taken++;
    monitor_wake(ahead->monitor);
    monitor_leave(ahead->monitor);
}

bool read_ahead_next(struct read_ahead *ahead, struct read_block *block, struct error *err)
{
    if (ahead->thread != NULL)
        wait_for_block(ahead);
    else
        fill(ahead, ahead->taken++);
    /* Only this thread changes `taken`, so it may read it without the monitor. */
    const struct slot *slot = &ahead->slots[(ahead->taken - 1) % ahead->slot_count];
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
