/*
 * checks.h - whether a log has what the options ask for; if not, why, and what to do.
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

/* Whether it tells what rows are to be sorted by, or what is to be counted. */
bool check_details(const struct profile *profile, const struct options *options, struct error *err);

/*
 * Finds the functions of a tree that --peek matches: sets `is_peeked`, [function_count].
 * `*is_usage` says whether a failure is the pattern's fault and not that nothing matches.
 */
bool check_peek(const struct options *options, const struct profile *profile,
                const struct labels *labels, uint8_t *is_peeked, bool *is_usage, struct error *err);

/* Whether a time line is not too long for viewers. */
bool check_timeline_length(const struct timeline *timeline, struct error *err);

/* Whether there is a time line, where some format is nothing without, and not too long a one. */
bool check_timeline(const struct profile *profile, const struct options *options,
                    struct error *err);

#endif
