#include "cli/logs/parts.h"

#include "base/input.h"
#include "report/sentences/tick_text.h"

static bool check_strictly(const struct profile *profile, struct error *err)
{
    uint64_t damaged = profile->counts.damaged, missing = profile_missing_lines(profile);
    if (damaged > 0)
        return error_set(err, "%llu damaged record%s, which --strict does not allow",
                         (unsigned long long)damaged, damaged == 1 ? "" : "s");
    return missing == 0 ||
           error_set(err, "%llu line%s of recordings %s missing, which --strict does not allow",
                     (unsigned long long)missing, missing == 1 ? "" : "s",
                     missing == 1 ? "is" : "are");
}

bool check_contents(const struct profile *profile, const struct options *options,
                    const struct name_list *logs, struct error *err)
{
    const struct profile_counts *counts = &profile->counts;
    const struct report_format *format = options_format_without(options, SHOWS_BENCHMARKS);
    const char *name = logs->count == 1 ? input_name(logs->all[0]) : "the logs";
    if (options->reading.is_strict && !check_strictly(profile, err))
        return false;
    if (counts->records > 0 || counts->events > 0)
        return true;
    if (profile_has_only_benchmarks(profile))
        return format == NULL ||
               error_set(err, "%s: has only benchmarks, which the format %s cannot show", name,
                         format->name);
    if (profile_is_unrecorded(profile) && options->reading.takes_any_log)
        return true;
    if (counts->timeless > 0)
        return error_set_code(err, "--from",
                              "%s: --from, --to and --tick need a recording of profiler.lua; the "
                              "records in the log have no time stamps",
                              name);
    if (counts->damaged > 0 && counts->other_runs == 0)
        return error_set_code(err, "all-damaged", "%s: all of its profiler lines are damaged",
                              name);
    if (counts->other_runs > 0)
        return error_set_code(err, "--run", "%s: no records in run %u; the log has %u run%s", name,
                              (unsigned)profile->only_run, (unsigned)counts->runs,
                              counts->runs == 1 ? "" : "s");
    if (counts->bytes == 0)
        return error_set_code(err, "no-recording", "%s: %s", name,
                              logs->count > 1                  ? "they are empty"
                              : name_list_count(logs, "-") > 0 ? "the log is empty; name a log"
                                                               : "the log is empty");
    return error_set_code(
        err, "no-recording",
        "%s: no profiler lines ('info: prof: ...') in it; was the profiler started "
        "and stopped in that game?",
        name);
}

/* Fails, and says from which range a window can be chosen. */
static bool refuse_window(const struct profile *profile, struct error *err)
{
    const char *code = profile->rebuild.from.kind != WINDOW_OPEN ? "--from" : "--to";
    const struct rebuilt_run *first = NULL, *last = NULL;
    bool is_sampled = false;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_run *run = &profile->runs[i];
        if (!run->has_ticks)
            continue;
        is_sampled |= run->is_sampled;
        if (first == NULL || run->all_first_tick < first->all_first_tick)
            first = run;
        if (last == NULL || run->all_last_tick > last->all_last_tick)
            last = run;
    }
    if (first == NULL)
        return error_set_code(err, code, "nothing is in that window: the log has no ticks");
    return error_set_code(err, code, "nothing is in that window%s; the log has %s %s to %s",
                          is_sampled ? ", or no sampled part: choose more ticks" : "",
                          tick_kinds[profile->rebuild.state].many,
                          tick_name_in(profile, first, first->all_first_tick).at,
                          tick_name_in(profile, last, last->all_last_tick).at);
}

