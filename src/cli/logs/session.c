#include "cli/logs/session.h"

#include "base/input.h"
#include "cli/messages/exit_status.h"
#include "cli/options/command_line.h"
#include "cli/options/unknown_option.h"
#include "names/names.h"
#include "platform/interrupt.h"
#include "report/figures/formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/game_log_text.h"
#include "report/sentences/notes.h"
#include "select/viewer_tree.h"

#include <math.h>
#include <stdio.h>

static bool check_strictly(const struct profile *profile, struct error *err)
{
    for (size_t i = 0; i < profile->recordings.count; i++)
        if (profile_takes(profile, &profile->recordings.all[i]) &&
            !profile->recordings.all[i].has_end)
            return error_set(
                err,
                "a recording has no last line, which --strict does not allow: the game "
                "still ran, or the log is cut");
    uint64_t damaged = profile->counts.damaged, missing = profile_missing_lines(profile);
    if (damaged > 0)
        return error_set(err,
                         "%llu damaged record%s, which --strict does not allow",
                         (unsigned long long)damaged,
                         damaged == 1 ? "" : "s");
    const char *what = missing > 0 ? "line" : "event";
    if (missing == 0)
        missing = profile_missing_events(profile);
    return missing == 0 ||
           error_set(err,
                     "%llu %s%s of recordings %s missing, which --strict does not allow",
                     (unsigned long long)missing,
                     what,
                     missing == 1 ? "" : "s",
                     missing == 1 ? "is" : "are");
}

/* Fails if there are recordings that cannot be used, and says why. */
static bool check_unused(const struct profile *profile, const struct name_list *logs,
                         struct error *err)
{
    SCOPED(text) why = {0};
    notes_put_unused(&why, profile, logs->all);
    return why.length == 0 || error_set_code(err, "no-recording", "%s", text_string(&why));
}

/* Fails, and names the option that needs what a log does not have. */
static bool refuse_option(const struct options *options, const char *why, struct error *err)
{
    struct named_option option = options_of_recordings(options);
    if (option.value == NULL)
        return error_set_code(err, option.flag, "%s%s", option.flag, why);
    return error_set_code(err, option.flag, "%s=%s%s", option.flag, option.value, why);
}

static const char of_recordings[] =
    " needs a recording of profiler.lua; the log has records of delins' profiler, which are sums: "
    "without ticks, threads, errors and heap";

/* Fails, and says why nothing can be reported of a log without any profiler line. */
static bool refuse_log(const struct profile *profile, const struct options *options,
                       const struct option_output *output, const char *name, struct error *err)
{
    SCOPED(text) why = {0};
    /* Copies of logs are often called .txt. */
    const struct report_format *own =
        !span_ends_like(span_of(name), ".txt") ? format_by_path(name) : NULL;
    if (profile_is_unrecorded(profile)) {
        const char *flag = options_of_recordings(options).flag;
        if (flag == NULL && profile->only_run != 0)
            flag = "--run";
        else if (flag == NULL && options->limit_count > 0)
            flag = "--fail-if";
        else if (flag == NULL && options->reading.is_strict)
            flag = "--strict";
        text_put_string(&why, "no recording in it");
        if (flag != NULL)
            text_printf(&why, ", which %s needs", flag);
        else if (output != NULL)
            text_printf(&why, ", which the format %s needs", output->format->name);
        text_put_string(&why, ": ");
        game_log_put_unrecorded(&why, profile);
    } else if (own != NULL) {
        text_printf(&why,
                    "no line of a game's log is in it, and its name is that of a report (%s): "
                    "give the log that the report is of",
                    own->name);
    } else if (profile->game_logs.count > 0 && profile->game_logs.all[0].log.mark.length > 0) {
        text_put_string(&why, "its lines begin with '");
        text_put_clean(&why, text_span(&profile->game_logs.all[0].log.mark), false);
        text_put_string(&why, "', which the game does not write: give its own file");
    } else {
        text_put_string(&why,
                        "this is no log of the game: neither profiler lines ('info: prof: "
                        "...') nor lines of the game in it");
    }
    error_set_code(err,
                   profile_is_unrecorded(profile) ? "no-recording" : "not-a-log",
                   "%s: %s",
                   name,
                   text_string(&why));
    return false;
}

