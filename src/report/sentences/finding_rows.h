/*
 * finding_rows.h - the table of findings: what each measures, and what is shown of it.
 */
#pragma once

#include "rebuild/ticks/ticks.h"
#include "report/sentences/finding.h"

extern const struct finding_row {
    const char *name; /* for programs, and of its logs in fixtures/findings */
    finding_measure *measure;
    double least;
    finding_put *put;
    const char *option; /* that shows more; NULL: it is --peek with the function */
    const char *page;   /* of the HTML report, for its script; NULL: none */
    bool is_about_log;  /* not about the game */
} finding_rows[FINDING_KIND_COUNT];

/* Appends the sentence about ticks that are slow at a regular distance; nothing if none are. */
void finding_put_distance(struct text *text, enum lua_state state,
                          const struct tick_distance *distance);
