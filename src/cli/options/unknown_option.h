/*
 * unknown_option.h - suggestions for misspelled options.
 */
#pragma once

#include "base/error.h"

/*
 * Refuses a word such as "--tikcs" or "--s=calls" that getopt_long() does not take:
 *
 *     unknown option '--tikcs'; did you mean '--ticks'?
 *     unknown option '--mod'; did you mean '--by=mod'?
 *     unknown option '--compare'; did you mean '--diff'?
 *     ambiguous option '--s' (--sort, --show-from, --strict)
 */
bool unknown_option_refuse(const char *word, struct error *err);

/*
 * Adds "; did you mean '--help'?" to an error about a missing file with the name of an option, such
 * as "help", "/help" or "/?".
 */
void unknown_option_suggest(struct error *err, const char *path);