/* Whether a watch is all that the logs have to show, and what is asked for can be said of it. */
static bool is_of_watch(const struct profile *profile, const struct options *options)
{
    return options->reading.takes_watch && profile_has_watch(profile);
}

/* Fails if there is a watch: of a log without calls, that is all there is. */
static bool check_watch(const struct profile *profile, const struct options *options,
                        const char *title, struct error *err)
{
    const char *who = options->is_repeated
                          ? "top, markdown, json and html show what several games have"
                          : "top, --ticks, --threads, markdown, json and html show what it has";
    const char *option = options->reading.option_of_calls;
    const char *nothing =
        "the watch has written nothing yet: it does after a minute, and after a slow tick";
    for (size_t i = 0; i < profile->recordings.count; i++)
        if (profile->recordings.all[i].is_watch &&
            profile_takes(profile, &profile->recordings.all[i]))
            return options->reading.takes_watch && !settings_have_window(&profile->rebuild)
                       ? error_set_code(err, "no-recording", "%s: %s", title, nothing)
                       : error_set_code(
                             err,
                             "no-recording",
                             "%s: a watch has no calls%s%s%s%s; Ctrl-Shift-O records calls",
                             title,
                             option != NULL ? ", and " : "",
                             option != NULL ? option : "",
                             option != NULL ? " needs them: without it, " : ": ",
                             who);
    return true;
}

/* Fails, since nothing of the chosen recording can be shown. */
static bool refuse_run(const struct profile *profile, const char *title,
                       const struct name_list *logs, struct error *err)
{
    return error_set_code(err,
                          "--run",
                          "%s: %s recording %u; the log%s %s",
                          title,
                          profile->only_run > profile->counts.runs ? "there is no"
                                                                   : "nothing is in",
                          (unsigned)profile->only_run,
                          logs->count == 1 ? " has" : "s have",
                          amount_things(profile->counts.runs, "recording", "recordings").at);
}

/* Whether anything was read from the logs, and with --strict: all of it. */
static bool check_contents(const struct profile *profile, const struct options *options,
                           const struct name_list *logs, struct error *err)
{
    const struct profile_counts *counts = &profile->counts;
    const struct option_output *output = options_output_without(options, NEEDS_NO_PROFILE);
    const char *name = logs->count == 1 ? input_name(logs->all[0]) : "the logs";
    if (options->reading.is_strict && !check_strictly(profile, err))
        return false;
    if (counts->records > 0 || counts->events > 0 || is_of_watch(profile, options))
        return true;
    if (profile_has_only_benchmarks(profile))
        return output == NULL ||
               error_set(err,
                         "%s: has only benchmarks, which top and markdown show, but not %s",
                         name,
                         output->format->name);
    if (profile_is_unrecorded(profile) && options->reading.takes_any_log)
        return true;
    if (!check_unused(profile, logs, err))
        return false;
    if (!check_watch(profile, options, name, err))
        return false;
    if (profile->recordings.count > 0 && counts->timeless + counts->damaged == 0 &&
        counts->other_runs == 0 && counts->other_state == 0)
        return error_set_code(err,
                              "no-recording",
                              "%s: the recording has no calls yet: it has just begun, or the log "
                              "is cut",
                              name);
    if (counts->timeless > 0)
        return refuse_option(options, of_recordings, err);
    if (counts->damaged > 0 && counts->other_runs == 0)
        return error_set_code(err,
                              "all-damaged",
                              "%s: all of its profiler lines are damaged%s",
                              name,
                              lacking_events(profile).is_wrapped
                                  ? notes_wrapped
                                  : ": were they cut or wrapped? Give the file itself");
    if (counts->other_runs > 0)
        return refuse_run(profile, name, logs, err);
    if (counts->bytes == 0)
        return error_set_code(err,
                              "no-recording",
                              "%s: %s",
                              name,
                              logs->count > 1 ? "all are empty"
                              : name_list_standard_count(logs) > 0
                                  ? "the log is empty; name a log"
                                  : "the log is empty: the game empties it when it starts");
    return refuse_log(profile, options, output, name, err);
}

