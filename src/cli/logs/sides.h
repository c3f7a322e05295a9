/*
 * sides.h - reads all logs of a run: those of the new session, then those of the old one.
 *
 * Where there are several processors, logs are read side by side, each on a thread: as many at once
 * as there are processors. What they have is joined in the order of the command line, and what they
 * say is said in that order. So all output is that of one processor. Logs that are no files, and
 * those that --follow follows, are read when it is their turn.
 */
#pragma once

#include "cli/logs/session.h"

/* Reads the logs of a session, and of its old one. If it fails, the console has said why. */
bool sides_read(struct session *session);
