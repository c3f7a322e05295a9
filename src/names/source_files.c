#include "names/source_files.h"

#include "platform/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool source_files_init(struct source_files *files, const struct source_request *request,
                       uint32_t function_count, struct error *err)
{
    *files = (struct source_files){.request = request};
    if (!roots_init(&files->roots, request->directories, request->directory_count, err))
        return false;
    files->roots.begins_with_last = request->begins_with_last;
    if (request->directory_count > 0)
        files->call_lines = call_lines_find(request->tree, function_count);
    return true;
}

void source_files_release(struct source_files *files)
{
    roots_release(&files->roots);
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

static struct source_file *read_file(const char *path, bool keeps_text)
{
    struct source_file *file = mem_zeroed(1, sizeof *file);
    struct text contents = {0};
    struct error why;
    file->path = path;
    char *full_path = keeps_text ? file_real_path(path) : NULL;
    bool has_path = !keeps_text || full_path != NULL ||
                    error_set(&why, "cannot read '%s': %s", path, strerror(errno));
    if (full_path != NULL)
        text_put_clean(&file->full_path, span_of(full_path), false);
    free(full_path);
    if (has_path && roots_read(path, &contents, &why)) {
        read_text(file, &contents, keeps_text);
    } else {
        file->problem = mem_copy(why.text, strlen(why.text));
        text_release(&contents);
    }
    return file;
}

const struct source_file *source_files_find(struct source_files *files, struct span shown,
                                            struct span full, bool *is_new)
{
    struct text path = {0};
    const struct source_file *file = NULL;
    if (roots_find(&files->roots, shown, full, &path)) {
        uint32_t id;
        *is_new = intern_is_new(&files->paths, text_span(&path), &id);
        MEM_GROW(files->files, files->capacity, files->paths.count);
        if (*is_new)
            files->files[id] =
                read_file(intern_get(&files->paths, id).at, files->request->keeps_texts);
        file = files->files[id];
    }
    text_release(&path);
    return file;
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
        return error_set(why, "%s",
                         found != NULL && found->problem != NULL
                             ? found->problem
                             : "--lua-root: its file is in none of the directories");
    if (line > found->file->line_count)
        return error_set(why, "'%s' ends before it: it is of a file that a mod appended",
                         found->file->path);
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

struct call_lines *call_lines_find(const struct tree *tree, uint32_t function_count)
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