/* Fails, and says from which range a window can be chosen. */
static bool refuse_window(const struct profile *profile, const char *title, struct error *err)
{
    const struct window_border *from = &profile->rebuild.from;
    const char *code = from->is_tick ? "--tick" : from->kind != WINDOW_OPEN ? "--from" : "--to";
    const char *what = from->is_tick ? "there is no such tick" : "nothing is in that window";
    const struct rebuilt_recording *first = NULL, *last = NULL;
    if (profile->ticks.count > 0)
        return error_set_code(
            err, code, "%s: nothing ran in %s", title, from->is_tick ? "this tick" : "that window");
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        if (!rebuilt->has_any_ticks)
            continue;
        if (first == NULL || rebuilt->all_first_tick < first->all_first_tick)
            first = rebuilt;
        if (last == NULL || rebuilt->all_last_tick > last->all_last_tick)
            last = rebuilt;
    }
    for (size_t i = 0; i < profile->recordings.count; i++)
        if (profile->recordings.all[i].is_sampled)
            return error_set_code(err,
                                  code,
                                  "%s: %s: only some ticks were recorded (--ticks=0 lists them)",
                                  title,
                                  what);
    if (first == NULL)
        return error_set_code(err, code, "%s: %s: the log has no ticks", title, what);
    return error_set_code(err,
                          code,
                          "%s: %s; the log has %s %s to %s",
                          title,
                          what,
                          tick_kinds[profile->rebuild.state].many,
                          tick_name_in(profile, first, first->all_first_tick).at,
                          tick_name_in(profile, last, last->all_last_tick).at);
}

/* Whether a finished profile has any calls; if there is a window, in the window. */
static bool check_window(const struct profile *profile, const struct options *options,
                         const char *title, const struct name_list *logs, struct error *err)
{
    const struct rebuild_settings *rebuild = &profile->rebuild;
    if (rebuild->state == LUA_STATE_UI &&
        (rebuild->from.kind == WINDOW_SECONDS || rebuild->to.kind == WINDOW_SECONDS))
        return error_set_code(err,
                              rebuild->from.kind == WINDOW_SECONDS ? "--from" : "--to",
                              "frames of the user interface have no game time; choose them by "
                              "their numbers, as in --tick=900 or --from='#900'");
    if (profile->tree.node_count > 1 || profile_has_only_benchmarks(profile) ||
        profile_is_unrecorded(profile) || is_of_watch(profile, options))
        return true;
    if (!check_unused(profile, logs, err))
        return false;
    if (settings_have_window(rebuild))
        return refuse_window(profile, title, err);
    if (rebuild->threads != (NODE_MAIN | NODE_COROUTINE))
        return error_set_code(err, "--thread", "%s: nothing ran on this kind of thread", title);
    bool is_of_ui = profile->rebuild.state == LUA_STATE_UI;
    const char *state = is_of_ui ? "user interface" : "sim";
    if (profile->counts.other_state > 0 && profile->only_run != 0)
        return error_set_code(
            err, "--state", "recording %u is not of the %s", (unsigned)profile->only_run, state);
    if (profile->counts.other_state > 0)
        return error_set_code(
            err,
            "--state",
            "%s: the log has no recording of the %s; %s-Shift-O starts one in the game",
            title,
            state,
            is_of_ui ? "Alt" : "Ctrl");
    if (!check_watch(profile, options, title, err))
        return false;
    if (profile->only_run != 0)
        return refuse_run(profile, title, logs, err);
    return error_set(err, "%s: the recording has no calls", title);
}

