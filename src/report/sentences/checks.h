/*
 * checks.h - lines about the checks of supprof-recorder(7): how a player's game differs from
 * what the recorder expects, and what that means for recordings.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

/* Appends them. Nothing without checks. */
void checks_put(struct text *text, const struct report *report);
