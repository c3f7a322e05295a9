/*
 * paths.h - the paths of sources, as modders know them.
 *
 * A source in a log is an absolute path on the machine of the player. Reports show
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
 *  4. from the last "mods/<name>/" or "maps/<name>/" on, unless it begins with one of them;
 *     "usermods/" is "mods/", also below a directory that is mounted at '/';
 *  5. without the longest directory that all remaining absolute paths share.
 * Two sources that would look the same are shown in full; spellings of one path are one source
 * (symbols_add_source()). These rules ignore letter case and treat both kinds of slash as equal.
 */
#pragma once

#include "base/text.h"
#include "tree/symbols.h"

/* Directories that the engine mounted. All zero is an empty list. */
struct mounts {
    struct mount {
        struct text directory;   /* with '/', but not at the end */
        struct text mount_point; /* without '/' at the start; "" or "lua/" */
    } * mounts;                  /* [count] */
    size_t count, capacity;
};

/* Appends a path of a log, clean and with '/'. */
void paths_put(struct text *text, struct span path);

/* Takes both texts as the log has them. Ignores all after the first thousand. */
void mounts_add(struct mounts *mounts, struct span directory, struct span mount_point);

/* Takes the mounts of a later log. */
void mounts_join(struct mounts *mounts, struct mounts *later);
void mounts_release(struct mounts *mounts);

enum path_style { PATHS_SHORT, PATHS_FULL /* as the log has it, without the leading '@' */ };

struct paths {
    struct intern texts; /* clean, see text.h */
    uint32_t *shown; /* [string count]: text ids; INTERN_NONE if no used function has this source */
    uint32_t *mods; /* [string count]: "mods/<name>" (also for lua/mods/<name>/...), the map's name,
                       "game", "[C]", "[string]" for chunks, or another text that is not a path */
};

/* Sets the texts for the sources of all functions. */
void paths_init(struct paths *paths, const struct symbols *symbols, const struct mounts *mounts,
                enum path_style style);
void paths_release(struct paths *paths);
