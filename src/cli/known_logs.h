/*
 * known_logs.h - where games write their logs, for those who name none.
 */
#ifndef SUPPROF_KNOWN_LOGS_H
#define SUPPROF_KNOWN_LOGS_H

#include "base/text.h"

#include <stdbool.h>

/*
 * Finds the log that was written last: beside the program and in the folders above it, in FAF's
 * folder, and in the game's and LOUD's in all Steam libraries. Sets `path`, NUL-terminated.
 * Returns false when there is none.
 */
bool known_logs_find(struct text *path);

/* The same below one folder, in it and where the game and LOUD have their logs in it. */
bool known_logs_find_below(const char *folder, struct text *path);

#endif
