#include "names/paths.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOUNTS_MAX = 1024, PATH_BYTES_MAX = 4096, CHUNK_CHARACTERS = 60 };

void paths_put(struct text *text, struct span path)
{
    size_t start = text->length;
    text_put_clean(text, path, false);
    for (size_t i = start; i < text->length; i++)
        if (text->at[i] == '\\')
            text->at[i] = '/';
}

void mounts_add(struct mounts *mounts, struct span directory, struct span mount_point)
{
    if (mounts->count >= MOUNTS_MAX || directory.length > PATH_BYTES_MAX)
        return;
    mounts->mounts =
        mem_grow(mounts->mounts, &mounts->capacity, mounts->count + 1, sizeof *mounts->mounts);
    struct mount *mount = &mounts->mounts[mounts->count++];
    *mount = (struct mount){0};
    paths_put(&mount->directory, directory);
    while (mount->directory.length > 0 && mount->directory.at[mount->directory.length - 1] == '/')
        mount->directory.length--;
    while (mount_point.length > 0 && mount_point.at[0] == '/') {
        mount_point.at++;
        mount_point.length--;
    }
    paths_put(&mount->mount_point, mount_point);
    size_t length = mount->mount_point.length;
    if (length > 0 && mount->mount_point.at[length - 1] != '/')
        text_put(&mount->mount_point, "/", 1);
}

void mounts_release(struct mounts *mounts)
{
    for (size_t i = 0; i < mounts->count; i++) {
        text_release(&mounts->mounts[i].directory);
        text_release(&mounts->mounts[i].mount_point);
    }
    free(mounts->mounts);
    *mounts = (struct mounts){0};
}

/* Returns the longest directory above the path, mounted at '/' or at more than that, or NULL. */
static const struct mount *find_mount(const struct mounts *mounts, struct span path, bool at_root)
{
    const struct mount *best = NULL;
    for (size_t i = 0; i < mounts->count; i++) {
        const struct mount *mount = &mounts->mounts[i];
        size_t length = mount->directory.length;
        bool is_above = length > 0 && length < path.length && path.at[length] == '/' &&
                        strncasecmp(path.at, mount->directory.at, length) == 0;
        bool is_better = best == NULL || length > best->directory.length;
        if (is_above && is_better && (mount->mount_point.length == 0) == at_root)
            best = mount;
    }
    return best;
}

/*
 * Finds the last "/<directory>/" that has at least one more '/' after it, in
 * any letter case; a path may begin with it, without its '/'. Returns the offset
 * after it, or 0.
 */
static size_t after_directory(struct span path, const char *directory)
{
    size_t length = strlen(directory);
    for (size_t i = path.length; i-- > 0;) {
        bool is_start = i == 0 || path.at[i - 1] == '/';
        if (!is_start || path.length - i <= length || path.at[i + length] != '/' ||
            strncasecmp(path.at + i, directory, length) != 0)
            continue;
        size_t after = i + length + 1;
        if (memchr(path.at + after, '/', path.length - after) != NULL)
            return after;
    }
    return 0;
}

static bool put_mounted(struct text *text, const struct mounts *mounts, struct span path,
                        bool at_root)
{
    const struct mount *mount = find_mount(mounts, path, at_root);
    if (mount == NULL)
        return false;
    struct span point = text_span(&mount->mount_point);
    size_t skipped = mount->directory.length + 1;
    text_put(text, point.at, point.length);
    text_put(text, path.at + skipped, path.length - skipped);
    return true;
}

/* A path of the game's own, which another "mods/" may follow: mods/y/hook/mods/z/lua/x.lua. */
static bool is_path_in_game(struct span path)
{
    return path.length > 5 &&
           (strncasecmp(path.at, "mods/", 5) == 0 || strncasecmp(path.at, "maps/", 5) == 0);
}

