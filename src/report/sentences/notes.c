#include "report/sentences/notes.h"

#include "report/figures/edges.h"
#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/headline.h"
#include "report/sentences/parts.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/wrap.h"

#include <inttypes.h>

enum { INDENT = 6 };

const char *notes_no_calls_reason(const struct report *report)
{
    const struct rebuild_settings *settings = &report->profile->rebuild;
    if (report->profile->recordings.count == 0)
        return "no record of its own in the log";
    if (settings->from.kind != WINDOW_OPEN || report->choice != NULL)
        return "was already running when this part of the log began";
    return "was already running when recording began";
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
        text_printf(lines, ", and %llu times after that",
                    (unsigned long long)recording->hook_losses - 1);
    text_put_string(lines, ": another profiler or the debugger window took it; nothing was "
                           "recorded until it was back\n");
}

/* Faults: the hook was taken, or the clock is unusable. */
static void put_faults(struct text *lines, const struct recording *recording)
{
    if (recording->hook_losses > 0)
        put_hook_losses(lines, recording);
    notes_put_count(lines, recording->clock_faults,
                    "clock reading is impossible: the times of this recording may be wrong",
                    "clock readings are impossible: the times of this recording are wrong");
    if (recording->is_clock_still)
        text_put_string(lines,
                        "Note: the clock did not move while it was measured: it is too coarse "
                        "to time calls\n");
}

static void put_losses(struct text *lines, const struct profile *profile)
{
    uint64_t missing = 0, late = 0, unknown = 0, endless = 0, events = 0, contradictions = 0;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        if (!profile->runs[i].is_there)
            continue;
        missing += recording->missing_lines;
        late += recording->late_lines;
        unknown += recording->unknown_lines;
        endless += !recording->has_end;
        if (recording->has_end && recording->events_written > recording->events)
            events += recording->events_written - recording->events;
        contradictions += profile->runs[i].contradictions;
        put_faults(lines, recording);
    }
    notes_put_count(lines, endless,
                    "recording has no last line: the game still runs, or ended during the "
                    "recording, or the log is cut",
                    "recordings have no last line: the game still runs, or ended during the "
                    "recording, or the log is cut");
    notes_put_count(lines, missing,
                    "line of a recording is missing; stacks end there and begin again",
                    "lines of recordings are missing; stacks end there and begin again");
    notes_put_count(lines, events, endless == 0 ? "event is missing" : "event or more is missing",
                    endless == 0 ? "events are missing" : "events or more are missing");
    notes_put_count(lines, late, "line was left out: it came twice, or too late",
                    "lines were left out: they came twice, or too late");
    notes_put_count(lines, unknown, "line is of a kind that this version does not know",
                    "lines are of kinds that this version does not know");
    notes_put_count(lines, contradictions, "function returned that was not on the stack",
                    "functions returned that were not on the stack");
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
            amount_things(folded->count, "stack", "stacks").at, (unsigned)folded->depth_max);
}

/* The number of runs that are added up. */
static uint64_t runs_shown(const struct profile *profile)
{
    const struct rebuild_settings *settings = &profile->rebuild;
    if (profile->only_run != 0)
        return 1;
    if (settings->from.kind == WINDOW_OPEN && settings->to.kind == WINDOW_OPEN)
        return profile->counts.runs - profile->counts.other_state;
    uint64_t count = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        count += profile->runs[i].is_there && !profile->runs[i].is_outside;
    return count;
}

static void put_sum_of_runs(struct text *lines, const struct report *report)
{
    uint64_t count = runs_shown(report->profile);
    if (count <= 1)
        return;
    text_printf(lines, "Note: %s", amount_things(count, "run", "runs").at);
    if (report->log_count > 1)
        text_printf(lines, " of %zu logs", report->log_count);
    text_put_string(lines, " are added up here (--run N picks one");
    text_put_string(lines, report->log_count > 1 && report->old == NULL
                               ? "; --repeated shows how they differ, --diff compares)\n"
                               : ")\n");
}

