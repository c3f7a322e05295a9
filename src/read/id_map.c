#include "read/id_map.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
    SMALLEST_ARRAY = 16,
    /* The largest ratio of the array's length to the number of defined ids. */
    SPARSE_MAX = 8,
};

uint32_t id_map_find_large(const struct id_map *map, uint32_t id)
{
    uint32_t found = intern_find(&map->large, (const char *)&id, sizeof id);
    return found == INTERN_NONE ? 0 : map->large_values[found];
}

static void grow_array(struct id_map *map, size_t needed)
{
    size_t capacity = map->count;
    MEM_GROW(map->at, capacity, needed < SMALLEST_ARRAY ? SMALLEST_ARRAY : needed);
    memset(map->at + map->count, 0, (capacity - map->count) * sizeof *map->at);
    map->count = capacity;
}

void id_map_define(struct id_map *map, uint32_t id, uint32_t value)
{
    map->defined++;
    if (id < map->count || id < SMALLEST_ARRAY + SPARSE_MAX * map->defined) {
        if (id >= map->count)
            grow_array(map, (size_t)id + 1);
        map->at[id] = value;
        return;
    }
    uint32_t number = intern_add(&map->large, (const char *)&id, sizeof id);
    MEM_GROW(map->large_values, map->large_capacity, map->large.count);
    map->large_values[number] = value;
}

void id_map_release(struct id_map *map)
{
    free(map->at);
    free(map->large_values);
    intern_release(&map->large);
    *map = (struct id_map){0};
}
