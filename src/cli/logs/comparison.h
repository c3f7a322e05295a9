/*
 * comparison.h - joins the sides of a report: the new subject, and the old one of --diff.
 */
#pragma once

#include "base/error.h"
#include "cli/logs/subject.h"
#include "cli/options/options.h"
#include "report/figures/report.h"

/*
 * Reads the logs of --repeated one by one, and joins them.
 */

/*
 * Reads each log of a subject separately: the subject becomes the first log, with the functions
 * and nodes of all. If it fails, the console has said why.
 */
bool repeated_logs_read(struct subject *subject);

struct comparison {
    struct report_old old; /* for the report; refers to the old subject and to `scaled` */
    struct tree *old_tree; /* the tree of the old subject */
    char scaled[96];
};

/*
 * Gives both subjects the same functions and nodes, and scales the old times; then checks whether
 * anything is left to report. Neither the comparison nor the subjects may be moved afterwards.
 * `old` is NULL if nothing is compared: then `comparison` is not set. Fails if the logs lack the
 * data that the options need, or if nothing is left.
 */
bool comparison_make(struct comparison *comparison, struct subject *subject, struct subject *old,
                     const struct options *options, struct error *err);
