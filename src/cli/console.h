/*
 * console.h - what the user is told on standard error: messages, damage, progress.
 *
 * Texts quote paths and pieces of a log, so all of them are cleaned (see text.h)
 * before they reach a terminal.
 */
#ifndef SUPPROF_CONSOLE_H
#define SUPPROF_CONSOLE_H

#include "cli/options.h"
#include "names/names.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

struct console {
    const struct options *options;
    bool shows_progress;

    /* Private. */
    bool has_progress_line;
    int64_t last_progress_ns; /* of clock_now_ns() */
    uint64_t damage_count;
};

/* Prints "supprof: MESSAGE". */
void console_say(struct console *console, const char *message);

/* For struct profile; the context is the console. Lists the first damaged records only. */
void console_damage(void *context, const char *path, uint64_t line, const char *what);
void console_progress(void *context, const char *path, double done, uint64_t bytes);

/* For struct names_request; the context is the console. Says it where more was asked for. */
void console_problem(void *context, const char *message);

/*
 * Where more was asked for, lists functions that calls gave several names, by their places:
 *
 *     lua/x.lua:12 is called OnDamage (120 calls), DoDamage (3 calls)
 *
 * the name that is shown first, and no more than some functions and names. To be called
 * before names are found by other means.
 */
void console_other_names(struct console *console, const struct symbols *symbols,
                         const struct paths *paths);

/* What --lua-root has named; without --verbose only where something was wrong. */
void console_names(struct console *console, const struct names_counts *counts);

/* To be called after the last log: erases progress and counts the damage that was not listed. */
void console_end_reading(struct console *console);

/* Names the filters of the options that have matched nothing. */
void console_filters(struct console *console);

/*
 * Says what was written to a file, and how it, or standard output, "-", differs from what its
 * format could have shown. What is said depends on that output alone.
 */
void console_result(struct console *console, const struct report *report, const char *path,
                    const struct report_result *result);

/* Warns where --max-depth=0 makes outputs very large. */
void console_all_frames(struct console *console, const struct listed_stacks *listed);

/* One line about what was read, after files were written or where more was asked for. */
void console_summary(struct console *console, const struct report *report);

#endif
