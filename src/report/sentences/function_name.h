/*
 * function_name.h - how a sentence names a function, and which functions it may be about.
 */
#pragma once

#include "base/text.h"
#include "names/labels.h"
#include "select/long_calls.h"
#include "select/wrong_callers.h"
#include "tree/symbols.h"
#include "tree/tree.h"

/* What is known about functions; nothing is owned. */
struct known_functions {
    const struct tree *tree;
    const struct symbols *symbols;
    const struct labels *labels;
    const struct wrong_callers *wrong_callers; /* NULL: none */
    const struct long_calls *long_calls;       /* NULL: none */
};

/*
 * The name of a function; "? sim/navgenerator.lua:994", with its place, if it has no name: clean
 * text.
 */
const char *function_name(const struct labels *labels, uint32_t function);

/*
 * Appends the name. A C function has the function for which it took the most self time beside it:
 * "table.getn (33% for LocationExists)". `scope` stands before the percentage.
 */
void function_name_put(struct text *text, const struct known_functions *known, uint32_t function,
                       const char *scope);

/*
 * Whether no sentence may be about a function: its times are wrong, or it stands for all functions
 * whose names the log has lost.
 */
bool function_is_unfit(const struct known_functions *known, uint32_t function);
