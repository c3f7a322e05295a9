#include "names/source_files.h"

#include "base/sort.h"
#include "platform/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Returns those of each function, [function_count]; the caller frees it. */
static struct call_lines *call_lines_find(const struct tree *tree, uint32_t function_count);

enum { PARTS_MAX = 128 };

static void ignore_entry(void *context, const char *name)
{
    (void)context;
    (void)name;
}

/*
 * Fails if one of them is not a directory. `directories` must outlive the roots, which must
 * be released even after a failure.
 */
static bool init_roots(struct roots *roots, const char *const *directories, size_t count,
                       struct error *err)
{
    *roots = (struct roots){.roots = mem_zeroed(count, sizeof *roots->roots)};
    for (; roots->root_count < count; roots->root_count++) {
        const char *path = directories[roots->root_count];
        struct root *root = &roots->roots[roots->root_count];
        bool is_open = file_list_directory(path, ignore_entry, NULL);
        *root = (struct root){path, is_open ? file_real_path(path) : NULL};
        if (root->real_path == NULL)
            return error_set(err,
                             "--lua-root: cannot open '%s': %s%s",
                             path,
                             strerror(errno),
                             errno == ENOTDIR
                                 ? "; unpack an archive (.scd and .nx2 are zip files), and give "
                                   "its folder"
                                 : "");
    }
    return true;
}

static void release_roots(struct roots *roots)
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

/* Orders a name and an entry, letter case ignored. */
static int compare_to_name(const void *name, const void *entry)
{
    const struct span *wanted = name;
    const char *found = *(char *const *)entry;
    int order = strncasecmp(wanted->at, found, wanted->length);
    return order != 0 ? order : -(found[wanted->length] != '\0');
}

static const char *find_entry(const struct directory *directory, struct span name)
{
    char *const *entries = directory->entries;
    size_t first = search_first(&name, entries, directory->count, sizeof *entries, compare_to_name);
    size_t at = first;
    for (; at < directory->count && compare_to_name(&name, &entries[at]) == 0; at++)
        if (memcmp(entries[at], name.at, name.length) == 0)
            return entries[at];
    return at > first ? entries[first] : NULL;
}

