#include "report/sentences/notes.h"

#include "base/input.h"
#include "report/figures/edges.h"
#include "report/figures/flags.h"
#include "report/sentences/amounts.h"
#include "report/sentences/findings.h"
#include "report/sentences/function_name.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/wrap.h"
#include "select/benchmarks.h"

#include <inttypes.h>
#include <math.h>

enum { INDENT = 6 };

const char *notes_no_calls_reason(const struct report *report)
{
    const struct rebuild_settings *settings = &report->profile->rebuild;
    if (report->profile->recordings.count == 0)
        return "no record of its own in the log";
    if (settings->from.kind != WINDOW_OPEN || report->choice != NULL)
        return "began before this part of the log";
    return "began before the recording";
}

void notes_put_lines(struct text *text, size_t width, struct text *lines)
{
    wrap_put_lines(text, width, INDENT, lines);
}

void notes_put_count(struct text *lines, uint64_t count, const char *one, const char *many)
{
    if (count > 0)
        text_printf(lines, "Note: %s %s\n", amount_count(count).at, count == 1 ? one : many);
}

static void put_hook_losses(struct text *lines, const struct recording *recording)
{
    text_put_string(lines, "Note: hook lost at tick ");
    if (recording->hook_lost_tick >= 0)
        text_put_number(lines, recording->hook_lost_tick);
    else
        text_put_string(lines, "?");
    if (recording->hook_losses > 1)
        text_printf(lines,
                    ", and %s after that",
                    amount_things(recording->hook_losses - 1, "time", "times").at);
    text_put_string(lines,
                    ": another profiler or the debugger window took it; nothing was "
                    "recorded until it was back\n");
}

/* Faults: the hook was taken, or the clock is unusable. */
static void put_faults(struct text *lines, const struct recording *recording)
{
    if (recording->hook_losses > 0)
        put_hook_losses(lines, recording);
    if (recording->is_clock_still)
        text_put_string(lines,
                        "Note: the clock did not move while it was measured: it is too coarse "
                        "to time calls\n");
}

/* Of the first recording in which the border was within a tick. */
static void put_moved(struct text *lines, const struct profile *profile, bool is_from)
{
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        int64_t moved = is_from ? rebuilt->moved_from : rebuilt->moved_to;
        if (moved == 0)
            continue;
        text_printf(lines,
                    "Note: %s is within tick %s, and means its beginning\n",
                    is_from ? "--from" : "--to",
                    tick_name_in(profile, rebuilt, moved - 1).at);
        return;
    }
}

/* Where a window begins and ends, and what is missing of recordings. */
static void put_losses(struct text *lines, const struct profile *profile)
{
    uint64_t missing = 0, late = 0, unknown = 0, endless = 0, events = 0, contradictions = 0;
    uint64_t untimed = 0;
    if (settings_have_window(&profile->rebuild)) {
        put_moved(lines, profile, true);
        put_moved(lines, profile, false);
    }
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        if (!profile->rebuilt[i].is_there)
            continue;
        missing += recording->missing_lines;
        late += recording->late_lines;
        unknown += recording->unknown_lines;
        endless += !recording->has_end;
        events += recording_missing_events(recording);
        contradictions += profile->rebuilt[i].contradictions;
        untimed += profile->rebuilt[i].is_untimed;
        put_faults(lines, recording);
    }
    notes_put_count(lines,
                    endless,
                    "recording has no last line: the game still runs, or ended during the "
                    "recording, or the log is cut",
                    "recordings have no last line: the game still runs, or ended during the "
                    "recording, or the log is cut");
    notes_put_count(lines,
                    missing,
                    "line of a recording is missing; stacks end there and begin again",
                    "lines of recordings are missing; stacks end there and begin again");
    notes_put_count(lines,
                    events,
                    endless == 0 ? "event is missing" : "event or more is missing",
                    endless == 0 ? "events are missing" : "events or more are missing");
    notes_put_count(lines,
                    late,
                    "line was left out: it came twice, or too late",
                    "lines were left out: they came twice, or too late");
    notes_put_count(lines,
                    unknown,
                    "line is of a kind that this version does not know",
                    "lines are of kinds that this version does not know");
    notes_put_count(lines,
                    contradictions,
                    "function returned that was not on the stack",
                    "functions returned that were not on the stack");
    notes_put_count(
        lines,
        untimed,
        "recording is longer than a game can be (damage): only its calls were counted",
        "recordings are longer than games can be (damage): only their calls were counted");
}

