/*
 * game_log_text.h - lines about the game itself, from its own lines in the log: see game_log.h.
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
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends all that is known. */
void game_log_put(struct text *text, const struct report *report);

/* Appends one line for the report of a recording, if the log says how fast the sim ran. */
void game_log_put_short(struct text *text, const struct report *report);
