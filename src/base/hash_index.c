#define XXH_INLINE_ALL

#include "base/hash_index.h"

#include "platform/process.h"

#include <xxhash.h>

enum { SMALLEST_SLOT_COUNT = 64 };

static void rebuild(struct index *index, size_t slot_count)
{
    SCOPED_ARRAY struct index_slot *old = index->slots;
    size_t old_count = old == NULL ? 0 : index->mask + 1;
    if (slot_count > SIZE_MAX / sizeof *old)
        mem_exhausted();
    index->slots = malloc(slot_count * sizeof *old);
    if (index->slots == NULL)
        mem_exhausted();
    process_take_pages(index->slots, slot_count * sizeof *old);
    /* All bits set is INDEX_FREE. */
    memset(index->slots, 0xff, slot_count * sizeof *old);
    index->mask = slot_count - 1;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].id == INDEX_FREE)
            continue;
        size_t slot = index_first(index, old[i].hash);
        while (index->slots[slot].id != INDEX_FREE)
            slot = index_next(index, slot);
        index->slots[slot] = old[i];
    }
}

void index_grow(struct index *index, size_t count)
{
    size_t slot_count = SMALLEST_SLOT_COUNT;
    /* Ids are 32 bits wide, and the largest value means "none". */
    if (count > INDEX_FREE - 1 - index->count)
        mem_exhausted();
    while (index->count + count > slot_count / 4 * 3)
        slot_count *= 2;
    if (index->slots == NULL)
        index->seed = random_number();
    rebuild(index, slot_count);
}

void index_release(struct index *index)
{
    free(index->slots);
    *index = (struct index){0};
}

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
    index_reserve(&set->index, 1);
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
