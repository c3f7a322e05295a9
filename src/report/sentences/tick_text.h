/*
 * tick_text.h - ticks as text, for several reports: their names, times and functions.
 */
#pragma once

#include "report/figures/report.h"
#include "report/sentences/amounts.h"

/* "1:31.2", for text_printf(). */
struct amount tick_game_time(double seconds);

/* The limit of ticks: "100 ms". */
struct amount tick_limit(const struct tick_list *list);

/* The name of a tick, with the game time at which it began: "#912 (1:31.2)". Frames have no time.
 */
struct amount tick_name(const struct report *report, const struct tick *tick);

/* The name of a tick of a run of the profile. */
struct amount tick_name_in(const struct profile *profile, const struct rebuilt_run *run,
                           int64_t number);

/* Milliseconds, with the decimals that suit the ticks of the report. */
struct amount tick_ms(const struct report *report, int64_t ns);

/*
 * Appends the functions with the most self time in a tick, on one line: at most `limit`,
 * only those that matter, and as many as take at most `room` columns. The places
 * of those that have names are left out unless that is SIZE_MAX.
 */
void tick_put_functions(struct text *text, const struct report *report, const struct tick *tick,
                        size_t limit, size_t room);
