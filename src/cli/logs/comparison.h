/*
 * comparison.h - joins the sides of a report: the new session, and the old one of --diff.
 */
#pragma once

#include "base/error.h"
#include "cli/logs/session.h"
#include "cli/options/options.h"
#include "report/figures/report.h"

/*
 * Reads the logs of --repeated one by one, and joins them.
 */

/*
 * Reads each log of a session separately: the session becomes the first log, with the functions
 * and nodes of all. If it fails, the console has said why.
 */
bool repeated_logs_read(struct session *session);

struct comparison {
    struct report_old old; /* for the report; refers to the old session and to `scaled` */
    struct tree *old_tree; /* the tree of the old session */
    char scaled[96];
};

/*
 * Gives both sessions the same functions and nodes, and scales the old times; then checks whether
 * anything is left to report. Neither the comparison nor the sessions may be moved afterwards.
 * `old` is NULL if nothing is compared: then `comparison` is not to be used. Fails if the logs lack
 * the data that the options need, or if nothing is left.
 */
bool comparison_make(struct comparison *comparison, struct session *session, struct session *old,
                     const struct options *options, struct error *err);
