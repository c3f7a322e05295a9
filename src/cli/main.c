#include "base/libraries.h"
#include "cli/commit.h"
#include "cli/logs/comparison.h"
#include "cli/logs/repeated_logs.h"
#include "cli/logs/subject.h"
#include "cli/manual/help.h"
#include "cli/messages/console.h"
#include "cli/options/command_line.h"
#include "cli/options/path_checks.h"
#include "cli/reports/reporting.h"
#include "platform/file.h"
#include "platform/process.h"
#include "platform/terminal.h"

#include <errno.h>
#include <stdio.h>

static struct subject make_subject(struct options *options, const struct name_list *logs,
                                   struct console *console)
{
    return (struct subject){
        .logs = *logs, .options = options, .selection = &options->selection, .console = console};
}

static bool read_logs(struct subject *subject, const struct options *options)
{
    return options->is_repeated ? repeated_logs_read(subject) : subject_read(subject);
}

static void run(struct options *options, struct console *console)
{
    struct error err;
    struct comparison comparison;
    struct subject subject = make_subject(options, &options->logs, console);
    struct subject old = make_subject(options, &options->old_logs, console);
    struct subject *compared = options->old_logs.count > 0 ? &old : NULL;
    old.takes_rest = options->compares_rest;
    if (options->took_example)
        console_say(console, "no log of a game was found; this is the report of the example beside "
                             "this program; name a log, or drag it onto the program");
    for (size_t i = 0; i < options->defaults.count && console->is_verbose; i++)
        console_say(console, "default from %s", options->defaults.all[i]);
    bool is_good = path_checks_pass(options, &err) || console_fail(console, USAGE, &err);
    is_good = is_good && read_logs(&subject, options);
    /* Both sides are of one state. */
    options->reading.rebuild.state = subject.profile.rebuild.state;
    is_good = is_good && (compared == NULL || read_logs(compared, options));
    if (is_good && (comparison_make(&comparison, &subject, compared, options, &err) ||
                    console_fail(console, NOTHING_FOUND, &err)))
        reporting_write(&subject, compared != NULL ? &comparison : NULL, options);
    subject_release(&subject);
    subject_release(&old);
}

/* Opens the first file that was written. */
static void open_report(const struct options *options, struct console *console)
{
    size_t i = 0;
    while (i < options->output_count && strcmp(options->outputs[i].path, "-") == 0)
        i++;
    if (i == options->output_count)
        return;
    if (process_show(options->outputs[i].path))
        console_say(console, "opened %s", options->outputs[i].path);
    else
        console_say(console, "no browser found; open %s yourself", options->outputs[i].path);
}

static void print_version(void)
{
    struct text libraries = {0};
    libraries_put(&libraries);
    printf("supprof " SUPPROF_VERSION " (" SUPPROF_COMMIT "%s, " SUPPROF_SYSTEM ")\n",
           libraries.at);
    text_release(&libraries);
}

static void print_help(const struct options *options, struct console *console)
{
    struct error err;
    if (options->wants_short_help)
        help_print_short(stdout);
    else if (options->wants_help)
        help_print(stdout);
    else
        print_version();
    if (fflush(stdout) == 0)
        return;
    error_set(&err, "cannot write standard output: %s", strerror(errno));
    console_fail(console, FAILED, &err);
}

int main(int argc, char **argv)
{
    struct options options;
    struct error err;
    struct console console = {0};
    process_set_up(&argc, &argv);
    bool is_read = command_line_read(&options, argc, argv, !terminal_is(FILE_STANDARD_INPUT), &err);
    console.shows_codes = options.shows_codes;
    if (!is_read) {
        console_fail(&console, USAGE, &err);
        fputs("Try 'supprof --help' for more information.\n", stderr);
    } else if (options.wants_help || options.wants_version) {
        print_help(&options, &console);
    } else {
        console.is_quiet = options.is_quiet;
        console.is_verbose = options.show.is_verbose;
        console.shows_progress =
            options_wants(options.progress, terminal_is(FILE_STANDARD_ERROR)) &&
            !(options.is_quiet && options.progress == WHEN_AUTO);
        run(&options, &console);
        if (options.opens && console.status == DONE)
            open_report(&options, &console);
    }
    if (process_is_alone()) {
        fputs("Press any key to close this window.\n", stderr);
        terminal_wait_for_key();
    }
    options_release(&options);
    return (int)console.status;
}
