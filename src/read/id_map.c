#include "read/id_map.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    SMALLEST_ARRAY = 16,
    /* The largest ratio of the array's length to the number of defined ids. */
    SPARSE_MAX = 8,
    SMALLEST_TABLE = 16,
};

/* Returns the slot of an id, or the free slot for it. */
static struct id_slot *find_slot(const struct id_map *map, uint32_t id)
{
    size_t at = (size_t)hash_number(id, map->seed) & map->slot_mask;
    while (map->slots[at].value != 0 && map->slots[at].id != id)
        at = (at + 1) & map->slot_mask;
    return &map->slots[at];
}

uint32_t id_map_find_large(const struct id_map *map, uint32_t id)
{
    return map->slots == NULL ? 0 : find_slot(map, id)->value;
}

static void put_slot(struct id_map *map, uint32_t id, uint32_t value)
{
    *find_slot(map, id) = (struct id_slot){id, value};
    map->slot_count++;
}

/* Makes a table of that many slots. Ids that now fit into the array are moved there. */
static void make_table(struct id_map *map, size_t slot_count)
{
    struct id_slot *before = map->slots;
    size_t count = before == NULL ? 0 : map->slot_mask + 1;
    map->slots = mem_zeroed(slot_count, sizeof *map->slots);
    map->slot_mask = slot_count - 1;
    map->slot_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (before[i].value == 0)
            continue;
        if (before[i].id < map->count)
            map->at[before[i].id] = before[i].value;
        else
            put_slot(map, before[i].id, before[i].value);
    }
    free(before);
}

static void grow_array(struct id_map *map, size_t count)
{
    uint32_t *at = mem_zeroed(count, sizeof *at);
    if (map->count > 0)
        memcpy(at, map->at, map->count * sizeof *at);
    free(map->at);
    map->at = at;
    map->count = count;
    if (map->slots != NULL)
        make_table(map, map->slot_mask + 1);
}

void id_map_define(struct id_map *map, uint32_t id, uint32_t value)
{
    map->defined++;
    if (id >= map->count && id < SMALLEST_ARRAY + SPARSE_MAX * map->defined) {
        size_t count = map->count < SMALLEST_ARRAY ? SMALLEST_ARRAY : 2 * map->count;
        while (count <= id)
            count *= 2;
        grow_array(map, count);
    }
    if (id < map->count) {
        map->at[id] = value;
        return;
    }
    if (map->slots == NULL) {
        map->seed = hash_seed();
        make_table(map, SMALLEST_TABLE);
    } else if (2 * (map->slot_count + 1) > map->slot_mask) {
        make_table(map, 2 * (map->slot_mask + 1));
    }
    put_slot(map, id, value);
}

void id_map_release(struct id_map *map)
{
    free(map->at);
    free(map->slots);
    *map = (struct id_map){0};
}
