#include "select/source_map.h"

static struct span shown_source(const struct paths *paths, uint32_t source)
{
    return intern_get(&paths->texts, paths->shown[source]);
}

static bool is_one_of(char byte, const char *bytes)
{
    return byte != '\0' && strchr(bytes, byte) != NULL;
}

/* "mods/m28ai v104/lua/x.lua" becomes "mods/m28ai/lua/x.lua". */
static void drop_version(struct text *small)
{
    size_t start = strlen("mods/");
    if (!span_starts_with(text_span(small), "mods/"))
        return;
    const char *slash = memchr(small->at + start, '/', small->length - start);
    size_t end = slash != NULL ? (size_t)(slash - small->at) : small->length;
    size_t to = end;
    while (to > start && is_one_of(small->at[to - 1], "0123456789."))
        to--;
    if (to == end)
        return;
    if (to > start + 1 && small->at[to - 1] == 'v' && is_one_of(small->at[to - 2], " _.-"))
        to--;
    while (to > start && is_one_of(small->at[to - 1], " _.-"))
        to--;
    memmove(small->at + to, small->at + end, small->length - end);
    text_cut(small, small->length - (end - to));
}

static void learn(struct source_keys *keys, const struct text *text, uint32_t source)
{
    uint32_t id;
    bool is_new = intern_is_new(&keys->texts, text_span(text), &id);
    MEM_GROW(keys->sources, keys->capacity, keys->texts.count);
    if (is_new)
        keys->sources[id] = source;
}

static uint32_t find(const struct source_keys *keys, const struct text *text)
{
    uint32_t id = intern_find(&keys->texts, text_string(text), text->length);
    return id != INTERN_NONE ? keys->sources[id] : INTERN_NONE;
}

void source_map_init(struct source_map *map, struct symbols *symbols, const struct paths *paths)
{
    struct text small = {0};
    *map = (struct source_map){.symbols = symbols, .string_count = symbols->strings.count};
    map->is_source = mem_zeroed(map->string_count, sizeof *map->is_source);
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        if (!function->is_used)
            continue;
        map->is_source[function->source] = true;
        text_cut(&small, 0);
        text_put_small(&small, shown_source(paths, function->source));
        learn(&map->shown, &small, function->source);
        drop_version(&small);
        learn(&map->unversioned, &small, function->source);
    }
    text_release(&small);
}

uint32_t source_map_find(struct source_map *map, const struct symbols *old_symbols,
                         const struct paths *old_paths, uint32_t source)
{
    struct text text = {0};
    struct span bytes = intern_get(&old_symbols->strings, source);
    struct span shown = shown_source(old_paths, source);
    uint32_t found = intern_find(&map->symbols->strings, bytes.at, bytes.length);
    if (found != INTERN_NONE && found < map->string_count && map->is_source[found])
        return found;
    text_put_small(&text, shown);
    found = find(&map->shown, &text);
    if (found == INTERN_NONE) {
        drop_version(&text);
        found = find(&map->unversioned, &text);
    }
    if (found == INTERN_NONE && bytes.length > 0 && bytes.at[0] == '@') {
        /* As it is shown: its directory on the old machine means nothing in the new profile. */
        text_cut(&text, 0);
        text_put_string(&text, "@");
        text_put_span(&text, shown);
        bytes = text_span(&text);
    }
    if (found == INTERN_NONE)
        found = intern_add_span(&map->symbols->strings, bytes);
    text_release(&text);
    return found;
}

void source_map_release(struct source_map *map)
{
    free(map->is_source);
    intern_release(&map->shown.texts);
    intern_release(&map->unversioned.texts);
    free(map->shown.sources);
    free(map->unversioned.sources);
    *map = (struct source_map){0};
}
