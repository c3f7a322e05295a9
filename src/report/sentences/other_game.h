/*
 * other_game.h - are the two sides of a comparison different games?
 *
 *     The games differ, so their times say little about a change of the code: map hh, old
 *       scmp_009; mods only new: M28AI; 0:02.0 to 0:22.0 of the game, old 7:00.0 to 9:00.0; Lua
 *       takes 40% of the real time, old 0.2%
 *
 * Maps and mods are those of the game's own lines, mods without their versions; where a side has no
 * list of mods, those that have a hundredth of a side's time. Ranges of ticks differ if the ticks
 * that both have are less than half of the longer one. The share of the real time counts if it is
 * ten times as large, at least 5%, and most functions were not called about as often.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends the sentence; nothing if they may be the same game. */
void other_game_put(struct text *text, const struct report *report);
