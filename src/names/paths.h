/*
 * paths.h - where a source lies, as a modder would say it.
 *
 * A source in a log is an absolute path of somebody's machine. What is shown is
 * the path inside the game, with '/':
 *
 *     @c:\...\LOUD\gamedata\lua\lua\sim\unit.lua        lua/sim/unit.lua
 *     @c:\...\gamedata\units.scd\units\uel0301\x.lua    units/uel0301/x.lua
 *     @C:\ProgramData\FAForever\gamedata\lua.nx2\lua\x  lua/x
 *     @c:\...\Mods\M28AI\lua\x.lua                      mods/M28AI/lua/x.lua
 *     @c:\...\maps\the pass\the pass_script.lua         maps/the pass/the pass_script.lua
 *     =[C]                                              [C]
 *     for i = 1, 2 do                                   [string "for i = 1, 2 do..."]
 *
 * The rules, first match first:
 *  1. below a directory that the log says is mounted at more than '/'
 *     (AddSearchPath lines): the mount point and the rest; the longest wins;
 *  2. after the last "gamedata/<archive>/": the rest;
 *  3. below a directory that is mounted at '/': the rest; the longest wins;
 *  4. from the last "mods/<name>/" or "maps/<name>/" on;
 *  5. without the longest directory that all remaining absolute paths share.
 * Two sources that come out alike are shown in full. Letter case and the kind of
 * slash do not matter for finding any of this.
 */
#ifndef SUPPROF_PATHS_H
#define SUPPROF_PATHS_H

#include "base/text.h"
#include "tree/symbols.h"

#include <stdbool.h>

/* Directories that the engine mounted. All zero is none. */
struct mounts {
    struct mount {
        struct text directory;   /* with '/', without one at the end */
        struct text mount_point; /* without '/' at the start; "" or "lua/" */
    } * mounts;                  /* [count] */
    size_t count, capacity;
};

/* Takes both texts as the log has them. Past a thousand more are ignored. */
void mounts_add(struct mounts *mounts, struct span directory, struct span mount_point);
void mounts_release(struct mounts *mounts);

enum path_style { PATHS_SHORT, PATHS_FULL /* as the log has it, without the leading '@' */ };

struct paths {
    struct intern texts; /* clean, see text.h */
    uint32_t *shown;     /* [string count]: text ids; INTERN_NONE where no used function has it */
    uint32_t *mods;      /* [string count]: "mods/<name>", the map's name, "game", "[C]",
                            "[string]" for chunks, or another text that is no path */
};

/* Sets the texts for the sources of all functions. */
void paths_init(struct paths *paths, const struct symbols *symbols, const struct mounts *mounts,
                enum path_style style);
void paths_release(struct paths *paths);

#endif
