/*
 * log_checks.h - checks that a log has the data that the options need; if not, says why and what to
 * do.
 */
#pragma once

#include "base/error.h"
#include "cli/options/options.h"
#include "profile/profile.h"

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
