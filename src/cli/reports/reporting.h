/*
 * reporting.h - reads the logs, and writes what the options ask for.
 */
#pragma once

#include "cli/messages/console.h"
#include "cli/options/options.h"

/* If something fails, the console has said why, and has the exit status. */
void run(struct options *options, struct console *console);
