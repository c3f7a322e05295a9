#include "checks.h"
#include "console.h"
#include "diff.h"
#include "error.h"
#include "input.h"
#include "labels.h"
#include "mem.h"
#include "names.h"
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
    const struct filters *filters = &options->selection.filters;
    for (size_t i = 0; i < filters->count; i++)
        for (size_t k = 0; k < options->output_count; k++)
            if (filters->all[i].file != NULL && strcmp(options->outputs[k].path, "-") != 0 &&
                log_status(filters->all[i].file, &log) &&
                output_is_input(options->outputs[k].path, &log))
                return error_set(err, "'%s' is the file of --hide-file; name another file",
                                 options->outputs[k].path);
    for (size_t i = 0; i < options->log_count + options->old_log_count; i++) {
        const char *path =
            i < options->log_count ? options->logs[i] : options->old_logs[i - options->log_count];
        for (size_t k = 0; k < options->output_count; k++)
            if (strcmp(options->outputs[k].path, "-") != 0 && log_status(path, &log) &&
                output_is_input(options->outputs[k].path, &log))
                return error_set(err, "'%s' is the log itself; name another file",
                                 options->outputs[k].path);
    }
    return true;
}

/* A profile, and what its functions are called in reports. */
struct subject {
    const char *const *logs; /* [log_count] */
    size_t log_count;
    struct profile profile;
    struct paths paths;
    struct labels labels;
    uint32_t folded;             /* function id, see selection.h */
    int64_t all_ns;              /* of the selected thread, before any filter */
    struct report_totals totals; /* of what is selected */
    uint8_t *is_peeked;          /* [function_count], of --peek, or NULL */
    char title[256];
};

/*
 * Reads all logs. A log that cannot be read at all ends it: a report without it
 * would mislead. One that cannot be read to its end leaves status FAILED, and what
 * came before is still reported. `*can_report` says which.
 */
static enum exit_status read_logs(struct subject *subject, struct console *console,
                                  bool *can_report)
{
    struct profile *profile = &subject->profile;
    enum exit_status status = DONE;
    struct error err;
    *can_report = true;
    for (size_t i = 0; i < subject->log_count && *can_report; i++) {
        uint64_t bytes_before = profile->counts.bytes;
        if (!profile_read(profile, subject->logs[i], &err)) {
            console_say(console, err.text);
            status = FAILED;
            *can_report = profile->counts.bytes > bytes_before;
        }
    }
    console_end_reading(console);
    return status;
}