static void put_samples(struct text *lines, const struct report *report)
{
    enum { BURSTS_FEW = 1000 };
    uint64_t bursts = 0;
    for (size_t i = 0; i < report->profile->recordings.count; i++)
        bursts += report->profile->runs[i].bursts;
    if (report->tree->samples == NULL)
        return;
    text_put_string(lines,
                    "Note: sampled: times and calls are estimates. +- is the standard error of a "
                    "share: in 95 of 100 cases the truth is within 2.1 times that. But most rare "
                    "calls that take milliseconds are not seen; 'trigger' in profiler.lua records "
                    "slow ticks exactly. Ticks are timed by the clock, with what the engine did in "
                    "them\n");
    if (bursts < BURSTS_FEW)
        text_printf(lines, "Note: only %s: that is not much\n",
                    amount_things(bursts, "burst", "bursts").at);
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
                    amount_with_unit(totals->negative_ns, unit, amount_decimals(unit)).at);
    notes_put_count(lines, counts->untimed,
                    "record has no usable time; only the calls were counted",
                    "records have no usable time; only the calls were counted");
    if (counts->other_state > 0)
        text_printf(lines, "Note: %s of the %s left out (--state=%s shows %s)\n",
                    amount_things(counts->other_state, "recording", "recordings").at,
                    report->profile->rebuild.state == LUA_STATE_UI ? "sim is" : "user interface is",
                    report->profile->rebuild.state == LUA_STATE_UI ? "sim" : "ui",
                    counts->other_state == 1 ? "it" : "them");
    notes_put_count(lines, counts->damaged, "damaged record was skipped",
                    "damaged records were skipped");
    notes_put_count(
        lines, counts->timeless,
        "record of delins' profiler was left out: it does not say when it was made",
        "records of delins' profiler were left out: they do not say when they were made");
}

/* With the table of threads: what it costs that they wake for nothing. */
static void put_polls(struct text *lines, const struct report *report, enum report_unit unit)
{
    const struct thread_sums *threads = &report->profile->threads;
    uint64_t wakes = 0, polls = 0;
    int64_t poll_ns = 0;
    for (size_t i = 0; i < threads->count; i++) {
        wakes += threads->at[i].wakes;
        polls += threads->at[i].polls;
        poll_ns += threads->at[i].poll_ns;
    }
    if (polls == 0)
        return;
    text_printf(lines, "Note: %s of %s were polls, which took %s, %s%% of the time\n",
                amount_count(polls).at, amount_things(wakes, "wake", "wakes").at,
                amount_with_unit(poll_ns, unit, amount_decimals(unit)).at,
                amount_percent(poll_ns, report_total_ns(report)).at);
}

/* Whether a function forks threads: the game's, or a method that only calls that. */
static bool is_fork(const struct symbols *symbols, uint32_t function)
{
    static const char NAME[] = "ForkThread";
    uint32_t id = symbols->functions[function].name;
    const char *name = id != INTERN_NONE ? intern_get(&symbols->strings, id).at : "";
    const char *dot = strrchr(name, '.');
    return strcmp(dot != NULL ? dot + 1 : name, NAME) == 0;
}

/*
 * With the table of threads: how many ran once, what it took to fork them, and which line forks the
 * most.
 */
