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

/*
 * Gives the session and its old one, if there is one, the same functions and nodes, scales the old
 * times, and sets session->compared; then checks whether anything is left to report. The sessions
 * may not be moved afterwards. Fails if the logs lack the data that the options need, or if nothing
 * is left.
 */
bool comparison_make(struct session *session, struct error *err);