void notes_put_folded(struct text *lines, const struct report *report)
{
    const struct folded_stacks *folded = &report->profile->folded;
    if (folded->count == 0 && report->old != NULL)
        folded = &report->old->profile->folded;
    if (folded->count > 0)
        text_printf(
            lines,
            "Note: %s of more than %u frames have a frame '(folded)' in the middle: a log of "
            "this size should not have so many stacks (--max-depth=0 keeps all frames)\n",
            amount_things(folded->count, "stack", "stacks").at,
            (unsigned)folded->depth_max);
}

/* The number of runs that are added up: a watch has no calls to add. */
static uint64_t runs_shown(const struct profile *profile)
{
    uint64_t count = 0, watches = 0;
    if (profile->only_run != 0)
        return 1;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        watches += recording->is_watch && profile_takes(profile, recording);
        count += rebuilt->is_there && !rebuilt->is_outside && !recording->is_watch;
    }
    if (settings_have_window(&profile->rebuild))
        return count;
    return profile->counts.runs - profile->counts.other_state -
           profile_count_unused(profile, NULL) - watches;
}

static bool is_same_log(const struct named_game_log *a, const struct named_game_log *b)
{
    return a->bytes == b->bytes && a->checksum == b->checksum && a->log.lines == b->log.lines;
}

/* Appends which logs are the same, or nothing. */
static void put_same_logs(struct text *text, const struct game_logs *logs)
{
    size_t count = 0;
    for (size_t i = 1; i < logs->count; i++) {
        size_t first = 0;
        while (!is_same_log(&logs->all[first], &logs->all[i]))
            first++;
        bool is_copy = first < i && logs->all[i].bytes > 0;
        count += is_copy;
        if (!is_copy || count > 1)
            continue;
        text_put_clean(text, span_of(logs->all[first].name), false);
        text_put_string(text, " and ");
        text_put_clean(text, span_of(logs->all[i].name), false);
        text_put_string(text, " are the same log, given twice");
    }
    if (count > 1)
        text_printf(text, " (and %s)", amount_things(count - 1, "other pair", "other pairs").at);
}

/* Appends which log has a run twice, or nothing. */
static void put_same_run(struct text *text, const struct game_logs *logs)
{
    for (size_t i = 0; i < logs->count && text->length == 0; i++)
        if (logs->all[i].has_same_run) {
            text_put_clean(text, span_of(input_name(logs->all[i].name)), false);
            text_put_string(text, " has the same run twice: is the log twice in its file?");
        }
}

void notes_put_same_logs(struct text *lines, const struct game_logs *logs)
{
    SCOPED(text) same = {0}, run = {0};
    put_same_logs(&same, logs);
    put_same_run(&run, logs);
    if (same.length > 0)
        text_printf(lines, "Note: %s\n", same.at);
    if (run.length > 0)
        text_printf(lines, "Note: %s\n", run.at);
}

/* Appends from which tick to which one the recordings go. */
static void put_ranges(struct text *text, const struct profile *profile)
{
    enum { SHOWN_MAX = 4 };
    size_t shown = 0;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        if (!rebuilt->has_ticks || rebuilt->is_outside)
            continue;
        if (shown == SHOWN_MAX) {
            text_put_string(text, " ...");
            return;
        }
        text_printf(text,
                    "%s %s to %s",
                    shown++ > 0 ? "," : " from",
                    tick_name_in(profile, rebuilt, rebuilt->first_tick).at,
                    tick_name_in(profile, rebuilt, rebuilt->last_tick).at);
    }
}

static void put_sum_of_runs(struct text *lines, const struct report *report)
{
    uint64_t count = runs_shown(report->profile);
    if (count <= 1 || report->repeated != NULL)
        return;
    text_printf(lines, "Note: %s", amount_things(count, "recording", "recordings").at);
    if (report->log_count > 1)
        text_printf(lines, " of %zu logs", report->log_count);
    text_put_string(lines, " are added up here");
    put_ranges(lines, report->profile);
    text_put_string(lines, " (--run N picks one");
    text_put_string(lines,
                    report->log_count > 1 && report->old == NULL
                        ? "; --repeated shows how they differ, --diff compares)\n"
                        : ")\n");
}

void notes_put_unused(struct text *text, const struct profile *profile,
                      const char *const *log_names)
{
    const struct recording *first = NULL;
    size_t count = profile_count_unused(profile, &first);
    if (count == 0)
        return;
    text_printf(text, "recording %u of ", (unsigned)first->run);
    text_put_clean(text, span_of(input_name(log_names[first->log])), false);
    if (count > 1)
        text_printf(text, " and %s more", amount_count(count - 1).at);
    text_printf(text,
                " %s left out, made by an older version of the recorder (mode = 'sample'): "
                "record again",
                count > 1 ? "are" : "is");
}

