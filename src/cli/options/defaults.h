/*
 * defaults.h - options of one's own: from SUPPROF_LUA_ROOT, the user's file, and the first file
 * `.supprof` in the working folder or above it.
 *
 * A file has an option a line: "--unit=ms", or without the dashes. Only options whose rows say
 * may_be_default can be there: a downloaded folder may hold such a file, so it must not be able to
 * write, open or follow anything. For the same reason paths in a `.supprof` are relative to its
 * folder: a path such as \\server\share would send a password to that server.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"

/*
 * Sets the options that are not given on the command line, and adds to those that are lists.
 * `is_given` is [option_row_count]. Lists in options->defaults what was set, and where. Fails if a
 * file cannot be read, or has a line that is not such an option.
 */
bool defaults_read(struct options *options, const bool *is_given, struct error *err);
