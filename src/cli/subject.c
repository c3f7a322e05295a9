#include "cli/subject.h"

#include "cli/checks.h"
#include "cli/follow.h"
#include "cli/option_names.h"
#include "cli/similar_file.h"
#include "names/names.h"
#include "platform/file.h"
#include "platform/interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Whether the result is still true if Ctrl-C ends the reading: a comparison, a limit and --strict
 * are about whole logs.
 */
static bool can_be_stopped(const struct options *options)
{
    return options->old_log_count == 0 && !options->is_repeated && options->limit_count == 0 &&
           !options->is_strict;
}

/*
 * Reads all logs. It stops at a log that cannot be opened: a report without it would
 * mislead. After a log that cannot be read to its end, the status is FAILED, but the
 * part that was read is still reported. `*can_report` says which of the two happened.
 */
static enum exit_status read_logs(struct subject *subject, const struct options *options,
                                  struct console *console, bool *can_report)
{
    struct profile *profile = &subject->profile;
    enum exit_status status = DONE;
    struct error err;
    bool is_stopped = false;
    *can_report = true;
    if (can_be_stopped(options) && !options->follows)
        interrupt_catch();
    for (size_t i = 0; i < subject->log_count && *can_report && !is_stopped; i++) {
        uint64_t bytes_before = profile->counts.bytes;
        bool is_read = options->follows
                           ? follow_log(profile, subject->logs[i], options, console, &err)
                           : profile_read(profile, subject->logs[i], &err);
        if (!is_read) {
            if (profile->counts.bytes == bytes_before &&
                !option_names_suggest(&err, subject->logs[i]))
                similar_file_suggest(&err, subject->logs[i]);
            console_say(console, err.text);
            status = FAILED;
            *can_report = profile->counts.bytes > bytes_before;
            profile->is_partial = true;
        }
        is_stopped = interrupt_is_pending();
        if (is_stopped && (profile->read_part < 1 || i + 1 < subject->log_count))
            profile->is_partial = true;
        if (is_stopped)
            console_stopped(console, profile, subject->logs[i], bytes_before,
                            subject->log_count - i - 1);
    }
    interrupt_release();
    console_end_reading(console);
    return status;
}

void subject_set_title(struct subject *subject)
{
    const char *first = subject->logs[0];
    const char *name = strcmp(first, "-") == 0 ? "standard input" : file_name(first);
    if (subject->log_count > 1)
        snprintf(subject->title, sizeof subject->title, "%.200s and %zu more", name,
                 subject->log_count - 1);
    else
        snprintf(subject->title, sizeof subject->title, "%s%.200s",
                 subject->takes_rest ? "the other ticks of " : "", name);
}

static bool needs_timeline(const struct options *options)
{
    bool is_added = options_add_timeline(options);
    bool is_used = false;
    for (size_t i = 0; i < options->output_count; i++) {
        const struct report_format *format = options->outputs[i].format;
        is_used |= format->uses_timeline || (format->adds_timeline && is_added);
    }
    return is_used;
}

/* Whether ticks can be chosen in a page: it must be of all that was recorded. */
static bool needs_changes(const struct options *options)
{
    bool is_used = false;
    for (size_t i = 0; i < options->output_count; i++)
        is_used |= options->outputs[i].format->uses_changes;
    return is_used && options->from.kind == WINDOW_OPEN && options->to.kind == WINDOW_OPEN &&
           !options->chooses_ticks && !selection_is_one_thread(&options->selection) &&
           !selection_changes_stacks(&options->selection) && options->old_log_count == 0 &&
           options->log_count == 1;
}

/*
 * The number of ticks whose functions are kept. The slowest ticks are known only after
 * the recording overhead was subtracted, so it is more than are shown.
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

/* Gives the functions of hooks to their mods. */
static bool move_hooked_functions(struct subject *subject, const struct options *options,
                                  struct console *console, struct error *err)
{
    struct paths paths;
    struct profile *profile = &subject->profile;
    paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
    struct hooked_request request = {
        .hooks = &profile->hooks,
        .directories = options->lua_roots,
        .directory_count = options->lua_root_count,
        .paths = &paths,
        .tree = &profile->tree,
        .on_problem = console_problem,
        .context = console,
    };
    bool is_done = hooked_functions_move(&subject->hooked, &profile->symbols, &request, err);
    if (is_done)
        profile_shift_lines(profile, &subject->hooked);
    paths_release(&paths);
    return is_done;
}

/*
 * Gives the functions of hooks to their mods, prints other names that the log has for functions,
 * and names functions without one.
 */
