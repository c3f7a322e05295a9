/*
 * hooks.h - files of mods that the engine appended to other files, as the log says:
 *
 *     info: Hooked /lua/sim/unit.lua with /schook/lua/sim/unit.lua
 *     info: Hooked /lua/sim/unit.lua with /mods/y/hook/lua/sim/unit.lua
 *
 * The engine compiles the file and its hooks as one text, in the order of the lines, with the
 * file's own name as the source of all functions. It adds a line feed after each file that does
 * not end in one. See hooked_functions.h for what follows from that.
 *
 * Lines of one file, with nothing of another file between them, are a batch. The game loads a file
 * again for each of its Lua states, and may then append other mods: the user interface has mods
 * that the sim has not. So a file may have several different batches.
 */
#pragma once

#include "base/intern.h"
#include "base/text.h"

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

/* Ends the last batch. Call it after each log. */
void hooks_end_batch(struct hooks *hooks);

void hooks_release(struct hooks *hooks);

/* Returns the first path of a batch, or of the rest of one, and moves `*rest` after it. */
static inline struct span hooks_next_path(struct span *rest)
{
    return span_take(rest, '\n');
}

/*
 * Returns the first batch of a file, or INTERN_NONE; `shown` and `full` are its path in reports and
 * in the log, with '/'. Letter case is ignored. If the path in reports is only the end of the path
 * in the game, a longer end of the full path is tried:
 *
 *     C:/sc/lua/sim/unit.lua, shown as sim/unit.lua     has the hooks of /lua/sim/unit.lua
 *
 * The batches must be ended.
 */
uint32_t hooks_find(const struct hooks *hooks, struct span shown, struct span full);
