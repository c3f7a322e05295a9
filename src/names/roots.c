#include "names/roots.h"

#include "base/mem.h"
#include "base/search.h"
#include "platform/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COMPONENTS_MAX = 128 };

static void ignore_entry(void *context, const char *name)
{
    (void)context;
    (void)name;
}

bool roots_init(struct roots *roots, const char *const *directories, size_t count,
                struct error *err)
{
    *roots = (struct roots){.roots = mem_zeroed(count, sizeof *roots->roots)};
    for (; roots->root_count < count; roots->root_count++) {
        const char *path = directories[roots->root_count];
        if (!file_list_directory(path, ignore_entry, NULL))
            return error_set(err, "--lua-root: cannot open '%s': %s", path, strerror(errno));
        struct root *root = &roots->roots[roots->root_count];
        root->path = path;
        root->real_path = file_real_path(path);
        if (root->real_path == NULL)
            root->real_path = mem_copy(path, strlen(path));
    }
    return true;
}

void roots_release(struct roots *roots)
{
    for (size_t i = 0; i < roots->root_count; i++)
        free(roots->roots[i].real_path);
    free(roots->roots);
    for (size_t i = 0; i < roots->directory_paths.count; i++) {
        for (size_t k = 0; k < roots->directories[i].count; k++)
            free(roots->directories[i].entries[k]);
        free(roots->directories[i].entries);
    }
    free(roots->directories);
    intern_release(&roots->directory_paths);
    *roots = (struct roots){0};
}

static int compare_entries(const void *left, const void *right)
{
    const char *a = *(char *const *)left;
    const char *b = *(char *const *)right;
    int order = strcasecmp(a, b);
    return order != 0 ? order : strcmp(a, b);
}

static void add_entry(void *context, const char *name)
{
    struct directory *directory = context;
    char *entry = mem_copy(name, strlen(name));
    directory->entries = mem_append(directory->entries, &directory->count, &directory->capacity,
                                    &entry, sizeof entry);
}

static struct directory read_directory(struct roots *roots, const char *path)
{
    struct directory directory = {0};
    bool is_read = file_list_directory(path, add_entry, &directory);
    /* A path can continue below a file by mistake. */
    if (!is_read && errno != ENOENT && errno != ENOTDIR && roots->unreadable_count++ == 0)
        error_set(&roots->unreadable, "cannot read '%s': %s", path, strerror(errno));
    if (directory.count > 0)
        qsort(directory.entries, directory.count, sizeof *directory.entries, compare_entries);
    return directory;
}

static const struct directory *open_directory(struct roots *roots, const struct text *path)
{
    uint32_t known_count = roots->directory_paths.count;
    uint32_t id = intern_add(&roots->directory_paths, path->at, path->length);
    if (id == known_count) {
        roots->directories = mem_grow(roots->directories, &roots->directory_capacity,
                                      (size_t)id + 1, sizeof *roots->directories);
        roots->directories[id] = read_directory(roots, intern_get(&roots->directory_paths, id).at);
    }
    return &roots->directories[id];
}

/* Orders an entry and a name, letter case ignored. */
static int compare_to_name(const char *entry, struct span name)
{
    int order = strncasecmp(entry, name.at, name.length);
    return order != 0 ? order : entry[name.length] != '\0';
}

struct sought_name {
    const struct directory *directory;
    struct span name;
};

static bool is_before(const void *context, size_t index)
{
    const struct sought_name *sought = context;
    return compare_to_name(sought->directory->entries[index], sought->name) < 0;
}

static const char *find_entry(const struct directory *directory, struct span name)
{
    struct sought_name sought = {directory, name};
    size_t end = search_first(directory->count, is_before, &sought);
    const char *first = NULL;
    for (; end < directory->count && compare_to_name(directory->entries[end], name) == 0; end++) {
        const char *entry = directory->entries[end];
        if (memcmp(entry, name.at, name.length) == 0)
            return entry;
        first = first == NULL ? entry : first;
    }
    return first;
}

/* A path taken apart. */
struct components {
    struct span at[COMPONENTS_MAX]; /* [count] */
    size_t count;
};

/* Fails on ".." and if a path has no components or too many. */
static bool take_apart(struct components *components, struct span path)
{
    components->count = 0;
    for (size_t i = 0; i < path.length;) {
        const char *slash = memchr(path.at + i, '/', path.length - i);
        size_t end = slash == NULL ? path.length : (size_t)(slash - path.at);
        struct span component = {path.at + i, end - i};
        i = end + 1;
        bool is_dot = component.length == 1 && component.at[0] == '.';
        if (component.length == 0 || is_dot)
            continue;
        bool is_parent = component.length == 2 && memcmp(component.at, "..", 2) == 0;
        if (is_parent || components->count == COMPONENTS_MAX)
            return false;
        components->at[components->count++] = component;
    }
    return components->count > 0;
}

static bool is_same(struct span a, struct span b)
{
    return a.length == b.length && strncasecmp(a.at, b.at, a.length) == 0;
}

