/*
 * hook_batches.h - the batches of hooks of each file, found by the paths of its functions.
 */
#ifndef SUPPROF_HOOK_BATCHES_H
#define SUPPROF_HOOK_BATCHES_H

#include "names/hooks.h"

#include <stdint.h>

struct hook_batches {
    struct intern bases; /* paths of files with hooks, in small letters, without '/' at the start */
    uint32_t *first;     /* [bases.count]: batch ids */
    uint32_t *last;      /* [bases.count] */
    size_t first_capacity, last_capacity;
    uint32_t *next; /* [batch count]: the next batch of the same file, or INTERN_NONE */
};

/* The batches must be ended: hooks_end_batch(). */
void hook_batches_init(struct hook_batches *batches, const struct hooks *hooks);
void hook_batches_release(struct hook_batches *batches);

/*
 * Returns the first batch of a file, or INTERN_NONE; `shown` and `full` are its path in reports and
 * in the log, with '/'. Letter case is ignored. If the path in reports is only the end of the path
 * in the game, a longer end of the full path is tried:
 *
 *     C:/sc/lua/sim/unit.lua, shown as sim/unit.lua     has the hooks of /lua/sim/unit.lua
 */
uint32_t hook_batches_find(const struct hook_batches *batches, struct span shown, struct span full);

#endif