static void set_title(struct subject *subject)
{
    const char *first = subject->logs[0];
    const char *slash = strrchr(first, '/');
    const char *name = strcmp(first, "-") == 0 ? "standard input"
                       : slash != NULL         ? slash + 1
                                               : first;
    if (subject->log_count > 1)
        snprintf(subject->title, sizeof subject->title, "%.200s and %zu more", name,
                 subject->log_count - 1);
    else
        snprintf(subject->title, sizeof subject->title, "%.200s", name);
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

static bool needs_timeline(const struct options *options)
{
    bool has_window = options->from.kind != WINDOW_OPEN || options->to.kind != WINDOW_OPEN;
    bool is_added = has_window && !selection_changes_stacks(&options->selection);
    bool is_used = false;
    for (size_t i = 0; i < options->output_count; i++) {
        const struct report_format *format = options->outputs[i].format;
        is_used |= format->uses_timeline || (format->adds_timeline && is_added);
    }
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

/* Names functions from the directories of --lua-root. `paths` are short ones. */
static bool find_names(struct profile *profile, const struct options *options,
                       const struct paths *paths, struct console *console, struct error *err)
{
    struct names_counts counts;
    struct names_request request = {
        .directories = options->lua_roots,
        .directory_count = options->lua_root_count,
        .paths = paths,
        .tree = &profile->tree,
        .on_problem = console_problem,
        .context = console,
    };
    if (!names_find(&profile->symbols, &request, &counts, err))
        return false;
    console_names(console, &counts);
    return true;
}

/* Says what other names the log has for functions, and names those that it has none for. */
static bool settle_names(struct profile *profile, const struct options *options,
                         struct console *console, struct error *err)
{
    struct paths paths;
    if (!options->is_verbose && options->lua_root_count == 0)
        return true;
    paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
    console_other_names(console, &profile->symbols, &paths);
    bool is_done =
        options->lua_root_count == 0 || find_names(profile, options, &paths, console, err);
    paths_release(&paths);
    return is_done;
}

static void name_functions(struct subject *subject, const struct options *options)
{
    paths_init(&subject->paths, &subject->profile.symbols, &subject->profile.mounts,
               options->path_style);
    labels_init(&subject->labels, &subject->profile.symbols, &subject->paths);
}

static void forget_names(struct subject *subject)
{
    labels_release(&subject->labels);
    paths_release(&subject->paths);
}

/* Reads and selects what is to be reported. */
static enum exit_status prepare(struct subject *subject, struct options *options,
                                struct console *console, bool *can_report)
{
    struct profile *profile = &subject->profile;
    struct selection *selection = &options->selection;
    struct error err;
    *can_report = profile_init(profile, &err);
    if (!*can_report) {
        console_say(console, err.text);
        return FAILED;
    }
    profile->only_run = options->run;
    profile->costs = options->costs;
    profile->rebuild = (struct rebuild_settings){
        .from = options->from,
        .to = options->to,
        .threads = selection->threads != 0 ? selection->threads : NODE_MAIN | NODE_COROUTINE,
        .keeps_costs = options->keeps_costs,
        .costs = options->costs,
        /* Filters look at call stacks as they were, so with them it is folded later. */
        .folds_recursion = selection->folds_recursion && selection->filters.count == 0,
        .kept_ticks = kept_ticks(options),
        .has_timeline = needs_timeline(options),
    };
    profile->on_damage = console_damage;
    profile->on_progress = console->shows_progress ? console_progress : NULL;
    profile->context = console;
    set_title(subject);

    enum exit_status status = read_logs(subject, console, can_report);
    if (!*can_report)
        return status;
    enum exit_status failure = NOTHING_FOUND;
    *can_report = check_contents(profile, options, subject->logs, subject->log_count, &err);
    if (*can_report) {
        profile_finish(profile);
        *can_report = settle_names(profile, options, console, &err);
        failure = *can_report ? NOTHING_FOUND : FAILED;
    }
    if (*can_report) {
        selection_apply_thread(selection, &profile->tree);
        subject->all_ns = profile->tree.total_ns[TREE_ROOT];
        subject->folded = selection_add_folded(&profile->symbols);
        name_functions(subject, options);
        *can_report = check_window(profile, options, &err);
    }
    if (*can_report) {
        *can_report = check_timeline(profile, options, &err);
        failure = profile->timeline.is_too_long ? USAGE : NOTHING_FOUND;
    }
    if (*can_report) {
        *can_report = selection_apply(selection, profile, &subject->labels, subject->folded, &err);
        failure = USAGE;
    }
    if (*can_report) {
        if (options->old_log_count == 0)
            selection_drop_small(selection, &profile->tree, NULL, subject->folded);
        subject->totals = report_sum_up(&profile->tree, &profile->symbols);
        return status;
    }
    console_say(console, err.text);
    return status == DONE ? failure : status;
}

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

/* Finds the functions that --peek is to show. */
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

static enum exit_status report_subject(struct subject *subject, const struct report_old *old,
                                       struct tree *old_tree, const struct options *options,
                                       struct console *console)
{
    struct profile *profile = &subject->profile;
    enum exit_status status = find_peeked(subject, options, console);
    if (status != DONE)
        return status;
    bool has_lines = needs_lines(options) || !needs_paths(options);
    if (!has_lines)
        drop_lines(&profile->tree);
    if (!has_lines && old_tree != NULL)
        drop_lines(old_tree);
    struct report report = {
        .profile = profile,
        .totals = subject->totals,
        .selection = &options->selection,
        .all_ns = subject->all_ns,
        .tree = &profile->tree,
        .tree_has_lines = has_lines,
        .labels = &subject->labels,
        .title = subject->title,
        .old = old,
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
        .call_sites = options->call_sites,
    };
    console_filters(console);
    console_timeline(console, profile);
    status = write_reports(&report, options, console);
    if (status == DONE)
        console_summary(console, &report);
    report_release(&report);
    return status;
}

/* By what the old profile is multiplied. */
struct scale {
    double times, calls;
    char phrase[96]; /* "" for nothing */
};

static bool choose_scale(struct scale *scale, const struct options *options,
                         const struct profile *new_profile, const struct profile *old_profile,
                         struct error *err)
{
    int64_t new_ns = new_profile->tree.total_ns[TREE_ROOT];
    int64_t old_ns = old_profile->tree.total_ns[TREE_ROOT];
    *scale = (struct scale){1, 1, ""};
    switch (options->normalize) {
    case NORMALIZE_NOTHING:
        break;
    case NORMALIZE_CALLS:
        strcpy(scale->phrase, "rows below scaled to as many calls as now, this line not");
        break;
    case NORMALIZE_TICKS:
        if (new_profile->ticks.count == 0 || old_profile->ticks.count == 0)
            return error_set(err, "--normalize=tick needs recordings of profiler.lua with ticks, "
                                  "as old and as new log");
        scale->times = (double)new_profile->ticks.count / (double)old_profile->ticks.count;
        scale->calls = scale->times;
        snprintf(scale->phrase, sizeof scale->phrase, "%zu ticks scaled to %zu",
                 old_profile->ticks.count, new_profile->ticks.count);
        break;
    case NORMALIZE_TOTALS:
        if (new_ns <= 0 || old_ns <= 0)
            return error_set(err, "--normalize=total needs time in both logs");
        scale->times = (double)new_ns / (double)old_ns;
        snprintf(scale->phrase, sizeof scale->phrase, "scaled by %.4f to the same total",
                 scale->times);
        break;
    }
    return true;
}

/* Makes the old profile one with the functions and nodes of the new, and reports both. */
static enum exit_status report_compared(struct subject *subject, struct subject *old_subject,
                                        const struct options *options, struct console *console)
{
    struct error err;
    struct scale scale;
    struct report_old old = {.profile = &old_subject->profile,
                             .tree = &old_subject->profile.tree,
                             .title = old_subject->title,
                             .scales_calls = options->normalize == NORMALIZE_CALLS};
    if (!choose_scale(&scale, options, &subject->profile, &old_subject->profile, &err)) {
        console_say(console, err.text);
        return NOTHING_FOUND;
    }
    old.scaled = scale.phrase[0] != '\0' ? scale.phrase : NULL;
    uint32_t *functions =
        diff_match_functions(&subject->profile, &subject->paths, &old_subject->profile,
                             &old_subject->paths, &old.counts);
    diff_align(&subject->profile.tree, &old_subject->profile.tree, functions,
               &subject->profile.symbols, &old_subject->profile.symbols, scale.times, scale.calls);
    free(functions);
    selection_drop_small(&options->selection, &subject->profile.tree, &old_subject->profile.tree,
                         subject->folded);
    forget_names(subject);
    name_functions(subject, options);
    return report_subject(subject, &old, &old_subject->profile.tree, options, console);
}

static void release_subject(struct subject *subject)
{
    forget_names(subject);
    free(subject->is_peeked);
    profile_release(&subject->profile);
}

static enum exit_status run(struct options *options, struct console *console)
{
    struct error err;
    struct subject subject = {.logs = (const char *const *)options->logs,
                              .log_count = options->log_count};
    struct subject old = {.logs = options->old_logs, .log_count = options->old_log_count};
    if (!check_outputs(options, &err)) {
        console_say(console, err.text);
        return USAGE;
    }
    bool can_report;
    bool is_compared = old.log_count > 0;
    enum exit_status status = prepare(&subject, options, console, &can_report);
    if (can_report && is_compared) {
        enum exit_status old_status = prepare(&old, options, console, &can_report);
        status = status == DONE ? old_status : status;
    }
    enum exit_status written = DONE;
    /* One of two may have nothing left: then all of the other is new, or gone. */
    if (can_report && (!is_compared || old.profile.tree.node_count <= 1) &&
        !check_selected(&subject, options, console))
        written = NOTHING_FOUND;
    else if (can_report && is_compared)
        written = report_compared(&subject, &old, options, console);
    else if (can_report)
        written = report_subject(&subject, NULL, NULL, options, console);
    if (is_compared)
        release_subject(&old);
    release_subject(&subject);
    return status == DONE ? written : status;
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
