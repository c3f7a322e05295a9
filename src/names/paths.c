#include "names/paths.h"

enum { MOUNTS_MAX = 1024, PATH_BYTES_MAX = 4096, CHUNK_CHARACTERS = 60 };

void paths_put(struct text *text, struct span path)
{
    size_t start = text->length;
    text_put_clean(text, path, false);
    for (size_t i = start; i < text->length; i++)
        if (text->at[i] == '\\')
            text->at[i] = '/';
}

/* A path without the '/' at its start. */
static struct span without_slashes(struct span path)
{
    while (path.length > 0 && path.at[0] == '/')
        path = span_from(path, 1);
    return path;
}

void mounts_add(struct mounts *mounts, struct span directory, struct span mount_point)
{
    if (mounts->count >= MOUNTS_MAX || directory.length > PATH_BYTES_MAX)
        return;
    struct mount mount = {0};
    struct text *path = &mount.directory, *point = &mount.mount_point;
    paths_put(path, directory);
    while (path->length > 0 && path->at[path->length - 1] == '/')
        text_cut(path, path->length - 1);
    paths_put(point, without_slashes(mount_point));
    if (point->length > 0 && point->at[point->length - 1] != '/')
        text_put_string(point, "/");
    MEM_APPEND(mounts->mounts, mounts->count, mounts->capacity, mount);
}

void mounts_join(struct mounts *mounts, struct mounts *later)
{
    for (size_t i = 0; i < later->count && mounts->count < MOUNTS_MAX; i++) {
        MEM_APPEND(mounts->mounts, mounts->count, mounts->capacity, later->mounts[i]);
        later->mounts[i] = (struct mount){0};
    }
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
        struct span rest = span_from(path, i);
        size_t after = i + length + 1;
        if (is_start && rest.length > length && rest.at[length] == '/' &&
            span_starts_like(rest, directory) &&
            memchr(path.at + after, '/', path.length - after) != NULL)
            return after;
    }
    return 0;
}

/* Puts a path below the longest directory above it that is mounted at '/', or at more than that. */
static bool put_mounted(struct text *text, const struct mounts *mounts, struct span path,
                        bool at_root)
{
    const struct mount *best = NULL;
    for (size_t i = 0; i < mounts->count; i++) {
        const struct mount *mount = &mounts->mounts[i];
        size_t length = mount->directory.length;
        bool is_above = length > 0 && length < path.length && path.at[length] == '/' &&
                        span_is_alike((struct span){path.at, length}, text_span(&mount->directory));
        bool is_better = best == NULL || length > best->directory.length;
        if (is_above && is_better && (mount->mount_point.length == 0) == at_root)
            best = mount;
    }
    if (best == NULL)
        return false;
    text_put_span(text, text_span(&best->mount_point));
    text_put_span(text, span_from(path, best->directory.length + 1));
    return true;
}

/* Rules 1 to 4 of the header. Returns false when none of them fits. */
static bool put_path_in_game(struct text *text, const struct mounts *mounts, struct span path)
{
    if (put_mounted(text, mounts, path, false))
        return true;
    size_t after = after_directory(path, "gamedata");
    if (after > 0) {
        struct span rest = span_from(path, after);
        span_take(&rest, '/');
        text_put_span(text, rest);
        return true;
    }
    size_t mods = after_directory(path, "usermods");
    if (mods == 0 && put_mounted(text, mounts, path, true))
        return true;
    /* The game's own, which another "mods/" may follow: mods/y/hook/mods/z/lua/x.lua. */
    if (span_starts_like(path, "mods/") || span_starts_like(path, "maps/"))
        return false;
    mods = mods > 0 ? mods : after_directory(path, "mods");
    size_t maps = after_directory(path, "maps");
    after = mods > maps ? mods : maps;
    if (after == 0)
        return false;
    text_put_string(text, mods > maps ? "mods/" : "maps/");
    text_put_span(text, span_from(path, after));
    return true;
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
    struct span rest = chunk, line = span_take(&rest, '\n');
    bool has_more_lines = line.length < chunk.length;
    if (line.length > 0 && line.at[line.length - 1] == '\r')
        line.length--;
    struct span start = text_start(line, CHUNK_CHARACTERS);
    text_put_string(text, "[string \"");
    text_put_clean(text, start, false);
    text_put_string(text, has_more_lines || start.length < line.length ? "...\"]" : "\"]");
}

