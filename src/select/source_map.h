/*
 * source_map.h - finds the source files of one profile in another.
 *
 * A source is the same where its bytes are the same. Else it is the one that is shown alike,
 * letter case ignored; and for a mod also without the version in the name of its folder:
 *
 *         old source                  found in the new profile
 *         @c:/x/mods/Two/a.lua        @d:/y/mods/two/a.lua
 *         @c:/x/mods/m28ai v104/b.lua @c:/x/mods/M28AI v105/b.lua
 */
#ifndef SUPPROF_SOURCE_MAP_H
#define SUPPROF_SOURCE_MAP_H

#include "base/intern.h"
#include "names/paths.h"
#include "tree/symbols.h"

#include <stddef.h>
#include <stdint.h>

struct source_map {
    struct symbols *symbols; /* of the new profile */
    uint8_t *is_source;      /* [string_count]: of a function of the new profile, by string id */
    uint32_t string_count;
    struct intern shown; /* paths as shown, in small letters */
    uint32_t *sources;   /* [shown.count]: string ids in the new profile */
    size_t source_capacity;
    struct intern unversioned;     /* paths of mods, without the versions of their folders */
    uint32_t *unversioned_sources; /* [unversioned.count] */
    size_t unversioned_capacity;
};

/* Learns the sources of the functions in use. The symbols are borrowed. */
void source_map_init(struct source_map *map, struct symbols *symbols, const struct paths *paths);
void source_map_release(struct source_map *map);

/*
 * Returns the source of the new profile, a string id, that is the same as one of the old. Adds a
 * string to the new profile if there is none.
 */
uint32_t source_map_find(struct source_map *map, const struct symbols *old_symbols,
                         const struct paths *old_paths, uint32_t source);

#endif