bool check_details(const struct profile *profile, const struct options *options, struct error *err)
{
    const struct report_options *show = &options->show;
    const struct column_info *sorted = &column_infos[show->sort];
    if (profile->tree.node_count <= 1 && is_of_watch(profile, options))
        return true;
    bool needs_ticks =
        options->what_if_count > 0 || options_output_of(options, TABLE_TICKS) != NULL;
    if (options_of_recordings(options).flag != NULL && profile->tree.details == NULL)
        return refuse_option(options, of_recordings, err);
    if (needs_ticks && profile->ticks.count == 0)
        return refuse_option(options, ": no tick is in the part of the log that is shown", err);
    if (show->has_threads && options->old_logs.count > 0)
        return profile_has_watch(profile) ||
               error_set_code(err,
                              "--threads",
                              "--threads compares watched games (mode = 'watch'), and of this one "
                              "is no watch");
    if (show->has_threads && profile->threads.life_count == 0)
        return error_set_code(
            err, "--threads", "--threads: no thread ran in the part of the log that is shown");
    if (sorted->needs == NEEDS_LINES && profile->tree.lines == NULL)
        return error_set_code(err,
                              "--sort",
                              "--sort=%s: no lines were recorded; name functions in 'lines = {}' "
                              "in the recorder's settings",
                              sorted->word);
    const char *code = show->metric == METRIC_ALLOC    ? "--metric"
                       : sorted->needs == NEEDS_MEMORY ? "--sort"
                                                       : NULL;
    return code == NULL || profile->has_memory ||
           error_set_code(err,
                          code,
                          "%s=heap: memory was not recorded; set 'memory = true' in the recorder's "
                          "settings",
                          code);
}

/* Whether a time line is short enough for viewers. */
static bool check_timeline_length(const struct timeline *timeline, struct error *err)
{
    if (!timeline->is_too_long)
        return true;
    SCOPED(text) text = {0};
    bool is_in_pieces = timeline->calls <= TIMELINE_SLICES_MAX;
    text_printf(&text,
                is_in_pieces ? "the time line has %s calls in more than %s pieces"
                             : "the time line has %s calls, more than %s",
                amount_count(timeline->calls).at,
                amount_count(TIMELINE_SLICES_MAX).at);
    text_put_string(&text, ", the limit for viewers; choose a shorter window with --from and --to");
    if (timeline->window_ticks > 0 && timeline->calls > 0) {
        double seconds = (double)timeline->window_ticks / TICKS_A_SECOND;
        text_printf(&text,
                    " (a second of this one has %s on average)",
                    amount_count((uint64_t)((double)timeline->calls / seconds)).at);
    }
    error_set(err, "%s", text.at);
    return false;
}

bool check_timeline(const struct profile *profile, const struct report_format *format,
                    struct error *err)
{
    if (!check_timeline_length(&profile->timeline, err))
        return false;
    return profile->counts.records == 0 ||
           error_set(err,
                     "--format=%s shows recordings of profiler.lua; the log has records of delins' "
                     "profiler, which have no time stamps%s",
                     format->name,
                     profile->recordings.count > 0 ? " (--run chooses a recording)" : "");
}

/* Appends "; 1 file WHAT" or "; 2 files WHAT"; nothing for 0 files. */
static void put_files(struct text *text, uint32_t count, const char *what)
{
    if (count > 0)
        text_printf(text, "; %s %s", amount_things(count, "file", "files").at, what);
}

/* Appends where a file would have been. */
static void put_example(struct text *text, const struct names_counts *counts,
                        const struct source_request *request)
{
    const struct paths *paths = request->paths;
    text_put_string(text, ", such as ");
    text_put_clean(text, span_of(request->directories[0]), false);
    text_put_string(text, "/");
    text_put_clean(text, intern_get(&paths->texts, paths->shown[counts->missing_source]), false);
}

/* Says what --lua-root has found; without --verbose only if something is wrong. */
static void say_found(struct console *console, const struct names_counts *counts,
                      const struct source_request *request)
{
    uint32_t useless = counts->unfit + counts->unreadable + counts->unreadable_directories;
    struct text text = {0};
    bool is_most_missing = counts->missing > counts->files;
    bool is_wrong = useless > 0 || is_most_missing;
    if (console->is_quiet || (!console->is_verbose && !is_wrong))
        return;
    if (counts->nameless == 0) {
        console_say(console, "--lua-root: no function lacks a name");
        return;
    }
    if (counts->files + useless == 0 && counts->missing > 0) {
        text_printf(&text,
                    "--lua-root: none of the sources of the log is there: %s",
                    amount_things(counts->missing, "file", "files").at);
        put_example(&text, counts, request);
        text_put_string(&text,
                        "; choose the folder that has 'lua' in it, and unpack .scd and "
                        ".nx2 archives, which are zip files");
        console_say_text(console, "sources", &text);
        return;
    }
    text_printf(&text,
                "--lua-root: named %s of %s from %s",
                amount_count(counts->named).at,
                amount_things(counts->nameless, "nameless function", "nameless functions").at,
                amount_things(counts->files, "file", "files").at);
    put_files(&text, counts->missing, "not there");
    if (is_most_missing)
        put_example(&text, counts, request);
    put_files(&text, counts->unfit, "of another version than the log");
    put_files(&text, counts->unreadable, "not readable");
    if (counts->unreadable_directories > 0)
        text_printf(&text,
                    "; %s not readable",
                    amount_things(counts->unreadable_directories, "directory", "directories").at);
    if (useless > 0 && !console->is_verbose && !console->shows_codes)
        text_put_string(&text, " (--verbose lists them)");
    console_say_text(console, counts->unfit > 0 ? "sources-of-another-version" : "sources", &text);
}

