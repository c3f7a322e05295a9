#include "report/text/report_recording.h"

#include "report/findings.h"
#include "report/text/wrap.h"

#include <math.h>

static const char delins_overhead[] = "delins' profiler adds most to small functions";

void recording_put_ms(struct text *text, const struct tick_statistics *statistics, int64_t ns)
{
    enum { LONG_NS = 10000000 };
    report_put_grouped_time(text, ns, UNIT_MS, statistics->longest_ns >= LONG_NS ? 1 : 3);
}

static void put_count(struct text *text, uint64_t count, const char *one, const char *many)
{
    text_put_grouped(text, count);
    text_put_string(text, count == 1 ? one : many);
}

void recording_put_game_time(struct text *text, double seconds)
{
    if (seconds < 0)
        seconds = 0;
    unsigned long long tenths = (unsigned long long)llround(seconds * 10);
    text_printf(text, "%llu:%02llu.%llu", tenths / 600, tenths % 600 / 10, tenths % 10);
}

static double seconds_of(const struct rebuilt_run *run, int64_t tick)
{
    return run->zero_seconds + (double)tick / 10;
}

void recording_put_tick_time(struct text *text, const struct report *report,
                             const struct tick *tick)
{
    recording_put_game_time(text, seconds_of(&report->profile->runs[tick->run], tick->number));
}

void recording_put_tick(struct text *text, const struct report *report, const struct tick *tick)
{
    text_printf(text, "#%lld (", (long long)tick->number);
    recording_put_tick_time(text, report, tick);
    text_put_string(text, ")");
}

static void put_function(struct text *text, const struct report *report, uint32_t function,
                         bool has_place)
{
    const struct labels *labels = report->labels;
    struct span label = labels_text(labels, labels->labels[function].label);
    if (has_place)
        text_put(text, label.at, label.length);
    else
        finding_put_name(text, labels, function);
}

void recording_put_functions(struct text *text, const struct report *report,
                             const struct tick_statistics *statistics, const struct tick *tick,
                             size_t limit, size_t room)
{
    enum { LEAST_PART = 50, GAP = 2 };
    struct text one = {0};
    size_t used = 0;
    for (size_t i = 0; i < limit && i < tick->function_count; i++) {
        const struct tick_function *function = &tick->functions[i];
        if (function->self_ns <= tick->time_ns / LEAST_PART)
            break;
        one.length = 0;
        recording_put_ms(&one, statistics, function->self_ns);
        text_put_string(&one, " ");
        put_function(&one, report, function->function, room == SIZE_MAX);
        size_t columns = text_width(text_span(&one));
        if (i > 0 && (room < columns || used + GAP > room - columns))
            break;
        text_put_string(text, i > 0 ? ", " : "");
        text_put_cut_path(text, text_span(&one), room);
        used += columns + (i > 0 ? GAP : 0);
    }
    text_release(&one);
}

static void put_range(struct text *text, const struct profile *profile)
{
    size_t shown = 0;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_run *run = &profile->runs[i];
        if (!run->has_ticks || run->is_outside)
            continue;
        text_printf(text, "%s #%lld to #%lld (", shown++ > 0 ? "," : " from",
                    (long long)run->first_tick, (long long)run->last_tick);
        recording_put_game_time(text, seconds_of(run, run->first_tick));
        text_put_string(text, " to ");
        recording_put_game_time(text, seconds_of(run, run->last_tick));
        text_put_string(text, ")");
        if (shown == 4) {
            text_put_string(text, " ...");
            break;
        }
    }
}

void recording_put_ticks(struct text *text, const struct profile *profile, const char *title,
                         const struct tick_statistics *statistics)
{
    if (statistics->count == 0)
        return;
    text_put_string(text, title);
    put_count(text, statistics->count, " tick", " ticks");
    put_range(text, profile);
    text_put_string(text, "\n         ");
    text_put_grouped(text, statistics->over_count);
    text_put_string(text, " of ");
    put_count(text, statistics->count, " tick", " ticks");
    text_printf(text, " over %d ms", (int)(TICK_BUDGET_NS / 1000000));
    if (statistics->over_count > 0) {
        text_put_string(text, ", ");
        recording_put_ms(text, statistics, statistics->over_ns);
        text_put_string(text, " ms over budget in total");
    }
    text_put_string(text, "; median ");
    recording_put_ms(text, statistics, statistics->median_ns);
    text_put_string(text, ", 95% ");
    recording_put_ms(text, statistics, statistics->percentile_95_ns);
    text_put_string(text, ", 99% ");
    recording_put_ms(text, statistics, statistics->percentile_99_ns);
    text_put_string(text, ", longest ");
    recording_put_ms(text, statistics, statistics->longest_ns);
    text_put_string(text, " ms\n");
}

const char *recording_no_calls_reason(const struct report *report)
{
    const struct rebuild_settings *settings = &report->profile->rebuild;
    if (report->profile->recordings.count == 0)
        return "the log has none of its own";
    if (settings->from.kind != WINDOW_OPEN || report->choice != NULL)
        return "running already when this part of the log began";
    return "running already when the recording began";
}

