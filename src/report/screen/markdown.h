/*
 * markdown.h - a table in Markdown.
 */
#pragma once

#include "base/text.h"

/*
 * Text of a log in Markdown (GitHub's), so that nothing in it is taken for
 * Markdown, HTML, a link, or the name of a user.
 *
 * All such text is code: nothing else is inert everywhere, because GitHub makes links of names
 * (@user), numbers (#12) and addresses in any other text.
 */

/*
 * Appends clean text as a code span, also for cells of tables. A '|' after a backslash becomes a
 * similar character, because programs do not agree on how to write it in a table.
 */
void markdown_put_code(struct text *text, struct span clean);

/* Appends at most `line_max` lines of clean text as a block of code, and how many are left out. */
void markdown_put_block(struct text *text, struct span lines, size_t line_max);
