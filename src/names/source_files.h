/*
 * source_files.h - Lua sources below the directories of --lua-root, each read once.
 */
#pragma once

#include "base/error.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "names/definitions.h"
#include "names/paths.h"
#include "tree/tree.h"

/*
 * Directories with Lua sources, and the files in them.
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
 *
 * A log and the folder that it came in can be made to name any file. So only names that end in .lua
 * or .bp are sources, and a file is passed over if a link leads out of the directory, or to a file
 * with another name.
 */

struct roots {
    struct root {
        const char *path; /* as it was given; not owned */
        char *real_path;  /* with symbolic links resolved */
    } * roots;            /* [root_count] */
    size_t root_count;
    bool begins_with_last; /* may be set after init_roots() */

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

/* Files that were passed over, in all searches of a run. All zero is an empty list. */
struct passed_sources {
    struct intern paths;  /* where they really are */
    struct error example; /* "'lua/a.lua' is '/home/x/.env'" */
};

/* Adds the files of later searches; releases their list. */
void passed_sources_join(struct passed_sources *passed, struct passed_sources *later);

/* Files larger than this are not read. */
enum { ROOTS_FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* What names are taken from. */
struct source_request {
    const char *const *directories; /* [directory_count], not owned; may be empty */
    size_t directory_count;
    bool begins_with_last;     /* a file is looked for in the last directory first */
    const struct paths *paths; /* in PATHS_SHORT */
    const struct tree *tree;   /* with calling lines */
    /* Called for each file that does not help. May be NULL. */
    void (*on_problem)(void *context, const char *message);
    void *context;
    struct passed_sources *passed; /* gets those that no directory has otherwise. May be NULL */
    bool keeps_texts; /* of all sources, not only of those that have functions without a name */
};

struct source_file {
    const char *path; /* NULL: a chunk that was loaded from a string */
    char *problem;    /* why it cannot be read; NULL if it was */
    struct definitions definitions;
    int32_t line_count;   /* with a last line that has no line feed */
    struct text contents; /* these are empty unless texts are kept */
    size_t *starts;       /* [line_count + 1]: where its lines begin, and where the last one ends */
    struct text full_path; /* absolute and clean; empty if that is not known */
};

struct source_files {
    const struct source_request *request;
    struct call_lines *call_lines; /* [function_count]; NULL without directories */
    struct roots roots;

    /* Of the last search: the file, or else the first that was passed over. */
    struct text path, real_path; /* the latter is empty if `reason` says why it is not known */
    int reason;                  /* of errno */
    struct error problem;        /* why a file that is there is no source; empty for none */

    struct intern paths;
    struct source_file **files; /* [paths.count] */
    size_t capacity;
    uint64_t byte_count; /* of the texts that are kept of them */

    /* By string id, see names.h; [found_count], 0 unless texts are kept. */
    struct found_source {
        const struct source_file *file; /* NULL: none that agrees with the log */
        char *problem;                  /* why not; NULL: there is no such file */
        bool is_owned;                  /* the file is a chunk */
    } * found;
    uint32_t found_count;
};

/* Fails if a directory cannot be opened; release them in any case. */
bool source_files_init(struct source_files *files, const struct source_request *request,
                       uint32_t function_count, struct error *err);

void source_files_release(struct source_files *files);

/* Whether a file with this path can be a source. */
bool source_is_path(struct span path);

/*
 * Finds and reads the file of a source; `shown` and `full` are its path in reports and in the log,
 * with '/'. Returns NULL if there is none: files->problem may say why. Sets `*is_new` if this is
 * the first time. The file stays at its address.
 */
const struct source_file *source_files_find(struct source_files *files, struct span shown,
                                            struct span full, bool *is_new);

/* Makes a file of the text of a chunk, which is to be released. */
struct source_file *source_file_of_chunk(struct span text, bool keeps_text);
void source_file_release(struct source_file *file);

/* The lines of a function in its file, from that of its definition to that of its `end`. */
struct source_lines {
    const struct source_file *file;
    int32_t first, last;
};

/* Finds the lines of a function, if texts are kept. Fails with the reason why there are none. */
bool source_lines_find(struct source_lines *lines, const struct source_files *files,
                       const struct symbols *symbols, uint32_t function, struct error *why);

/* The absolute path of the file of a function on this machine, or NULL; see found_source. */
const char *source_path_find(const struct source_files *files, const struct symbols *symbols,
                             uint32_t function);

/* A line of a file, without its end. */
struct span source_line(const struct source_file *file, int32_t line);

/* Calls on_problem() with "--lua-root: " and the text that printf() would print. */
void source_files_tell(const struct source_files *files, const char *format, ...)
    FORMATS_LIKE_PRINTF(2, 3);

/* The lines that a function called from. */
struct call_lines {
    int32_t first, last; /* 0 for none */
};

/*
 * Returns why no function that is defined at `line` can have made those calls, or NULL if one can.
 * All lines are those of the source.
 */
const char *call_lines_problem(const struct definitions *definitions, int32_t line,
                               struct call_lines lines);
