/*
 * hash_index.h - finds ids by hash; the keys stay with the caller.
 *
 * An open-addressing table with linear probing. It holds (hash, id) pairs and never looks at a key:
 * the caller walks the ids that share a hash and compares its own keys. So strings, functions and
 * tree edges use the same kind of table, each with its own layout of keys:
 *
 *     for (size_t slot = index_first(index, hash); index->slots[slot].id != INDEX_FREE;
 *          slot = index_next(index, slot))
 *         if (index->slots[slot].hash == hash && same_key(index->slots[slot].id))
 *             return index->slots[slot].id;
 *
 * Call index_reserve() before the walk and index_put() on the free slot after it. The first call
 * draws the seed that all hashes of the table are made with.
 */
#pragma once

#include "base/mem.h"
#include "base/text.h"
#include "platform/random.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Hashes of numbers for tables.
 *
 * A log could be made of numbers or texts that have the same hash, and each would be compared with
 * all others. So a hash depends on a seed, which each table draws for itself. No output depends on
 * a hash.
 */

/* All bits of the result depend on all bits of both arguments. */
static inline uint64_t hash_number(uint64_t number, uint64_t seed)
{
    uint64_t mixed = (number ^ seed) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32 ^ seed) * 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 32;
}

#define INDEX_FREE UINT32_MAX

struct index_slot {
    uint32_t hash;
    uint32_t id; /* INDEX_FREE if the slot is free */
};

/* All zero is an empty table; call index_reserve() before any other function. */
struct index {
    struct index_slot *slots; /* [mask + 1], a power of two; at least a quarter is free */
    size_t mask;
    size_t count;
    uint64_t seed; /* of all hashes in the table; 0 before the first index_reserve() */
};

/* Makes room for so many more ids where there is none. */
void index_grow(struct index *index, size_t count);

/* Makes room for so many more ids. Slot numbers become invalid; hashes stay valid. */
static inline void index_reserve(struct index *index, size_t count)
{
    if (index->count + count > (index->mask + 1) / 4 * 3)
        index_grow(index, count);
}

void index_release(struct index *index);

static inline size_t index_first(const struct index *index, uint32_t hash)
{
    return hash & index->mask;
}

static inline size_t index_next(const struct index *index, size_t slot)
{
    return (slot + 1) & index->mask;
}

/* Fills the free slot that a walk ended on. */
static inline void index_put(struct index *index, size_t slot, uint32_t hash, uint32_t id)
{
    index->slots[slot] = (struct index_slot){hash, id};
    index->count++;
}

/*
 * A set of byte strings, numbered in the order of their first appearance.
 *
 * The ids are 0, 1, 2, ... without gaps, so that data about a string can be kept in a plain array
 * indexed by id. Two strings are the same when their bytes are; they may hold NULs.
 */

#define INTERN_NONE UINT32_MAX

/* All zero is an empty set, ready for use. Other files may read `count` only. */
struct intern {
    uint32_t count;
    struct arena bytes;
    struct span *keys; /* [count] */
    size_t key_capacity;
    struct index index;
};

/* Returns the id of the string; a new string is copied. */
uint32_t intern_add(struct intern *set, const char *bytes, size_t length);

/* Returns the id of the string, or INTERN_NONE. */
uint32_t intern_find(const struct intern *set, const char *bytes, size_t length);

static inline uint32_t intern_add_span(struct intern *set, struct span span)
{
    return intern_add(set, span.at, span.length);
}

/* Sets `*id`, and returns whether the string is new. */
static inline bool intern_is_new(struct intern *set, struct span span, uint32_t *id)
{
    uint32_t count = set->count;
    *id = intern_add_span(set, span);
    return *id == count;
}

/*
 * Returns the string, followed by a NUL that is not counted. It stays at its address until the set
 * is released.
 */
static inline struct span intern_get(const struct intern *set, uint32_t id)
{
    return set->keys[id];
}

void intern_release(struct intern *set);
