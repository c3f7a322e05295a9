/*
 * read_definitions.h - reads a Lua source for the functions that it defines.
 */
#ifndef SUPPROF_READ_DEFINITIONS_H
#define SUPPROF_READ_DEFINITIONS_H

#include "names/definitions.h"

/* Reads a source of fewer than INT32_MAX lines. Release the result by definitions_release(). */
void definitions_read(struct definitions *definitions, struct span source);

#endif