static void put_unused(struct text *lines, const struct report *report)
{
    SCOPED(text) note = {0};
    notes_put_unused(&note, report->profile, report->log_names);
    if (note.length > 0)
        text_printf(lines, "Note: %s\n", text_string(&note));
}

static uint64_t count_chosen(const struct profile *profile)
{
    uint64_t ticks = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        ticks += profile->rebuilt[i].sampled_ticks;
    return ticks;
}

/* What the clock knows of threads that ran in no chosen tick. */
static void put_unseen(struct text *lines, const struct report *report,
                       const struct rebuilt_recording *rebuilt)
{
    const double LEAST_FRACTION = 0.01;
    double others = rebuilt->unseen_fraction - rebuilt->most_unseen_fraction;
    if (rebuilt->most_unseen_fraction < LEAST_FRACTION)
        return;
    text_printf(lines,
                "Note: threads of %s took %.1f%% of the time that was measured between the chosen "
                "ticks",
                function_name(report->labels, rebuilt->most_unseen),
                100 * rebuilt->most_unseen_fraction);
    if (others >= LEAST_FRACTION)
        text_printf(lines, ", and others %.1f%%", 100 * others);
    text_put_string(lines, ", and ran in none of these\n");
}

/* What estimates are, and what recording them took. */
static void put_samples(struct text *lines, const struct report *report)
{
    const struct profile *profile = report->profile;
    uint64_t ticks = count_chosen(profile);
    uint64_t old_ticks = report->old != NULL ? count_chosen(report->old->profile) : 0;
    if (old_ticks > 0 && old_ticks < ticks)
        ticks = old_ticks;
    text_put_string(lines, "Note: sums are estimates from ticks that were chosen by chance");
    /* Of what runs in one of N / 3 ticks, 5 of 100 are in none of N chosen ones. */
    if (ticks >= 6)
        text_printf(lines,
                    ": what runs in fewer than 1 of %s ticks may be missing",
                    amount_count(ticks / 3).at);
    text_put_string(lines,
                    ". Of what is shown, 93 to 97 of 100 have the true share within +- with 300 "
                    "ticks, 81 to 96 with 60. A single tick (--tick) is exact\n");
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        if (profile->rebuilt[i].sampled_ticks == 0)
            continue;
        if (recording->added_share >= 0 && recording->passed_ticks > 0)
            text_printf(lines,
                        "Note: %s of %s ticks were recorded, which added %.1f%% to the time of "
                        "the game's Lua\n",
                        amount_count(recording->chosen_ticks).at,
                        amount_count(recording->passed_ticks).at,
                        100 * recording->added_share);
        if (!settings_have_window(&profile->rebuild))
            put_unseen(lines, report, &profile->rebuilt[i]);
        notes_put_count(lines,
                        recording->cut_ticks,
                        "tick took so long to record that the recorder left it: it counts for what "
                        "was recorded of it",
                        "ticks took so long to record that the recorder left them: they count for "
                        "what was recorded of them");
    }
}

void notes_put_other_state(struct text *lines, enum lua_state shown, uint64_t count)
{
    bool is_ui = shown == LUA_STATE_UI;
    if (count > 0)
        text_printf(lines,
                    "Note: %s of the %s %s left out (--state=%s shows %s)\n",
                    amount_things(count, "recording", "recordings").at,
                    is_ui ? "sim" : "user interface",
                    count == 1 ? "is" : "are",
                    is_ui ? "sim" : "ui",
                    count == 1 ? "it" : "them");
}

static void put_records(struct text *lines, const struct report *report, enum report_unit unit)
{
    const struct report_totals *totals = &report->totals;
    const struct profile_counts *counts = &report->profile->counts;
    if (totals->negative_count > 0)
        text_printf(lines,
                    "Note: %s a negative self time, %s in all: the profiler that wrote this log "
                    "loses track where pcall catches an error\n",
                    amount_things(totals->negative_count, "stack has", "stacks have").at,
                    amount_with_unit(totals->negative_ns, unit, amount_units[unit].decimals).at);
    notes_put_count(lines,
                    counts->untimed,
                    "record has no usable time; only the calls were counted",
                    "records have no usable time; only the calls were counted");
    notes_put_other_state(lines, report->profile->rebuild.state, counts->other_state);
    notes_put_count(
        lines, counts->damaged, "damaged record was skipped", "damaged records were skipped");
    notes_put_count(
        lines,
        counts->timeless,
        "record of delins' profiler was left out: it does not say when it was made",
        "records of delins' profiler were left out: they do not say when they were made");
}

/* How many wakes of a root made the same number of calls, if others did not: of a root whose wakes
 * are all alike that says nothing. */
