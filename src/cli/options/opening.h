/*
 * opening.h - --open: a report in the browser, without typing file names.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"

/*
 * Adds the names that --open needs: if no log is named, the newest known log; for a folder, the
 * newest log in it; without an output, a report beside the first log, or in a separate folder
 * if files cannot be created there.
 */
bool opening_add_names(struct options *options, struct error *err);
