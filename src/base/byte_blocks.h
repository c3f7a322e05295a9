/*
 * byte_blocks.h - bytes that are written in order, piece by piece, and read in the same order.
 *
 * They are in blocks of 64 KB, which are never copied: an array that doubles needs three times the
 * memory while it does. Only the first block begins small and grows, since there may be many short
 * lists. No piece is in two blocks, so that each is read and written without a check for its bytes.
 */
#pragma once

#include "base/mem.h"

#include <stdint.h>

/* A piece has at most so many bytes. */
enum { BYTE_BLOCK = 64 * 1024, BYTE_PIECE_MAX = 128 };

/* All zero is empty. */
struct byte_blocks {
    char **at; /* [count] */
    size_t count, capacity;
    size_t used, size; /* bytes of the last block */
};

void byte_blocks_grow(struct byte_blocks *blocks);
void byte_blocks_release(struct byte_blocks *blocks);

/* Returns where the next piece goes; byte_blocks_end() says where it ends. */
static inline char *byte_blocks_begin(struct byte_blocks *blocks)
{
    if (blocks->size - blocks->used < BYTE_PIECE_MAX)
        byte_blocks_grow(blocks);
    return blocks->at[blocks->count - 1] + blocks->used;
}

static inline void byte_blocks_end(struct byte_blocks *blocks, const char *end)
{
    blocks->used = (size_t)(end - blocks->at[blocks->count - 1]);
}

/* The number of a place: that where the next piece goes. */
static inline size_t byte_blocks_place(const struct byte_blocks *blocks)
{
    return blocks->count == 0 ? 0 : (blocks->count - 1) * BYTE_BLOCK + blocks->used;
}

/* Reads pieces; nothing is written meanwhile. */
struct byte_reader {
    const char *at;   /* of the next piece, after byte_reader_piece() */
    const char *last; /* where a piece of this block can begin */
    char *const *next;
};

/* Begins at a place. */
struct byte_reader byte_blocks_read(const struct byte_blocks *blocks, size_t place);

/* Returns where the next piece begins; `at` is to be moved behind it. There must be one. */
static inline const char *byte_reader_piece(struct byte_reader *reader)
{
    if (reader->at > reader->last) {
        reader->at = *reader->next++;
        reader->last = reader->at + BYTE_BLOCK - BYTE_PIECE_MAX;
    }
    return reader->at;
}
