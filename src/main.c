#include "console.h"
#include "error.h"
#include "input.h"
#include "labels.h"
#include "mem.h"
#include "options.h"
#include "output.h"
#include "profile.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum exit_status { DONE = 0, FAILED = 1, USAGE = 2, NOTHING_FOUND = 3 };

static bool is_wanted(enum when when, bool otherwise)
{
    return when == WHEN_ALWAYS || (when == WHEN_AUTO && otherwise);
}

static bool terminal_has_color(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

static bool log_status(const char *path, struct stat *status)
{
    return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, status) : stat(path, status)) == 0;
}

/* Refuses to replace a log by a report on it. */
static bool check_outputs(const struct options *options, struct error *err)
{
    struct stat log;
    for (size_t i = 0; i < options->output_count; i++)
        if (strcmp(options->outputs[i].path, "-") == 0 && isatty(STDOUT_FILENO) &&
            options->outputs[i].format->is_binary)
            return error_set(err, "%s is binary and nothing for a terminal; name a file with -o",
                             options->outputs[i].format->name);
    for (size_t i = 0; i < options->log_count; i++)
        for (size_t k = 0; k < options->output_count; k++)
            if (strcmp(options->outputs[k].path, "-") != 0 && log_status(options->logs[i], &log) &&
                output_is_input(options->outputs[k].path, &log))
                return error_set(err, "'%s' is the log itself; name another file",
                                 options->outputs[k].path);
    return true;
}

/*
 * Reads all logs. A log that cannot be read at all ends it: a report without it
 * would mislead. One that cannot be read to its end leaves status FAILED, and what
 * came before is still reported. `*can_report` says which.
 */
static enum exit_status read_logs(struct profile *profile, const struct options *options,
                                  struct console *console, bool *can_report)
{
    enum exit_status status = DONE;
    struct error err;
    *can_report = true;
    for (size_t i = 0; i < options->log_count && *can_report; i++) {
        uint64_t bytes_before = profile->counts.bytes;
        if (!profile_read(profile, options->logs[i], &err)) {
            console_say(console, err.text);
            status = FAILED;
            *can_report = profile->counts.bytes > bytes_before;
        }
    }
    console_end_reading(console);
    return status;
}

static bool check_contents(const struct profile *profile, const struct options *options,
                           struct error *err)
{
    const struct profile_counts *counts = &profile->counts;
    if (options->is_strict && counts->damaged > 0)
        return error_set(err, "%llu damaged record%s, and --strict allows none",
                         (unsigned long long)counts->damaged, counts->damaged == 1 ? "" : "s");
    uint64_t missing = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        missing += profile->recordings.all[i].missing_lines;
    if (options->is_strict && missing > 0)
        return error_set(err, "%llu line%s of recordings %s missing, and --strict allows none",
                         (unsigned long long)missing, missing == 1 ? "" : "s",
                         missing == 1 ? "is" : "are");
    if (counts->records > 0 || profile->counts.events > 0)
        return true;
    const char *log = options->log_count == 1 ? options->logs[0] : "the logs";
    const char *name = strcmp(log, "-") == 0 ? "standard input" : log;
    if (counts->timeless > 0)
        return error_set(err,
                         "%s: its records do not say when they were, so --from and --to cannot "
                         "choose; that needs a recording of profiler.lua",
                         name);
    if (counts->damaged > 0 && counts->other_runs == 0)
        return error_set(err, "%s: all of its profiler lines are damaged", name);
    if (counts->other_runs > 0)
        return error_set(err, "%s: no records in run %u; the log has %u run%s", name,
                         (unsigned)options->run, (unsigned)counts->runs,
                         counts->runs == 1 ? "" : "s");
    return error_set(err,
                     "%s: no profiler lines ('info: prof: ...') in it; was the profiler started "
                     "and stopped in that game?",
                     name);
}

/* Appends "; the log has ticks #20 to #990". */
static void name_ticks(const struct profile *profile, struct error *err)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_run *run = &profile->runs[i];
        if (!run->has_ticks)
            continue;
        first = run->all_first_tick < first ? run->all_first_tick : first;
        last = run->all_last_tick > last ? run->all_last_tick : last;
    }
    if (first > last)
        error_set(err,
                  "nothing is between --from and --to: the log does not say which tick is which");
    else
        error_set(err, "nothing is between --from and --to; the log has ticks #%lld to #%lld",
                  (long long)first, (long long)last);
}

