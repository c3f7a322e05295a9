/*
 * source_files.h - Lua sources below the directories of --lua-root, each read once.
 */
#ifndef SUPPROF_SOURCE_FILES_H
#define SUPPROF_SOURCE_FILES_H

#include "base/error.h"
#include "names/definitions.h"
#include "names/roots.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_file {
    struct definitions definitions;
    int32_t line_count; /* with a last line that has no line feed */
    bool is_read;
};

struct source_files {
    struct roots roots;
    struct intern paths;        /* NUL-terminated */
    struct source_file **files; /* [paths.count] */
    size_t capacity;
};

/* Fails like roots_init(); release them in any case. */
bool source_files_init(struct source_files *files, const char *const *directories, size_t count,
                       struct error *err);
void source_files_release(struct source_files *files);

/*
 * Finds and reads a file; the paths are those of roots_find(). Returns NULL if it is not there, or
 * cannot be read; `err` is set then, with an empty text for a file that is not there. The file
 * stays at its address.
 */
const struct source_file *source_files_find(struct source_files *files, struct span shown,
                                            struct span full, struct error *err);

#endif