/* Rules 1 to 4 of the header. Returns false when none of them fits. */
static bool put_path_in_game(struct text *text, const struct mounts *mounts, struct span path)
{
    if (put_mounted(text, mounts, path, false))
        return true;
    size_t after = after_directory(path, "gamedata");
    if (after > 0) {
        const char *slash = memchr(path.at + after, '/', path.length - after);
        text_put(text, slash + 1, path.length - (size_t)(slash + 1 - path.at));
        return true;
    }
    if (put_mounted(text, mounts, path, true))
        return true;
    if (is_path_in_game(path))
        return false;
    size_t mods = after_directory(path, "mods");
    size_t maps = after_directory(path, "maps");
    after = mods > maps ? mods : maps;
    if (after == 0)
        return false;
    text_put_string(text, mods > maps ? "mods/" : "maps/");
    text_put(text, path.at + after, path.length - after);
    return true;
}

static bool is_absolute(struct span path)
{
    return path.length > 2 && (path.at[1] == ':' || path.at[0] == '/');
}

/* The path of each distinct source, before equal ones are found. */
struct source {
    uint32_t string;  /* string id */
    struct text path; /* in full, with '/' */
    struct text shown;
    bool is_path, is_absolute; /* is_absolute: only rule 5 remains */
};

static void put_chunk(struct text *text, struct span chunk)
{
    const char *feed = memchr(chunk.at, '\n', chunk.length);
    struct span line = {chunk.at, feed == NULL ? chunk.length : (size_t)(feed - chunk.at)};
    if (line.length > 0 && line.at[line.length - 1] == '\r')
        line.length--;
    bool is_cut = feed != NULL;
    if (line.length > CHUNK_CHARACTERS) {
        line.length = CHUNK_CHARACTERS;
        /* Not in the middle of a character. */
        while (line.length > 0 && ((unsigned char)line.at[line.length] & 0xc0) == 0x80)
            line.length--;
        is_cut = true;
    }
    text_put_string(text, "[string \"");
    text_put_clean(text, line, false);
    text_put_string(text, is_cut ? "...\"]" : "\"]");
}

static void show_source(struct source *source, struct span text, const struct mounts *mounts)
{
    char kind = text.length > 0 ? text.at[0] : '\0';
    if (kind == '=') {
        text_put_clean(&source->shown, (struct span){text.at + 1, text.length - 1}, false);
        return;
    }
    if (kind != '@') {
        put_chunk(&source->shown, text);
        return;
    }
    source->is_path = true;
    paths_put(&source->path, (struct span){text.at + 1, text.length - 1});
    struct span path = text_span(&source->path);
    if (put_path_in_game(&source->shown, mounts, path))
        return;
    source->is_absolute = is_absolute(path);
    while (!source->is_absolute && path.length > 0 && path.at[0] == '/') {
        path.at++;
        path.length--;
    }
    text_put(&source->shown, path.at, path.length);
}

/* Rule 5: cuts the directory that all the absolute paths share. */
static void cut_common_directory(struct source *sources, size_t count)
{
    const struct text *first = NULL;
    size_t common = 0;
    for (size_t i = 0; i < count; i++) {
        if (!sources[i].is_absolute)
            continue;
        const struct text *path = &sources[i].path;
        if (first == NULL) {
            first = path;
            common = path->length;
        }
        size_t same = 0;
        while (same < common && same < path->length &&
               strncasecmp(&first->at[same], &path->at[same], 1) == 0)
            same++;
        common = same;
    }
    while (common > 0 && first->at[common - 1] != '/')
        common--;
    for (size_t i = 0; i < count; i++) {
        if (!sources[i].is_absolute)
            continue;
        sources[i].shown.length = 0;
        text_put(&sources[i].shown, sources[i].path.at + common, sources[i].path.length - common);
    }
}

/* Returns the offset after "mods/", of the game itself too, or 0. */
static size_t after_mods(struct span shown)
{
    size_t start = shown.length > 4 && strncasecmp(shown.at, "lua/", 4) == 0 ? 4 : 0;
    bool is_mod = shown.length > start + 5 && strncasecmp(shown.at + start, "mods/", 5) == 0;
    return is_mod ? start + 5 : 0;
}