static uint64_t polls_among_others(const struct thread_sum *sum)
{
    return sum->polls < sum->wakes ? sum->polls : 0;
}

/* With the table of threads: the function with the most such wakes. */
static void put_polls(struct text *lines, const struct report *report)
{
    const struct thread_sums *threads = &report->profile->threads;
    size_t best = 0;
    for (size_t i = 1; i < threads->count; i++)
        best =
            polls_among_others(&threads->at[i]) > polls_among_others(&threads->at[best]) ? i : best;
    if (threads->count == 0 || polls_among_others(&threads->at[best]) == 0)
        return;
    const struct thread_sum *sum = &threads->at[best];
    text_printf(lines,
                "Note: %s makes %s in %s of its %s\n",
                function_name(report->labels, (uint32_t)best),
                sum->poll_calls == 0
                    ? "no call"
                    : amount_make("exactly %s",
                                  amount_things((uint64_t)sum->poll_calls, "call", "calls").at)
                          .at,
                amount_count(sum->polls).at,
                amount_things(sum->wakes, "wake", "wakes").at);
}

/*
 * With the table of threads: how many ran once, what it took to fork them, and which line forks the
 * most.
 */
static void put_forks(struct text *lines, const struct report *report)
{
    const struct symbols *symbols = &report->profile->symbols;
    const struct thread_sums *threads = &report->profile->threads;
    uint64_t count = 0, once = 0, calls = 0;
    int64_t fork_ns = 0;
    const struct edge *caller = NULL;
    for (size_t i = 0; i < threads->count; i++) {
        count += threads->at[i].threads;
        once += threads->at[i].once;
    }
    if (once == 0)
        return;
    SCOPED_ARRAY uint8_t *forks = mem_zeroed(symbols->function_count, 1);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        forks[i] = function_forks(symbols, i);
    SCOPED(edges) edges;
    edges_init(&edges, report, forks, false);
    for (size_t i = 0; i < edges.function_count; i++) {
        const struct edge_function *fork = &edges.functions[i];
        calls += symbols_is_c(symbols, fork->function) ? fork->calls : 0;
        fork_ns += fork->self_ns;
    }
    const struct edge_line *line = edges_busiest_line(&edges, forks, &caller);
    if (calls > 0 && line != NULL && caller->function != TREE_NONE) {
        text_printf(lines,
                    "Note: %s of %s ended in the first wake; ",
                    amount_count(once).at,
                    amount_things(count, "thread", "threads").at);
        text_printf(lines,
                    "%s of ForkThread took %s, %s%% of the time; %s forked by %s",
                    amount_sum_things(report, calls, "call", "calls").at,
                    amount_sum_said(report, fork_ns).at,
                    amount_percent(fork_ns, tree_share_ns(report->tree)).at,
                    amount_sum_things(report, line->calls, "thread was", "threads were").at,
                    function_name(report->labels, caller->function));
        if (line->line > 0)
            text_printf(lines, ", line %" PRId32, line->line);
        text_put_string(lines, "\n");
    }
}

void notes_put_threads(struct text *lines, const struct report *report)
{
    if (report->profile->ticks.is_sampled)
        text_put_string(lines, "Note: threads and wakes are those of the recorded ticks\n");
    put_polls(lines, report);
    put_forks(lines, report);
}

/* Of functions that begin at one line, those that are most. */
static void put_sharers(struct text *lines, const struct report *report)
{
    const struct symbols *symbols = &report->profile->symbols;
    uint32_t most = 0, sharers = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct function *function = &symbols->functions[i];
        if (!function->is_used || function->sharers < 2)
            continue;
        count++;
        most = function->sharers > sharers ? i : most;
        sharers = symbols->functions[most].sharers;
    }
    if (count == 0)
        return;
    text_printf(lines,
                "Note: %s is %s functions on line %" PRId32,
                function_name(report->labels, most),
                amount_count(sharers).at,
                symbols->functions[most].line);
    text_put_string(lines, ": Lua does not tell apart what begins on one line");
    if (count > 1)
        text_printf(lines, "; so with %s", amount_things(count - 1, "more line", "more lines").at);
    text_put_string(lines, "\n");
}

/* Where most functions are quicker or slower, it was hardly a change of a mod. */
static void put_pace(struct text *lines, double pace)
{
    const double LEAST = 1.25;
    if (pace >= LEAST || (pace > 0 && pace <= 1 / LEAST))
        text_printf(lines,
                    "Note: in half of the large functions a call took at %s %.2f times as long as "
                    "in the old log: if the change is not in all of these, the computer was %s; "
                    "~ marks such times, too\n",
                    pace > 1 ? "least" : "most",
                    pace,
                    pace > 1 ? "slower" : "quicker");
}

