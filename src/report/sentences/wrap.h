/*
 * wrap.h - where does a sentence break? Its lines fit the width of a terminal.
 *
 *     Slow ticks: 4 of 201 over 100 ms, median 0.6 ms. The longest, #38 (0:03.8),
 *       took 149.3 ms: 94% BuildThreatMap, 17% next                           add --tick 38
 */
#pragma once

#include "base/text.h"

/*
 * The escape sequences with which terminals show text bold or in colors.
 */

#define STYLE_PLAIN "\x1b[0m"
#define STYLE_BOLD "\x1b[1m"
#define STYLE_DIM "\x1b[2m"

/* These can be read on black and on white. */
#define STYLE_RED "\x1b[31m"
#define STYLE_GREEN "\x1b[32m"
#define STYLE_MAGENTA "\x1b[35m"

/* Before the option of a marked paragraph: no clean text has it. */
#define WRAP_HINT '\x01'

/* How a paragraph looks. All zero is one line without colours. */
struct wrap {
    size_t width;       /* of the lines, in columns; 0: no limit */
    size_t start;       /* blanks before the first line */
    size_t indent;      /* blanks before each other line */
    const char *style;  /* an escape sequence before the sentence, or NULL */
    struct span option; /* an option that shows more: it ends the last line, or the next */
    bool is_other;      /* it is for a report of its own: "use" it, in place of "add" */
    bool is_colored, is_marked;
};

/*
 * Appends a clean sentence as lines that break between words, but not after a number. A word that
 * is longer than a line is cut in the middle, as text_put_cut_path() does.
 */
void wrap_put(struct text *text, const struct wrap *wrap, struct span sentence);

/* Appends a sentence without an option in such lines, and releases it. */
void wrap_put_line(struct text *text, size_t width, size_t indent, struct text *sentence);

/*
 * Appends lines, each as a paragraph that begins with as many blanks as the line has, and goes on
 * with `more`; releases them.
 */
void wrap_put_lines(struct text *text, size_t width, size_t more, struct text *lines);

/* The number of whole lines. */
size_t wrap_count_lines(struct span lines);
