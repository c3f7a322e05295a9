/*
 * field.h - a field of a line, up to a ';' or a line feed, and its hash, in one pass.
 *
 * The frames of records are such fields, and most of the time that records take is spent on them.
 * With memchr(), XXH3 and memcmp() for each, and the calls of these, reading records took 40 % more
 * time: fields are too short for them. Here the length of a field decides only how often a loop
 * runs, and no other branch, since each branch that the processor predicts wrongly costs as much as
 * 50 bytes. So up to 31 bytes after a field are read, too; their values change nothing.
 */
#pragma once

#include "platform/wide.h"

#include <stdbool.h>
#include <stddef.h>

enum { FIELD_BLOCK_BYTES = 32, FIELD_WORDS = FIELD_BLOCK_BYTES / 8 };

struct field {
    size_t length; /* without its end */
    uint32_t hash;
};

static inline uint64_t field_load(const void *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The seed is in both factors of each product, so that no text can be made to set one to 0. */
struct field_hash {
    uint64_t seed, first, second;
};

static inline struct field_hash field_hash_start(uint64_t seed)
{
    return (struct field_hash){seed, seed ^ 0x9e3779b97f4a7c15u, seed ^ 0xd6e8feb86659fd93u};
}

static inline void field_hash_add(struct field_hash *hash, uint64_t a, uint64_t b, uint64_t c,
                                  uint64_t d)
{
    hash->first = wide_multiply_fold(a ^ hash->seed, b ^ hash->first);
    hash->second = wide_multiply_fold(c ^ hash->seed, d ^ hash->second);
}

static inline uint32_t field_hash_end(const struct field_hash *hash, size_t length)
{
    uint64_t mixed = wide_multiply_fold(hash->first ^ hash->seed, hash->second ^ length);
    return (uint32_t)(mixed ^ mixed >> 32);
}

/* For the first bytes of a block: all others become 0. */
static inline const unsigned char *field_mask(size_t length)
{
    static const unsigned char masks[2 * FIELD_BLOCK_BYTES] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    };
    return masks + FIELD_BLOCK_BYTES - length;
}

static inline void field_hash_add_rest(struct field_hash *hash, const char *at, size_t length)
{
    const unsigned char *mask = field_mask(length);
    field_hash_add(
        hash, field_load(at) & field_load(mask), field_load(at + 8) & field_load(mask + 8),
        field_load(at + 16) & field_load(mask + 16), field_load(at + 24) & field_load(mask + 24));
}

/* Reads the field at `at`. It must have an end. */
static inline struct field field_read(const char *at, uint64_t seed)
{
    struct field_hash hash = field_hash_start(seed);
    const char *block = at;
    uint32_t ends;
    while ((ends = wide_find_either(block, ';', '\n')) == 0) {
        field_hash_add(&hash, field_load(block), field_load(block + 8), field_load(block + 16),
                       field_load(block + 24));
        block += FIELD_BLOCK_BYTES;
    }
    size_t rest = (size_t)__builtin_ctz(ends);
    field_hash_add_rest(&hash, block, rest);
    size_t length = (size_t)(block - at) + rest;
    return (struct field){length, field_hash_end(&hash, length)};
}

/* Returns the same hash for any text; reads nothing after it. */
static inline uint32_t field_hash(const char *text, size_t length, uint64_t seed)
{
    struct field_hash hash = field_hash_start(seed);
    char rest[FIELD_BLOCK_BYTES] = {0};
    size_t at = 0;
    for (; length - at >= sizeof rest; at += sizeof rest)
        field_hash_add(&hash, field_load(text + at), field_load(text + at + 8),
                       field_load(text + at + 16), field_load(text + at + 24));
    if (length > at)
        memcpy(rest, text + at, length - at);
    field_hash_add_rest(&hash, rest, length - at);
    return field_hash_end(&hash, length);
}

/* Whether two texts of the same length are the same. */
static inline bool field_is_same(const char *a, const char *b, size_t length)
{
    uint32_t different = 0;
    for (; length >= FIELD_BLOCK_BYTES; length -= FIELD_BLOCK_BYTES) {
        different |= wide_find_different(a, b);
        a += FIELD_BLOCK_BYTES;
        b += FIELD_BLOCK_BYTES;
    }
    different |= wide_find_different(a, b) & (((uint32_t)1 << length) - 1);
    return different == 0;
}
