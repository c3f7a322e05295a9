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
#ifndef SUPPROF_HOOKS_H
#define SUPPROF_HOOKS_H

#include "base/intern.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty list. */
struct hooks {
    struct intern batches; /* the path of the file and those of its hooks, each with a '\n' */

    /* Private. */
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
struct span hooks_next_path(struct span *rest);

#endif
