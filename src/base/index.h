/*
 * index.h - finds ids by hash; the keys stay with the caller.
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
 * draws the seed that all hashes of the table are made with (base/hash.h).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

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

/* Makes room for one more id. Slot numbers become invalid; hashes stay valid. */
void index_reserve(struct index *index);

/* Makes room for `count` more ids: while these are put, slot numbers stay valid. */
void index_reserve_many(struct index *index, size_t count);
void index_release(struct index *index);

/* Empties the table. Its memory is kept, unless to clear that would take longer than to fill it. */
void index_clear(struct index *index);

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