/* The line about the recorder's cost is of the new logs. */
static void put_old_cost(struct text *lines, const struct report *report)
{
    double times = recorder_cost_sum_up(report->old->profile).most_times;
    if (times > recorder_cost_sum_up(report->profile).most_times)
        recorder_cost_put_note(lines, "the old times", times);
}

bool notes_put(struct text *text, const struct report *report, enum report_unit unit)
{
    struct text lines = {0};
    if (report->is_of_two_profilers)
        text_put_string(&lines,
                        "Note: one log is from profiler.lua, the other one from delins' "
                        "profiler: their times cannot be compared\n");
    if (report->profile->is_partial)
        text_put_string(&lines,
                        "Note: the reading ended before the end of the log: this is the "
                        "part that was read\n");
    if (report->show.has_threads)
        notes_put_threads(&lines, report);
    if (report->tree->samples != NULL)
        put_samples(&lines, report);
    put_unused(&lines, report);
    notes_put_folded(&lines, report);
    put_sharers(&lines, report);
    put_records(&lines, report, unit);
    put_sum_of_runs(&lines, report);
    if (report->compares_logs) {
        put_old_cost(&lines, report);
        put_pace(&lines, report->old->pace);
    }
    put_losses(&lines, report->profile);
    if (report->profile->has_memory)
        findings_put_steady_heap(&lines, report);
    bool has_note = lines.length > 0;
    notes_put_lines(text, report->width, &lines);
    return has_note;
}

void notes_put_losses(struct text *text, const struct report *report)
{
    struct text lines = {0};
    put_losses(&lines, report->profile);
    notes_put_lines(text, report->width, &lines);
}

void notes_put_chance(struct text *text, const struct report *report, bool has_option)
{
    SCOPED(text) note = {0};
    if (report->repeated != NULL || report->choice != NULL || report->is_empty ||
        report->is_of_two_profilers)
        return;
    struct wrap wrap = {.width = report->width,
                        .indent = INDENT,
                        .is_colored = report->is_colored && has_option,
                        .is_marked = report->marks_hints};
    size_t count = report->profile->recordings.log_count;
    size_t old_count = report->old->profile->recordings.log_count;
    if (count == old_count)
        text_put_string(&note, "Note: two games differ by chance; record at least 4 of each");
    else
        text_printf(&note,
                    "Note: the sum of %zu log%s is compared with that of %zu",
                    count,
                    count == 1 ? "" : "s",
                    old_count);
    if (count > 1 && old_count == 1)
        text_put_string(&note,
                        "; --diff takes one log, or a pattern in quotes: --diff \"old/*.log\"");
    if (has_option)
        wrap.option = span_of("--repeated");
    else
        wrap.width = 0;
    wrap_put(text, &wrap, text_span(&note));
}

bool notes_put_all(struct text *text, const struct report *report)
{
    warnings_put(text, report);
    recorder_cost_put_details(text, report, false);
    size_t before = text->length;
    if (report->old != NULL)
        notes_put_chance(text, report, false);
    bool has_chance = text->length > before;
    return notes_put(text, report, UNIT_MS) || has_chance;
}

/* Appends lines about all ticks; nothing without ticks. */
static void put_ticks(struct text *text, const struct report *report, const char *title,
                      const struct profile *profile, const struct tick_statistics *ticks)
{
    const struct tick_list *list = &profile->ticks;
    const struct tick_kind *kind = &tick_kinds[list->state];
    struct amount count = amount_things(ticks->count, kind->one, kind->many);
    if (ticks->count == 0)
        return;
    text_printf(text, "%s%s", title, count.at);
    put_ranges(text, profile);
    text_printf(text,
                "\n         %s of %s over %s",
                amount_count(ticks->over_count).at,
                count.at,
                tick_limit(list).at);
    if (ticks->over_count > 0)
        text_printf(text, " by %s together", tick_time(report, ticks->over_ns).at);
    text_printf(text,
                "; median %s, 95%% %s, 99%% %s, longest %s\n",
                tick_time(report, ticks->median_ns).at,
                tick_time(report, ticks->percentile_95_ns).at,
                tick_time(report, ticks->percentile_99_ns).at,
                tick_time(report, ticks->longest_ns).at);
}

