#include "cli/reports/reporting.h"

#include "cli/logs/comparison.h"
#include "cli/logs/memory_need.h"
#include "cli/logs/session.h"
#include "cli/logs/sides.h"
#include "cli/messages/exit_status.h"
#include "cli/options/command_line.h"
#include "cli/options/option_rows.h"
#include "platform/terminal.h"
#include "report/figures/formats.h"
#include "report/figures/watched.h"
#include "report/files/json/json.h"
#include "report/sentences/amounts.h"
#include "report/sentences/game_log_text.h"
#include "report/sentences/limits.h"
#include "report/sentences/notes.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/summary.h"
#include "tree/fold.h"

/* Prints the broken limits, and sets the exit status if there are any. */
static void say_limits(const struct report *report, struct console *console)
{
    for (size_t i = 0; i < report->limit_count; i++) {
        const struct limit_result *result = &report->limits[i];
        struct text text = {0};
        if (!result->is_broken && !result->is_unsure)
            continue;
        limit_put_result(&text, result);
        console_say_text(console, NULL, &text);
        if (result->is_broken)
            console_set_status(console, LIMIT_BROKEN);
    }
}

/* Lists the filters that matched nothing. */
static void say_filters(const struct filters *filters, struct console *console)
{
    enum { SAID_MAX = 10 };
    size_t of_files = 0, unmatched_of_files = 0, unmatched = 0;
    for (size_t i = 0; i < filters->count; i++) {
        const struct filter *filter = &filters->all[i];
        bool is_of_file = filter->file != NULL, is_unmatched = filter->match_count == 0;
        struct text text = {0};
        of_files += is_of_file;
        unmatched_of_files += is_of_file && is_unmatched;
        unmatched += !is_of_file && is_unmatched;
        if (!is_unmatched || (!console->is_verbose && (is_of_file || unmatched > SAID_MAX)))
            continue;
        filter_put_name(&text, filter);
        text_put_string(&text, " matches no function");
        console_say_text(console, NULL, &text);
    }
    if (unmatched > SAID_MAX && !console->is_verbose)
        console_say(console,
                    "%zu more filters match no function (--verbose lists them)",
                    unmatched - SAID_MAX);
    if (unmatched_of_files > 0 && !console->is_verbose)
        console_say(console,
                    "%zu of the %zu patterns of --hide-file match no function (-v lists them)",
                    unmatched_of_files,
                    of_files);
}

static bool is_file(const struct option_output *output)
{
    return !file_is_standard(output->path);
}

/* Says which filters are not on the command line, unless a report on standard output does. */
static void say_shown(const struct report *report, const struct options *options,
                      struct console *console)
{
    const struct filters *filters = &options->selection.filters;
    struct text text = {0};
    if (options_output_with(options, USES_FILTERS) == NULL)
        return;
    for (size_t i = 0; i < options->output_count; i++)
        if (!is_file(&options->outputs[i]) && options->outputs[i].format != &report_csv &&
            (options->outputs[i].shows.uses & USES_LENGTH) != 0)
            return;
    for (size_t i = 0; i < filters->count; i++) {
        if (filters->all[i].origin == NULL)
            continue;
        summary_put_shown(&text, report);
        console_say_text(console, NULL, &text);
        return;
    }
}

static bool has_removed_costs(const struct profile *profile)
{
    return profile->costs.is_known || recorder_cost_sum_up(profile).known_count > 0;
}

/* Nothing but a watch, which has no calls. */
static bool is_only_watched(const struct profile *profile)
{
    return profile->counts.records + profile->counts.events == 0 && profile_has_watch(profile);
}

/*
 * Says what was written to a file, and how the file (or standard output, "-") differs from the
 * measured data. The message depends on that output alone.
 */
