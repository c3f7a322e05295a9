#include "cli/reporting.h"

#include "base/mem.h"
#include "base/output.h"
#include "cli/checks.h"
#include "cli/limits.h"
#include "platform/file.h"
#include "platform/screen.h"
#include "platform/terminal.h"
#include "tree/fold.h"

#include <stdlib.h>
#include <string.h>

/* The output that would replace an input file; NULL for none. */
static const char *find_replacing(const struct options *options, const char *path)
{
    struct file_status status;
    bool is_stdin = strcmp(path, "-") == 0;
    bool is_known =
        is_stdin ? file_status_of_open(&status, FILE_STANDARD_INPUT) : file_status(&status, path);
    if (!is_known)
        return NULL;
    for (size_t i = 0; i < options->output_count; i++)
        if (strcmp(options->outputs[i].path, "-") != 0 &&
            output_is_input(options->outputs[i].path, &status))
            return options->outputs[i].path;
    return NULL;
}

static bool check_input(const struct options *options, const char *path, const char *what,
                        struct error *err)
{
    const char *replacing = find_replacing(options, path);
    return replacing == NULL || error_set(err, "'%s' is %s; name another file", replacing, what);
}

/* Fails if two outputs are the same file under two names. */
static bool check_outputs(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++)
        for (size_t k = 0; k < i; k++) {
            const char *path = options->outputs[i].path;
            const char *other = options->outputs[k].path;
            if (strcmp(path, "-") != 0 && strcmp(other, "-") != 0 && output_is_output(path, other))
                return error_set(err, "'%s' and '%s' are one file; name another for one of them",
                                 other, path);
        }
    return true;
}

/* --follow needs a terminal for its screen, and a log that is not its keyboard. */
static bool check_following(const struct options *options, struct error *err)
{
    if (!screen_is_possible())
        return error_set(err, "--follow shows a screen, and standard output is not a terminal that "
                              "can; without --follow the log is read to its end");
    return strcmp(options->logs[0], "-") != 0 || !terminal_is(FILE_STANDARD_INPUT) ||
           error_set(err, "--follow reads keys from the terminal, which cannot be the log as well");
}

bool reporting_check(const struct options *options, struct error *err)
{
    const struct filters *filters = &options->selection.filters;
    bool is_good = !options->follows || check_following(options, err);
    for (size_t i = 0; i < options->output_count && is_good; i++)
        if (strcmp(options->outputs[i].path, "-") == 0 && terminal_is(FILE_STANDARD_OUTPUT) &&
            options->outputs[i].format->is_binary)
            return error_set(err, "%s is binary and nothing for a terminal; name a file with -o",
                             options->outputs[i].format->name);
    for (size_t i = 0; i < filters->count && is_good; i++)
        if (filters->all[i].file != NULL)
            is_good = check_input(options, filters->all[i].file, "the file of --hide-file", err);
    for (size_t i = 0; i < options->log_count && is_good; i++)
        is_good = check_input(options, options->logs[i], "the log itself", err);
    for (size_t i = 0; i < options->old_log_count && is_good; i++)
        is_good = check_input(options, options->old_logs[i], "the log itself", err);
    return is_good && check_outputs(options, err);
}

static enum exit_status write_reports(struct report *report, const struct options *options,
                                      struct console *console)
{
    enum exit_status status = DONE;
    struct error err;
    for (size_t i = 0; i < options->output_count; i++) {
        const struct option_output *wanted = &options->outputs[i];
        struct output output;
        struct report_result result = {0};
        bool is_stdout = strcmp(wanted->path, "-") == 0;
        report->is_colored = options_wants_color(options, is_stdout);
        report->width = is_stdout ? terminal_width(FILE_STANDARD_OUTPUT) : 0;
        bool is_limited = options->has_top || options->has_tick_limit;
        report->height = is_stdout && !is_limited ? terminal_height() : 0;
        bool is_open = output_open(&output, wanted->path, &err);
        if (is_open)
            result = wanted->format->write(report, &output);
        if (is_open && output_close(&output, &err)) {
            console_result(console, report, wanted->path, &result);
        } else {
            console_say(console, err.text);
            status = FAILED;
        }
    }
    return status;
}

/* Whether a report distinguishes calls from different lines; the values of logs of --repeated are
   stored by such nodes. */
static bool needs_lines(const struct options *options)
{
    bool is_used = options->is_repeated || options->call_sites || options->by == BY_LINE ||
                   options->by == BY_THREAD;
    for (size_t i = 0; i < options->output_count; i++)
        is_used |= options->outputs[i].format->uses_lines;
    return is_used;
}

static bool needs_paths(const struct options *options)
{
    bool is_used = options->by == BY_STACK;
    for (size_t i = 0; i < options->output_count; i++)
        is_used |= options->outputs[i].format->uses_paths;
    return is_used;
}

