/*
 * doubts.h - what cannot be trusted, said before anything else: a log that lost its beginning,
 * times below frames that an error had ended, and single calls for which the game is not to blame.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends a sentence for each of them; nothing if all of the log can be trusted. */
void doubts_put(struct text *text, const struct report *report);
