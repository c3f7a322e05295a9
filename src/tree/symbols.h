/*
 * symbols.h - the strings and functions of a profile.
 *
 * The whole program uses one table: every tree refers to it by id, so an id means
 * the same function before and after a filter.
 *
 * A Lua function is identified by its source and the line it is defined at, not
 * by the names it is called by. Anything else (a C function, a lost tail call)
 * has no line and is identified by its source and name.
 */
#pragma once

#include "base/hash_index.h"

/* The source of the one function that stands for all of the recorder. */
#define SYMBOLS_RECORDER "=(profiler)"

/* The source of functions whose own the log has lost. */
#define SYMBOLS_LOST "=(lost)"

struct function {
    uint32_t source;  /* string id: "@c:\\...\\siminit.lua", "=[C]", or a chunk's text; of a file,
                         as symbols_add_source() returns it */
    uint32_t name;    /* string id: "?" or "" when the log knows none */
    int32_t line;     /* where it is defined, 0 for a chunk; -1 when it is not a Lua function */
    bool is_used;     /* it is in the profile; others occur only in runs that were left out */
    uint32_t sharers; /* that begin at its line, and are one function here; 0: it is the only one */
};

/* A name that calls gave a Lua function. */
struct symbol_name {
    uint32_t function; /* function id */
    uint32_t name;     /* string id */
    uint64_t calls;    /* that gave it; a recording asks for a name once, and adds one call */
};

/* All zero is an empty table, ready for use. */
struct symbols {
    struct intern strings;
    struct intern files; /* sources that are paths, in one spelling */
    uint32_t *spellings; /* [files.count]: string ids: how the log spells each of them first */
    size_t spelling_capacity;
    struct intern raw_paths; /* the same sources as logs spell them: a few, in very many frames */
    uint32_t
        *of_raw_paths; /* [raw_paths.count]: string ids, as symbols_add_source() returns them */
    size_t raw_path_capacity;
    struct function *functions; /* [function_count], indexed by function id */
    uint32_t function_count;
    size_t function_capacity;
    struct index function_index;

    /* After symbols_name_functions(): sorted by function, the best name of each first. */
    struct symbol_name *names; /* [name_count] */
    size_t name_count, name_capacity;
};

/*
 * Returns the string id of a source. The spellings of a path are one source, the first of them: the
 * game ignores letter case, and "/", "\\", "//" and "/./" separate folders alike.
 */
uint32_t symbols_add_source(struct symbols *symbols, struct span source);

/*
 * Returns the id of a function; adds the function if it is new. The name of a Lua
 * function is INTERN_NONE until it is set: see symbols_name_functions().
 */
uint32_t symbols_add_function(struct symbols *symbols, uint32_t source, int32_t line,
                              uint32_t name);

/* Returns the id of a function that no game has: its source is SYMBOLS_RECORDER or the like. */
uint32_t symbols_add_made_up(struct symbols *symbols, const char *source);

/*
 * Adds a function that is never found by its source and line, because another function may be
 * there: for functions that only an older version of the program had.
 */
uint32_t symbols_append_function(struct symbols *symbols, uint32_t source, int32_t line,
                                 uint32_t name);

/* Must follow changes of sources or lines. If two functions are now the same, the first is found.
 */
void symbols_index_functions(struct symbols *symbols);

/* Counts calls that gave a Lua function a name. Does nothing for other functions. */
void symbols_add_name(struct symbols *symbols, uint32_t function, uint32_t name, uint64_t calls);

/* Says that so many functions begin at the line of this Lua function; the most that was said
 * counts. Does nothing for other functions. */
void symbols_share_line(struct symbols *symbols, uint32_t function, uint32_t count);

/*
 * Sets the name of each function to the one that most calls gave it. "?" and "" count
 * only if there is no other; among equals the one that sorts first wins.
 */
void symbols_name_functions(struct symbols *symbols);

/* Whether a name (a string id, or INTERN_NONE) is missing, "?" or "". */
bool symbols_is_no_name(const struct symbols *symbols, uint32_t name);

/*
 * Whether the function is compiled Lua, and so has a source line; and that line, 0 for others. Ids
 * that no function has are allowed.
 */
bool symbols_is_lua(const struct symbols *symbols, uint32_t function);
int32_t symbols_line(const struct symbols *symbols, uint32_t function);

/* Whether it is a C function; other functions without a line are not. */
bool symbols_is_c(const struct symbols *symbols, uint32_t function);

/* Whether a C function with this name is called by a loop at each turn, in the game's Lua; ipairs
 * calls itself there. */
bool symbols_iterates(const struct symbols *symbols, uint32_t name);

/* Whether the log has lost its source: it may stand for all functions whose definitions are lost.
 */
bool symbols_is_lost(const struct symbols *symbols, uint32_t function);

/*
 * Adds what another table has, in its order, before functions are named there: as if all that was
 * added there had been added here. Sets `strings` and `functions`, the ids here by the ids there.
 * Of a spelling of a path that is not the first, that is the id of the first.
 */
void symbols_join(struct symbols *symbols, const struct symbols *later, uint32_t *strings,
                  uint32_t *functions);

void symbols_release(struct symbols *symbols);