static uint32_t mod_of(struct intern *texts, const struct source *source)
{
    struct span shown = text_span(&source->shown);
    if (!source->is_path) {
        bool is_chunk = shown.length > 8 && memcmp(shown.at, "[string ", 8) == 0;
        return is_chunk ? intern_add(texts, "[string]", 8)
                        : intern_add(texts, shown.at, shown.length);
    }
    bool is_map = shown.length > 5 && strncasecmp(shown.at, "maps/", 5) == 0;
    size_t after = is_map ? 5 : after_mods(shown);
    const char *slash = after > 0 ? memchr(shown.at + after, '/', shown.length - after) : NULL;
    if (slash == NULL)
        return intern_add(texts, "game", 4);
    const char *start = shown.at + after - (is_map ? 0 : 5);
    return intern_add(texts, start, (size_t)(slash - start));
}

static struct source *collect_sources(const struct symbols *symbols, const struct mounts *mounts,
                                      size_t *count)
{
    bool *is_source = mem_zeroed(symbols->strings.count, sizeof *is_source);
    *count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        if (!symbols->functions[i].is_used)
            continue;
        *count += !is_source[symbols->functions[i].source];
        is_source[symbols->functions[i].source] = true;
    }
    struct source *sources = mem_zeroed(*count, sizeof *sources);
    size_t filled = 0;
    for (uint32_t string = 0; string < symbols->strings.count; string++) {
        if (!is_source[string])
            continue;
        sources[filled].string = string;
        show_source(&sources[filled++], intern_get(&symbols->strings, string), mounts);
    }
    free(is_source);
    cut_common_directory(sources, *count);
    return sources;
}

static bool is_same_file(const struct source *a, const struct source *b)
{
    return a->path.length == b->path.length &&
           strncasecmp(text_span(&a->path).at, text_span(&b->path).at, a->path.length) == 0;
}

/* Shows paths in full that would otherwise look like another file. */
static void tell_apart(struct source *sources, size_t count)
{
    struct intern shown = {0};
    uint32_t *owner = mem_zeroed(count, sizeof *owner);
    bool *is_ambiguous = mem_zeroed(count, sizeof *is_ambiguous);
    for (uint32_t i = 0; i < count; i++) {
        if (!sources[i].is_path)
            continue;
        uint32_t known_count = shown.count;
        struct span text = text_span(&sources[i].shown);
        uint32_t id = intern_add(&shown, text.at, text.length);
        if (id == known_count)
            owner[id] = i;
        else if (!is_same_file(&sources[i], &sources[owner[id]]))
            is_ambiguous[i] = is_ambiguous[owner[id]] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_ambiguous[i])
            continue;
        sources[i].shown.length = 0;
        text_put(&sources[i].shown, sources[i].path.at, sources[i].path.length);
    }
    free(owner);
    free(is_ambiguous);
    intern_release(&shown);
}

static void show_in_full(struct source *source, struct span text)
{
    if (!source->is_path)
        return;
    source->shown.length = 0;
    text_put_clean(&source->shown, (struct span){text.at + 1, text.length - 1}, false);
}

void paths_init(struct paths *paths, const struct symbols *symbols, const struct mounts *mounts,
                enum path_style style)
{
    *paths = (struct paths){0};
    uint32_t string_count = symbols->strings.count;
    paths->shown = mem_zeroed(string_count, sizeof *paths->shown);
    paths->mods = mem_zeroed(string_count, sizeof *paths->mods);
    for (uint32_t i = 0; i < string_count; i++)
        paths->shown[i] = paths->mods[i] = INTERN_NONE;

    size_t count;
    struct source *sources = collect_sources(symbols, mounts, &count);
    for (size_t i = 0; i < count; i++)
        paths->mods[sources[i].string] = mod_of(&paths->texts, &sources[i]);
    tell_apart(sources, count);
    for (size_t i = 0; i < count; i++) {
        if (style == PATHS_FULL)
            show_in_full(&sources[i], intern_get(&symbols->strings, sources[i].string));
        struct span shown = text_span(&sources[i].shown);
        paths->shown[sources[i].string] = intern_add(&paths->texts, shown.at, shown.length);
        text_release(&sources[i].path);
        text_release(&sources[i].shown);
    }
    free(sources);
}

void paths_release(struct paths *paths)
{
    intern_release(&paths->texts);
    free(paths->shown);
    free(paths->mods);
    *paths = (struct paths){0};
}
