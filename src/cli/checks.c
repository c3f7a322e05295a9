#include "cli/checks.h"

#include "report/text/report_recording.h"

#include <string.h>

enum { SECOND_TICKS = 10 };

/* Whether each output shows benchmarks, for a log that has only those. */
static bool check_formats(const struct options *options, const char *name, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++)
        if (!options->outputs[i].format->shows_benchmarks)
            return error_set(err, "%s: only benchmarks in it, which the format %s cannot show",
                             name, options->outputs[i].format->name);
    return true;
}

bool check_contents(const struct profile *profile, const struct options *options,
                    const char *const *logs, size_t log_count, struct error *err)
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
    const char *log = log_count == 1 ? logs[0] : "the logs";
    const char *name = strcmp(log, "-") == 0 ? "standard input" : log;
    if (profile_has_only_benchmarks(profile))
        return check_formats(options, name, err);
    if (counts->timeless > 0)
        return error_set(err,
                         "%s: its records do not say when they were, so --from, --to and --tick "
                         "cannot choose; that needs a recording of profiler.lua",
                         name);
    if (counts->damaged > 0 && counts->other_runs == 0)
        return error_set(err, "%s: all of its profiler lines are damaged", name);
    if (counts->other_runs > 0)
        return error_set(err, "%s: no records in run %u; the log has %u run%s", name,
                         (unsigned)options->run, (unsigned)counts->runs,
                         counts->runs == 1 ? "" : "s");
    if (counts->bytes == 0)
        return error_set(err, "%s: %s empty", name, log_count == 1 ? "the log is" : "they are");
    return error_set(err,
                     "%s: no profiler lines ('info: prof: ...') in it; was the profiler started "
                     "and stopped in that game?",
                     name);
}

/* "#20 (0:02.0)" */
static void put_tick(struct text *text, const struct rebuilt_run *run, int64_t tick)
{
    text_printf(text, "#%lld (", (long long)tick);
    recording_put_game_time(text, run->zero_seconds + (double)tick / SECOND_TICKS);
    text_put_string(text, ")");
}

/* Fails, and says from which range a window can be chosen. */
static bool refuse_window(const struct profile *profile, struct error *err)
{
    const struct rebuilt_run *first = NULL, *last = NULL;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_run *run = &profile->runs[i];
        if (!run->has_ticks)
            continue;
        if (first == NULL || run->all_first_tick < first->all_first_tick)
            first = run;
        if (last == NULL || run->all_last_tick > last->all_last_tick)
            last = run;
    }
    if (first == NULL)
        return error_set(err, "nothing is in that window (--from, --to, --tick): the log does not "
                              "say which tick is which");
    struct text range = {0};
    put_tick(&range, first, first->all_first_tick);
    text_put_string(&range, " to ");
    put_tick(&range, last, last->all_last_tick);
    error_set(err, "nothing is in that window (--from, --to, --tick); the log has ticks %.*s",
              (int)range.length, range.at);
    text_release(&range);
    return false;
}

/* Whether any calls were read, in the window if there is one. */
bool check_window(const struct profile *profile, const struct options *options, struct error *err)
{
    bool has_window = options->from.kind != WINDOW_OPEN || options->to.kind != WINDOW_OPEN;
    if (profile->tree.node_count > 1 || profile_has_only_benchmarks(profile))
        return true;
    if (has_window)
        return refuse_window(profile, err);
    if (selection_is_one_thread(&options->selection))
        return error_set(err, "nothing in the log ran on the thread that --thread names");
    if (options->run != 0)
        return error_set(err, "nothing in run %u; the logs have %u run%s", (unsigned)options->run,
                         (unsigned)profile->counts.runs, profile->counts.runs == 1 ? "" : "s");
    return error_set(err, "the recording in the log has no calls");
}

