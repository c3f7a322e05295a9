/*
 * parts.h - the steps of reading logs, each of which has a file of its own.
 */
#pragma once

#include "base/error.h"
#include "cli/messages/console.h"
#include "cli/options/options.h"
#include "names/hooked_functions.h"
#include "names/source_files.h"
#include "profile/profile.h"

/*
 * follow.c - reads a log while the game writes it, and shows the functions on the terminal
 * (--follow).
 */

/*
 * Reads a log until a key or Ctrl-C ends it, the recording has ended, or standard input has. A file
 * that grows is looked at four times a second. If it gets shorter, or another file takes its name,
 * the new one is read as one more log, and a message says so. Messages are held until the screen
 * has ended. Fails as profile_read() does.
 */
bool follow_log(struct profile *profile, const char *path, const struct options *options,
                struct console *console, struct error *err);

/*
 * log_checks.c - checks that a log has the data that the options need; if not, says why and what to
 * do.
 */

/* Whether anything was read from the logs, and with --strict: all of it. */
bool check_contents(const struct profile *profile, const struct options *options,
                    const struct name_list *logs, struct error *err);

/* Whether a finished profile has any calls; if there is a window, in the window. */
bool check_window(const struct profile *profile, const char *title, struct error *err);

/* Whether it has the data that --sort and --metric need. */
bool check_details(const struct profile *profile, const struct report_options *show,
                   struct error *err);

/* Whether a time line is short enough for viewers. */
bool check_timeline_length(const struct timeline *timeline, struct error *err);

/* Whether the profile has a time line for a format, which may be NULL, and it is short enough. */
bool check_timeline(const struct profile *profile, const struct report_format *format,
                    struct error *err);

/*
 * naming.c - completes the names of functions after logs were read: functions of hooks go to their
 * mods, and sources of --lua-root name functions without a name.
 */

/*
 * Says how many functions got a name. With --verbose it lists functions that calls gave several
 * names, beginning with the name that reports show:
 *
 *     lua/x.lua:12 is called OnDamage (120 calls), DoDamage (3 calls)
 *
 * Sets `files`, which looks for sources in the last --lua-root first if `is_old`, keeps the texts
 * of sources if an output uses them, and is to be released in any case. Fails if one of the
 * directories cannot be opened.
 */
bool naming_complete(struct profile *profile, struct hooked_functions *hooked,
                     struct source_files *files, const struct options *options, bool is_old,
                     struct console *console, struct error *err);
