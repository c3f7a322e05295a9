#include "select/source_map.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void put_small(struct text *text, struct span span)
{
    text->length = 0;
    text_put(text, span.at, span.length);
    for (size_t i = 0; i < text->length; i++)
        if (text->at[i] >= 'A' && text->at[i] <= 'Z')
            text->at[i] = (char)(text->at[i] - 'A' + 'a');
}

static struct span shown_source(const struct paths *paths, uint32_t source)
{
    return intern_get(&paths->texts, paths->shown[source]);
}

static bool is_one_of(char byte, const char *bytes)
{
    return byte != '\0' && strchr(bytes, byte) != NULL;
}

/* "mods/m28ai v104/lua/x.lua" becomes "mods/m28ai/lua/x.lua"; false if there is no version. */
static bool drop_version(struct text *small)
{
    static const char mods[] = "mods/";
    size_t start = sizeof mods - 1;
    if (small->length < start || memcmp(small->at, mods, start) != 0)
        return false;
    const char *slash = memchr(small->at + start, '/', small->length - start);
    size_t end = slash != NULL ? (size_t)(slash - small->at) : small->length;
    size_t to = end;
    while (to > start && is_one_of(small->at[to - 1], "0123456789."))
        to--;
    if (to == end)
        return false;
    if (to > start + 1 && small->at[to - 1] == 'v' && is_one_of(small->at[to - 2], " _.-"))
        to--;
    while (to > start && is_one_of(small->at[to - 1], " _.-"))
        to--;
    memmove(small->at + to, small->at + end, small->length - end);
    small->length -= end - to;
    return to > start;
}

/* Keeps the first source with a key. */
static void learn_key(struct intern *keys, uint32_t **sources, size_t *capacity,
                      const struct text *key, uint32_t source)
{
    uint32_t known = keys->count;
    uint32_t id = intern_add(keys, text_span(key).at, key->length);
    *sources = mem_grow(*sources, capacity, keys->count, sizeof **sources);
    if (id == known)
        (*sources)[id] = source;
}

void source_map_init(struct source_map *map, struct symbols *symbols, const struct paths *paths)
{
    struct text small = {0};
    *map = (struct source_map){.symbols = symbols};
    map->string_count = symbols->strings.count;
    map->is_source = mem_zeroed(map->string_count, 1);
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        if (!function->is_used)
            continue;
        map->is_source[function->source] = 1;
        put_small(&small, shown_source(paths, function->source));
        learn_key(&map->shown, &map->sources, &map->source_capacity, &small, function->source);
        drop_version(&small);
        learn_key(&map->unversioned, &map->unversioned_sources, &map->unversioned_capacity, &small,
                  function->source);
    }
    text_release(&small);
}

/* Returns the source of the new profile that has the same bytes, or INTERN_NONE. */
static uint32_t find_same(const struct source_map *map, struct span bytes)
{
    uint32_t id = intern_find(&map->symbols->strings, bytes.at, bytes.length);
    bool is_source = id != INTERN_NONE && id < map->string_count && map->is_source[id];
    return is_source ? id : INTERN_NONE;
}

uint32_t source_map_find(struct source_map *map, const struct symbols *old_symbols,
                         const struct paths *old_paths, uint32_t source)
{
    struct text text = {0};
    struct span bytes = intern_get(&old_symbols->strings, source);
    struct span shown = shown_source(old_paths, source);
    uint32_t found = find_same(map, bytes);
    if (found != INTERN_NONE)
        return found;
    put_small(&text, shown);
    uint32_t id = intern_find(&map->shown, text_span(&text).at, text.length);
    found = id != INTERN_NONE ? map->sources[id] : INTERN_NONE;
    if (found == INTERN_NONE) {
        drop_version(&text);
        id = intern_find(&map->unversioned, text_span(&text).at, text.length);
        found = id != INTERN_NONE ? map->unversioned_sources[id] : INTERN_NONE;
    }
    if (found == INTERN_NONE && bytes.length > 0 && bytes.at[0] == '@') {
        /* As it is shown: its directory on the old machine means nothing in the new profile. */
        text.length = 0;
        text_put_string(&text, "@");
        text_put(&text, shown.at, shown.length);
        bytes = text_span(&text);
    }
    if (found == INTERN_NONE)
        found = intern_add(&map->symbols->strings, bytes.at, bytes.length);
    text_release(&text);
    return found;
}

void source_map_release(struct source_map *map)
{
    free(map->is_source);
    intern_release(&map->shown);
    intern_release(&map->unversioned);
    free(map->sources);
    free(map->unversioned_sources);
    *map = (struct source_map){0};
}