/*
 * Gives functions of hooks to their mods, and names from --lua-root to functions; says how many got
 * one. Sets the sources, which are looked for in the last --lua-root first in an old session, and
 * keep their texts if an output uses them. Fails if one of the directories cannot be opened.
 */
static bool complete_names(struct session *session, struct error *err)
{
    struct profile *profile = &session->profile;
    struct hooked_functions *hooked = &session->hooked;
    const struct options *options = session->options;
    const struct name_list *lua_roots = &options->reading.lua_roots;
    struct names_counts counts;
    struct paths paths;
    bool is_done = true;
    const struct source_request request = {
        .directories = lua_roots->all,
        .directory_count = lua_roots->count,
        .begins_with_last = session->is_old,
        .paths = &paths,
        .tree = &profile->tree,
        .on_problem = console_problem,
        .context = session->console,
        .passed = session->passed_sources,
        .keeps_texts = options_output_with(options, USES_SOURCES) != NULL,
    };
    /* The functions of hooks go to their mods. */
    if (profile->hooks.batches.count > 0) {
        paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
        is_done = hooked_functions_move(hooked, &profile->symbols, &profile->hooks, &request, err);
        paths_release(&paths);
        if (is_done)
            profile_shift_lines(profile, hooked);
    }
    if (!is_done || lua_roots->count == 0)
        return is_done;
    paths_init(&paths, &profile->symbols, &profile->mounts, PATHS_SHORT);
    is_done = names_find(&profile->symbols, &request, &session->sources, &counts, err);
    if (is_done)
        say_found(session->console, &counts, &request);
    paths_release(&paths);
    return is_done;
}

/* Returns the names of the logs without their folders, [count]. */
static const char **list_names(const struct name_list *logs)
{
    const char **names = mem_zeroed(logs->count, sizeof *names);
    for (size_t i = 0; i < logs->count; i++)
        names[i] = file_name(logs->all[i]);
    return names;
}

/* Makes the report that is there before anything is read. */
static struct report make_report(const struct session *session)
{
    const struct options *options = session->options;
    return (struct report){
        .profile = &session->profile,
        .wrong_callers = &session->wrong_callers,
        .selection = session->selection,
        .tree = &session->profile.tree,
        .labels = &session->labels,
        .title = session->title,
        .log_names = list_names(&session->logs),
        .choice = options->reading.chooses_ticks ? &session->profile.choice : NULL,
        .found = &session->found,
        .sources = &session->sources,
        .show = options->show,
        .has_sources = options->reading.lua_roots.count > 0,
        .marks_hints = options->marks_hints,
        .adds_timeline = options_add_timeline(options),
    };
}

void session_set_title(struct session *session)
{
    const char *first = session->logs.all[session->first_log];
    const char *name = file_is_standard(first) ? input_name(first) : file_name(first);
    size_t count = session->report.log_count = session->logs.count - session->empty_count;
    if (count > 1)
        snprintf(session->title, sizeof session->title, "%.200s and %zu more", name, count - 1);
    else
        snprintf(session->title,
                 sizeof session->title,
                 "%s%.200s",
                 session->takes_rest ? "the other ticks of " : "",
                 name);
}