static bool is_word(struct span span, const char *word)
{
    return is_same(span, (struct span){word, strlen(word)});
}

/* "." and "..", which are not names of folders. */
static bool is_dots(struct span name)
{
    return name.length > 0 && name.length <= 2 && name.at[0] == '.' &&
           name.at[name.length - 1] == '.';
}

/* Appends '/' and the entry that `name` means in the directory `path`. */
static bool enter(struct roots *roots, struct text *path, struct span name)
{
    const char *entry = is_dots(name) ? NULL : find_entry(open_directory(roots, path), name);
    if (entry == NULL)
        return false;
    text_printf(path, "/%s", entry);
    return true;
}

/* Looks for the components from `first` on below a root, or below a folder of it. */
static bool try_path(struct roots *roots, const struct root *root, struct span folder,
                     const struct components *components, size_t first, struct text *file)
{
    file->length = 0;
    text_put_string(file, root->path);
    if (folder.length > 0 && !enter(roots, file, folder))
        return false;
    for (size_t i = first; i < components->count; i++)
        if (!enter(roots, file, components->at[i]))
            return false;
    text_put(file, "", 1);
    struct file_status status;
    return file_status(&status, file->at) && status.kind == FILE_REGULAR;
}

/* The folder just before the shown path in the full path; empty if there is none. */
static struct span archive_of(struct span shown, struct span full)
{
    struct span none = {"", 0};
    if (shown.length + 1 >= full.length)
        return none;
    size_t end = full.length - shown.length - 1;
    if (full.at[end] != '/' || strncasecmp(full.at + end + 1, shown.at, shown.length) != 0)
        return none;
    size_t start = end;
    while (start > 0 && full.at[start - 1] != '/')
        start--;
    return (struct span){full.at + start, end - start};
}

static struct span without_suffix(struct span name)
{
    for (size_t i = name.length; i-- > 1;)
        if (name.at[i] == '.')
            return (struct span){name.at, i};
    return (struct span){"", 0};
}

/* Whether a root is the folder of the first `count` components. */
static bool is_inside(const struct root *root, const struct components *components, size_t count)
{
    const char *end = root->real_path + strlen(root->real_path);
    for (size_t i = count; i-- > 0;) {
        const char *start = end;
        while (start > root->real_path && start[-1] != '/')
            start--;
        if (!is_same((struct span){start, (size_t)(end - start)}, components->at[i]))
            return false;
        bool is_named = i == 1 && count == 2 &&
                        (is_word(components->at[0], "mods") || is_word(components->at[0], "maps"));
        if (is_named)
            return true;
        end = start > root->real_path ? start - 1 : start;
    }
    return true;
}

static bool find_below(struct roots *roots, const struct root *root,
                       const struct components *components, struct span archive, struct text *file)
{
    struct span none = {"", 0};
    struct span folder = without_suffix(archive);
    if (try_path(roots, root, none, components, 0, file) ||
        (archive.length > 0 && try_path(roots, root, archive, components, 0, file)) ||
        (folder.length > 0 && try_path(roots, root, folder, components, 0, file)))
        return true;
    for (size_t first = 1; first < components->count; first++)
        if (is_inside(root, components, first) &&
            try_path(roots, root, none, components, first, file))
            return true;
    return false;
}

bool roots_find(struct roots *roots, struct span shown, struct span full, struct text *file)
{
    struct components components;
    if (!take_apart(&components, shown))
        return false;
    struct span archive = archive_of(shown, full);
    for (size_t i = 0; i < roots->root_count; i++)
        if (find_below(roots, &roots->roots[i], &components, archive, file))
            return true;
    return false;
}

static bool read_open(int file, const char *path, struct text *contents, struct error *err)
{
    enum { BLOCK_BYTES = 64 * 1024 };
    struct file_status status;
    if (!file_status_of_open(&status, file) || status.kind != FILE_REGULAR)
        return error_set(err, "cannot read '%s': it is no file", path);
    for (;;) {
        contents->at =
            mem_grow(contents->at, &contents->capacity, contents->length + BLOCK_BYTES, 1);
        size_t got;
        if (!file_read(file, contents->at + contents->length, BLOCK_BYTES, &got))
            return error_set(err, "cannot read '%s': %s", path, strerror(errno));
        if (got == 0)
            return true;
        contents->length += got;
        if (contents->length > ROOTS_FILE_BYTES_MAX)
            return error_set(err, "cannot read '%s': it has more than %d MB", path,
                             ROOTS_FILE_BYTES_MAX / 1024 / 1024);
    }
}

bool roots_read(const char *path, struct text *contents, struct error *err)
{
    /* If the file was replaced by a pipe, opening must not wait. */
    int file = file_open(path, FILE_DOES_NOT_WAIT);
    if (file < 0)
        return error_set(err, "cannot read '%s': %s", path, strerror(errno));
    bool is_read = read_open(file, path, contents, err);
    file_close(file);
    return is_read;
}