/* Common values of all runs, or sums over them. */
struct trust {
    double removed_ns, clamped_ns, lost_ns;
    double in_ns, out_ns; /* of Lua calls, the largest */
    double step_ns;       /* the largest */
    size_t known_count, unknown_count;
};

static struct trust find_trust(const struct profile *profile)
{
    struct trust trust = {.removed_ns = profile->delins_costs.removed_ns,
                          .clamped_ns = profile->delins_costs.clamped_ns};
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_run *run = &profile->runs[i];
        const struct recording *recording = &profile->recordings.all[i];
        if (!run->is_there || run->is_outside)
            continue;
        trust.removed_ns += run->removed_ns;
        trust.clamped_ns += run->clamped_ns;
        trust.lost_ns += recording->lost_ns;
        trust.step_ns = fmax(trust.step_ns, fmax(recording->step_ns, recording->unit_ns));
        trust.in_ns = fmax(trust.in_ns, run->costs.in_ns[CALL_OF_LUA]);
        trust.out_ns = fmax(trust.out_ns, run->costs.out_ns[CALL_OF_LUA]);
        trust.known_count += run->costs.is_known;
        trust.unknown_count += !run->costs.is_known;
    }
    return trust;
}

void recording_find(struct findings *findings, const struct report *report)
{
    struct findings_source source = {
        .tree = report->tree,
        .symbols = &report->profile->symbols,
        .labels = report->labels,
        .ticks = &report->profile->ticks,
        .clock_step_ns = find_trust(report->profile).step_ns,
    };
    findings_init(findings, &source);
}

static void put_us(struct text *text, double ns)
{
    report_put_time(text, (int64_t)llround(ns), UNIT_US, 2);
}

static void put_overhead_ms(struct text *text, double ns, const char *what)
{
    /* With records of 10^15 calls the number is too large to be shown. */
    report_put_grouped_time(text, (int64_t)fmin(round(ns), 9e18), UNIT_MS, 1);
    text_put_string(text, what);
}

/* The subtracted overhead; in parentheses that of each call, and the part that could not be. */
static void put_subtracted(struct text *text, const struct trust *trust)
{
    put_overhead_ms(text, trust->removed_ns, " ms subtracted (");
    put_us(text, trust->in_ns);
    text_put_string(text, " + ");
    put_us(text, trust->out_ns);
    text_put_string(text, " us per Lua call");
    if (trust->clamped_ns >= 50000) {
        text_put_string(text, "; ");
        put_overhead_ms(text, trust->clamped_ns, " ms could not be");
    }
    if (trust->unknown_count > 0) {
        text_put_string(text, "; ");
        put_count(text, trust->unknown_count, " run", " runs");
        text_put_string(text, " not calibrated");
    }
    text_put_string(text, ")");
}

/* Times of a recording do not contain the recorder's own work, but its hook's cost per call. */
static void put_recorded_overhead(struct text *text, const struct report *report,
                                  const struct trust *trust, bool has_marks)
{
    const struct rebuild_settings *settings = &report->profile->rebuild;
    bool has_window = settings->from.kind != WINDOW_OPEN || settings->to.kind != WINDOW_OPEN;
    if (!has_window)
        put_overhead_ms(text, trust->lost_ns, " ms excluded, ");
    if (trust->known_count > 0)
        put_subtracted(text, trust);
    else
        text_put_string(text, settings->keeps_costs
                                  ? "nothing subtracted (--overhead=off)"
                                  : "nothing subtracted: the recording is not calibrated");
    text_put_string(text, ";\n         the clock's step is ");
    put_us(text, trust->step_ns);
    text_put_string(text, has_marks ? " us; ~ marks times that may be 0\n" : " us\n");
}

void recording_put_trust(struct text *text, const struct report *report, bool has_marks)
{
    const struct profile *profile = report->profile;
    struct trust trust = find_trust(profile);
    if (profile->recordings.count == 0 && profile->counts.records == 0)
        return;
    text_put_string(text, "Recording overhead: ");
    if (profile->recordings.count > 0) {
        put_recorded_overhead(text, report, &trust, has_marks);
        return;
    }
    if (!profile->costs.is_known) {
        text_put_string(text, delins_overhead);
        text_put_string(text, "\n");
        return;
    }
    put_overhead_ms(text, trust.removed_ns, " ms subtracted (--overhead); ");
    put_overhead_ms(text, trust.clamped_ns, " ms could not be\n");
}