/* Whether the log has the data that the options need. */
bool check_details(const struct profile *profile, const struct options *options, struct error *err)
{
    const struct column_info *sorted = &column_infos[options->sort];
    if (sorted->needs != NEEDS_NOTHING && profile->tree.details == NULL)
        return error_set(err,
                         "--sort=%s needs a recording of profiler.lua; the log has only records "
                         "of delins' profiler",
                         sorted->word);
    bool has_memory = false;
    for (size_t i = 0; i < profile->recordings.count; i++)
        has_memory |= profile->recordings.all[i].has_memory;
    bool shows_alloc = options->metric == METRIC_ALLOC;
    if (options->metric > METRIC_CALLS && profile->tree.details == NULL)
        return error_set(err, "--metric by errors or heap needs a recording of profiler.lua; "
                              "the log has only records of delins' profiler");
    if (shows_alloc && !has_memory)
        return error_set(err, "--metric=heap: memory was not recorded; set 'memory = true' at "
                              "the top of profiler.lua");
    if (sorted->needs == NEEDS_MEMORY && !has_memory)
        return error_set(err,
                         "--sort=%s: memory was not recorded; set 'memory = true' at the top of "
                         "profiler.lua",
                         sorted->word);
    return true;
}

bool check_peek(const struct options *options, const struct profile *profile,
                const struct labels *labels, uint8_t *is_peeked, bool *is_usage, struct error *err)
{
    struct error why;
    uint32_t match_count = filter_match(options->peek, &profile->tree, labels,
                                        profile->symbols.function_count, is_peeked, &why);
    *is_usage = match_count == UINT32_MAX;
    if (match_count > 0 && !*is_usage)
        return true;
    struct text pattern = {0};
    text_put_clean(&pattern, pattern_text(options->peek), false);
    struct span span = text_span(&pattern);
    if (*is_usage)
        error_set(err, "--peek '%.*s': %s", (int)span.length, span.at, why.text);
    else
        error_set(
            err,
            options->selection.filters.count > 0
                ? "--peek '%.*s' matches none of the functions that the filters left"
                : "--peek '%.*s' matches no function; patterns are looked for in names and places "
                  "such as 'OnDamage lua/sim/unit.lua:120', and letter case counts unless they "
                  "begin with (?i)",
            (int)span.length, span.at);
    text_release(&pattern);
    return false;
}

bool check_timeline_length(const struct timeline *timeline, struct error *err)
{
    if (!timeline->is_too_long)
        return true;
    struct text text = {0};
    text_put_string(&text, "the time line has ");
    text_put_grouped(&text, timeline->calls);
    bool is_in_pieces = timeline->calls <= TIMELINE_SLICES_MAX;
    text_printf(&text, "%s the limit for viewers of ",
                is_in_pieces ? " calls in more pieces than" : " calls, more than");
    text_put_grouped(&text, TIMELINE_SLICES_MAX);
    text_put_string(&text, "; choose a shorter window with --from and --to");
    if (timeline->window_ticks > 0 && timeline->calls > 0) {
        double ticks = (double)timeline->window_ticks;
        text_put_string(&text, " (a second of this one has ");
        text_put_grouped(&text, (uint64_t)((double)timeline->calls / ticks * SECOND_TICKS));
        text_put_string(&text, " on average)");
    }
    error_set(err, "%.*s", (int)text.length, text.at);
    text_release(&text);
    return false;
}

bool check_timeline(const struct profile *profile, const struct options *options, struct error *err)
{
    const char *format = NULL;
    for (size_t i = 0; i < options->output_count && format == NULL; i++)
        if (options->outputs[i].format->uses_timeline)
            format = options->outputs[i].format->name;
    if (format == NULL)
        return true;
    if (!check_timeline_length(&profile->timeline, err))
        return false;
    if (profile->counts.records > 0)
        return error_set(err,
                         "--format=%s shows recordings of profiler.lua; the log has records of "
                         "delins' profiler, which do not say when they were%s",
                         format,
                         profile->recordings.count > 0 ? " (--run chooses a recording)" : "");
    return true;
}
