/*
 * functions_by_source.h - the functions of a profile, file by file.
 */
#pragma once

#include "tree/symbols.h"

/* The Lua functions of one source: those that are used, by line, then the others. */
struct source_group {
    uint32_t source;           /* string id */
    const uint32_t *functions; /* [all_count] ids */
    size_t count, all_count;   /* of used functions, at least one; and of all */
};

/* Calls act() with each source of a used function. It may change the sources and lines of the
 * functions. */
void functions_by_source(const struct symbols *symbols,
                         void (*act)(void *context, const struct source_group *group),
                         void *context);