/* Whether anything was read, of the window if there is one. */
static bool check_window(const struct profile *profile, const struct options *options,
                         struct error *err)
{
    bool has_window = options->from.kind != WINDOW_OPEN || options->to.kind != WINDOW_OPEN;
    if (profile->tree.node_count > 1)
        return true;
    if (has_window) {
        name_ticks(profile, err);
        return false;
    }
    if (selection_is_one_thread(&options->selection))
        return error_set(err, "nothing in the log ran on the thread that --thread names");
    return error_set(err, "the recording in the log has no calls");
}

/* Whether the log can tell what the options ask for. */
static bool check_details(const struct profile *profile, const struct options *options,
                          struct error *err)
{
    bool needs_recording = options->sort >= SORT_MAX;
    if (needs_recording && profile->tree.details == NULL)
        return error_set(err, "--sort by max, errors or alloc needs a recording of profiler.lua; "
                              "the log has only records of the existing profiler");
    bool has_memory = false;
    for (size_t i = 0; i < profile->recordings.count; i++)
        has_memory |= profile->recordings.all[i].has_memory;
    bool shows_alloc = options->metric == METRIC_ALLOC;
    if (options->metric > METRIC_CALLS && profile->tree.details == NULL)
        return error_set(err, "--metric by errors or alloc needs a recording of profiler.lua; "
                              "the log has only records of the existing profiler");
    if (shows_alloc && !has_memory)
        return error_set(err, "--metric=alloc: memory was not recorded; set 'memory = true' at "
                              "the top of profiler.lua");
    if (options->sort == SORT_ALLOC && !has_memory)
        return error_set(err, "--sort=alloc: memory was not recorded; set 'memory = true' at the "
                              "top of profiler.lua");
    return true;
}

static void set_title(const struct options *options, char *title, size_t size)
{
    const char *first = options->logs[0];
    const char *slash = strrchr(first, '/');
    const char *name = strcmp(first, "-") == 0 ? "standard input"
                       : slash != NULL         ? slash + 1
                                               : first;
    if (options->log_count > 1)
        snprintf(title, size, "%.200s and %zu more", name, options->log_count - 1);
    else
        snprintf(title, size, "%.200s", name);
}

static enum exit_status write_reports(struct report *report, const struct options *options,
                                      struct console *console)
{
    enum exit_status status = DONE;
    struct error err;
    for (size_t i = 0; i < options->output_count; i++) {
        const struct option_output *wanted = &options->outputs[i];
        struct output output;
        bool is_stdout = strcmp(wanted->path, "-") == 0;
        report->is_colored = is_wanted(options->color, is_stdout && terminal_has_color());
        report->width = is_stdout ? terminal_width() : 0;
        bool is_open = output_open(&output, wanted->path, &err);
        if (is_open)
            wanted->format->write(report, output.file);
        if (!is_open || !output_close(&output, &err)) {
            console_say(console, err.text);
            status = FAILED;
        }
    }
    return status;
}

