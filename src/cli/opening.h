/*
 * opening.h - --open: a report for the browser, for those who would rather not type names.
 */
#ifndef SUPPROF_OPENING_H
#define SUPPROF_OPENING_H

#include "base/error.h"
#include "cli/console.h"
#include "cli/options.h"

#include <stdbool.h>

/*
 * Completes what --open leaves out: without a log the newest one that is known, the newest log
 * in a folder, and without an output a report beside the first log, or in a folder of its own
 * where nothing can be written there.
 */
bool opening_settle(struct options *options, struct error *err);

/* Opens the first file that was written, and says so. */
void opening_show(const struct options *options, struct console *console);

#endif
