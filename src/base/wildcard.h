/*
 * wildcard.h - expands '*' and '?' in names of files, for systems whose shell does not.
 *
 * Only the last part of a path may have them: "old/a*.log.gz". A '*' matches any characters, and a
 * '?' matches any one; neither matches a '.' at the start of a name. Brackets have no special
 * meaning.
 */
#pragma once

#include "base/mem.h"

#include <stdbool.h>

/* Whether the last part of a path has wildcards, and no file has exactly this name. */
bool wildcard_is(const char *path);

/* Whether a name matches a pattern; both without directories. */
bool wildcard_fits(const char *pattern, const char *name);

/*
 * Finds all files that match, in the order of their names. Returns their paths, [*count]; the
 * caller frees the array, and the paths live as long as the arena. It is not a failure if no file
 * matches or the directory cannot be read.
 */
const char **wildcard_find(const char *path, struct arena *arena, size_t *count);