static void say_result(const struct report *report, const struct option_output *wanted,
                       const struct report_result *result, struct console *console)
{
    const char *name = is_file(wanted) ? wanted->path : "standard output";
    struct text text = {0};
    struct error why;
    if (is_file(wanted)) {
        const char *format = wanted->format->name;
        bool is_plain = span_ends_like(span_of(name), format);
        text_printf(&text, "wrote %s", name);
        if (result->count > 0 || !is_only_watched(report->profile))
            text_printf(&text,
                        " (%s%s%s)",
                        is_plain ? "" : format,
                        is_plain ? "" : ", ",
                        amount_things(result->count, result->one, result->many).at);
        console_say_text(console, "written", &text);
    }
    if (is_file(wanted) && report->is_unrecorded) {
        text_put_string(&text, "not recorded: ");
        game_log_put_unrecorded(&text, report->profile);
        console_say_text(console, "no-recording", &text);
    }
    if (wanted->format == &report_folded && result->count == 0 && report_total_ns(report) > 0)
        console_say(console, "%s: no stack is in it: in its unit, all values are 0", name);
    if (result->clamped_ns > 0)
        console_say(console,
                    "%s: %s of negative self times are written as 0",
                    name,
                    amount_said(result->clamped_ns).at);
    if (result->truncated_count > 0)
        console_say(console,
                    "%s: %s too deep for viewers, and added to (truncated)",
                    name,
                    amount_things(result->truncated_count, "call is", "calls are").at);
    if (result->left_out_count > 0)
        console_say(console,
                    "%s: the last %s are left out: a log of this size should not have as many "
                    "(--max-depth=0 writes all rows)",
                    name,
                    amount_things(result->left_out_count, "row", "rows").at);
    if (result->lacks_timeline && !check_timeline(report->profile, wanted->format, &why))
        console_say(console, "%s: written without a time line: %s", name, why.text);
    if (result->has_timeline && has_removed_costs(report->profile))
        console_say(console, "%s: the recorder's cost is not subtracted from time lines", name);
}

/* Says how much is missing: a report for people would begin with it. */
static void say_lacking(const struct report *report, struct console *console)
{
    struct text text = {0};
    warnings_put_first(&text, report);
    if (text.length == 0)
        return;
    text_cut(&text, text.length - 1);
    console_say_text(console, NULL, &text);
}

static void put_watched(struct text *text, const struct profile *profile)
{
    SCOPED(watched) watched = {0};
    watched_init(&watched, profile);
    text_printf(text, "a watch of %s", amount_things(watched.tick_count, "tick", "ticks").at);
}

static void put_read(struct text *text, const struct profile *profile)
{
    const struct profile_counts *counts = &profile->counts;
    if (counts->records > 0 || counts->events == 0)
        text_printf(text, "%s, ", amount_things(counts->records, "record", "records").at);
    if (counts->events > 0)
        text_printf(text, "%s, ", amount_things(counts->events, "event", "events").at);
    text_put_string(text, amount_said(profile->tree.total_ns[TREE_ROOT]).at);
}

/* Prints a line about the logs. */
static void say_summary(const struct report *report, struct console *console)
{
    const struct profile *profile = report->profile;
    const struct profile_counts *counts = &profile->counts;
    uint64_t missing = profile_missing_lines(profile);
    struct text text = {0};
    text_put_string(&text, "read ");
    if (is_only_watched(profile))
        put_watched(&text, profile);
    else
        put_read(&text, profile);
    text_printf(
        &text, "; %s skipped", amount_things(counts->damaged, "damaged line", "damaged lines").at);
    if (counts->untimed > 0)
        text_printf(&text, "; %s without a usable time", amount_count(counts->untimed).at);
    if (missing > 0)
        text_printf(&text, "; %s missing", amount_things(missing, "line", "lines").at);
    if (counts->records > 0 || counts->events > 0) {
        text_put_string(&text, "; recorder's cost ");
        recorder_cost_put_removed(&text, profile);
    }
    if (console->is_verbose)
        text_printf(&text,
                    "; %s, %s distinct stacks, %s bytes",
                    amount_things(counts->runs, "recording", "recordings").at,
                    amount_count(report->totals.stacks).at,
                    amount_count(counts->bytes).at);
    console_say_text(console, "summary", &text);
}

static bool write_one(struct report *report, const struct option_output *wanted,
                      struct console *console)
{
    struct error err, why;
    struct output output;
    if ((wanted->shows.uses & USES_TIMELINE) != 0 &&
        !check_timeline(report->profile, wanted->format, &why)) {
        error_set(&err, "'%s' is not written: %s", wanted->path, why.text);
        return console_fail(console, FAILED, &err);
    }
    if (console->kept != NULL)
        output_keep(&output, console->kept);
    else if (!output_open(&output, wanted->path, &err))
        return console_fail(console, FAILED, &err);
    report->table = wanted->shows.first;
    struct report_result result = wanted->format->write(report, &output);
    if (!output_close(&output, &err))
        return console_fail(console, FAILED, &err);
    if (!console->is_quiet)
        say_result(report, wanted, &result, console);
    return true;
}

