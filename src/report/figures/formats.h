/*
 * formats.h - all report formats, and how they are found by name and by file name.
 */
#pragma once

#include "report/figures/report.h"

/* The list of all formats, in the order of --help: the row of `top` is report_top. */
#define REPORT_FORMATS(FORMAT)                                                                     \
    FORMAT(top)                                                                                    \
    FORMAT(ticks)                                                                                  \
    FORMAT(peek)                                                                                   \
    FORMAT(list)                                                                                   \
    FORMAT(tree)                                                                                   \
    FORMAT(folded)                                                                                 \
    FORMAT(csv)                                                                                    \
    FORMAT(speedscope)                                                                             \
    FORMAT(pprof)                                                                                  \
    FORMAT(callgrind)                                                                              \
    FORMAT(svg)                                                                                    \
    FORMAT(card)                                                                                   \
    FORMAT(html)                                                                                   \
    FORMAT(trace)                                                                                  \
    FORMAT(cpuprofile)                                                                             \
    FORMAT(json)                                                                                   \
    FORMAT(markdown)                                                                               \
    FORMAT(ticks_csv)

#define DECLARE_FORMAT(name) extern const struct report_format report_##name;
REPORT_FORMATS(DECLARE_FORMAT)

/* All of them, ended by NULL. The first is the default; old ones, which no list has, come last. */
extern const struct report_format *const formats[];

/* Returns NULL if there is none. */
const struct report_format *format_by_path(const char *path);

/* The format of that name, or with that suffix without the dot: md, pb.gz. NULL: there is none. */
const struct report_format *format_by_word(const char *word);

/* Appends the suffixes and the prefix of a format's file names: ".folded, .txt, callgrind.*". */
void format_put_suffixes(struct text *text, const struct report_format *format,
                         const char *between);

/*
 * Parts of formats for people at a terminal or in a forum that other formats show, too.
 */

/*
 * Appends the tables of a kind; `room` is the number of lines that they may take; SIZE_MAX: no
 * limit. The first table always has some. The result counts functions that have one, or rows. With
 * an output, all but the last lines are written to it.
 */
struct report_result tables_put(struct text *text, const struct report *report,
                                enum report_table kind, size_t room, struct output *out);

/* Writes the report for people that is one kind of table: its tables below what is said of all. */
struct report_result tables_write(const struct report *report, struct output *out);

/* Appends the comparison, with at most `limit` ticks. */
void ticks_put_compared(struct text *text, const struct report *report, size_t limit);

/* Writes the format top of a report with --repeated. */
void repeated_table_write(const struct report *report, struct output *out);

/* What stands above and below the tables of --repeated: whether the games were the same, notes. */
struct repeated_tables;
/* Only the line about the games, which the counts of calls tell. */
void repeated_put_counts(struct text *text, const struct repeated_tables *shown);
void repeated_put_head(struct text *text, const struct repeated_tables *shown);
/* `row_count` is that of the rows which are shown. */
void repeated_put_notes(struct text *text, const struct repeated_tables *shown, size_t row_count);

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
