/*
 * names.h - names from Lua sources, for functions without a name in the log.
 *
 * A name is taken from the definition at exactly the function's line (definitions.h) in
 * the file that source_files.h finds for its source; if several definitions are on that line, only
 * if all have the same name. A name from the log stays. The function of a whole file or
 * chunk, line 0, is "main chunk"; the source of a chunk loaded from a string is its text.
 *
 * Sources of another version than the game's would give wrong names. So a file must agree
 * with everything the log knows about the functions of its source, or it gives no names:
 *
 *  - it is valid Lua to its end;
 *  - there is a definition at the line of each function, named or not;
 *  - the calling lines of each function lie between that definition's first and last line;
 *  - functions that have the name of another definition of the file are not more than those that
 *    have the name of their own definition. Of functions that are not used only the latter count: a
 *    window or --thread may have left out all that agree.
 *
 * A different name alone proves nothing: a log has the name of the variable that a
 * function was called by, `fn` or `OldOnCreate` for Unit.OnCreate. But if the log calls
 * the function at line 10 `Kill`, and the file has `Heal` there and `Kill` at line 30,
 * lines have moved.
 *
 * Functions after the file's last line are not tested: the engine appends mods to files of
 * the game, and line numbers continue.
 */
#pragma once

#include "base/error.h"
#include "names/source_files.h"
#include "tree/symbols.h"

/*
 * The functions of a profile, file by file.
 */

/* The Lua functions of one source: those that are used, by line, then the others. */
struct source_group {
    uint32_t source;           /* string id */
    const uint32_t *functions; /* [all_count] ids */
    size_t count, all_count;   /* of used functions, at least one; and of all */
};

/* Calls act() with each source of a used function. It may change the sources and lines of the
 * functions. */
void functions_by_source(const struct symbols *symbols,
                         void (*act)(void *context, const struct source_group *group),
                         void *context);

struct names_counts {
    uint32_t nameless; /* used Lua functions without a name in the log */
    uint32_t named;    /* those of them that now have one */
    /* Numbers of files with nameless functions. */
    uint32_t files;          /* found, and they agree with the log */
    uint32_t missing;        /* not found below any of the directories */
    uint32_t missing_source; /* the string id of the first of these */
    uint32_t unfit;          /* of another version, or not valid Lua */
    uint32_t unreadable, unreadable_directories;
};

/*
 * Names the used functions that have no name. Fails, and sets no names, if one of the
 * directories cannot be opened. `files` is to be released in any case; if texts are kept, it then
 * has the files of all sources that agree with the log, by the rules above.
 */
bool names_find(struct symbols *symbols, const struct source_request *request,
                struct source_files *files, struct names_counts *counts, struct error *err);
