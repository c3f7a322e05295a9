/*
 * next_option.h - the option that shows more of what a line of a report says.
 *
 *     a tick          --tick 912, or --run 2 --tick 912 if there are several recordings
 *     a function      --peek BuildThreatMap, or --peek "^next " where others have that text, too
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends the option that shows one tick. */
void next_option_put_tick(struct text *text, const struct report *report, const struct tick *tick);

/*
 * Appends an option with a pattern that matches a function and no other, and with an end; nothing
 * if its name and place are long, or have characters that mean something else to a shell or in a
 * pattern.
 */
void next_option_put_function(struct text *text, const struct report *report, uint32_t function,
                              const char *option, const char *end);
