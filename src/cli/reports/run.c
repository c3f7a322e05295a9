#include "cli/reports/run.h"

#include "cli/logs/comparison.h"
#include "cli/logs/repeated_logs.h"
#include "cli/logs/subject.h"
#include "cli/options/steps.h"
#include "cli/reports/parts.h"

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

void run(struct options *options, struct console *console)
{
    struct error err;
    struct comparison comparison;
    struct subject subject = make_subject(options, &options->logs, console);
    struct subject old = make_subject(options, &options->old_logs, console);
    struct subject *compared = options->old_logs.count > 0 ? &old : NULL;
    old.takes_rest = options->compares_rest;
    old.is_old = true;
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
