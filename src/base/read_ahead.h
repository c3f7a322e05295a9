/*
 * read_ahead.h - the text of an input in blocks, which another thread can read ahead.
 *
 * A block is not copied; what is left of the block before can be put in front of it.
 *
 * Decompressing a log takes twice as long as all other work on its text. So it has a thread of its
 * own. A plain log is read on the thread of the caller: a block is still in its cache then.
 */
#pragma once

#include "base/error.h"
#include "base/input.h"

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
 * Begins to read an input, which nothing else may use until read_ahead_free(). Without
 * `has_thread`, and if no thread can be started, a block is read when it is asked for.
 */
struct read_ahead *read_ahead_start(struct input *input, bool has_thread);

/*
 * Takes the next block, which holds what one call of input_read() gave. Its length is 0 only at the
 * end. On failure `err` is set, and the length is 0, too. The block stays until the call after the
 * next one. Not to be called after the end or a failure.
 */
bool read_ahead_next(struct read_ahead *ahead, struct read_block *block, struct error *err);

/* Call it after the end or a failure, before the input is closed. */
void read_ahead_free(struct read_ahead *ahead);
