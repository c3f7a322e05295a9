/*
 * id_map.h - a map from the ids in a log to our own numbers.
 *
 * The recorder counts from 0 or 1, so an array holds nearly all ids. A damaged log may have any
 * number: an id that was too large for the array when it was defined is in a table, so that the
 * memory is in proportion to the number of defined ids, however large they are.
 */
#pragma once

#include "base/intern.h"

/* All zero is empty. */
struct id_map {
    uint32_t *at; /* [count] by id; 0 for ids that are not in the array */
    size_t count;
    size_t defined;         /* number of ids in the array and the table */
    struct intern large;    /* the ids in the table, by their bytes */
    uint32_t *large_values; /* [large.count] */
    size_t large_capacity;
};

uint32_t id_map_find_large(const struct id_map *map, uint32_t id);

/* Returns the value of an id; 0 if it is not defined. */
static inline uint32_t id_map_find(const struct id_map *map, uint32_t id)
{
    return id < map->count && map->at[id] != 0 ? map->at[id] : id_map_find_large(map, id);
}

/* Defines an id that is not defined yet. The value must not be 0. */
void id_map_define(struct id_map *map, uint32_t id, uint32_t value);

void id_map_release(struct id_map *map);
