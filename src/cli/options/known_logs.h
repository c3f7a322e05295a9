/*
 * known_logs.h - the places where games write their logs, used if no log is named.
 */
#pragma once

#include "base/text.h"

/*
 * Finds the log that was written last: beside the program and in the folders above it, in FAF's
 * folder, and in the game's and LOUD's in all Steam libraries. Sets `path`, NUL-terminated.
 * Returns false when there is none.
 */
bool known_logs_find(struct text *path);

/*
 * The same for one folder: looks in it, and in those of its folders into which the game and LOUD
 * write logs.
 */
bool known_logs_find_below(const char *folder, struct text *path);

/* Whether a log that was found is the example that is packed with the program. */
bool known_logs_is_example(const char *path);
