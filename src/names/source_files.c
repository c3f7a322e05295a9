#include "names/source_files.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool source_files_init(struct source_files *files, const struct source_request *request,
                       uint32_t function_count, struct error *err)
{
    *files = (struct source_files){.request = request};
    if (!roots_init(&files->roots, request->directories, request->directory_count, err))
        return false;
    if (request->directory_count > 0)
        files->call_lines = call_lines_find(request->tree, function_count);
    return true;
}

void source_files_release(struct source_files *files)
{
    roots_release(&files->roots);
    for (uint32_t i = 0; i < files->paths.count; i++) {
        definitions_release(&files->files[i]->definitions);
        free(files->files[i]->problem);
        free(files->files[i]);
    }
    free(files->files);
    free(files->call_lines);
    intern_release(&files->paths);
    *files = (struct source_files){0};
}

static struct source_file *read_file(const char *path)
{
    struct source_file *file = mem_zeroed(1, sizeof *file);
    struct text contents = {0};
    struct error why;
    file->path = path;
    if (roots_read(path, &contents, &why)) {
        definitions_read(&file->definitions, text_span(&contents));
        bool has_end = contents.length == 0 || contents.at[contents.length - 1] == '\n';
        file->line_count = file->definitions.line_count + !has_end;
    } else {
        file->problem = mem_copy(why.text, strlen(why.text));
    }
    text_release(&contents);
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
            files->files[id] = read_file(intern_get(&files->paths, id).at);
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