/* Slow ticks, and the uncertainty of the numbers. */
static void put_recordings(struct text *text, const struct report *report)
{
    enum { WORST_TICKS = 3, FUNCTIONS = 3 };
    /* A filter needs call stacks, and the list of ticks has none. */
    bool is_filtered = report->selection->filters.count > 0;
    bool is_ui = report->profile->ticks.state == LUA_STATE_UI;
    struct amount title = amount_make("%ss:%*s%s",
                                      tick_kinds[report->profile->ticks.state].title,
                                      is_ui ? 2 : 3,
                                      "",
                                      is_filtered ? "not filtered, " : "");
    put_ticks(text, report, title.at, report->profile, &report->ticks);
    for (size_t i = 0; i < WORST_TICKS && i < report->ticks.row_count; i++) {
        const struct tick *tick = report->ticks.worst[i];
        text_printf(text,
                    "         %s %s: ",
                    tick_name(report, tick).at,
                    tick_time(report, tick->time_ns).at);
        tick_put_functions(text, report, tick, FUNCTIONS, SIZE_MAX);
        text_put_string(text, "\n");
    }
    recorder_cost_put_details(text, report, true);
}

/* What a recorded call adds to the callee and to its caller. */
static void put_call_costs(struct text *text, const struct call_costs *costs)
{
    static const char *const names[] = {[CALL_OF_LUA] = "a Lua function",
                                        [CALL_OF_C] = "a C function",
                                        [CALL_OF_ITERATOR] = "an iterator"};
    text_put_string(text, ";\n         a call adds to itself and to its caller:");
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        text_printf(text,
                    "%s %s + %s us of %s",
                    kind > 0 ? "," : "",
                    recorder_cost_us(costs->in_ns[kind]).at,
                    recorder_cost_us(costs->out_ns[kind]).at,
                    names[kind]);
}

/* How a run was recorded. */
static void put_run(struct text *text, const struct profile *profile, size_t run)
{
    const struct recording *recording = &profile->recordings.all[run];
    struct span clock = intern_get(&profile->symbols.strings, recording->clock);
    double events = (double)recording->events;
    text_printf(text, "Recorded: %s", amount_things(recording->events, "event", "events").at);
    if (recording->events > 0)
        text_printf(
            text, ", %s us each in the recorder", recorder_cost_us(recording->lost_ns / events).at);
    if (recording->events > 0 && recording->slow_events > 0)
        text_printf(text,
                    ", %.1f%% of them by its slower path",
                    100 * fmin((double)recording->slow_events / events, 1));
    text_put_string(text, "; by the clock ");
    text_put_clean(text, clock, false);
    if (recording->hook_losses > 0)
        text_printf(text,
                    "; the hook was lost %s",
                    amount_things(recording->hook_losses, "time", "times").at);
    if (profile->rebuilt[run].costs.is_known)
        put_call_costs(text, &profile->rebuilt[run].costs);
    text_put_string(text, "\n");
}

void details_put_runs(struct text *text, const struct profile *profile)
{
    enum { SHOWN_MAX = 4 };
    for (size_t i = 0; i < profile->recordings.count && i < SHOWN_MAX; i++)
        if (profile->recordings.all[i].has_begin && !profile->rebuilt[i].is_outside)
            put_run(text, profile, i);
}

/* How the functions of the compared logs were matched, and the old ticks. */
static void put_comparison(struct text *text, const struct report *report)
{
    const struct report *old = report->old;
    const struct diff_counts *counts = &old->counts;
    text_printf(text,
                "Old:     functions: %s at the same line, %s at another line of the file, "
                "%s by another name; %s gone, %s new%s\n",
                amount_count(counts->same_place).at,
                amount_count(counts->other_line).at,
                amount_count(counts->other_name).at,
                amount_count(counts->only_old).at,
                amount_count(counts->only_new).at,
                report->tree->samples != NULL || old->tree->samples != NULL
                    ? ", or only not in the chosen ticks"
                    : "");
    put_ticks(text, report, "         ", old->profile, &old->ticks);
    bool has_noise = report->tree->details != NULL && old->tree->details != NULL;
    text_put_string(text,
                    has_noise ? "         ~ marks differences that are too small for the clocks; "
                                "two runs of a game differ by more\n"
                              : "         delins' profiler does not record how uncertain its times "
                                "are\n");
}

void details_put(struct text *text, const struct report *report)
{
    const struct report_totals *totals = &report->totals;
    int64_t all_ns = tree_share_ns(report->tree);
    struct text lines = {0};
    text_printf(&lines,
                "Stacks:  %s, of %s and %s\n",
                amount_count(totals->stacks).at,
                amount_things(totals->functions, "function", "functions").at,
                amount_things(totals->calls, "call", "calls").at);
    text_put_string(
        &lines, amount_share("         ", totals->main_ns, all_ns, "% on the main thread, ").at);
    text_put_string(&lines, amount_share("", totals->coroutine_ns, all_ns, "% in coroutines, ").at);
    if (totals->both_ns != 0)
        text_put_string(&lines, amount_share("", totals->both_ns, all_ns, "% on both, ").at);
    text_put_string(&lines, amount_share("", totals->c_ns, all_ns, "% in C functions\n").at);
    if (report->old != NULL)
        put_comparison(&lines, report);
    put_recordings(&lines, report);
    details_put_runs(&lines, report->profile);
    wrap_put_lines(text, report->width, 2, &lines);
}