static void show_source(struct source *source, struct span text, const struct mounts *mounts)
{
    char kind = text.length > 0 ? text.at[0] : '\0';
    if (kind == '=') {
        text_put_clean(&source->shown, span_from(text, 1), false);
        return;
    }
    if (kind != '@') {
        put_chunk(&source->shown, text);
        return;
    }
    source->is_path = true;
    paths_put(&source->path, span_from(text, 1));
    struct span path = text_span(&source->path);
    if (put_path_in_game(&source->shown, mounts, path))
        return;
    source->is_absolute = path.length > 2 && (path.at[1] == ':' || path.at[0] == '/');
    text_put_span(&source->shown, source->is_absolute ? path : without_slashes(path));
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
        text_cut(&sources[i].shown, 0);
        text_put_span(&sources[i].shown, span_from(text_span(&sources[i].path), common));
    }
}

static uint32_t mod_of(struct intern *texts, const struct source *source)
{
    struct span shown = text_span(&source->shown);
    if (!source->is_path)
        return intern_add_span(texts,
                               span_starts_with(shown, "[string ") ? span_of("[string]") : shown);
    /* The game has a folder of mods in lua/, too. */
    struct span path = span_starts_like(shown, "lua/") ? span_from(shown, strlen("lua/")) : shown;
    bool is_map = span_starts_like(shown, "maps/");
    bool is_mod = span_starts_like(path, "mods/");
    size_t start = is_map || is_mod ? strlen("mods/") : path.length;
    const char *slash = memchr(path.at + start, '/', path.length - start);
    if (slash == NULL)
        return intern_add_span(texts, span_of("game"));
    const char *from = path.at + (is_map ? start : 0);
    return intern_add(texts, from, (size_t)(slash - from));
}

static struct source *collect_sources(const struct symbols *symbols, const struct mounts *mounts,
                                      size_t *count)
{
    SCOPED_ARRAY bool *is_source = mem_zeroed(symbols->strings.count, sizeof *is_source);
    struct source *sources = NULL;
    size_t capacity = 0;
    *count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++)
        is_source[symbols->functions[i].source] |= symbols->functions[i].is_used;
    for (uint32_t string = 0; string < symbols->strings.count; string++) {
        struct source source = {.string = string};
        if (!is_source[string])
            continue;
        show_source(&source, intern_get(&symbols->strings, string), mounts);
        MEM_APPEND(sources, *count, capacity, source);
    }
    cut_common_directory(sources, *count);
    return sources;
}

static bool is_same_file(const struct source *a, const struct source *b)
{
    return span_is_alike(text_span(&a->path), text_span(&b->path));
}

/* Shows paths in full that would otherwise look like another file. */
static void tell_apart(struct source *sources, size_t count)
{
    SCOPED(intern) shown = {0};
    SCOPED_ARRAY uint32_t *owner = mem_zeroed(count, sizeof *owner);
    SCOPED_ARRAY bool *is_ambiguous = mem_zeroed(count, sizeof *is_ambiguous);
    for (uint32_t i = 0; i < count; i++) {
        if (!sources[i].is_path)
            continue;
        uint32_t id;
        if (intern_is_new(&shown, text_span(&sources[i].shown), &id))
            owner[id] = i;
        else if (!is_same_file(&sources[i], &sources[owner[id]]))
            is_ambiguous[i] = is_ambiguous[owner[id]] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_ambiguous[i])
            continue;
        text_cut(&sources[i].shown, 0);
        text_put_span(&sources[i].shown, text_span(&sources[i].path));
    }
}

static void show_in_full(struct source *source, struct span text)
{
    if (!source->is_path)
        return;
    text_cut(&source->shown, 0);
    text_put_clean(&source->shown, span_from(text, 1), false);
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
    SCOPED_ARRAY struct source *sources = collect_sources(symbols, mounts, &count);
    for (size_t i = 0; i < count; i++)
        paths->mods[sources[i].string] = mod_of(&paths->texts, &sources[i]);
    tell_apart(sources, count);
    for (size_t i = 0; i < count; i++) {
        if (style == PATHS_FULL)
            show_in_full(&sources[i], intern_get(&symbols->strings, sources[i].string));
        struct span shown = text_span(&sources[i].shown);
        paths->shown[sources[i].string] = intern_add_span(&paths->texts, shown);
        text_release(&sources[i].path);
        text_release(&sources[i].shown);
    }
}

void paths_release(struct paths *paths)
{
    intern_release(&paths->texts);
    free(paths->shown);
    free(paths->mods);
    *paths = (struct paths){0};
}
