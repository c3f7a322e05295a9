/*
 * function_name.h - how does a sentence name a function, and which ones may it be about?
 */
#pragma once

#include "report/figures/report.h"

/*
 * The name of a function; if it has none, its place, by which tables and options name it: clean
 * text.
 */
const char *function_name(const struct labels *labels, uint32_t function);

/*
 * Appends the name. A C function has the function for which it took the most self time beside it:
 * "table.getn called by LocationExists and others"; these others are more than a twentieth of it.
 * Where none has a quarter: "math.mod called by 21 functions".
 */
void function_name_put(struct text *text, const struct report *report, uint32_t function);

/*
 * Whether no sentence may be about a function: its times are wrong, or it stands for all functions
 * whose names the log has lost.
 */
bool function_is_unfit(const struct report *report, uint32_t function);

/* Whether a function forks threads: the game's, or a method that only calls that. */
bool function_forks(const struct symbols *symbols, uint32_t function);
