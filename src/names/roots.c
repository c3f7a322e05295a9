#include "names/roots.h"

#include "base/search.h"
#include "platform/file.h"

#include <errno.h>

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
    MEM_APPEND(directory->entries, directory->count, directory->capacity, entry);
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
    uint32_t id;
    bool is_new = intern_is_new(&roots->directory_paths, text_span(path), &id);
    MEM_GROW(roots->directories, roots->directory_capacity, roots->directory_paths.count);
    if (is_new)
        roots->directories[id] = read_directory(roots, intern_get(&roots->directory_paths, id).at);
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
    while (path.length > 0) {
        struct span component = span_take(&path, '/');
        if (component.length == 0 || span_is(component, "."))
            continue;
        if (span_is(component, "..") || components->count == COMPONENTS_MAX)
            return false;
        components->at[components->count++] = component;
    }
    return components->count > 0;
}

/* Appends '/' and the entry that `name` means in the directory `path`. */
static bool enter(struct roots *roots, struct text *path, struct span name)
{
    /* These are not names of folders. */
    if (span_is(name, ".") || span_is(name, ".."))
        return false;
    const char *entry = find_entry(open_directory(roots, path), name);
    if (entry == NULL)
        return false;
    text_printf(path, "/%s", entry);
    return true;
}

/* Looks for the components from `first` on below a root, or below a folder of it. */
static bool try_path(struct roots *roots, const struct root *root, struct span folder,
                     const struct components *components, size_t first, struct text *file)
{
    text_cut(file, 0);
    text_put_string(file, root->path);
    if (folder.length > 0 && !enter(roots, file, folder))
        return false;
    for (size_t i = first; i < components->count; i++)
        if (!enter(roots, file, components->at[i]))
            return false;
    struct file_status status;
    return file_status(&status, text_string(file)) && status.kind == FILE_REGULAR;
}

/* The folder just before the shown path in the full path; empty if there is none. */
static struct span archive_of(struct span shown, struct span full)
{
    if (shown.length + 1 >= full.length)
        return span_of("");
    size_t end = full.length - shown.length - 1;
    if (full.at[end] != '/' || !span_is_alike(span_from(full, end + 1), shown))
        return span_of("");
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
    return span_of("");
}

/* Whether a root is the folder of the first `count` components. */
static bool is_inside(const struct root *root, const struct components *components, size_t count)
{
    const char *end = root->real_path + strlen(root->real_path);
    for (size_t i = count; i-- > 0;) {
        const char *start = end;
        while (start > root->real_path && start[-1] != '/')
            start--;
        if (!span_is_alike((struct span){start, (size_t)(end - start)}, components->at[i]))
            return false;
        bool is_named = span_is_alike(components->at[0], span_of("mods")) ||
                        span_is_alike(components->at[0], span_of("maps"));
        if (is_named && i == 1 && count == 2)
            return true;
        end = start > root->real_path ? start - 1 : start;
    }
    return true;
}

static bool find_below(struct roots *roots, const struct root *root,
                       const struct components *components, struct span archive, struct text *file)
{
    struct span none = span_of("");
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
        if (find_below(roots,
                       &roots->roots[roots->begins_with_last ? roots->root_count - 1 - i : i],
                       &components, archive, file))
            return true;
    return false;
}

static bool read_open(int file, const char *path, struct text *contents, struct error *err)
{
    enum { BLOCK_BYTES = 64 * 1024 };
    struct file_status status;
    if (!file_status_of_open(&status, file) || status.kind != FILE_REGULAR)
        return error_set(err, "cannot read '%s': it is not a file", path);
    for (;;) {
        char block[BLOCK_BYTES];
        size_t length;
        if (!file_read(file, block, sizeof block, &length))
            return error_set(err, "cannot read '%s': %s", path, strerror(errno));
        if (length == 0)
            return true;
        text_put(contents, block, length);
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
