/*
 * names.h - names from Lua sources, for functions that the log has no name for.
 *
 * A name is taken from the definition at exactly the function's line (definitions.h) in
 * the file that roots.h finds for its source; where several are on that line, only if all
 * have the same name. A name that the log knows stays. The function of a whole file or
 * chunk, line 0, is "main chunk"; the source of a chunk loaded from a string is its text.
 *
 * Sources of another version than the game's would give wrong names. So a file has to fit
 * all that the log knows of the functions of its source; one that does not gives none:
 *
 *  - it is Lua to its end;
 *  - there is a definition at the line of each function, named or not;
 *  - the lines that a function made calls from lie between that definition's first and
 *    last line;
 *  - functions whose name is that of another definition of the file, and not of their own,
 *    are no more than those whose name is that of their own.
 *
 * That a name differs is no sign by itself: a log has the name of the variable that a
 * function was called by, `fn` or `OldOnCreate` for Unit.OnCreate. But when the log calls
 * the function at line 10 `Kill`, and the file has `Heal` there and `Kill` at line 30,
 * lines have moved.
 *
 * Functions after the file's last line say nothing: mods are appended to files of the
 * game, and line numbers run on.
 */
#ifndef SUPPROF_NAMES_H
#define SUPPROF_NAMES_H

#include "base/error.h"
#include "names/paths.h"
#include "tree/symbols.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names_counts {
    uint32_t nameless; /* used Lua functions that the log has no name for */
    uint32_t named;    /* of those, now */
    /* Files that were looked for, since they have nameless functions. */
    uint32_t files;   /* that were found and fit */
    uint32_t missing; /* that are below none of the directories */
    uint32_t unfit;   /* that are of another version, or no Lua */
    uint32_t unreadable, unreadable_directories;
};

struct names_request {
    const char *const *directories; /* [directory_count], not owned */
    size_t directory_count;
    const struct paths *paths; /* in PATHS_SHORT */
    const struct tree *tree;   /* with calling lines */
    /* Told of each file that is unfit or cannot be read. */
    void (*on_problem)(void *context, const char *message);
    void *context;
};

/*
 * Names the nameless among the used functions. Fails, with no names set, when one of the
 * directories cannot be opened.
 */
bool names_find(struct symbols *symbols, const struct names_request *request,
                struct names_counts *counts, struct error *err);

#endif
