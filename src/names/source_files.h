/*
 * source_files.h - Lua sources below the directories of --lua-root, each read once.
 */
#pragma once

#include "base/error.h"
#include "names/call_lines.h"
#include "names/definitions.h"
#include "names/paths.h"
#include "names/roots.h"
#include "tree/tree.h"

/* What names are taken from. */
struct source_request {
    const char *const *directories; /* [directory_count], not owned; may be empty */
    size_t directory_count;
    const struct paths *paths; /* in PATHS_SHORT */
    const struct tree *tree;   /* with calling lines */
    /* Called for each file that does not help. May be NULL. */
    void (*on_problem)(void *context, const char *message);
    void *context;
};

struct source_file {
    const char *path;
    char *problem; /* why it cannot be read; NULL if it was */
    struct definitions definitions;
    int32_t line_count; /* with a last line that has no line feed */
};

struct source_files {
    const struct source_request *request;
    struct call_lines *call_lines; /* [function_count]; NULL without directories */
    struct roots roots;
    struct intern paths;
    struct source_file **files; /* [paths.count] */
    size_t capacity;
};

/* Fails like roots_init(); release them in any case. */
bool source_files_init(struct source_files *files, const struct source_request *request,
                       uint32_t function_count, struct error *err);
void source_files_release(struct source_files *files);

/*
 * Finds and reads a file; the paths are those of roots_find(). Returns NULL if it is not there.
 * Sets
 * `*is_new` if this is the first time. The file stays at its address.
 */
const struct source_file *source_files_find(struct source_files *files, struct span shown,
                                            struct span full, bool *is_new);

/* Calls on_problem() with "--lua-root: " and the text that printf() would print. */
void source_files_tell(const struct source_files *files, const char *format, ...)
    FORMATS_LIKE_PRINTF(2, 3);
