/*
 * command_line.h - reads the options and logs that the program was started with.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"

/*
 * Options of one's own: from SUPPROF_LUA_ROOT, the user's file, and the first file
 * `.supprof` in the working folder or above it.
 *
 * A file has an option a line: "--unit=ms", or without the dashes. Only options whose rows say
 * CAN_BE_DEFAULT can be there: a downloaded folder may hold such a file, so it must not be able to
 * write, open or follow anything. For the same reason paths in a `.supprof` are relative to its
 * folder: a path such as \\server\share would send a password to that server. Neither `..` nor a
 * link can lead out of that folder, a line that is no option is not quoted (the file may be a link
 * to any other), and a `.supprof` of another user is ignored.
 */

/*
 * Sets the options that are not given on the command line, and adds to those that are lists.
 * Sets options->defaults to what was set, and where, and
 * options->untrusted. Fails if a file cannot be read, or has a line that is not such an option.
 */
bool defaults_read(struct options *options, struct error *err);

/*
 * Adds the names that --open needs, so that nobody has to type file names: if no log is named, the
 * newest known log; for a folder, the newest log in it; without an output, a report beside the
 * first log, or in a separate folder if files cannot be created there.
 */
bool opening_add_names(struct options *options, struct error *err);

/*
 * Finds the log that was written last: beside the program and in the folders above it, in FAF's
 * folder, and in the game's and LOUD's in all Steam libraries. Sets `path`, NUL-terminated.
 * Returns false when there is none.
 */
bool opening_find_newest(struct text *path);

/*
 * Checks before anything is read that outputs do not replace inputs or each other,
 * and that terminals can show what is asked for.
 */

bool path_checks_pass(const struct options *options, struct error *err);

/*
 * Reads the command line by the table in option_rows.c; `argv`, ended by NULL, must outlive
 * the options. `has_piped_input`: standard input is not a terminal, so it is the log if no
 * log is named. Fails on a command line that --help does not allow.
 */
bool command_line_read(struct options *options, int argc, char **argv, bool has_piped_input,
                       struct error *err);

/* Sets what the options and the outputs need of the logs; again where the outputs have changed. */
void command_line_complete(struct options *options);

/* Whether a page and a time line of a whole log are asked for, which no one reading can have. */
bool command_line_needs_two_readings(const struct options *options);

/* An option, and its value if that matters, or NULL. */
struct named_option {
    const char *flag, *value;
};

/* The first of those that need a recording of profiler.lua; without one, its flag is NULL. */
struct named_option options_of_recordings(const struct options *options);