/* Whether some report tells calls from different lines apart. */
static bool needs_lines(const struct options *options)
{
    bool is_used = options->call_sites || options->by == BY_LINE || options->by == BY_THREAD;
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

/* Two large trees side by side would be most of the memory that supprof uses. */
static void drop_lines(struct tree *tree)
{
    struct tree merged;
    tree_without_lines(&merged, tree);
    tree_release(tree);
    *tree = merged;
}

static enum exit_status write_all(struct profile *profile, const struct options *options,
                                  const struct labels *labels, int64_t all_ns,
                                  struct console *console)
{
    struct report_totals totals = report_sum_up(&profile->tree, &profile->symbols);
    bool has_lines = needs_lines(options) || !needs_paths(options);
    if (!has_lines)
        drop_lines(&profile->tree);
    char title[256];
    set_title(options, title, sizeof title);
    struct report report = {
        .profile = profile,
        .totals = totals,
        .selection = &options->selection,
        .all_ns = all_ns,
        .tree = &profile->tree,
        .tree_has_lines = has_lines,
        .labels = labels,
        .title = title,
        .by = options->by,
        .sort = options->sort,
        .unit = options->unit,
        .metric = options->metric,
        .row_limit = options->row_limit,
        .tick_limit = options->tick_limit,
        .call_sites = options->call_sites,
    };
    console_filters(console);
    enum exit_status status = write_reports(&report, options, console);
    if (status == DONE)
        console_summary(console, &report);
    report_release(&report);
    return status;
}

static enum exit_status report_all(struct profile *profile, struct options *options,
                                   struct console *console)
{
    struct error err;
    struct paths paths;
    struct labels labels;
    profile_finish(profile);
    uint32_t folded = selection_add_folded(&profile->symbols);
    paths_init(&paths, &profile->symbols, &profile->mounts, options->path_style);
    labels_init(&labels, &profile->symbols, &paths);
    enum exit_status status = DONE;
    selection_apply_thread(&options->selection, &profile->tree);
    int64_t all_ns = profile->tree.total_ns[TREE_ROOT];
    if (!check_window(profile, options, &err))
        status = NOTHING_FOUND;
    else if (!selection_apply(&options->selection, profile, &labels, folded, &err))
        status = USAGE;
    else if (!selection_check(&options->selection, &profile->tree, &err) ||
             !check_details(profile, options, &err))
        status = NOTHING_FOUND;
    if (status == DONE)
        status = write_all(profile, options, &labels, all_ns, console);
    else
        console_say(console, err.text);
    labels_release(&labels);
    paths_release(&paths);
    return status;
}

/*
 * Of how many ticks the functions are to be kept. Which are the worst is known only
 * when the cost of recording has been taken out, so it is more than are shown.
 */
static size_t kept_ticks(const struct options *options)
{
    enum { KEPT_MIN = 64 };
    size_t limit = options->tick_limit;
    return limit == 0 || limit > SIZE_MAX / 2 ? SIZE_MAX
           : limit < KEPT_MIN / 2             ? KEPT_MIN
                                              : 2 * limit;
}

static enum exit_status run(struct options *options, struct console *console)
{
    const struct selection *selection = &options->selection;
    struct error err;
    struct profile profile;
    if (!check_outputs(options, &err)) {
        console_say(console, err.text);
        return USAGE;
    }
    if (!profile_init(&profile, &err)) {
        console_say(console, err.text);
        return FAILED;
    }
    profile.only_run = options->run;
    profile.costs = options->costs;
    profile.rebuild = (struct rebuild_settings){
        .from = options->from,
        .to = options->to,
        .threads = selection->threads != 0 ? selection->threads : NODE_MAIN | NODE_COROUTINE,
        .keeps_costs = options->keeps_costs,
        .costs = options->costs,
        /* Filters look at call stacks as they were, so with them it is folded later. */
        .folds_recursion = selection->folds_recursion && selection->filters.count == 0,
        .kept_ticks = kept_ticks(options),
    };
    profile.on_damage = console_damage;
    profile.on_progress = console->shows_progress ? console_progress : NULL;
    profile.context = console;

    bool can_report;
    enum exit_status status = read_logs(&profile, options, console, &can_report);
    if (can_report && !check_contents(&profile, options, &err)) {
        console_say(console, err.text);
        status = status == DONE ? NOTHING_FOUND : status;
    } else if (can_report) {
        enum exit_status written = report_all(&profile, options, console);
        status = status == DONE ? written : status;
    }
    profile_release(&profile);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error err;
    struct console console = {.options = &options};
    enum exit_status status;
    mem_set_up();
    if (!options_parse(&options, argc, argv, !isatty(STDIN_FILENO), &err)) {
        console_say(&console, err.text);
        fputs("Try 'supprof --help' for more information.\n", stderr);
        status = USAGE;
    } else if (options.wants_help || options.wants_version) {
        if (options.wants_help)
            options_print_help(stdout);
        else
            puts("supprof " SUPPROF_VERSION);
        struct output output = {.path = "-", .file = stdout};
        status = output_close(&output, &err) ? DONE : FAILED;
        if (status != DONE)
            console_say(&console, err.text);
    } else {
        console.shows_progress = is_wanted(options.progress, isatty(STDERR_FILENO)) &&
                                 !(options.is_quiet && options.progress == WHEN_AUTO);
        status = run(&options, &console);
    }
    options_release(&options);
    return (int)status;
}
