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
#pragma once

#include "base/intern.h"
#include "names/paths.h"
#include "tree/symbols.h"

/* Sources by a text, which several may have: the first one of them. */
struct source_keys {
    struct intern texts;
    uint32_t *sources; /* [texts.count]: string ids in the new profile */
    size_t capacity;
};

struct source_map {
    struct symbols *symbols; /* of the new profile */
    bool *is_source;         /* [string_count]: of a function of the new profile, by string id */
    uint32_t string_count;
    struct source_keys shown;       /* paths as shown, in small letters */
    struct source_keys unversioned; /* the same without the versions of mods' folders */
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
