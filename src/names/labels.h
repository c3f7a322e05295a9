/*
 * labels.h - the names, places and labels of functions in reports.
 *
 *     function             name          place                     label
 *     Lua, named           OnDamage      lua/sim/unit.lua:120      OnDamage lua/sim/unit.lua:120
 *     Lua, nameless        ?             lua/threads.lua:14        ? lua/threads.lua:14
 *     C                    next          [C]                       next [C]
 *     lost to a tail call  (tail call)   (tail call)               (tail call)
 *
 * All texts are clean (see text.h). Each function has a different label. A label has no
 * ';' (it becomes ':') and never ends in a blank and digits, as folded stacks need it.
 * If two labels would be equal, because the functions differ only in bytes that cannot be
 * shown, the second becomes "next [C] #2". A long name or file is shown without its middle.
 */
#pragma once

#include "names/paths.h"
#include "tree/symbols.h"

/*
 * A longer name, file or mod has "[...]" in its middle. A log names a function once, but reports do
 * so again and again: without a limit, one with 100 KB in 10,000 ticks takes a gigabyte.
 */
enum { LABEL_PART_BYTES_MAX = 250 };

struct label {
    uint32_t name, file, place, label, mod; /* text ids */
    uint32_t said; /* the name in a sentence; without one, the place, by which options name it */
};

struct labels {
    struct intern texts;
    struct label *of; /* [function_count] */
    uint32_t *ranks;  /* [function_count]: positions in the order of label, then name, then id */
};

void labels_init(struct labels *labels, const struct symbols *symbols, const struct paths *paths);
void labels_release(struct labels *labels);

/*
 * Returns the labels that last, [function_count], without the line if no other function has this
 * name and file: a line added above a function does not change it, so programs that compare two
 * profiles find the function again. The caller frees the array.
 */
struct span *labels_find_lasting(const struct labels *labels, const struct symbols *symbols);

static inline struct span labels_text(const struct labels *labels, uint32_t text)
{
    return intern_get(&labels->texts, text);
}

/* Returns the text as a string: clean text has no NUL in it. */
static inline const char *labels_string(const struct labels *labels, uint32_t text)
{
    return labels_text(labels, text).at;
}
