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

#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>

struct function {
    uint32_t source; /* string id: "@c:\\...\\siminit.lua", "=[C]", or a chunk's text */
    uint32_t name;   /* string id: "?" or "" when the log knows none */
    int32_t line;    /* where it is defined, 0 for a chunk; -1 when it is no Lua function */
    bool is_used;    /* it is in the profile; others only stand in runs that were left out */
};

/* A name that calls gave a Lua function. */
struct symbol_name {
    uint32_t function; /* function id */
    uint32_t name;     /* string id */
    uint64_t calls;    /* that gave it; a recording asks one call for a name, and counts as one */
};

/* All zero is an empty table, ready for use. */
struct symbols {
    struct intern strings;
    struct function *functions; /* [function_count], indexed by function id */
    uint32_t function_count;
    size_t function_capacity;
    struct index function_index;

    /* After symbols_name_functions() by function, the best name of each first. */
    struct symbol_name *names; /* [name_count] */
    size_t name_count, name_capacity;
};

/*
 * Returns the id of a function, made if need be. The name of a Lua function is
 * INTERN_NONE until somebody sets it: see symbols_name_functions().
 */
uint32_t symbols_add_function(struct symbols *symbols, uint32_t source, int32_t line,
                              uint32_t name);

/*
 * Makes a function that is never found by its source and line, for there may be another
 * there: one that only an older version of the program had.
 */
uint32_t symbols_append_function(struct symbols *symbols, uint32_t source, int32_t line,
                                 uint32_t name);

/* Notes that so many calls gave a Lua function a name. For any other it does nothing. */
void symbols_add_name(struct symbols *symbols, uint32_t function, uint32_t name, uint64_t calls);

/*
 * Gives each function that has names the one that most calls gave it. "?" and "" count
 * only where there is no other; among equals the one that sorts first wins.
 */
void symbols_name_functions(struct symbols *symbols);

/* Whether a name, a string id or INTERN_NONE, is none: "?" or "". */
bool symbols_is_no_name(const struct symbols *symbols, uint32_t name);

/* Whether the function is compiled Lua, and so has a source line. */
bool symbols_is_lua(const struct symbols *symbols, uint32_t function);

/* Whether it is a C function, and not something else without a line. */
bool symbols_is_c(const struct symbols *symbols, uint32_t function);

void symbols_release(struct symbols *symbols);

#endif