static bool settle_names(struct subject *subject, const struct options *options,
                         struct console *console, struct error *err)
{
    struct paths paths;
    struct profile *profile = &subject->profile;
    if (profile->hooks.batches.count > 0 && !move_hooked_functions(subject, options, console, err))
        return false;
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
    hooked_functions_name_mods(&subject->hooked, &subject->paths);
    labels_init(&subject->labels, &subject->profile.symbols, &subject->paths);
}

static void forget_names(struct subject *subject)
{
    labels_release(&subject->labels);
    paths_release(&subject->paths);
}

static struct rebuild_settings make_settings(const struct subject *subject,
                                             const struct options *options)
{
    uint8_t threads = options->selection.threads;
    return (struct rebuild_settings){
        .from = options->from,
        .to = options->to,
        .choice = options->chooses_ticks ? &subject->choice : NULL,
        .threads = threads != 0 ? threads : NODE_MAIN | NODE_COROUTINE,
        .keeps_costs = options->keeps_costs,
        .costs = options->costs,
        /* Filters look at call stacks as they were; with them, the tree is folded after reading. */
        .folds_recursion =
            options->selection.folds_recursion && options->selection.filters.count == 0,
        .kept_ticks = kept_ticks(options),
        .keeps_changes = needs_changes(options),
        .has_timeline = needs_timeline(options),
    };
}

/* Reads the logs for their ticks alone, and chooses those that are asked for. */
static enum exit_status choose_ticks(struct subject *subject, const struct options *options,
                                     struct console *console, bool *can_report)
{
    struct profile profile;
    struct error err;
    enum exit_status status = FAILED;
    *can_report = profile_init(&profile, &err);
    profile.only_run = options->run;
    profile.costs = options->costs;
    profile.rebuild = make_settings(subject, options);
    profile.rebuild.choice = NULL;
    profile.rebuild.kept_ticks = 0;
    profile.on_progress = console->shows_progress ? console_progress : NULL;
    profile.context = console;
    for (size_t i = 0; i < subject->log_count && *can_report; i++) {
        uint64_t bytes_before = profile.counts.bytes;
        *can_report =
            profile_read(&profile, subject->logs[i], &err) || profile.counts.bytes > bytes_before;
    }
    if (*can_report) {
        profile_finish(&profile);
        tick_choice_init(&subject->choice, &profile.ticks, profile.recordings.count,
                         options->ticks_over_ns, options->ticks_up_to_ns, subject->takes_rest);
        subject->choice.outside_ns =
            profile.recordings.count > 0 ? profile.tree.total_ns[TREE_ROOT] : 0;
        for (size_t i = 0; i < profile.ticks.count; i++)
            subject->choice.outside_ns -= profile.ticks.ticks[i].time_ns;
        *can_report = subject->choice.chosen_count > 0;
        status = NOTHING_FOUND;
    }
    if (!*can_report && status == NOTHING_FOUND)
        error_set(&err,
                  "%s: none of the %zu ticks is one that --ticks-over asks for; the longest took "
                  "%.3f ms",
                  subject->title, subject->choice.count, (double)subject->choice.longest_ns / 1e6);
    if (!*can_report)
        console_say(console, err.text);
    console_end_reading(console);
    profile_release(&profile);
    return *can_report ? DONE : status;
}

enum exit_status subject_read(struct subject *subject, struct options *options,
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
    profile->rebuild = make_settings(subject, options);
    profile->on_damage = console_damage;
    profile->on_progress = console->shows_progress && !options->follows ? console_progress : NULL;
    profile->context = console;
    subject_set_title(subject);
    enum exit_status chosen = DONE;
    if (options->chooses_ticks)
        chosen = choose_ticks(subject, options, console, can_report);
    if (!*can_report)
        return chosen;

    enum exit_status status = read_logs(subject, options, console, can_report);
    if (!*can_report)
        return status;
    enum exit_status failure = NOTHING_FOUND;
    *can_report = check_contents(profile, options, subject->logs, subject->log_count, &err);
    if (*can_report) {
        profile_finish(profile);
        *can_report = settle_names(subject, options, console, &err);
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

void subject_rename(struct subject *subject, const struct options *options)
{
    forget_names(subject);
    name_functions(subject, options);
}

void subject_release(struct subject *subject)
{
    forget_names(subject);
    hooked_functions_release(&subject->hooked);
    free(subject->is_peeked);
    tick_choice_release(&subject->choice);
    profile_release(&subject->profile);
}