bool check_window(const struct profile *profile, const char *title, struct error *err)
{
    const struct rebuild_settings *rebuild = &profile->rebuild;
    if (rebuild->state == LUA_STATE_UI &&
        (rebuild->from.kind == WINDOW_SECONDS || rebuild->to.kind == WINDOW_SECONDS))
        return error_set_code(err, rebuild->from.kind == WINDOW_SECONDS ? "--from" : "--to",
                              "frames of the user interface have no game time; choose them by "
                              "their numbers, as in --tick=900 or --from='#900'");
    if (profile->tree.node_count > 1 || profile_has_only_benchmarks(profile) ||
        profile_is_unrecorded(profile))
        return true;
    if (rebuild->from.kind != WINDOW_OPEN || rebuild->to.kind != WINDOW_OPEN)
        return refuse_window(profile, err);
    if (rebuild->threads != (NODE_MAIN | NODE_COROUTINE))
        return error_set_code(err, "--thread", "nothing in the log ran on that thread");
    if (profile->counts.other_state > 0)
        return error_set_code(err, "--state", "%s: the log has no recording of the %s", title,
                              profile->rebuild.state == LUA_STATE_UI ? "user interface" : "sim");
    if (profile->only_run != 0)
        return error_set_code(err, "--run", "nothing in run %u; the logs have %u run%s",
                              (unsigned)profile->only_run, (unsigned)profile->counts.runs,
                              profile->counts.runs == 1 ? "" : "s");
    for (size_t i = 0; i < profile->recordings.count; i++)
        if (profile->runs[i].is_sampled)
            return error_set(err, "the recording in the log is sampled, and no part of it is in "
                                  "what is shown; choose more of it");
    return error_set(err, "the recording in the log has no calls");
}

bool check_details(const struct profile *profile, const struct report_options *show,
                   struct error *err)
{
    const struct column_info *sorted = &column_infos[show->sort];
    bool is_recording = profile->tree.details != NULL, has_memory = profile_has_memory(profile);
    if (show->has_threads && profile->threads.life_count == 0)
        return error_set_code(err, "--threads",
                              "--threads: no thread ran in the part of the log that is shown%s",
                              is_recording ? "" : "; only recordings of profiler.lua have them");
    if (sorted->needs != NEEDS_NOTHING && !is_recording)
        return error_set_code(
            err, "--sort",
            "--sort=%s needs a recording of profiler.lua; the log has only records "
            "of delins' profiler",
            sorted->word);
    if (sorted->needs == NEEDS_LINES && profile->tree.lines == NULL)
        return error_set_code(err, "--sort",
                              "--sort=%s: no lines were recorded; name functions in 'lines = {}' "
                              "at the top of profiler.lua",
                              sorted->word);
    if (show->metric > METRIC_CALLS && !is_recording)
        return error_set_code(err, "--metric",
                              "--metric=errors and --metric=heap need a recording of profiler.lua; "
                              "the log has only records of delins' profiler");
    const char *code = show->metric == METRIC_ALLOC    ? "--metric"
                       : sorted->needs == NEEDS_MEMORY ? "--sort"
                                                       : NULL;
    return code == NULL || has_memory ||
           error_set_code(err, code,
                          "%s=heap: memory was not recorded; set 'memory = true' at the top of "
                          "profiler.lua",
                          code);
}

bool check_timeline_length(const struct timeline *timeline, struct error *err)
{
    if (!timeline->is_too_long)
        return true;
    struct text text = {0};
    bool is_in_pieces = timeline->calls <= TIMELINE_SLICES_MAX;
    text_printf(&text,
                "the time line has %s calls%s more than %s%s, the limit for viewers; choose a "
                "shorter window with --from and --to",
                amount_count(timeline->calls).at, is_in_pieces ? " in" : ",",
                amount_count(TIMELINE_SLICES_MAX).at, is_in_pieces ? " pieces" : "");
    if (timeline->window_ticks > 0 && timeline->calls > 0) {
        double seconds = (double)timeline->window_ticks / TICKS_A_SECOND;
        text_printf(&text, " (a second of this one has %s on average)",
                    amount_count((uint64_t)((double)timeline->calls / seconds)).at);
    }
    error_set(err, "%s", text.at);
    text_release(&text);
    return false;
}

bool check_timeline(const struct profile *profile, const struct report_format *format,
                    struct error *err)
{
    if (format == NULL)
        return true;
    if (!check_timeline_length(&profile->timeline, err))
        return false;
    return profile->counts.records == 0 ||
           error_set(err,
                     "--format=%s shows recordings of profiler.lua; the log has records of delins' "
                     "profiler, which have no time stamps%s",
                     format->name,
                     profile->recordings.count > 0 ? " (--run chooses a recording)" : "");
}