/* Whether a report lists stacks that differ only in calling lines. */
static bool lists_lines(const struct options *options)
{
    bool is_used = options->call_sites;
    for (size_t i = 0; i < options->output_count; i++)
        is_used |= options->outputs[i].format->lists_lines;
    return is_used;
}

static struct list_limit find_limit(const struct report *report, const struct options *options)
{
    struct list_limit limit = {.input_bytes = report->profile->counts.bytes,
                               .is_off = options->selection.lists_all_frames};
    if (report->old != NULL)
        limit.input_bytes += report->old->profile->counts.bytes;
    return limit;
}

/*
 * Makes the tree without calling lines. Two large trees together would be most of the memory that
 * supprof uses; so if lines are not needed, it replaces `tree`, and otherwise it is `paths`.
 * Returns the one it is.
 */
static const struct tree *drop_lines(struct tree *tree, bool needs_lines, struct tree *paths)
{
    fold_lines(paths, tree);
    if (needs_lines)
        return paths;
    tree_release(tree);
    *tree = *paths;
    *paths = (struct tree){0};
    return tree;
}

/* Returns the names of the logs without their folders, [log_count]; the caller frees them. */
static const char **list_names(const struct subject *subject)
{
    const char **names = mem_zeroed(subject->log_count, sizeof *names);
    for (size_t i = 0; i < subject->log_count; i++)
        names[i] = file_name(subject->logs[i]);
    return names;
}

/* Finds the functions that --peek shows. */
static enum exit_status find_peeked(struct subject *subject, const struct options *options,
                                    struct console *console)
{
    struct error err;
    bool is_usage;
    if (options->peek == NULL)
        return DONE;
    subject->is_peeked = mem_zeroed(subject->profile.symbols.function_count, 1);
    if (check_peek(options, &subject->profile, &subject->labels, subject->is_peeked, &is_usage,
                   &err))
        return DONE;
    console_say(console, err.text);
    return is_usage ? USAGE : NOTHING_FOUND;
}

enum exit_status reporting_write(struct subject *subject, const struct report_old *old,
                                 struct tree *old_tree, const struct options *options,
                                 struct console *console)
{
    struct profile *profile = &subject->profile;
    enum exit_status status = find_peeked(subject, options, console);
    if (status != DONE)
        return status;
    struct report_old compared = old != NULL ? *old : (struct report_old){0};
    const char **log_names = list_names(subject);
    struct report report = {
        .profile = profile,
        .totals = subject->totals,
        .selection = &options->selection,
        .all_ns = subject->all_ns,
        .tree = &profile->tree,
        .labels = &subject->labels,
        .title = subject->title,
        .log_names = log_names,
        .log_count = subject->log_count,
        .is_verbose = options->is_verbose,
        .old = old != NULL ? &compared : NULL,
        .repeats = subject->repeats,
        .choice = options->chooses_ticks ? &subject->choice : NULL,
        .peek = options->peek,
        .is_peeked = subject->is_peeked,
        .by = options->by,
        .sort = options->sort,
        .columns = options->columns,
        .unit = options->unit,
        .metric = options->metric,
        .orientation = options->orientation,
        .row_limit = options->row_limit,
        .tick_limit = options->tick_limit,
        .max_bytes = options->max_bytes,
        .call_sites = options->call_sites,
        .adds_timeline = options_add_timeline(options),
    };
    struct tree paths = {0}, old_paths = {0};
    struct listed_stacks stacks = {0}, line_stacks = {0};
    struct list_limit limit = find_limit(&report, options);
    if (needs_paths(options)) {
        report.paths = drop_lines(&profile->tree, needs_lines(options), &paths);
        if (old != NULL)
            compared.paths = drop_lines(old_tree, needs_lines(options), &old_paths);
        listed_stacks_init(&stacks, report.paths, compared.paths, &subject->labels, subject->folded,
                           &limit);
        report.stacks = &stacks;
    }
    if (lists_lines(options)) {
        listed_stacks_init(&line_stacks, report.tree, compared.tree, &subject->labels,
                           subject->folded, &limit);
        report.line_stacks = &line_stacks;
    }
    console_filters(console);
    console_all_frames(console, lists_lines(options) ? &line_stacks : &stacks);
    status = limits_check(&report, options, console);
    if (status == DONE)
        status = write_reports(&report, options, console);
    if (status == DONE) {
        console_summary(console, &report);
        status = limits_say(&report, console);
    }
    limits_release(&report);
    free(log_names);
    listed_stacks_release(&stacks);
    listed_stacks_release(&line_stacks);
    tree_release(&paths);
    tree_release(&old_paths);
    return status;
}