/* Whether --ticks-over has chosen some ticks. */
static bool check_choice(const struct session *session, struct error *err)
{
    const struct profile *profile = &session->profile;
    const struct tick_choice *choice = &profile->choice;
    if (choice->count == 0)
        return error_set_code(err,
                              "--ticks-over",
                              "%s: --ticks-over needs ticks, and the log has none",
                              session->title);
    return choice->chosen_count > 0 ||
           error_set_code(err,
                          "--ticks-over",
                          "%s: --ticks-over chooses none of %s; the longest took %.3f ms",
                          session->title,
                          amount_things(choice->count,
                                        tick_kinds[profile->ticks.state].one,
                                        tick_kinds[profile->ticks.state].many)
                              .at,
                          (double)choice->longest_ns / 1e6);
}

/* Says that Ctrl-C has ended the reading of a log; nothing if it came after the end. */
static void say_stopped(const struct session *session, size_t log, uint64_t bytes_before)
{
    struct text text = {0};
    double read_fraction = session->profile.read_fraction;
    size_t logs_left = session->logs.count - log - 1;
    uint64_t bytes = session->profile.counts.bytes - bytes_before;
    bool is_whole = read_fraction >= 1;
    if (is_whole && logs_left == 0)
        return;
    text_printf(&text,
                "Ctrl-C ended the reading %s %s",
                is_whole ? "after" : "of",
                input_name(session->logs.all[log]));
    if (!is_whole)
        text_printf(&text, " after %.1f MB", (double)bytes / 1e6);
    if (!is_whole && read_fraction >= 0)
        text_printf(&text, " (%.0f%%)", floor(100 * read_fraction));
    if (logs_left > 0)
        text_printf(&text, "; not read: %s", amount_things(logs_left, "more log", "more logs").at);
    text_put_string(&text, "; the report shows the part that was read");
    console_say_text(session->console, NULL, &text);
}

/* Reads a log, or takes what was read of it ahead. */
static bool read_or_take(struct session *session, const char *log, struct log_ahead *ahead,
                         struct error *err)
{
    if (ahead == NULL || !profile_join(&session->profile, &ahead->profile))
        return profile_read(&session->profile, log, err);
    console_say_later(session->console, ahead->console);
    *err = ahead->err;
    return ahead->is_read;
}

/*
 * Reads a log. If it cannot be opened, the program ends: a report without this log would mislead.
 * If it cannot be read to its end, the part that was read is reported.
 */
static bool read_log(struct session *session, const char *log, struct log_ahead *ahead)
{
    struct error err;
    struct profile *profile = &session->profile;
    uint64_t bytes_before = profile->counts.bytes;
    bool is_there = !session->options->reading.follows || follow_log(session, log, &err);
    if (is_there && read_or_take(session, log, ahead, &err))
        return true;
    profile->is_partial = true;
    if (profile->counts.bytes == bytes_before)
        unknown_option_suggest(&err, log, session->options->words);
    console_fail(session->console, FAILED, &err);
    return profile->counts.bytes > bytes_before && !profile->is_cancelled;
}

/* Counts all that supprof reads in logs; it grows with each log that is not empty. */
static uint64_t count_contents(const struct profile *profile)
{
    const struct profile_counts *counts = &profile->counts;
    const struct recordings *recordings = &profile->recordings;
    return counts->records + counts->damaged + counts->other_runs + counts->timeless +
           recordings->count + recordings->benchmark_count;
}

/* Says which logs have nothing that supprof reads, if others have. */
static void say_empty(struct session *session)
{
    struct text message = {0};
    size_t count = session->logs.count - session->empty_count;
    if (count > 0) {
        text_printf(&message,
                    "no profiler lines in %s: the report is about the other %s",
                    text_string(&session->empty_names),
                    count == 1 ? "log" : "logs");
        console_say_text(session->console, NULL, &message);
    } else {
        session->first_log = session->empty_count = 0;
    }
    session_set_title(session);
}

bool session_read_log(struct session *session, size_t log, struct log_ahead *ahead)
{
    struct profile *profile = &session->profile;
    const char *name = session->logs.all[log];
    uint64_t bytes_before = profile->counts.bytes, before = count_contents(profile);
    bool is_good = read_log(session, name, ahead);
    session->is_stopped = interrupt_is_pending();
    if (is_good && !session->is_stopped && count_contents(profile) == before) {
        session->first_log += session->first_log == log;
        if (session->empty_count++ > 0)
            text_put_string(&session->empty_names, ", ");
        text_put_string(&session->empty_names, input_name(name));
    }
    if (session->is_stopped) {
        profile->is_partial |= profile->read_fraction < 1 || log + 1 < session->logs.count;
        say_stopped(session, log, bytes_before);
    }
    return is_good;
}

