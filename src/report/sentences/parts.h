/*
 * parts.h - the parts of what stands above a table, each of which has a file of its own.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/*
 * notes.c - what cannot be trusted, said before anything else: a log that lost its beginning,
 * times below frames that an error had ended, and single calls for which the game is not to blame.
 */

/* Appends a sentence for each of them; nothing if all of the log can be trusted. */
void warnings_put(struct text *text, const struct report *report);

/*
 * notes.c - the lines above a table that --verbose adds: where stacks ran, the slowest
 * ticks, how functions were matched with those of an old log, and the overhead of recording.
 */

void details_put(struct text *text, const struct report *report);

/* Appends only those about how each recording was made, at most four. */
void details_put_runs(struct text *text, const struct profile *profile);

/*
 * game_log_text.c - lines about the game itself, from its own lines in the log: see game_log.h.
 *
 *     Game: 0:00 to 25:30 in 31:10 of real time, sim speed 0.82; it stood still for 1:20
 *     Sim speed: ▇▇▇▇▆▅▃▃▂▂▂▂▂▂▃▃▃▃▂▂▂▂▂▁▁ a column is 1:00
 *       below 0.9 in 13 of 26 columns, from 12:00 on; slowest 0.41 at 18:00
 *     Heap: 288 MB at 0:00, 1,534 MB at 25:30 (+49 MB a minute); most 1,600 MB: 78% of the 2 GB,
 *       39% of the 4 GB that a program of 32 bits can have
 *     Errors of Lua: 1,204 at 3 places, 12.1% of the log's lines
 *       1,100 times, 12:30 to 25:00: OnPaused, urb0103_script.lua(37): attempt to call ...
 *     Modules loaded: 412
 *     Mods: Ranges v11; Better chat v14
 */

/* Appends all that is known. */
void game_log_put(struct text *text, const struct report *report);

/* Appends one line for the report of a recording, if the log says how fast the sim ran. */
void game_log_put_short(struct text *text, const struct report *report);

/*
 * notes.c - lines about benchmarks: how long parts of the game took.
 *
 *     Benchmarks: wall-clock time of parts of the game
 *       10:00.0 to 20:00.0: 312.500 s, 0.521 s per game second; old 350.000 s, 0.583 s per
 *         game second; difference -37.500 s (-10.7%), too few to tell from chance
 */

/* Appends these lines, for at most `limit` parts, 0 for all; nothing without benchmarks. */
void benchmarks_put(struct text *text, const struct report *report, size_t limit);