/* Takes the report as JSON: the rows of its table, what is said about it, and errors of Lua. */
static void keep_answer(const struct report *report, const struct option_output *wanted,
                        struct console_answer *answer)
{
    enum { ERRORS_MAX = 10 };
    const struct game_logs *logs = &report->profile->game_logs;
    struct json_writer *json = &answer->json;
    struct report plain = report_plain(report);
    struct output output;
    struct error err;
    plain.has_objects = true;
    output_keep(&output, &answer->rows);
    report_csv.write(&plain, &output);
    output_close(&output, &err);
    json_put_sentences(json, &plain, NULL, (wanted->shows.uses & SHOWS_FINDINGS) != 0);
    JSON_ARRAY(json, "errors");
    for (size_t i = 0; i < logs->count; i++)
        for (uint32_t k = 0; k < logs->all[i].log.row_count && k < ERRORS_MAX; k++)
            json_put_error(json, &logs->all[i].log, k);
}

static bool write_all(struct report *report, const struct options *options, struct console *console)
{
    bool is_limited = options->has_top || options->has_tick_limit || options->show.has_rows;
    bool is_good = true;
    for (size_t i = 0; i < options->output_count; i++) {
        bool is_stdout = !is_file(&options->outputs[i]);
        report->is_colored = options_wants_color(options, is_stdout);
        report->width = is_stdout ? terminal_of(FILE_STANDARD_OUTPUT).width : 0;
        report->height = is_stdout && !is_limited ? terminal_of(FILE_STANDARD_OUTPUT).height : 0;
        report->height -=
            report->height > console->taken_height ? console->taken_height : report->height;
        is_good &= write_one(report, &options->outputs[i], console);
        if (console->answer != NULL)
            keep_answer(report, &options->outputs[i], console->answer);
    }
    return is_good;
}

/*
 * Makes the tree without calling lines. Two large trees together would be most of the memory that
 * supprof uses; so if lines are not needed, it replaces that of the session.
 */
static void make_paths(struct session *session, bool keeps_lines)
{
    struct tree *tree = &session->profile.tree, *paths = &session->report.without_lines;
    fold_lines(paths, tree);
    session->report.paths = keeps_lines ? paths : tree;
    if (keeps_lines)
        return;
    tree_release(tree);
    *tree = *paths;
    *paths = (struct tree){0};
}

/*
 * Finds the functions that the pattern of an option matches; sets `matches`, [function_count].
 */
static bool find_matches(const struct session *session, const char *flag, struct pattern *pattern,
                         uint8_t *matches)
{
    struct error err, why;
    const struct profile *profile = &session->profile;
    bool is_filtered = session->selection->filters.count > 0;
    uint32_t match_count = filter_match(
        pattern, &profile->tree, &session->labels, profile->symbols.function_count, matches, &why);
    SCOPED(text) text = {0};
    if (match_count > 0 && match_count != UINT32_MAX)
        return true;
    text_put_clean(&text, pattern_text(pattern), false);
    if (match_count == UINT32_MAX)
        error_set(&err, "%s '%s': %s", flag, text_string(&text), why.text);
    else
        error_set(&err,
                  is_filtered
                      ? "%s '%s' matches none of the functions that the filters left"
                      : "%s '%s' matches no function; patterns are looked for in names and "
                        "places such as 'OnDamage lua/sim/unit.lua:120', and letter case counts "
                        "unless they begin with (?i)",
                  flag,
                  text_string(&text));
    return console_fail(session->console, match_count == UINT32_MAX ? USAGE : NOTHING_FOUND, &err);
}

/* The engine has no function: "(engine)", which no name is, chooses those that it calls. */
static bool choose_called_by_engine(const struct tree *tree, const struct pattern *pattern,
                                    uint8_t *is_chosen)
{
    if (!span_is(pattern_text(pattern), "(engine)"))
        return false;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++)
        if (tree->calls[node].parent == TREE_ROOT)
            is_chosen[tree->calls[node].function] = 1;
    return true;
}

/* Sets which functions options choose. */
static bool find_chosen(struct session *session)
{
    for (const struct option_row *row = option_rows; row < option_rows + option_row_count; row++) {
        struct chosen_functions *chosen = &session->report.chosen[row->asks_for];
        struct pattern *pattern = session->options->patterns[row->asks_for];
        if (pattern == NULL)
            continue;
        chosen->pattern = pattern;
        chosen->is_chosen = mem_zeroed(session->profile.symbols.function_count, 1);
        bool is_of_engine =
            row->asks_for == TABLE_PEEK &&
            choose_called_by_engine(&session->profile.tree, pattern, chosen->is_chosen);
        if (!is_of_engine && !find_matches(session, row->flag, pattern, chosen->is_chosen))
            return false;
    }
    return true;
}