enum { DOUBT_INDENT = 2 };

/* The part of the time that is in functions whose names the log has lost. */
static double lost_percent(const struct report *report)
{
    const struct symbols *symbols = &report->profile->symbols;
    const struct sum *sums = report_function_sums(report, false);
    int64_t lost_ns = 0, all_ns = tree_share_ns(report->tree);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        lost_ns += symbols_is_lost(symbols, i) ? sums[i].self_ns : 0;
    return all_ns > 0 ? 100 * (double)lost_ns / (double)all_ns : 0;
}

const char notes_wrapped[] = ": the log's lines are wrapped; was it copied from a window? Give the "
                             "file itself";

/* Appends the sentence that comes before all others. */
static void put_lacking(struct text *text, const struct report *report,
                        const struct profile *profile, const char *title)
{
    struct text sentence = {0};
    struct lacking lacking = lacking_events(profile);
    if (!lacking.is_some && !lacking.is_too_much)
        return;
    text_put_clean(&sentence, span_of(title), false);
    if (lacking.fraction > 0)
        text_printf(&sentence,
                    "%.0f%% of the %s are missing",
                    floor(100 * lacking.fraction),
                    profile->recordings.count > 0 ? "events" : "records");
    else
        text_put_string(&sentence, "Events are missing");
    text_put_string(&sentence,
                    lacking.is_wrapped
                        ? notes_wrapped
                        : ": lines of the log are lost, cut or wrapped; times and calls "
                          "are wrong. Give the file itself");
    wrap_put_line(text, report->width, DOUBT_INDENT, &sentence);
}

/* Appends which part of the readings of the clock was impossible, if it is not small. */
static void put_clock_faults(struct text *text, const struct report *report)
{
    const double least = 0.01;
    const struct profile *profile = report->profile;
    uint64_t faults = 0, events = 0;
    struct text sentence = {0};
    for (size_t i = 0; i < profile->recordings.count; i++) {
        if (!profile->rebuilt[i].is_there)
            continue;
        faults += profile->recordings.all[i].clock_faults;
        events += profile->recordings.all[i].events;
    }
    if (faults == 0 || (double)faults < least * (double)events)
        return;
    text_printf(&sentence,
                "%s impossible, %.0f%% of all: the times after them are wrong, and the sums with "
                "them",
                amount_things(faults, "clock reading is", "clock readings are").at,
                100 * fmin(1, (double)faults / (double)events));
    wrap_put_line(text, report->width, DOUBT_INDENT, &sentence);
}

/* Appends what is missing, and whether the times depend on it. */
static void put_missing(struct text *sentence, const struct profile *profile, uint64_t beginless)
{
    if (beginless == 0)
        text_put_string(sentence, "Lines of the log are missing");
    else if (beginless == 1)
        text_printf(sentence,
                    "The beginning of %s recording is missing: its unit of time is a guess",
                    profile->recordings.count > 1 ? "a" : "the");
    else
        text_printf(sentence,
                    "The beginning of %s recordings is missing: their units of time are guesses",
                    amount_count(beginless).at);
}

static void put_lost(struct text *text, const struct report *report)
{
    enum { PERCENT_MIN = 1 };
    struct text sentence = {0};
    double percent = lost_percent(report);
    const struct profile *profile = report->profile;
    uint64_t beginless = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        beginless += profile->rebuilt[i].is_there && !profile->recordings.all[i].has_begin;
    if (beginless == 0 && percent < PERCENT_MIN)
        return;
    put_missing(&sentence, profile, beginless);
    if (percent >= PERCENT_MIN)
        text_printf(&sentence,
                    "; %.0f%% of the time is in functions whose names are lost: (lost)",
                    percent);
    wrap_put_line(text, report->width, DOUBT_INDENT, &sentence);
}

/* Appends "55% of the time has wrong callers: an error had ended them (pcall and 5 others)"; where
 * a share means nothing, "Many stacks have". */
static void put_wrong_callers(struct text *sentence, const struct report *report)
{
    const struct wrong_callers *frames = report->wrong_callers;
    double percent = 100 * (double)frames->below_ns / (double)frames->share_ns;
    if (percent > 0 && amount_is_share(frames->below_ns, frames->share_ns))
        text_printf(sentence, "%.0f%% of the time has", percent);
    else
        text_put_string(sentence, "Many stacks have");
    text_printf(sentence,
                " wrong callers: an error had ended them (%s",
                function_name(report->labels, frames->worst));
    if (frames->place_count > 1)
        text_printf(
            sentence, " and %s", amount_things(frames->place_count - 1, "other", "others").at);
    text_put_string(sentence, "), which delins' profiler does not notice");
}

