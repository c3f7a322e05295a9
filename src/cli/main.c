#include "base/error.h"
#include "cli/checks.h"
#include "cli/command_line.h"
#include "cli/comparison.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/opening.h"
#include "cli/options.h"
#include "cli/repeating.h"
#include "cli/reporting.h"
#include "cli/subject.h"
#include "platform/file.h"
#include "platform/process.h"
#include "platform/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Whether anything is left to report. */
static bool check_selected(const struct subject *subject, const struct options *options,
                           struct console *console)
{
    struct error err;
    if (selection_check(&options->selection, &subject->profile.tree, &err) &&
        check_details(&subject->profile, options, &err))
        return true;
    console_say(console, err.text);
    return false;
}

static enum exit_status compare(struct subject *subject, struct subject *old,
                                const struct options *options, struct console *console)
{
    struct error err, why;
    struct comparison comparison;
    /* A value that one of them does not know must not count as 0. */
    if (!check_details(&old->profile, options, &why))
        error_set(&err, "%s: %s", old->title, why.text);
    else if (!check_details(&subject->profile, options, &why))
        error_set(&err, "%s: %s", subject->title, why.text);
    else if (comparison_make(&comparison, subject, old, options, &err))
        return reporting_write(subject, &comparison.old, &old->profile.tree, options, console);
    console_say(console, err.text);
    return NOTHING_FOUND;
}

/* Reports the logs of --repeated; `old` is NULL if nothing is compared. */
static enum exit_status report_repeated(struct subject *subject, struct subject *old,
                                        const struct options *options, struct console *console)
{
    struct error err;
    struct report_old report_old = {0};
    if (!repeating_settle(subject, subject->repeats, old, old != NULL ? old->repeats : NULL,
                          options, &report_old.counts, &err)) {
        console_say(console, err.text);
        return NOTHING_FOUND;
    }
    if (!check_selected(subject, options, console))
        return NOTHING_FOUND;
    if (old == NULL)
        return reporting_write(subject, NULL, NULL, options, console);
    report_old.profile = &old->profile;
    report_old.tree = &old->profile.tree;
    report_old.title = old->title;
    report_old.repeats = old->repeats;
    report_old.scaled = options->normalize == NORMALIZE_TICKS ? "scaled to as many ticks" : NULL;
    return reporting_write(subject, &report_old, &old->profile.tree, options, console);
}

static enum exit_status run_repeated(struct options *options, struct console *console)
{
    struct repeats repeats = {0}, old_repeats = {0};
    struct subject subject = {.logs = (const char *const *)options->logs,
                              .log_count = options->log_count,
                              .repeats = &repeats};
    struct subject old = {
        .logs = options->old_logs, .log_count = options->old_log_count, .repeats = &old_repeats};
    bool can_report;
    bool is_compared = old.log_count > 0;
    enum exit_status status = repeating_read(&subject, &repeats, options, console, &can_report);
    if (can_report && is_compared) {
        enum exit_status old_status =
            repeating_read(&old, &old_repeats, options, console, &can_report);
        status = status == DONE ? old_status : status;
    }
    enum exit_status written = DONE;
    if (can_report)
        written = report_repeated(&subject, is_compared ? &old : NULL, options, console);
    if (is_compared)
        subject_release(&old);
    subject_release(&subject);
    repeats_release(&repeats);
    repeats_release(&old_repeats);
    return status == DONE ? written : status;
}

static enum exit_status run(struct options *options, struct console *console)
{
    struct error err;
    struct subject subject = {.logs = (const char *const *)options->logs,
                              .log_count = options->log_count};
    struct subject old = {.logs = options->old_logs,
                          .log_count = options->old_log_count,
                          .takes_rest = options->compares_rest};
    if (!reporting_check(options, &err)) {
        console_say(console, err.text);
        return USAGE;
    }
    if (options->is_repeated)
        return run_repeated(options, console);
    bool can_report;
    bool is_compared = old.log_count > 0;
    enum exit_status status = subject_read(&subject, options, console, &can_report);
    if (can_report && is_compared) {
        enum exit_status old_status = subject_read(&old, options, console, &can_report);
        status = status == DONE ? old_status : status;
    }
    enum exit_status written = DONE;
    /* One of two may be empty after filters: then all of the other is new, or gone. */
    if (can_report && (!is_compared || old.profile.tree.node_count <= 1) &&
        !check_selected(&subject, options, console))
        written = NOTHING_FOUND;
    else if (can_report && is_compared)
        written = compare(&subject, &old, options, console);
    else if (can_report)
        written = reporting_write(&subject, NULL, NULL, options, console);
    if (is_compared)
        subject_release(&old);
    subject_release(&subject);
    return status == DONE ? written : status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error err;
    struct console console = {.options = &options};
    enum exit_status status;
    process_set_up(&argc, &argv);
    if (!command_line_read(&options, argc, argv, !terminal_is(FILE_STANDARD_INPUT), &err)) {
        console_say(&console, err.text);
        fputs("Try 'supprof --help' for more information.\n", stderr);
        status = USAGE;
    } else if (options.wants_help || options.wants_version) {
        if (options.wants_help)
            help_print(stdout);
        else
            puts("supprof " SUPPROF_VERSION);
        status = fflush(stdout) == 0 ? DONE : FAILED;
        if (status != DONE) {
            error_set(&err, "cannot write standard output: %s", strerror(errno));
            console_say(&console, err.text);
        }
    } else {
        console.shows_progress =
            options_wants(options.progress, terminal_is(FILE_STANDARD_ERROR)) &&
            !(options.is_quiet && options.progress == WHEN_AUTO);
        status = run(&options, &console);
        if (options.opens && status == DONE)
            opening_show(&options, &console);
    }
    if (process_is_alone()) {
        fputs("Press any key to close this window.\n", stderr);
        terminal_wait_for_key();
    }
    options_release(&options);
    return (int)status;
}