/* Whether the ticks are known as --what-if needs them. */
static bool check_what_if(const struct profile *profile, bool needs_nodes, struct error *err)
{
    if (needs_nodes && profile->changes.tick_count != profile->ticks.count)
        return error_set_code(err,
                              "--what-if",
                              "--what-if: total() needs one log with one recording, and all of "
                              "it; give one log or --run, and leave out --from, --to, --tick and "
                              "--ticks-over");
    return true;
}

/* Makes the rows of --what-if: of each change alone, and of all. */
static bool find_what_ifs(struct session *session)
{
    const struct options *options = session->options;
    const struct profile *profile = &session->profile;
    const struct tick_changes *changes = options->changes_totals ? &profile->changes : NULL;
    size_t function_count = profile->symbols.function_count;
    size_t count = changes != NULL ? profile->tree.node_count : function_count;
    struct error err;
    if (!check_what_if(profile, changes != NULL, &err))
        return console_fail(session->console, NOTHING_FOUND, &err);
    SCOPED_ARRAY double *alone = mem_zeroed(count, sizeof *alone);
    SCOPED_ARRAY double *all = mem_zeroed(count, sizeof *all);
    SCOPED_ARRAY uint8_t *matches = mem_zeroed(function_count, 1);
    struct what_if_rows *rows = session->report.what_if = mem_zeroed(1, sizeof *rows);
    bool is_good = true;
    what_if_rows_init(rows, &profile->ticks, options->what_if_count + 1);
    for (size_t k = 0; k < count; k++)
        all[k] = 1;
    for (size_t i = 0; i < options->what_if_count && is_good; i++) {
        const struct what_if *what_if = &options->what_ifs[i];
        for (size_t k = 0; k < count; k++)
            alone[k] = 1;
        is_good = find_matches(session, "--what-if", what_if->pattern, matches);
        what_if_apply(
            what_if, matches, function_count, changes != NULL ? &profile->tree : NULL, alone);
        for (size_t k = 0; k < count; k++)
            all[k] *= alone[k];
        rows->rows[rows->count++] =
            (struct what_if_row){what_if->text, what_if_times(&profile->ticks, changes, alone)};
    }
    if (options->what_if_count > 1 && is_good)
        rows->rows[rows->count++] =
            (struct what_if_row){"all of these", what_if_times(&profile->ticks, changes, all)};
    return is_good;
}

/* If it fails, the console has said why. */
static bool check_limits(struct report *report, const struct options *options,
                         struct console *console)
{
    struct error err;
    bool is_too_hard;
    return limits_check(report,
                        options->limits,
                        options->limit_count,
                        options->normalize == NORMALIZE_TICKS,
                        &is_too_hard,
                        &err) ||
           console_fail(console, is_too_hard ? USAGE : NOTHING_FOUND, &err);
}

static void write_reports(struct report *report, const struct options *options,
                          struct console *console)
{
    size_t file_count = 0;
    bool says_all = !options->has_later_outputs && !console->is_quiet;
    for (size_t i = 0; i < options->output_count; i++)
        file_count += is_file(&options->outputs[i]);
    if (says_all)
        say_filters(&options->selection.filters, console);
    if ((options->limit_count > 0 && !check_limits(report, options, console)) ||
        !write_all(report, options, console))
        return;
    if (says_all && file_count == options->output_count)
        say_lacking(report, console);
    if (says_all && (file_count > 0 || console->is_verbose))
        say_summary(report, console);
    if (says_all)
        say_shown(report, options, console);
    if (options->limit_count > 0 && !options->has_later_outputs)
        say_limits(report, console);
}

/*
 * Writes the reports of what a session has read, and says what was written, or why it cannot. Trees
 * lose their calling lines if no report uses them. The console has the exit status.
 */
static void report(struct session *session)
{
    const struct options *options = session->options;
    /* The values of logs of --repeated are stored by nodes of calling lines, too. */
    bool keeps_lines = options->is_repeated || options->show.call_sites ||
                       options->show.by == BY_LINE || options->show.by == BY_THREAD ||
                       options_output_with(options, USES_LINES) != NULL;
    bool is_compared = session->old != NULL || options->is_repeated;
    struct error err;
    if ((is_compared && !comparison_make(session, &err)) ||
        !selection_check(session->selection, &session->profile.tree, &err) ||
        (session->old == NULL && !check_details(&session->profile, options, &err))) {
        console_fail(session->console, NOTHING_FOUND, &err);
        return;
    }
    report_count(&session->report);
    if ((options->what_if_count > 0 && !find_what_ifs(session)) || !find_chosen(session))
        return;
    if (options->show.by == BY_STACK || report_asks(&options->show, TABLE_TREE) ||
        options_output_with(options, USES_PATHS) != NULL) {
        make_paths(session, keeps_lines);
        if (session->old != NULL)
            make_paths(session->old, keeps_lines);
    }
    write_reports(&session->report, options, session->console);
}

