/*
 * piece.h - a piece of a line, up to a ';' or a line feed, and its hash, in one pass.
 *
 * The frames of records are such pieces, and most of the time that records take is spent on them.
 * With memchr(), XXH3 and memcmp() for each, and the calls of these, reading records took 40 % more
 * time: pieces are too short for them. Here the length of a piece decides only how often a loop
 * runs, and no other branch, since each branch that the processor predicts wrongly costs as much as
 * 50 bytes. So up to 31 bytes after a piece are read, too; their values change nothing.
 */
#pragma once

#include "platform/wide.h"

#include <stdbool.h>
#include <stddef.h>

enum { PIECE_BLOCK_BYTES = 32, PIECE_WORDS = PIECE_BLOCK_BYTES / 8 };

struct piece {
    size_t length; /* without its end */
    uint32_t hash;
};

static inline uint64_t piece_load(const void *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The seed is in both factors of each product, so that no text can be made to set one to 0. */
struct piece_hash {
    uint64_t seed, first, second;
};

static inline struct piece_hash piece_hash_start(uint64_t seed)
{
    return (struct piece_hash){seed, seed ^ 0x9e3779b97f4a7c15u, seed ^ 0xd6e8feb86659fd93u};
}

static inline void piece_hash_add(struct piece_hash *hash, uint64_t a, uint64_t b, uint64_t c,
                                  uint64_t d)
{
    hash->first = wide_multiply_fold(a ^ hash->seed, b ^ hash->first);
    hash->second = wide_multiply_fold(c ^ hash->seed, d ^ hash->second);
}

static inline uint32_t piece_hash_end(const struct piece_hash *hash, size_t length)
{
    uint64_t mixed = wide_multiply_fold(hash->first ^ hash->seed, hash->second ^ length);
    return (uint32_t)(mixed ^ mixed >> 32);
}

/* For the first bytes of a block: all others become 0. */
static inline const unsigned char *piece_mask(size_t length)
{
    static const unsigned char masks[2 * PIECE_BLOCK_BYTES] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    };
    return masks + PIECE_BLOCK_BYTES - length;
}

static inline void piece_hash_add_rest(struct piece_hash *hash, const char *at, size_t length)
{
    const unsigned char *mask = piece_mask(length);
    piece_hash_add(
        hash, piece_load(at) & piece_load(mask), piece_load(at + 8) & piece_load(mask + 8),
        piece_load(at + 16) & piece_load(mask + 16), piece_load(at + 24) & piece_load(mask + 24));
}

/* Reads the piece at `at`. It must have an end. */
static inline struct piece piece_read(const char *at, uint64_t seed)
{
    struct piece_hash hash = piece_hash_start(seed);
    const char *block = at;
    uint32_t ends;
    while ((ends = wide_find_either(block, ';', '\n')) == 0) {
        piece_hash_add(&hash, piece_load(block), piece_load(block + 8), piece_load(block + 16),
                       piece_load(block + 24));
        block += PIECE_BLOCK_BYTES;
    }
    size_t rest = (size_t)__builtin_ctz(ends);
    piece_hash_add_rest(&hash, block, rest);
    size_t length = (size_t)(block - at) + rest;
    return (struct piece){length, piece_hash_end(&hash, length)};
}

/* Returns the same hash for any text; reads nothing after it. */
static inline uint32_t piece_hash(const char *text, size_t length, uint64_t seed)
{
    struct piece_hash hash = piece_hash_start(seed);
    char rest[PIECE_BLOCK_BYTES] = {0};
    size_t at = 0;
    for (; length - at >= sizeof rest; at += sizeof rest)
        piece_hash_add(&hash, piece_load(text + at), piece_load(text + at + 8),
                       piece_load(text + at + 16), piece_load(text + at + 24));
    if (length > at)
        memcpy(rest, text + at, length - at);
    piece_hash_add_rest(&hash, rest, length - at);
    return piece_hash_end(&hash, length);
}

/* Whether two texts of the same length are the same. */
static inline bool piece_is_same(const char *a, const char *b, size_t length)
{
    uint32_t different = 0;
    for (; length >= PIECE_BLOCK_BYTES; length -= PIECE_BLOCK_BYTES) {
        different |= wide_find_different(a, b);
        a += PIECE_BLOCK_BYTES;
        b += PIECE_BLOCK_BYTES;
    }
    different |= wide_find_different(a, b) & (((uint32_t)1 << length) - 1);
    return different == 0;
}