static void name_functions(struct session *session)
{
    struct profile *profile = &session->profile;
    paths_init(
        &session->paths, &profile->symbols, &profile->mounts, session->options->reading.path_style);
    if (session->hooked.source_count > 0)
        hooked_functions_name_mods(&session->hooked, &session->paths);
    labels_init(&session->labels, &profile->symbols, &session->paths);
}

/* Each log of a run gets its part of the stacks that are allowed whatever its size is. */
static void fold_deep_stacks(struct session *session)
{
    enum { SPARE_STACKS = 1 << 17 };
    const struct folded_stacks *folded = &session->profile.folded;
    if (session->selection->lists_all_frames)
        return;
    deep_stacks_fold(&session->profile,
                     &session->labels,
                     session->report.folded,
                     SPARE_STACKS * session->logs.count /
                         (session->options->logs.count + session->options->old_logs.count));
    if (folded->count > 0 && !session->console->is_quiet)
        console_say(session->console,
                    "%s: %s of more than %u frames have a frame '(folded)' in the middle: a log of "
                    "this size should not have so many stacks (--max-depth=0 keeps all frames)",
                    session->title,
                    amount_things(folded->count, "stack", "stacks").at,
                    (unsigned)folded->depth_max);
}

/* Says which recordings cannot be used, if others can. */
static void say_unused(const struct session *session)
{
    SCOPED(text) message = {0};
    notes_put_unused(&message, &session->profile, session->logs.all);
    if (message.length > 0)
        console_say(session->console, "%s", text_string(&message));
}

/* Ends the profile, and names what is in it. */
static bool finish(struct session *session)
{
    struct profile *profile = &session->profile;
    struct tree *tree = &profile->tree;
    struct console *console = session->console;
    struct error err;
    if (!check_contents(profile, session->options, &session->logs, &err))
        return console_fail(console, NOTHING_FOUND, &err);
    profile_finish(profile);
    if (session->options->reading.chooses_ticks && !check_choice(session, &err))
        return console_fail(console, NOTHING_FOUND, &err);
    if (!complete_names(session, &err))
        return console_fail(console, FAILED, &err);
    session->report.folded = symbols_add_made_up(&profile->symbols, "=(folded)");
    profile->symbols.functions[session->report.folded].is_used = true;
    name_functions(session);
    if (profile->recordings.count == 0)
        wrong_callers_find(&session->wrong_callers, tree, &profile->symbols);
    selection_begin(session->selection, tree);
    session->report.all_ns = tree->total_ns[TREE_ROOT];
    fold_deep_stacks(session);
    if (!check_window(profile, session->options, session->title, &session->logs, &err))
        return console_fail(console, NOTHING_FOUND, &err);
    if (!console->is_quiet)
        say_unused(session);
    /* Beside other outputs, only that one is not written: see reporting.c. */
    if (!session->options->has_later_outputs &&
        options_output_without(session->options, USES_TIMELINE) == NULL &&
        !check_timeline(profile, session->options->outputs[0].format, &err))
        return console_fail(console, profile->timeline.is_too_long ? USAGE : NOTHING_FOUND, &err);
    return true;
}

bool session_select(struct session *session)
{
    struct profile *profile = &session->profile;
    struct tree *tree = &profile->tree;
    struct error err;
    if (!selection_apply(
            session->selection, profile, &session->labels, session->report.folded, &err))
        return console_fail(session->console, USAGE, &err);
    if (session->options->old_logs.count == 0)
        selection_drop_small(session->selection, tree, NULL, session->report.folded);
    session->report.totals = totals_sum_up(tree, &profile->symbols);
    return true;
}

bool session_can_be_stopped(const struct session *session)
{
    return session->options->reading.can_be_stopped && !session->options->reading.follows;
}

