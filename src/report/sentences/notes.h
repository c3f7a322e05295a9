/*
 * notes.h - the notes below a table: what is missing, damaged or uncertain, each a line "Note:
 * ...".
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/*
 * Appends all of them, in lines of at most `width` columns (0: no limit), and the checks of the
 * game. Returns whether there is a note.
 */
bool notes_put(struct text *text, const struct report *report, enum report_unit unit, size_t width);

/* Appends only those about what is missing or damaged in the recordings. */
void notes_put_losses(struct text *text, const struct report *report, size_t width);

/*
 * Appends what a comparison of sums cannot tell; nothing without one. With `has_option` for a
 * terminal, with the option that compares repeated games.
 */
void notes_put_chance(struct text *text, const struct report *report, bool has_option);

/*
 * Appends all warnings about the numbers, as lines that each end in a line feed. Returns whether
 * one of them is a note.
 */
bool notes_put_all(struct text *text, const struct report *report);

/* Appends those about threads, as lines. Of all that was recorded, on all threads. */
void notes_put_threads(struct text *lines, const struct report *report, enum report_unit unit);

/* Why a function that ran has no calls: the end of a sentence about it. */
const char *notes_no_calls_reason(const struct report *report);

/* Appends a line "Note: 2 lines are missing"; nothing if there are none. */
void notes_put_count(struct text *lines, uint64_t count, const char *one, const char *many);

/* Appends a line about stacks with a frame in their middle (see viewer.h), or nothing. */
void notes_put_folded(struct text *lines, const struct report *report);

/* Appends lines that each begin with "Note: ", and releases them. */
void notes_put_lines(struct text *text, size_t width, struct text *lines);
