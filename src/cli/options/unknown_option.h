/*
 * unknown_option.h - suggestions for misspelled options, and for paths that were cut at a blank.
 */
#pragma once

#include "base/error.h"
#include "base/hash_index.h"

/*
 * How much two words differ, to guess what was meant.
 */

/* Longer words are not compared. */
enum { SPELLING_LENGTH_MAX = 63 };

/*
 * Returns the number of bytes that must be added, removed, changed, or swapped with their neighbour
 * to turn one word into the other (optimal string alignment); SIZE_MAX if a word is too long.
 */
size_t spelling_distance(struct span a, struct span b);

/*
 * Refuses a word such as "--tikcs" or "--s=calls" that is no option:
 *
 *     unknown option '--tikcs'; did you mean '--ticks'?
 *     unknown option '--mod'; did you mean '--by=mod'?
 *     unknown option '--compare'; did you mean '--diff'?
 *     ambiguous option '--s' (--sort, --show-from, --strict)
 */
bool unknown_option_refuse(const char *word, struct error *err);

/*
 * Adds to an error about a file that cannot be read what may have been meant: "; did you mean
 * '--help'?" if the file is missing and has the name of an option, such as "help", "/help" or "/?";
 * or a path with blanks, which was not in quotes. `words` are those of the command line, ended by
 * NULL.
 */
void unknown_option_suggest(struct error *err, const char *path, char *const *words);
