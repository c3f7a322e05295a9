/*
 * console.h - output on standard error: messages, damage, progress.
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
    bool is_held;
    struct text held; /* messages */
};

/* Prints "supprof: MESSAGE". */
void console_say(struct console *console, const char *message);

/* From now on messages are held, until console_let_go() prints them. */
void console_hold(struct console *console);
void console_let_go(struct console *console);

/* For struct profile; the context is the console. Lists the first damaged records only. */
void console_damage(void *context, const char *path, uint64_t line, const char *what);
void console_progress(void *context, const char *path, double done, uint64_t bytes);

/* For struct names_request; the context is the console. Prints it only with --verbose. */
void console_problem(void *context, const char *message);

/*
 * With --verbose, lists functions that calls gave several names, by their places:
 *
 *     lua/x.lua:12 is called OnDamage (120 calls), DoDamage (3 calls)
 *
 * beginning with the name that reports show; the numbers of functions and names are limited.
 * Call this before names are taken from other sources than the log.
 */
void console_other_names(struct console *console, const struct symbols *symbols,
                         const struct paths *paths);

/* Prints the results of --lua-root; without --verbose only problems. */
void console_names(struct console *console, const struct names_counts *counts);

/*
 * Says that Ctrl-C has ended the reading of a log, which began after so many bytes of others, and
 * how many logs come after it; nothing if it came after the end.
 */
void console_stopped(struct console *console, const struct profile *profile, const char *path,
                     uint64_t bytes_before, size_t logs_left);

/* Call this after the last log: erases progress and counts the damage that was not listed. */
void console_end_reading(struct console *console);

/* Lists the filters that matched nothing. */
void console_filters(struct console *console);

/*
 * Says what was written to a file, and how the file (or standard output, "-") differs from the
 * measured data. The message depends on that output alone.
 */
void console_result(struct console *console, const struct report *report, const char *path,
                    const struct report_result *result);

/* Warns if --max-depth=0 makes outputs very large. */
void console_all_frames(struct console *console, const struct listed_stacks *listed);

/* Prints a line about the logs, after files were written or with --verbose. */
void console_summary(struct console *console, const struct report *report);

#endif