/* The sentence of recording_put_overhead(). */
static void put_overhead(struct text *text, const struct report *report, bool has_marks)
{
    const struct profile *profile = report->profile;
    const struct rebuild_settings *settings = &profile->rebuild;
    struct trust trust = find_trust(profile);
    bool has_window = settings->from.kind != WINDOW_OPEN || settings->to.kind != WINDOW_OPEN;
    text_put_string(text, "Overhead: ");
    if (profile->recordings.count > 0 && !has_window)
        put_overhead_ms(text, trust.lost_ns, " ms excluded, ");
    if (trust.known_count > 0 || profile->costs.is_known)
        put_overhead_ms(text, trust.removed_ns, " ms subtracted");
    else if (profile->recordings.count == 0)
        text_put_string(text, delins_overhead);
    else
        text_put_string(text, settings->keeps_costs ? "nothing subtracted (--overhead=off)"
                                                    : "nothing subtracted: not calibrated");
    if (has_marks)
        text_put_string(text, report->old != NULL ? ". ~: may be equal" : ". ~: may be 0");
}

void recording_put_overhead(struct text *text, const struct report *report, bool has_marks)
{
    struct text sentence = {0};
    struct wrap wrap = {.width = report->width,
                        .indent = 2,
                        .style = "\x1b[2m",
                        .option = {"--verbose", 9},
                        .is_colored = report->is_colored};
    put_overhead(&sentence, report, has_marks);
    wrap_put(text, &wrap, text_span(&sentence));
    text_release(&sentence);
}

void recording_put_note(struct text *text, size_t width, const char *sentence)
{
    struct text note = {0};
    struct wrap wrap = {.width = width, .indent = 6};
    text_printf(&note, "Note: %s", sentence);
    wrap_put(text, &wrap, text_span(&note));
    text_release(&note);
}

/* Where notes go. */
struct notes {
    struct text *text;
    size_t width;
};

static void put_note(const struct notes *notes, uint64_t count, const char *one, const char *many)
{
    struct text sentence = {0};
    if (count == 0)
        return;
    put_count(&sentence, count, one, many);
    text_put(&sentence, "", 1);
    recording_put_note(notes->text, notes->width, sentence.at);
    text_release(&sentence);
}

static void put_hook_losses(const struct notes *notes, const struct recording *recording)
{
    struct text sentence = {0};
    text_put_string(&sentence, "hook lost at tick ");
    if (recording->hook_lost_tick >= 0)
        text_put_number(&sentence, recording->hook_lost_tick);
    else
        text_put_string(&sentence, "?");
    if (recording->hook_losses > 1) {
        text_put_string(&sentence, ", and ");
        text_put_count(&sentence, recording->hook_losses - 1);
        text_put_string(&sentence, " times after that");
    }
    text_put_string(&sentence, ": another profiler, or the debugger window, took it away; what ran "
                               "until it was back was not recorded");
    text_put(&sentence, "", 1);
    recording_put_note(notes->text, notes->width, sentence.at);
    text_release(&sentence);
}

/* What the recorder noticed of the game: others that take its hook, clocks that are none. */
static void put_faults(const struct notes *notes, const struct recording *recording)
{
    if (recording->hook_losses > 0)
        put_hook_losses(notes, recording);
    put_note(notes, recording->clock_faults,
             " time that the clock gave cannot be: the times of this recording may be wrong",
             " times that the clock gave cannot be: the times of this recording are wrong");
    if (recording->is_clock_still)
        recording_put_note(notes->text, notes->width,
                           "the clock stood still when it was measured: it is too coarse for times "
                           "of calls");
}

void recording_put_losses(struct text *text, const struct report *report, size_t width)
{
    const struct profile *profile = report->profile;
    const struct notes notes = {text, width};
    uint64_t missing = 0, late = 0, unknown = 0, endless = 0, events = 0, contradictions = 0;
    uint64_t beginless = 0;
    bool is_events_known = true;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct recording *recording = &profile->recordings.all[i];
        if (!profile->runs[i].is_there)
            continue;
        missing += recording->missing_lines;
        late += recording->late_lines;
        unknown += recording->unknown_lines;
        beginless += !recording->has_begin;
        endless += !recording->has_end;
        is_events_known &= recording->has_end;
        if (recording->has_end && recording->events_written > recording->events)
            events += recording->events_written - recording->events;
        contradictions += profile->runs[i].contradictions;
        put_faults(&notes, recording);
    }
    put_note(&notes, beginless, " recording lacks its first line: its unit of time is a guess",
             " recordings lack their first line: their unit of time is a guess");
    put_note(&notes, endless,
             " recording has no last line: the game goes on or ended first, or the log is cut",
             " recordings have no last line: the game goes on or ended first, or the log is cut");
    put_note(&notes, missing, " line of a recording is missing; stacks end there and begin again",
             " lines of recordings are missing; stacks end there and begin again");
    put_note(&notes, events, is_events_known ? " event is missing" : " event or more is missing",
             is_events_known ? " events are missing" : " events or more are missing");
    put_note(&notes, late, " line came twice, or late, and was left out",
             " lines came twice, or late, and were left out");
    put_note(&notes, unknown, " line of a kind that this supprof does not know",
             " lines of kinds that this supprof does not know");
    put_note(&notes, contradictions, " return of a function that was not on the stack",
             " returns of functions that were not on the stack");
}