static struct session make_session(struct options *options, const struct name_list *logs,
                                   struct passed_sources *passed, struct console *console)
{
    return (struct session){.logs = *logs,
                            .options = options,
                            .selection = &options->selection,
                            .console = console,
                            .passed_sources = passed,
                            .show = report,
                            .state = options->reading.rebuild.state};
}

/* Says that sources were passed over, once for all logs. */
static void say_passed(const struct passed_sources *passed, struct console *console)
{
    struct text text = {0};
    text_printf(&text,
                "--lua-root: %s not read, because links lead out of that folder, or to what is no "
                ".lua or .bp file (%s); to read them, give --lua-root also for the folder that "
                "they are in, or copy them",
                amount_things(passed->paths.count, "file is", "files are").at,
                passed->example.text);
    console_say_text(console, "sources-outside", &text);
}

/*
 * Reads the logs and writes the reports. Returns whether something could be read; if not, the
 * console that tells of the reading has the reason.
 */
static bool read_and_report(struct options *options, struct console *console,
                            struct console *of_reading)
{
    struct passed_sources passed = {0};
    SCOPED(session) session = make_session(options, &options->logs, &passed, of_reading);
    SCOPED(session) old = make_session(options, &options->old_logs, &passed, of_reading);
    session.old = options->old_logs.count > 0 ? &old : NULL;
    old.takes_rest = options->compares_rest;
    old.is_old = true;
    bool is_good = sides_read(&session);
    if (passed.paths.count > 0 && !of_reading->is_quiet)
        say_passed(&passed, of_reading);
    session.console = old.console = console;
    if (is_good)
        report(&session);
    intern_release(&passed.paths);
    return is_good;
}

/*
 * Writes the time lines from a reading of their own, then all else. What is wrong with the logs is
 * said once, and Ctrl-C ends the program: both must be of the same part of a log.
 */
static void report_twice(struct options *options, struct console *console)
{
    struct option_output *all = options->outputs;
    size_t count = options->output_count;
    SCOPED_ARRAY struct option_output *part = mem_zeroed(count, sizeof *part);
    struct later_messages again = {0};
    struct console second = {
        .is_quiet = true, .shows_progress = console->shows_progress, .later = &again};
    bool is_read = true;
    options->outputs = part;
    for (int is_rest = 0; is_rest < 2 && is_read && console->status <= FAILED; is_rest++) {
        options->has_later_outputs = is_rest == 0;
        options->output_count = 0;
        for (size_t i = 0; i < count; i++)
            if (((all[i].shows.uses & USES_TIMELINE) == 0) == is_rest)
                part[options->output_count++] = all[i];
        command_line_complete(options);
        options->reading.can_be_stopped = false;
        is_read = read_and_report(options, console, is_rest == 1 ? &second : console);
        /* The first reading has followed the log to its end. */
        options->reading.follows = false;
    }
    if (!is_read)
        console_say_later(console, &second);
    later_messages_release(&again);
    options->outputs = all;
    options->output_count = count;
}

void run(struct options *options, struct console *console)
{
    struct error err;
    if (options->repeated_log != NULL && !options->is_quiet)
        console_say(console,
                    "'%s' is given more than once, but read once: logs are added up",
                    options->repeated_log);
    if (options->took_example)
        console_say(console,
                    "no log of a game was found; this is the report of the example beside "
                    "this program; name a log, or drag it onto the program");
    for (size_t i = 0; i < options->defaults.count && console->is_verbose; i++)
        console_say(console, "default from %s", options->defaults.all[i]);
    if (options->untrusted != NULL && !console->is_quiet)
        console_say(console,
                    "%s is ignored, because it belongs to another user; if you trust it, make it "
                    "yours (chown), or put its lines into your own file (supprof(1), DEFAULTS)",
                    options->untrusted);
    bool is_good = path_checks_pass(options, &err) || console_fail(console, USAGE, &err);
    if (!is_good)
        return;
    if (!console->is_quiet && !options->reading.follows)
        memory_need_say(options, console);
    if (command_line_needs_two_readings(options))
        report_twice(options, console);
    else
        read_and_report(options, console, console);
}