static void put_forks(struct text *lines, const struct report *report, enum report_unit unit)
{
    const struct symbols *symbols = &report->profile->symbols;
    const struct thread_sums *threads = &report->profile->threads;
    uint64_t count = 0, once = 0, calls = 0;
    int64_t fork_ns = 0;
    struct edges edges;
    const struct edge *caller = NULL;
    uint8_t *forks = mem_zeroed(symbols->function_count, 1);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        forks[i] = is_fork(symbols, i);
    for (size_t i = 0; i < threads->count; i++) {
        count += threads->at[i].threads;
        once += threads->at[i].once;
    }
    edges_init(&edges, report, forks);
    for (size_t i = 0; i < edges.function_count; i++) {
        const struct edge_function *fork = &edges.functions[i];
        calls += symbols_is_c(symbols, fork->function) ? fork->calls : 0;
        fork_ns += fork->self_ns;
    }
    const struct edge_line *line = edges_busiest_line(&edges, forks, &caller);
    if (once > 0 && calls > 0 && line != NULL && caller->function != TREE_NONE) {
        text_printf(lines, "Note: %s of %s ran once; ", amount_count(once).at,
                    amount_things(count, "thread", "threads").at);
        text_printf(lines, "%s of ForkThread took %s, %s%% of the time; %s forked by %s",
                    amount_things(calls, "call", "calls").at,
                    amount_with_unit(fork_ns, unit, amount_decimals(unit)).at,
                    amount_percent(fork_ns, report_total_ns(report)).at,
                    amount_things(line->calls, "thread was", "threads were").at,
                    function_name(report->labels, caller->function));
        if (line->line > 0)
            text_printf(lines, ", line %" PRId32, line->line);
        text_put_string(lines, "\n");
    }
    edges_release(&edges);
    free(forks);
}

void notes_put_threads(struct text *lines, const struct report *report, enum report_unit unit)
{
    put_polls(lines, report, unit);
    put_forks(lines, report, unit);
}

bool notes_put(struct text *text, const struct report *report, enum report_unit unit, size_t width)
{
    struct text lines = {0};
    if (headline_is_of_two_profilers(report))
        text_put_string(&lines, "Note: one log is from profiler.lua, the other one from delins' "
                                "profiler: their times cannot be compared\n");
    if (report->profile->is_partial)
        text_put_string(&lines, "Note: the reading ended before the end of the log: this is the "
                                "part that was read\n");
    if (report->show.has_threads)
        notes_put_threads(&lines, report, unit);
    put_samples(&lines, report);
    notes_put_folded(&lines, report);
    put_records(&lines, report, unit);
    put_sum_of_runs(&lines, report);
    put_losses(&lines, report->profile);
    bool has_note = lines.length > 0;
    notes_put_lines(text, width, &lines);
    return has_note;
}

void notes_put_losses(struct text *text, const struct report *report, size_t width)
{
    struct text lines = {0};
    put_losses(&lines, report->profile);
    notes_put_lines(text, width, &lines);
}

void notes_put_chance(struct text *text, const struct report *report, bool has_option)
{
    struct text note = {0};
    if (report->old == NULL || report->choice != NULL || report_is_empty(report) ||
        headline_is_of_two_profilers(report))
        return;
    struct wrap wrap = {
        .width = report->width, .indent = INDENT, .is_colored = report->is_colored && has_option};
    size_t count = report->profile->recordings.log_count;
    size_t old_count = report->old->profile->recordings.log_count;
    if (count == old_count)
        text_put_string(&note, "Note: two games differ by chance; record at least 4 of each");
    else
        text_printf(&note, "Note: the sum of %zu log%s is compared with that of %zu", count,
                    count == 1 ? "" : "s", old_count);
    if (count > 1 && old_count == 1)
        text_put_string(&note,
                        "; --diff takes one log, or a pattern in quotes: --diff \"old/*.log\"");
    if (has_option)
        wrap.option = span_of("--repeated");
    else
        wrap.width = 0;
    wrap_put(text, &wrap, text_span(&note));
    text_release(&note);
}

bool notes_put_all(struct text *text, const struct report *report)
{
    doubts_put(text, report);
    recorder_cost_put_details(text, report, false);
    size_t before = text->length;
    notes_put_chance(text, report, false);
    bool has_chance = text->length > before;
    return notes_put(text, report, UNIT_MS, 0) || has_chance;
}
