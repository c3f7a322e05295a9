/*
 * game_log_text.h - what does the game itself say? From its own lines in the log: see game_log.h.
 *
 *     The sim crashed at 25:30: bad allocation (heap 97% of 2 GB)
 *     Game: 0:00 to 25:30 in 31:10 of real time, sim speed 0.82 (-1 of the game's -10 to +10); it
 *       stood still for 1:20
 *     Sim speed: ▇▇▇▇▆▅▃▃▂▂▂▂▂▂▃▃▃▃▂▂▂▂▂▁▁ a column is 1:00
 *       below 0.9 in 13 of 26 columns, from 12:00 on; slowest 0.41 at 18:00
 *     Heap: 288 MB at 0:00, 1,534 MB at 25:30 (+49 MB a minute); most 1,600 MB: 78% of the 2 GB,
 *       39% of the 4 GB that a program of 32 bits can have
 *     Errors of Lua: 1,204 at 3 places, 12.1% of the log's lines
 *       1,100 times, 12:30 to 25:00: OnPaused, urb0103_script.lua(37): attempt to call ...
 *     Modules loaded: 412
 *     Mods: Ranges v11; Better chat v14
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends how the games ended that did not end well, a line each; those of an old side, too. */
void game_ends_put(struct text *text, const struct report *report);

/* Appends why nothing was recorded, as far as the log says it. */
void game_log_put_unrecorded(struct text *text, const struct profile *profile);

/* Appends an error as a line. */
void game_log_put_error(struct text *text, const struct game_log *game_log, uint32_t id);

/* Appends all else that is known. */
void game_log_put(struct text *text, const struct report *report);

/* Appends what formats with tables of errors say besides them, a line each. */
void game_log_put_sentences(struct text *text, const struct game_log *game_log);

/*
 * Texts that fill a log: `text` is an id of `others`; `lines` are with the call stacks below them.
 * Returns how many have a twentieth of the lines, those with the most lines first.
 */
enum { FILLERS_MAX = 3 };
struct game_log_filler {
    uint32_t text;
    uint64_t count, lines;
};
size_t game_log_fillers(const struct game_log *game_log, struct game_log_filler *fillers);

/* Appends such a text: with the folders that all its paths have. */
void game_log_put_filler(struct text *text, const struct game_log *game_log, uint32_t other);

/* Appends what the report of a recording says of the game besides, as items between "; ": how fast
 * the sim ran, and the number of errors. */
void game_log_put_items(struct text *items, const struct report *report);
