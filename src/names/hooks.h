/*
 * hooks.h - files of mods that the engine appended to other files, as the log says:
 *
 *     info: Hooked /lua/sim/unit.lua with /schook/lua/sim/unit.lua
 *     info: Hooked /lua/sim/unit.lua with /mods/y/hook/lua/sim/unit.lua
 *
 * The engine compiles the file and its hooks as one text, in the order of the lines, with the
 * file's own name as the source of all functions. It adds a line feed after each file that does
 * not end in one. What follows from that is said below.
 *
 * Lines of one file, with nothing of another file between them, are a batch. The game loads a file
 * again for each of its Lua states, and may then append other mods: the user interface has mods
 * that the sim has not. So a file may have several different batches.
 */
#pragma once

#include "base/error.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "names/source_files.h"
#include "tree/symbols.h"
#include "tree/tree.h"

/* All zero is an empty list. */
struct hooks {
    struct intern batches; /* the path of the file and those of its hooks, each with a '\n' */
    uint32_t *next;        /* [batches.count]: the next batch of the same file, or INTERN_NONE */

    /* Private. */
    struct intern bases; /* paths of files with hooks, in small letters, without '/' at the start */
    struct hooked_base {
        uint32_t first, last; /* batch ids */
    } * ends;                 /* [bases.count] */
    size_t next_capacity, end_capacity;
    struct text open; /* the last batch, which may become longer */
    size_t open_count;
};

/* A batch of more hooks is cut in two: games have a few dozen mods. */
enum { HOOKS_PER_BATCH_MAX = 64 };

/* Adds a line; neither path has a line feed. */
void hooks_add(struct hooks *hooks, struct span base, struct span file);

/* Ends a batch that is open. Call it after each log. */
void hooks_end_batch(struct hooks *hooks);

/* Adds the batches of a later log. Both have ended. */
void hooks_join(struct hooks *hooks, const struct hooks *later);
void hooks_release(struct hooks *hooks);

/*
 * Gives functions of hooks to their mods.
 *
 * In a log, the functions of all hooks of a file have the file's own source, and lines after its
 * last line. Nothing in the log says where the file ends: a second function with the same name may
 * be the file's own. So the lengths come from the sources below the directories of --lua-root:
 *
 *     log: /lua/x.lua with 100 lines,       function at    becomes the function at
 *     hooked with /mods/y/hook/lua/x.lua    lua/x.lua:90   lua/x.lua:90
 *     of 20 lines, and then with            lua/x.lua:110  mods/y/hook/lua/x.lua:10
 *     /mods/z/hook/lua/x.lua                lua/x.lua:150  mods/z/hook/lua/x.lua:30
 *
 * The last hook's length is not needed. The lengths are used only if they fit: at the line of every
 * function of the source, one of those files must define a function that can make its calls
 * (source_files.h), and there must be at least one such function. Where a file has several batches
 * of hooks, they must agree on the mod and the line of a function; a batch that does not fit is
 * left out.
 *
 * Without lengths, the source stays, and its mod is "game and hooks of y, z". If only the length of
 * the file itself is known, the functions after its end have the source "lua/x.lua (hooks)", of the
 * mod "hooks of y, z". The function of the whole text, line 0, stays where it is.
 */

struct hooked_functions {
    int32_t *shifts; /* [function_count]: the lines by which it moved up; those of its calls must
                        follow */
    uint32_t function_count;
    uint32_t moved; /* functions that moved to the file of a mod */

    /* Sources with functions of several mods. */
    struct hooked_source {
        uint32_t source; /* string id */
        uint32_t mods;   /* text id */
    } * sources;         /* [source_count] */
    size_t source_count, source_capacity;
    struct intern texts;
};

/*
 * Moves the used functions of hooks: sets their sources and lines, and the shifts. Fails, and moves
 * nothing, if one of the directories cannot be opened. `hooked` is to be released in any case.
 */
bool hooked_functions_move(struct hooked_functions *hooked, struct symbols *symbols,
                           const struct hooks *hooks, const struct source_request *request,
                           struct error *err);

/* Moves the calling lines of a tree. */
void hooked_functions_shift_lines(const struct hooked_functions *hooked, struct tree *tree);

/* Sets the mods of the sources with functions of several mods. */
void hooked_functions_name_mods(const struct hooked_functions *hooked, struct paths *paths);
void hooked_functions_release(struct hooked_functions *hooked);
