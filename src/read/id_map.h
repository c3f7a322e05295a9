/*
 * id_map.h - a map from the ids in a log to our own numbers.
 *
 * A damaged log may have any number, so the map is a table, and its memory is in proportion to the
 * number of defined ids. Different ids have different hashes: so only hashes are compared, and the
 * index has the values in place of its ids.
 */
#pragma once

#include "base/index.h"

/* All zero is empty; release it with index_release(). */
struct id_map {
    struct index index;
};

/* No two ids have the same result. */
static inline uint32_t id_map_hash(const struct id_map *map, uint32_t id)
{
    uint32_t mixed = (id ^ (uint32_t)map->index.seed) * 0x9e3779b1u;
    return mixed ^ mixed >> 16;
}

/* Returns the value of an id; 0 if it is not defined. */
static inline uint32_t id_map_find(const struct id_map *map, uint32_t id)
{
    const struct index_slot *slots = map->index.slots;
    uint32_t hash = id_map_hash(map, id);
    size_t slot = index_first(&map->index, hash);
    if (slots == NULL)
        return 0;
    while (slots[slot].hash != hash && slots[slot].id != INDEX_FREE)
        slot = index_next(&map->index, slot);
    return slots[slot].id != INDEX_FREE ? slots[slot].id : 0;
}

/* Defines an id that is not defined yet. The value must be neither 0 nor INDEX_FREE. */
static inline void id_map_define(struct id_map *map, uint32_t id, uint32_t value)
{
    index_reserve(&map->index);
    uint32_t hash = id_map_hash(map, id);
    size_t slot = index_first(&map->index, hash);
    while (map->index.slots[slot].id != INDEX_FREE)
        slot = index_next(&map->index, slot);
    index_put(&map->index, slot, hash, value);
}