/* Appends the parts of a path with one '/' between them. Fails on ".." and on too many parts. */
static bool put_parts(struct text *text, struct span path)
{
    for (size_t count = 0; path.length > 0;) {
        struct span part = span_take(&path, '/');
        if (part.length == 0 || span_is(part, "."))
            continue;
        if (span_is(part, "..") || count++ == PARTS_MAX)
            return false;
        if (text->length > 0)
            text_put_string(text, "/");
        text_put_span(text, part);
    }
    return true;
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

/*
 * Takes a file that is there, unless it really is somewhere else. Of those that are passed over,
 * the first stays known: another directory may have the file itself.
 */
static bool take_file(struct source_files *files, const struct root *root, const struct text *path)
{
    SCOPED_ARRAY char *real = file_real_path(path->at);
    int reason = errno;
    bool is_good =
        real == NULL || (file_is_in(real, root->real_path) && source_is_path(span_of(real)));
    if (is_good || files->path.length == 0) {
        text_cut(&files->path, 0);
        text_cut(&files->real_path, 0);
        text_put_span(&files->path, text_span(path));
        text_put_string(&files->real_path, real != NULL ? real : "");
        files->reason = reason;
    }
    return is_good;
}

/* Looks for a file below a root, or below a folder of it. */
static bool try_path(struct source_files *files, const struct root *root, struct span folder,
                     struct span file)
{
    SCOPED(text) path = {0};
    struct file_status status;
    text_put_string(&path, root->path);
    bool is_there = folder.length == 0 || enter(&files->roots, &path, folder);
    while (file.length > 0 && is_there)
        is_there = enter(&files->roots, &path, span_take(&file, '/'));
    return is_there && file_status(&status, path.at) && status.kind == FILE_REGULAR &&
           take_file(files, root, &path);
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

/* Whether a root has this path in the game, or is any folder with the name of a mod or map. */
static bool is_folder(const struct root *root, struct span folder)
{
    struct span real = span_of(root->real_path), name = folder, first = span_take(&name, '/');
    bool is_named = span_is_alike(first, span_of("mods")) || span_is_alike(first, span_of("maps"));
    if (is_named && name.length > 0 && memchr(name.at, '/', name.length) == NULL)
        folder = name;
    if (real.length < folder.length)
        return false;
    size_t start = real.length - folder.length;
    return span_is_alike(span_from(real, start), folder) &&
           (start == 0 || real.at[start - 1] == '/');
}

/* `path` has one '/' between its parts. */
static bool find_below(struct source_files *files, const struct root *root, struct span path,
                       struct span archive)
{
    struct span none = span_of("");
    struct span folder = without_suffix(archive);
    if (try_path(files, root, none, path) ||
        (archive.length > 0 && try_path(files, root, archive, path)) ||
        (folder.length > 0 && try_path(files, root, folder, path)))
        return true;
    for (size_t i = 0; i < path.length; i++)
        if (path.at[i] == '/' && is_folder(root, (struct span){path.at, i}) &&
            try_path(files, root, none, span_from(path, i + 1)))
            return true;
    return false;
}

bool source_is_path(struct span path)
{
    return span_ends_like(path, ".lua") || span_ends_like(path, ".bp");
}

/* Searches for a file. A path with ".." is refused. */
static bool find_in_roots(struct source_files *files, struct span shown, struct span full)
{
    const struct roots *roots = &files->roots;
    SCOPED(text) path = {0};
    bool is_found = false;
    bool has_parts = put_parts(&path, shown) && path.length > 0;
    bool is_source = source_is_path(shown);
    if (has_parts && !is_source)
        error_set(&files->problem, "only names that end in .lua or .bp are sources");
    struct span archive = archive_of(shown, full);
    for (size_t i = 0; i < roots->root_count && has_parts && is_source && !is_found; i++)
        is_found =
            find_below(files,
                       &roots->roots[roots->begins_with_last ? roots->root_count - 1 - i : i],
                       text_span(&path),
                       archive);
    return is_found;
}

static bool read_open(int file, const char *path, struct text *contents, struct error *err)
{
    enum { BLOCK_BYTES = 8 * 1024 };
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
            return error_set(err,
                             "cannot read '%s': it has more than %d MB",
                             path,
                             ROOTS_FILE_BYTES_MAX / 1024 / 1024);
    }
}

/*
 * Reads a regular file into an empty text. Its real path has no link that could be replaced since
 * it was checked; messages have the path below its directory.
 */
static bool read_roots(const char *real_path, const char *path, struct text *contents,
                       struct error *err)
{
    /* If the file was replaced by a pipe, opening must not wait. */
    int file = file_open(real_path, FILE_DOES_NOT_WAIT);
    if (file < 0)
        return error_set(err, "cannot read '%s': %s", path, strerror(errno));
    bool is_read = read_open(file, path, contents, err);
    file_close(file);
    return is_read;
}

bool source_files_init(struct source_files *files, const struct source_request *request,
                       uint32_t function_count, struct error *err)
{
    *files = (struct source_files){.request = request};
    if (!init_roots(&files->roots, request->directories, request->directory_count, err))
        return false;
    files->roots.begins_with_last = request->begins_with_last;
    if (request->directory_count > 0)
        files->call_lines = call_lines_find(request->tree, function_count);
    return true;
}

void source_files_release(struct source_files *files)
{
    release_roots(&files->roots);
    for (uint32_t i = 0; i < files->paths.count; i++)
        source_file_release(files->files[i]);
    free(files->files);
    free(files->call_lines);
    for (uint32_t i = 0; i < files->found_count; i++) {
        free(files->found[i].problem);
        if (files->found[i].is_owned)
            source_file_release((struct source_file *)files->found[i].file);
    }
    free(files->found);
    intern_release(&files->paths);
    text_release(&files->path);
    text_release(&files->real_path);
    *files = (struct source_files){0};
}

void source_file_release(struct source_file *file)
{
    definitions_release(&file->definitions);
    text_release(&file->contents);
    free(file->starts);
    text_release(&file->full_path);
    free(file->problem);
    free(file);
}

/* Reads the definitions of a text, and keeps or releases it. */
static void read_text(struct source_file *file, struct text *text, bool keeps_text)
{
    definitions_read(&file->definitions, text_span(text));
    bool has_end = text->length == 0 || text->at[text->length - 1] == '\n';
    file->line_count = file->definitions.line_count + !has_end;
    if (!keeps_text) {
        text_release(text);
        return;
    }
    file->contents = *text;
    file->starts = mem_zeroed((size_t)file->line_count + 1, sizeof *file->starts);
    for (size_t i = 0, line = 0; i < text->length; i++)
        if (text->at[i] == '\n')
            file->starts[++line] = i + 1;
    file->starts[file->line_count] = text->length;
}

struct source_file *source_file_of_chunk(struct span text, bool keeps_text)
{
    struct source_file *file = mem_zeroed(1, sizeof *file);
    struct text copy = {0};
    text_put_span(&copy, text);
    read_text(file, &copy, keeps_text);
    return file;
}

/* Reads the file that was found. */
static struct source_file *read_file(const struct source_files *files, const char *path)
{
    struct source_file *file = mem_zeroed(1, sizeof *file);
    struct text contents = {0};
    struct error why;
    file->path = path;
    text_put_clean(&file->full_path, text_span(&files->real_path), false);
    if (files->real_path.length == 0)
        error_set(&why, "cannot read '%s': %s", path, strerror(files->reason));
    if (files->real_path.length > 0 && read_roots(files->real_path.at, path, &contents, &why)) {
        read_text(file, &contents, files->request->keeps_texts);
    } else {
        file->problem = mem_copy(why.text, strlen(why.text));
        text_release(&contents);
    }
    return file;
}

void passed_sources_join(struct passed_sources *passed, struct passed_sources *later)
{
    if (passed->paths.count == 0)
        passed->example = later->example;
    for (uint32_t i = 0; i < later->paths.count; i++)
        intern_add_span(&passed->paths, intern_get(&later->paths, i));
    intern_release(&later->paths);
}

/* Remembers the file that was passed over, and why. */
static void pass_over(struct source_files *files)
{
    struct passed_sources *passed = files->request->passed;
    SCOPED(text) what = {0};
    text_put_string(&what, "'");
    text_put_clean(&what, text_span(&files->path), false);
    text_put_string(&what, "' is '");
    text_put_clean(&what, text_span(&files->real_path), false);
    text_put_string(&what, "'");
    if (passed != NULL && passed->paths.count == 0)
        error_set(&passed->example, "%s", what.at);
    if (passed != NULL)
        intern_add_span(&passed->paths, text_span(&files->real_path));
    error_set(&files->problem,
              "links that lead out of --lua-root, or to other kinds of files, are not followed: %s",
              what.at);
}

const struct source_file *source_files_find(struct source_files *files, struct span shown,
                                            struct span full, bool *is_new)
{
    uint32_t id;
    text_cut(&files->path, 0);
    files->problem = (struct error){0};
    if (!find_in_roots(files, shown, full)) {
        if (files->path.length > 0)
            pass_over(files);
        return NULL;
    }
    *is_new = intern_is_new(&files->paths, text_span(&files->path), &id);
    MEM_GROW(files->files, files->capacity, files->paths.count);
    if (*is_new) {
        files->files[id] = read_file(files, intern_get(&files->paths, id).at);
        files->byte_count += files->files[id]->contents.length;
    }
    return files->files[id];
}

void source_files_tell(const struct source_files *files, const char *format, ...)
{
    struct error what, message;
    va_list arguments;
    if (files->request->on_problem == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(what.text, sizeof what.text, format, arguments);
    va_end(arguments);
    error_set(&message, "--lua-root: %s", what.text);
    files->request->on_problem(files->request->context, message.text);
}

bool source_lines_find(struct source_lines *lines, const struct source_files *files,
                       const struct symbols *symbols, uint32_t function, struct error *why)
{
    int32_t line = symbols->functions[function].line;
    uint32_t source = symbols->functions[function].source;
    *lines = (struct source_lines){0};
    if (!symbols_is_lua(symbols, function))
        return error_set(why, "it is not a Lua function");
    if (files == NULL || files->found_count == 0)
        return error_set(why, "--lua-root=DIR says where the Lua sources are");
    const struct found_source *found = source < files->found_count ? &files->found[source] : NULL;
    if (found == NULL || found->file == NULL)
        return error_set(why,
                         "%s",
                         found != NULL && found->problem != NULL
                             ? found->problem
                             : "--lua-root: its file is in none of the directories");
    if (line > found->file->line_count)
        return error_set(
            why, "'%s' ends before it: it is of a file that a mod appended", found->file->path);
    *lines = (struct source_lines){found->file, line > 0 ? line : 1, found->file->line_count};
    if (line == 0)
        return true;
    size_t count;
    const struct definition *at = definitions_at(&found->file->definitions, line, &count);
    for (size_t i = 0; i < count; i++)
        lines->last = i == 0 || at[i].last_line > lines->last ? at[i].last_line : lines->last;
    return true;
}

const char *source_path_find(const struct source_files *files, const struct symbols *symbols,
                             uint32_t function)
{
    uint32_t source = symbols->functions[function].source;
    bool is_found =
        files != NULL && source < files->found_count && files->found[source].file != NULL;
    return is_found ? files->found[source].file->full_path.at : NULL;
}

struct span source_line(const struct source_file *file, int32_t line)
{
    struct span text = span_from(text_span(&file->contents), file->starts[line - 1]);
    text.length = file->starts[line] - file->starts[line - 1];
    while (text.length > 0 && strchr("\r\n", text.at[text.length - 1]) != NULL)
        text.length--;
    return text;
}

static struct call_lines *call_lines_find(const struct tree *tree, uint32_t function_count)
{
    struct call_lines *all = mem_zeroed(function_count, sizeof *all);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        if (call->parent == TREE_ROOT || call->line <= 0)
            continue;
        struct call_lines *lines = &all[tree->calls[call->parent].function];
        if (lines->first == 0 || call->line < lines->first)
            lines->first = call->line;
        if (call->line > lines->last)
            lines->last = call->line;
    }
    return all;
}

const char *call_lines_problem(const struct definitions *definitions, int32_t line,
                               struct call_lines lines)
{
    size_t count;
    const struct definition *at = definitions_at(definitions, line, &count);
    if (count == 0)
        return "no function begins there";
    int32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = at[i].last_line > last ? at[i].last_line : last;
    bool has_lines = lines.first == 0 || (lines.first >= line && lines.last <= last);
    return has_lines ? NULL : "the one there does not have the lines that it called from";
}
