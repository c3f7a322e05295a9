/*
 * functions_by_source.h - the functions of a profile, file by file.
 */
#ifndef SUPPROF_FUNCTIONS_BY_SOURCE_H
#define SUPPROF_FUNCTIONS_BY_SOURCE_H

#include "tree/symbols.h"

#include <stddef.h>
#include <stdint.h>

/* Returns the used Lua functions, [*count] ids, by source and line; the caller frees it. */
uint32_t *functions_by_source(const struct symbols *symbols, size_t *count);

#endif
