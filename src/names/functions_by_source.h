/*
 * functions_by_source.h - the functions of a profile, file by file.
 */
#pragma once

#include "tree/symbols.h"

#include <stddef.h>
#include <stdint.h>

/* The used Lua functions of one source, by line. */
struct source_group {
    uint32_t source;           /* string id */
    const uint32_t *functions; /* [count] ids */
    size_t count;
};

/* Calls act() with each source. It may change the sources and lines of the functions. */
void functions_by_source(const struct symbols *symbols,
                         void (*act)(void *context, const struct source_group *group),
                         void *context);
