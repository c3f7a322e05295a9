/*
 * screen_formats.h - the formats for people at a terminal or in a forum, and parts of them that
 * other formats show, too. The file of a format says what it looks like.
 */
#pragma once

#include "report/figures/listing.h"
#include "report/figures/report.h"

extern const struct report_format report_top, report_ticks, report_peek, report_list, report_tree,
    report_markdown;

/*
 * Appends the functions of a listing; `room` is the number of lines that they may take, except that
 * the first always has some. SIZE_MAX: no limit. Returns the number of functions it has put. With
 * an output, all but the last lines are written to it.
 */
size_t list_put(struct text *text, struct listing *listing, size_t room, struct output *out);

/*
 * Appends the most expensive part of the tree, at most `limit` rows, and none with less than a
 * thousandth of the time; SIZE_MAX: all of it. With an output, the lines are written to it.
 */
void tree_put(struct text *text, const struct report *report, size_t limit, struct output *out);

/* Appends the comparison, with at most `limit` ticks. */
void ticks_put_compared(struct text *text, const struct report *report, size_t limit);

/* Writes the format top of a report with --repeated. */
void repeated_table_write(const struct report *report, struct output *out);

/* What stands above and below the tables of --repeated: whether the games were the same, notes. */
struct repeated_tables;
void repeated_put_head(struct text *text, const struct repeated_tables *shown);
void repeated_put_notes(struct text *text, const struct repeated_tables *shown);
