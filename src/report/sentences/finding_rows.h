/*
 * finding_rows.h - the table of findings: what each measures, and what is shown of it.
 */
#pragma once

#include "report/sentences/finding.h"

struct finder;

extern const struct finding_row {
    const char *name; /* for programs, and of its logs in fixtures/findings */
    /*
     * Finds the best candidate: sets its function, time and numbers. Returns the value that is
     * compared with `least`; below 0 if there is no candidate.
     */
    double (*measure)(struct finder *finder, struct finding *finding);
    double least;
    void (*put)(const struct finder *finder, const struct finding *finding, struct text *text);
    const char *option; /* that shows more; NULL: it is --peek with the function */
    const char *page;   /* of the HTML report, for its script; NULL: none */
    bool is_about_log;  /* not about the game */
} finding_rows[FINDING_KIND_COUNT];

/* Appends the sentence about ticks that are slow at a regular distance; nothing if none are. */
void finding_put_distance(struct text *text, const struct tick_distance *distance);
