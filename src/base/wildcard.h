/*
 * wildcard.h - names of files with '*' and '?' in them, for where no shell replaces them.
 *
 * Only the last part of a path may have them: "old/a*.log.gz". A '*' stands for any characters, and
 * a '?' for any one; neither for a '.' that a name begins with. There are no brackets.
 */
#ifndef SUPPROF_WILDCARD_H
#define SUPPROF_WILDCARD_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the last part of a path has wildcards, and no file is called so. */
bool wildcard_is(const char *path);

/* Whether a name fits; both without directories. */
bool wildcard_fits(const char *pattern, const char *name);

/*
 * Finds all files that fit, in order of their names. Returns them, [*count], to be freed; each
 * lives as long as the arena. None is no failure, nor is a directory that cannot be read.
 */
const char **wildcard_find(const char *path, struct arena *arena, size_t *count);

#endif
