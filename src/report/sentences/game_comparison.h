/*
 * game_comparison.h - how do games of logs differ by game time? From the game's own lines: speed of
 * the sim, heap, errors.
 *
 *     Sim speed 0.80 -> 0.91 (old -> new, 0:00 to 30:00); from 15:00 on 0.67 -> 0.83
 *     Heap at 30:00: 1,300 MB -> 1,250 MB
 *     Gone: 12 times: OnPaused, urb0103_script.lua(37): attempt to call ...
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends lines about both sides, or about repeated games; nothing if they have no range of game
   time in common. */
void game_comparison_put(struct text *text, const struct report *report);
