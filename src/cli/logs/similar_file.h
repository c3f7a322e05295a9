/*
 * similar_file.h - a guess at the file that was meant by a name that no file has.
 */
#pragma once

#include "base/error.h"

/*
 * Adds "; did you mean 'game.log.gz'?" to an error about a file. The guess is a file of the same
 * folder: one whose name begins with that of `path`, or is spelled almost like it. Adds nothing if
 * there is none, or if `path` exists.
 */
void similar_file_suggest(struct error *err, const char *path);
