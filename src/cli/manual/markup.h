/*
 * markup.h - the markup of manual texts in tables, and how it becomes mdoc.
 *
 * A text is prose with a few marks:
 *
 *     {--by=mod} {-o FILE}   an option, with a value
 *     {FILE} {IN,OUT}        a value that the user fills in, in capitals
 *     {top}                  a word that the user types
 *     {Pa profiler.lua}      any macro of mdoc: a name of two letters, and its arguments
 *     'A;B'                  a literal text
 *
 * Punctuation may stand around a mark without blanks: "({--by})," and so may letters after
 * it: "{N}th". A line break ends a paragraph's line; an empty line begins a paragraph; a
 * line that begins with '.' is copied as mdoc.
 *
 *     "Take the {N}th run, see {--from}."   ->   Take the
 *                                                .Ar N Ns th
 *                                                run, see
 *                                                .Fl -from .
 */
#pragma once

#include "base/text.h"

/* Appends the text as mdoc, in whole lines. */
void markup_put_mdoc(struct text *text, const char *manual);

/* Appends the text inside braces as arguments of mdoc: "Fl -by Ns = Ns Cm mod". */
void markup_put_mark(struct text *text, struct span mark);
