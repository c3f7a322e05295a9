/*
 * call_lines.h - whether a function of a log can be one that a source defines, by its lines.
 */
#pragma once

#include "names/definitions.h"
#include "tree/tree.h"

/* The lines that a function called from. */
struct call_lines {
    int32_t first, last; /* 0 for none */
};

/* Returns those of each function, [function_count]; the caller frees it. */
struct call_lines *call_lines_find(const struct tree *tree, uint32_t function_count);

/*
 * Returns why no function that is defined at `line` can have made those calls, or NULL if one can.
 * All lines are those of the source.
 */
const char *call_lines_problem(const struct definitions *definitions, int32_t line,
                               struct call_lines lines);
