/*
 * command_line.h - reads the options and logs that the program was started with.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"

/*
 * Reads the command line by the table in option_rows.c; `argv` is reordered and must outlive
 * the options. `has_piped_input`: standard input is not a terminal, so it is the log if no
 * log is named. Fails on a command line that --help does not allow.
 */
bool command_line_read(struct options *options, int argc, char **argv, bool has_piped_input,
                       struct error *err);
