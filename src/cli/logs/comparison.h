/*
 * comparison.h - joins the sides of a report: the new session, and the old one of --diff.
 */
#pragma once

#include "base/error.h"
#include "cli/logs/session.h"
#include "cli/options/options.h"
#include "report/figures/report.h"

/* Makes a session that has read a log of --repeated ready to be joined with others. */
void repeated_log_end(struct session *session);

/*
 * Adds the logs of `later` to those of a session, which then has the functions and nodes of both.
 * If it fails, the console has said why.
 */
bool repeated_logs_join(struct session *session, struct session *later);

/*
 * Call it for a session that has an old one, or logs of --repeated: gives both the same functions
 * and nodes, scales the old times, and completes the old report. The sessions may not be moved
 * afterwards. Fails if the logs lack the data that the options need.
 */
bool comparison_make(struct session *session, struct error *err);
