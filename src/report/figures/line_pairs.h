/*
 * line_pairs.h - which lines of two versions of a function have the same text.
 *
 * Blanks before and after the text do not count. The order of the lines stays: as few as possible
 * are left alone. After the first difference of two functions of thousands of lines, others are.
 *
 *     old 10 function F()     new 20 function F()        pairs  20 and 10
 *         11   Prepare()          21   if x then                21
 *         12   Run()              22     Run()                      11
 *         13 end                  23   end                      22 and 12
 *                                 24 end                        23
 *                                                               24 and 13
 */
#pragma once

#include "names/source_files.h"

struct line_pair {
    int32_t line, old_line; /* 0: there is none */
};

/* Returns all lines of both, [*count], which the caller frees. One without a file has no lines. */
struct line_pair *line_pairs_find(const struct source_lines *now, const struct source_lines *old,
                                  size_t *count);
