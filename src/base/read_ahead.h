/*
 * read_ahead.h - the text of an input in blocks, which one thread takes and two may read.
 *
 * A block is used where it was read; what is left of the block before can be put in front of it.
 *
 * The thread that takes the blocks reads a shared input where few blocks are ready. When the other
 * thread has little to do, it helps. A compressed log of 1 GB takes 25 % less time so, on two
 * cores, than with a third thread that only decompresses. A plain log should not be shared: a block
 * that the same thread reads and uses is still in its cache.
 */
#ifndef SUPPROF_READ_AHEAD_H
#define SUPPROF_READ_AHEAD_H

#include "base/error.h"
#include "base/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* The most bytes of a block. */
    READ_BLOCK_BYTES = 256 * 1024,
    /* So many bytes before a block belong to it: they may be written. */
    READ_HEAD_BYTES = 64 * 1024,
    /* So many bytes after a block may be read: a line feed, and any others. */
    READ_TAIL_BYTES = 192,
};

struct read_block {
    char *at; /* [length], and a line feed after that */
    size_t length;
    /* When the block was read: see input_progress(), and `byte_count` of an input. */
    double progress;
    uint64_t byte_count;
};

struct read_ahead;

/*
 * Begins to read an input, which nothing else may use until read_ahead_free(). If it `is_shared`,
 * one other thread may call read_ahead_help().
 */
struct read_ahead *read_ahead_start(struct input *input, bool is_shared);

/*
 * Reads one block of a shared input, if there is room for it and no other thread reads one; it may
 * wait for the bytes of a pipe. Returns whether it did. A failure is that of read_ahead_next().
 */
bool read_ahead_help(struct read_ahead *ahead);

/*
 * Takes the next block, which holds what one call of input_read() gave. Of a shared input, some
 * blocks after it may be read first. Its length is 0 only at the end. On failure `err` is set, and
 * the length is 0, too. The block stays until the call after the next one. Not to be called after
 * the end or a failure.
 */
bool read_ahead_next(struct read_ahead *ahead, struct read_block *block, struct error *err);

/* Call it before the input is closed, when no other thread helps any more. */
void read_ahead_free(struct read_ahead *ahead);

#endif
