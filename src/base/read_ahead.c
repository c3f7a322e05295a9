#include "base/read_ahead.h"

#include "base/mem.h"
#include "platform/thread.h"

#include <stdlib.h>

enum {
    /* Two blocks are in use: the last one handed out, and the one before it. */
    IN_USE = 2,
    /* Those of a shared input. With 8, a compressed log of 1 GB takes 5 % more time. */
    BLOCK_COUNT = 14,
    /*
     * With fewer blocks ready, the thread that takes one reads others first. Otherwise it would
     * often find none, and wait while the other thread decompresses the next one.
     */
    READY_MIN = 5,
};

struct slot {
    char *memory; /* NULL until it is used for the first time */
    struct read_block block;
    bool is_read;
    struct error err;
};

struct read_ahead {
    struct input *input;
    struct monitor *monitor; /* NULL: the input is not shared */
    /* Guarded by the monitor. Blocks [taken, filled) modulo BLOCK_COUNT are ready. */
    size_t filled, taken;
    bool is_reading; /* a thread fills the next block */
    bool is_at_end;  /* no block comes after those that are filled */
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

struct read_ahead *read_ahead_start(struct input *input, bool is_shared)
{
    struct read_ahead *ahead = mem_zeroed(1, sizeof *ahead);
    ahead->input = input;
    ahead->monitor = is_shared ? monitor_new() : NULL;
    return ahead;
}

/* Fills the next block, outside the monitor. */
static void fill_next(struct read_ahead *ahead)
{
    struct slot *slot = &ahead->slots[ahead->filled % BLOCK_COUNT];
    ahead->is_reading = true;
    monitor_leave(ahead->monitor);
    bool has_more = fill(ahead->input, slot);
    monitor_enter(ahead->monitor);
    ahead->is_reading = false;
    ahead->is_at_end = !has_more;
    ahead->filled++;
}

bool read_ahead_help(struct read_ahead *ahead)
{
    if (ahead->monitor == NULL)
        return false;
    monitor_enter(ahead->monitor);
    bool has_room = !ahead->is_reading && !ahead->is_at_end &&
                    ahead->filled - ahead->taken < BLOCK_COUNT - IN_USE;
    if (has_room) {
        fill_next(ahead);
        monitor_wake(ahead->monitor);
    }
    monitor_leave(ahead->monitor);
    return has_room;
}

static struct slot *take_shared(struct read_ahead *ahead)
{
    monitor_enter(ahead->monitor);
    while (!ahead->is_reading && !ahead->is_at_end && ahead->filled - ahead->taken < READY_MIN)
        fill_next(ahead);
    while (ahead->filled == ahead->taken)
        monitor_wait(ahead->monitor);
    struct slot *slot = &ahead->slots[ahead->taken++ % BLOCK_COUNT];
    monitor_leave(ahead->monitor);
    return slot;
}

static struct slot *take_alone(struct read_ahead *ahead)
{
    struct slot *slot = &ahead->slots[ahead->taken++ % IN_USE];
    fill(ahead->input, slot);
    return slot;
}

bool read_ahead_next(struct read_ahead *ahead, struct read_block *block, struct error *err)
{
    const struct slot *slot = ahead->monitor != NULL ? take_shared(ahead) : take_alone(ahead);
    *block = slot->block;
    if (!slot->is_read)
        *err = slot->err;
    return slot->is_read;
}

void read_ahead_free(struct read_ahead *ahead)
{
    monitor_free(ahead->monitor);
    for (size_t i = 0; i < BLOCK_COUNT; i++)
        free(ahead->slots[i].memory);
    free(ahead);
}
