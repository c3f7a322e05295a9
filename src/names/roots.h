/*
 * roots.h - directories with Lua sources, and the files in them.
 *
 * A file is looked for by the path that reports show (see paths.h), letter case ignored,
 * as the game does. If several names differ only in letter case, the exact one is taken,
 * or else the first in byte order. For lua/sim/unit.lua, whose source is
 * C:\LOUD\gamedata\lua.scd\lua\sim\unit.lua, these are tried below each directory:
 *
 *     lua/sim/unit.lua              the directory is as the game sees its files
 *     lua.scd/lua/sim/unit.lua      it is `gamedata`
 *     lua/lua/sim/unit.lua          the same, with the archive unpacked
 *     sim/unit.lua                  it is a folder `lua`
 *     unit.lua                      it is `lua/sim`
 *
 * and for mods/M28AI/lua/x.lua also lua/x.lua in any folder M28AI. A later directory is
 * searched only if the earlier ones do not have the file; or the other way round.
 */
#pragma once

#include "base/error.h"
#include "base/intern.h"
#include "base/text.h"

struct roots {
    struct root {
        const char *path; /* as it was given; not owned */
        char *real_path;  /* with symbolic links resolved; its last components are compared */
    } * roots;            /* [root_count] */
    size_t root_count;
    bool begins_with_last; /* may be set after roots_init() */

    /* Directories that were read. */
    struct intern directory_paths;
    struct directory {
        char **entries; /* [count], names that differ only in letter case are adjacent */
        size_t count, capacity;
    } * directories; /* [directory_paths.count] */
    size_t directory_capacity;
    uint32_t unreadable_count; /* of those; they count as empty */
    struct error unreadable;   /* the first of these */
};

/*
 * Fails if one of them is not a directory. `directories` must outlive the roots, which must
 * be released even after a failure.
 */
bool roots_init(struct roots *roots, const char *const *directories, size_t count,
                struct error *err);
void roots_release(struct roots *roots);

/*
 * Finds the file of a source; `shown` and `full` are its path in reports and in the log,
 * with '/'. Sets `file` to its NUL-terminated path. Returns false if it is not found.
 * Symbolic links are followed; a path with ".." is refused.
 */
bool roots_find(struct roots *roots, struct span shown, struct span full, struct text *file);

/* Files larger than this are not read. */
enum { ROOTS_FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* Reads a regular file into an empty text. */
bool roots_read(const char *path, struct text *contents, struct error *err);
