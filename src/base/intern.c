#include "base/intern.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static uint32_t hash_of(const struct intern *set, const char *bytes, size_t length)
{
    return (uint32_t)XXH3_64bits_withSeed(bytes, length, set->index.seed);
}

/* Returns the slot of the string, or the free slot for it. */
static size_t find_slot(const struct intern *set, const char *bytes, size_t length, uint32_t hash)
{
    const struct index *index = &set->index;
    size_t slot = index_first(index, hash);
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        if (index->slots[slot].hash != hash)
            continue;
        struct span key = set->keys[index->slots[slot].id];
        if (key.length == length && memcmp(key.at, bytes, length) == 0)
            break;
    }
    return slot;
}

uint32_t intern_find(const struct intern *set, const char *bytes, size_t length)
{
    if (set->count == 0)
        return INTERN_NONE;
    return set->index.slots[find_slot(set, bytes, length, hash_of(set, bytes, length))].id;
}

uint32_t intern_add(struct intern *set, const char *bytes, size_t length)
{
    index_reserve(&set->index);
    uint32_t hash = hash_of(set, bytes, length);
    size_t slot = find_slot(set, bytes, length, hash);
    if (set->index.slots[slot].id != INDEX_FREE)
        return set->index.slots[slot].id;

    MEM_GROW(set->keys, set->key_capacity, (size_t)set->count + 1);
    set->keys[set->count] = (struct span){arena_copy(&set->bytes, bytes, length), length};
    index_put(&set->index, slot, hash, set->count);
    return set->count++;
}

void intern_release(struct intern *set)
{
    arena_release(&set->bytes);
    free(set->keys);
    index_release(&set->index);
    *set = (struct intern){0};
}
