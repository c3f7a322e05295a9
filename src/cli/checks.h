/*
 * checks.h - checks that a log has the data that the options need; if not, says why and what to do.
 */
#ifndef SUPPROF_CHECKS_H
#define SUPPROF_CHECKS_H

#include "base/error.h"
#include "cli/options.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether anything was read from the logs, [log_count], and with --strict: all of it. */
bool check_contents(const struct profile *profile, const struct options *options,
                    const char *const *logs, size_t log_count, struct error *err);

/* Of a finished profile: whether it has any calls, and in the window if there is one. */
bool check_window(const struct profile *profile, const struct options *options, struct error *err);

/* Whether it has the data to sort rows by, or to count. */
bool check_details(const struct profile *profile, const struct options *options, struct error *err);

/*
 * Finds the functions of a tree that --peek matches: sets `is_peeked`, [function_count].
 * `*is_usage`: a failure is an error in the pattern, not a pattern without matches.
 */
bool check_peek(const struct options *options, const struct profile *profile,
                const struct labels *labels, uint8_t *is_peeked, bool *is_usage, struct error *err);

/* Whether a time line is short enough for viewers. */
bool check_timeline_length(const struct timeline *timeline, struct error *err);

/* If a format needs a time line: whether there is one, and it is short enough. */
bool check_timeline(const struct profile *profile, const struct options *options,
                    struct error *err);

#endif