static void put_wrong_times(struct text *text, const struct report *report)
{
    struct text sentence = {0};
    if (report->wrong_callers->place_count > 0)
        put_wrong_callers(&sentence, report);
    else
        text_printf(
            &sentence,
            "The times of %s are wrong: delins' profiler does not notice errors that are "
            "caught, nor threads that end",
            amount_things(report->wrong_callers->doubtful_count, "function", "functions").at);
    text_printf(
        &sentence, ". Do not trust the times of functions marked %s", flag_infos[FLAG_ENDED].sign);
    wrap_put_line(text, report->width, DOUBT_INDENT, &sentence);
}

void warnings_put_first(struct text *text, const struct report *report)
{
    put_lacking(text, report, report->profile, "");
    if (report->compares_logs)
        put_lacking(text, report, report->old->profile, "Old log: ");
}

/* Appends that a log or a recording counts twice. */
static void put_copies(struct text *text, const struct report *report,
                       const struct game_logs *given)
{
    struct text logs = {0}, runs = {0};
    if (given->count > 1)
        put_same_logs(&logs, given);
    put_same_run(&runs, given);
    if (logs.length > 0) {
        text_put_string(&logs, ": it counts twice");
        wrap_put_line(text, report->width, DOUBT_INDENT, &logs);
    }
    if (runs.length > 0)
        wrap_put_line(text, report->width, DOUBT_INDENT, &runs);
}

void warnings_put(struct text *text, const struct report *report)
{
    put_copies(text, report, &report->profile->game_logs);
    if (report->compares_logs)
        put_copies(text, report, &report->old->profile->game_logs);
    put_clock_faults(text, report);
    put_lost(text, report);
    if (report->has_wrong_callers)
        put_wrong_times(text, report);
}

static void put_side(struct text *text, const struct benchmark_row *row,
                     const struct sample_summary *summary, size_t count)
{
    text_printf(text, "%.3f s", summary->median);
    if (count > 1)
        text_printf(text, " ± %.3f s in %s benchmarks", summary->spread, amount_count(count).at);
    int64_t game_ns = row->to_ns - row->from_ns;
    if (game_ns > 0)
        text_printf(text, ", %.3f s per game second", summary->median / ((double)game_ns / 1e9));
}

static void put_shift(struct text *text, const struct benchmark_row *row)
{
    const struct sample_shift *shift = &row->shift;
    text_printf(text, "; difference %+.3f s", shift->estimate);
    if (row->old.median > 0)
        text_printf(text, " (%+.1f%%)", 100 * shift->estimate / row->old.median);
    if (row->new_count < SAMPLES_ENOUGH || row->old_count < SAMPLES_ENOUGH) {
        text_put_string(text, ", too few to tell from chance");
        return;
    }
    if (!isnan(shift->low))
        text_printf(text, ", %+.3f to %+.3f s", shift->low, shift->high);
    text_printf(
        text, shift->is_told_apart ? " (p = %.3f)" : ", may be chance (p = %.3f)", shift->p);
}

static void put_row(struct text *text, const struct benchmark_row *row)
{
    text_printf(text,
                "  %s to %s: ",
                tick_game_time((double)row->from_ns / 1e9).at,
                tick_game_time((double)row->to_ns / 1e9).at);
    if (row->new_count > 0)
        put_side(text, row, &row->now, row->new_count);
    if (row->old_count > 0) {
        text_put_string(text, row->new_count > 0 ? "; old " : "only old, ");
        put_side(text, row, &row->old, row->old_count);
    }
    if (row->has_shift)
        put_shift(text, row);
}

void benchmarks_put(struct text *text, const struct report *report, size_t limit)
{
    SCOPED(benchmarks) benchmarks;
    benchmarks_init(
        &benchmarks, report->profile, report->old != NULL ? report->old->profile : NULL);
    size_t shown = limit != 0 && limit < benchmarks.count ? limit : benchmarks.count;
    if (shown > 0)
        text_put_string(text, "Benchmarks: wall-clock time of parts of the game\n");
    for (size_t i = 0; i < shown; i++) {
        struct text line = {0};
        put_row(&line, &benchmarks.rows[i]);
        wrap_put_line(text, report->width, 4, &line);
    }
    if (shown < benchmarks.count)
        text_printf(text,
                    "  ... and %s\n",
                    amount_things(benchmarks.count - shown, "more part", "more parts").at);
}
