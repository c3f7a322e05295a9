/*
 * symbols.h - the strings and functions a profile talks about.
 *
 * One table serves a whole run: every tree refers to it by id, so a function
 * means the same in a tree and in what a filter leaves of it.
 *
 * What a function is: a Lua function is its source and the line it is defined
 * at, whatever name it was called by. Anything else (a C function, a lost tail
 * call) has no line and is told apart by its source and name.
 */
#ifndef SUPPROF_SYMBOLS_H
#define SUPPROF_SYMBOLS_H

#include "intern.h"

#include <stdbool.h>
#include <stdint.h>

struct function {
    uint32_t source; /* string id: "@c:\\...\\siminit.lua", "=[C]", or a chunk's text */
    uint32_t name;   /* string id: "?" or "" when the log knows none */
    int32_t line;    /* where it is defined, 0 for a chunk; -1 when it is no Lua function */
    bool is_used;    /* it is in the profile; others only stand in runs that were left out */
};

/* All zero is an empty table, ready for use. */
struct symbols {
    struct intern strings;
    struct function *functions; /* [function_count], indexed by function id */
    uint32_t function_count;
    size_t function_capacity;
    struct index function_index;
};

/*
 * Returns the id of a function, made if need be. The name of a Lua function is
 * INTERN_NONE until somebody sets it: see frames_name_functions().
 */
uint32_t symbols_add_function(struct symbols *symbols, uint32_t source, int32_t line,
                              uint32_t name);

/*
 * Makes a function that is never found by its source and line, for there may be another
 * there: one that only an older version of the program had.
 */
uint32_t symbols_append_function(struct symbols *symbols, uint32_t source, int32_t line,
                                 uint32_t name);

/* Whether the function is compiled Lua, and so has a source line. */
bool symbols_is_lua(const struct symbols *symbols, uint32_t function);

/* Whether it is a C function, and not something else without a line. */
bool symbols_is_c(const struct symbols *symbols, uint32_t function);

void symbols_release(struct symbols *symbols);

#endif
