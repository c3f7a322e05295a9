#include "names/source_files.h"

#include "base/mem.h"
#include "names/read_definitions.h"

#include <stdlib.h>

bool source_files_init(struct source_files *files, const char *const *directories, size_t count,
                       struct error *err)
{
    *files = (struct source_files){0};
    return roots_init(&files->roots, directories, count, err);
}

void source_files_release(struct source_files *files)
{
    roots_release(&files->roots);
    for (uint32_t i = 0; i < files->paths.count; i++) {
        definitions_release(&files->files[i]->definitions);
        free(files->files[i]);
    }
    free(files->files);
    intern_release(&files->paths);
    *files = (struct source_files){0};
}

static struct source_file *read_file(const char *path, struct error *err)
{
    struct source_file *file = mem_zeroed(1, sizeof *file);
    struct text contents = {0};
    file->is_read = roots_read(path, &contents, err);
    if (file->is_read) {
        definitions_read(&file->definitions, text_span(&contents));
        bool has_end = contents.length == 0 || contents.at[contents.length - 1] == '\n';
        file->line_count = file->definitions.line_count + !has_end;
        file->is_read =
            file->definitions.error_line == 0 ||
            error_set(err, "line %d of '%s' is not Lua", (int)file->definitions.error_line, path);
    }
    text_release(&contents);
    return file;
}

const struct source_file *source_files_find(struct source_files *files, struct span shown,
                                            struct span full, struct error *err)
{
    struct text path = {0};
    const struct source_file *file = NULL;
    err->text[0] = '\0';
    if (roots_find(&files->roots, shown, full, &path)) {
        uint32_t known_count = files->paths.count;
        uint32_t id = intern_add(&files->paths, path.at, path.length);
        if (id == known_count) {
            files->files =
                mem_grow(files->files, &files->capacity, (size_t)id + 1, sizeof *files->files);
            files->files[id] = read_file(path.at, err);
        }
        file = files->files[id]->is_read ? files->files[id] : NULL;
    }
    text_release(&path);
    return file;
}
