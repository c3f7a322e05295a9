/*
 * notes.h - what is missing, damaged or uncertain? Warnings above a table, and the notes below it,
 * each a line "Note: ..."; and what --verbose and benchmarks add.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/*
 * Appends all of them, in lines that fit the report's width. Returns whether there is a note.
 */
bool notes_put(struct text *text, const struct report *report, enum report_unit unit);

/* Appends only those about the window, and about what is missing or damaged in the recordings. */
void notes_put_losses(struct text *text, const struct report *report);

/*
 * Of a comparison: appends what its sums cannot tell. With `has_option` for a terminal, with the
 * option that compares repeated games.
 */
void notes_put_chance(struct text *text, const struct report *report, bool has_option);

/*
 * Appends all warnings about the numbers, as lines that each end in a line feed. Returns whether
 * one of them is a note.
 */
bool notes_put_all(struct text *text, const struct report *report);

/* Appends those about threads, as lines. Of all that was recorded, on all threads. */
void notes_put_threads(struct text *lines, const struct report *report);

/* Why a function that ran has no calls: the end of a sentence about it. */
const char *notes_no_calls_reason(const struct report *report);

/*
 * Appends which recordings cannot be used and why, a sentence without an end; nothing if all can.
 * `log_names` has the names of the profile's logs.
 */
void notes_put_unused(struct text *text, const struct profile *profile,
                      const char *const *log_names);

/* Appends a line "Note: 2 lines are missing"; nothing if there are none. */
void notes_put_count(struct text *lines, uint64_t count, const char *one, const char *many);

/* Appends a line about `count` recordings of the Lua state that is not shown; nothing for 0. */
void notes_put_other_state(struct text *lines, enum lua_state shown, uint64_t count);

/* Appends a line about logs that are given again, or are copies of others; or nothing. */
void notes_put_same_logs(struct text *lines, const struct game_logs *logs);

/* Appends a line about stacks with a frame in their middle (see viewer_tree.h), or nothing. */
void notes_put_folded(struct text *lines, const struct report *report);

/* Appends lines that each begin with "Note: ", and releases them. */
void notes_put_lines(struct text *text, size_t width, struct text *lines);

/*
 * What cannot be trusted, said before anything else: a log that lost its beginning,
 * times below frames that an error had ended, and single calls for which the game is not to blame.
 */

/* The end of a sentence about a log of which that is so. */
extern const char notes_wrapped[];

/* Appends that too many events are missing: see report.h. It comes before all else. */
void warnings_put_first(struct text *text, const struct report *report);

/* Appends a sentence for each of them; nothing if all of the log can be trusted. */
void warnings_put(struct text *text, const struct report *report);

/*
 * The lines above a table that --verbose adds: where stacks ran, the slowest
 * ticks, how functions were matched with those of an old log, and the overhead of recording.
 */

void details_put(struct text *text, const struct report *report);

/* Appends only those about how each recording was made, at most four. */
void details_put_runs(struct text *text, const struct profile *profile);

/*
 * Lines about benchmarks: how long parts of the game took.
 *
 *     Benchmarks: wall-clock time of parts of the game
 *       10:00.0 to 20:00.0: 312.500 s, 0.521 s per game second; old 350.000 s, 0.583 s per
 *         game second; difference -37.500 s (-10.7%), too few to tell from chance
 */

/* Appends these lines, for at most `limit` parts, 0 for all; nothing without benchmarks. */
void benchmarks_put(struct text *text, const struct report *report, size_t limit);