/* Sets how a profile reads logs of the session, and where it says what is damaged in them. */
static void set_reading(struct profile *profile, const struct session *session,
                        struct console *console)
{
    const struct reading *reading = &session->options->reading;
    bool shows_progress = console->shows_progress && !reading->follows;
    profile->only_run = reading->run;
    profile->costs = reading->rebuild.costs;
    profile->rebuild = reading->rebuild;
    profile->rebuild.state = session->state;
    profile->rebuild.choice = (struct tick_choice){
        .is_on = reading->chooses_ticks,
        .takes_others = session->takes_rest,
        .over_ns = reading->ticks_over_ns,
        .up_to_ns = reading->ticks_up_to_ns,
    };
    profile->on_progress = shows_progress || console->goes_on != NULL ? console_progress : NULL;
    profile->on_damage = console_damage;
    profile->context = console;
    profile->window_ns = session->window_ns;
    profile->thread_max = session->thread_max;
}

bool session_start(struct session *session)
{
    struct error err;
    session->report = make_report(session);
    session_set_title(session);
    if (!profile_init(&session->profile, &err))
        return console_fail(session->console, FAILED, &err);
    set_reading(&session->profile, session, session->console);
    return true;
}

void session_read_ahead(const struct session *session, const char *log, struct log_ahead *ahead)
{
    set_reading(&ahead->profile, session, ahead->console);
    ahead->is_read = profile_read(&ahead->profile, log, &ahead->err);
    profile_end_log(&ahead->profile);
}

bool session_end_logs(struct session *session, bool is_good)
{
    if (session_can_be_stopped(session))
        interrupt_release();
    console_end_reading(session->console);
    if (session->empty_count > 0)
        say_empty(session);
    return is_good && finish(session);
}

bool session_can_read_ahead(const struct session *session)
{
    const struct reading *reading = &session->options->reading;
    return !reading->follows && reading->run == 0 && session->window_ns == 0 &&
           !reading->rebuild.has_timeline;
}

bool session_begin(struct session *session)
{
    bool is_good = true;
    if (!session_start(session))
        return false;
    for (size_t i = 0; i < session->logs.count && is_good && !session->is_stopped; i++)
        is_good = session_read_log(session, i, NULL);
    return session_end_logs(session, is_good);
}

bool session_read(struct session *session)
{
    return session_begin(session) && session_select(session);
}

static void forget_names(struct session *session)
{
    labels_release(&session->labels);
    paths_release(&session->paths);
}

/* Finds the functions of another session, and adds those that are missing. */
static void match_functions(struct session *session, struct session *other)
{
    struct diff_side now = {&session->profile, &session->paths, &session->repeated};
    struct diff_side old = {&other->profile, &other->paths, &other->repeated};
    other->report.gone_from = session->profile.symbols.function_count;
    other->report.functions = other->functions =
        diff_match_functions(&now, &old, &other->report.counts);
    found_move(&other->found, other->functions);
    forget_names(session);
    name_functions(session);
}

uint32_t *session_align(struct session *session, struct session *other, double time_factor,
                        double call_factor)
{
    struct profile *to = &session->profile, *from = &other->profile;
    match_functions(session, other);
    uint32_t *nodes = align_trees(&session->nodes,
                                  &to->tree,
                                  &from->tree,
                                  other->functions,
                                  &to->symbols,
                                  &from->symbols,
                                  time_factor,
                                  call_factor);
    if (!other->takes_rest)
        other->report.pace = diff_add_pace(&to->tree, &from->tree, to->symbols.function_count);
    return nodes;
}

uint32_t *session_add_nodes(struct session *session, struct session *other)
{
    struct profile *to = &session->profile, *from = &other->profile;
    match_functions(session, other);
    uint32_t *nodes = diff_add_nodes(
        &session->nodes, &to->tree, &from->tree, other->functions, &to->symbols, &from->symbols);
    tree_builder_lend(&session->nodes, &to->tree);
    return nodes;
}

void session_release(struct session *session)
{
    report_release(&session->report);
    forget_names(session);
    /* What few logs or options have. */
    if (session->hooked.shifts != NULL)
        hooked_functions_release(&session->hooked);
    if (session->sources.request != NULL)
        source_files_release(&session->sources);
    if (session->repeated.logs != NULL)
        repeated_values_release(&session->repeated);
    if (session->found.all != NULL)
        found_release(&session->found);
    text_release(&session->empty_names);
    MEM_FREE(session->wrong_callers.is_doubtful, session->functions);
    tree_builder_release(&session->nodes);
    profile_release(&session->profile);
}
