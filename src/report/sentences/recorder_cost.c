#include "report/sentences/recorder_cost.h"

#include "rebuild/ending/overhead.h"
#include "rebuild/ending/reference.h"
#include "report/sentences/wrap.h"

#include <math.h>

/* When the runs of a reference were: before and after the recording is not said. */
static const char *when_timed(const struct rebuilt_recording *rebuilt)
{
    if (rebuilt->is_sampled)
        return " between the chosen ticks";
    if (!rebuilt->has_reference_before)
        return " after the recording";
    return rebuilt->has_reference_after ? "" : " before the recording";
}

double recorder_cost_most_times(double untimed_bias)
{
    const double TIMES_MIN = 1.4;
    double times = 1 / (1 - OVERHEAD_TIME_BIAS - untimed_bias);
    return times >= TIMES_MIN ? times : 0;
}

static void add_untimed(struct recorder_cost *cost, const struct rebuilt_recording *rebuilt)
{
    double times = recorder_cost_most_times(rebuilt->costs.untimed_bias);
    cost->untimed_count += times > 0;
    if (times <= cost->most_times)
        return;
    cost->most_times = times;
    cost->has_few_timed = rebuilt->reference_ratio > 0;
}

/* Small changes are usual. */
static void add_change(struct recorder_cost *cost, double change)
{
    const double LEAST_CHANGE = 1.25;
    if (change > 0 &&
        fabs(log(change)) >=
            fabs(log(cost->reference_change > 0 ? cost->reference_change : LEAST_CHANGE)))
        cost->reference_change = change;
}

struct recorder_cost recorder_cost_sum_up(const struct profile *profile)
{
    struct recorder_cost cost = {.removed_ns = profile->delins_costs.removed_ns,
                                 .clamped_ns = profile->delins_costs.clamped_ns};
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        const struct recording *recording = &profile->recordings.all[i];
        if (!rebuilt->is_there || rebuilt->is_outside)
            continue;
        cost.removed_ns += rebuilt->removed_ns;
        cost.clamped_ns += rebuilt->clamped_ns;
        cost.lost_ns += recording->lost_ns + rebuilt->recorder_ns;
        cost.step_ns = fmax(cost.step_ns, fmax(recording->step_ns, recording->unit_ns));
        cost.in_ns = fmax(cost.in_ns, rebuilt->costs.in_ns[CALL_OF_LUA]);
        cost.out_ns = fmax(cost.out_ns, rebuilt->costs.out_ns[CALL_OF_LUA]);
        cost.known_count += rebuilt->costs.is_known;
        cost.unknown_count += !rebuilt->costs.is_known;
        cost.unlike_count += rebuilt->unlike_count;
        add_untimed(&cost, rebuilt);
        add_change(&cost, rebuilt->reference_change);
        if (!(rebuilt->reference_ratio > 0))
            continue;
        if (rebuilt->reference_ratio > cost.reference_ratio) {
            cost.reference_ratio = rebuilt->reference_ratio;
            cost.reference_rest = rebuilt->reference_rest;
            cost.reference_covered = rebuilt->reference_covered;
            cost.cost_fraction = rebuilt->cost_fraction;
            cost.reference_when = when_timed(rebuilt);
        }
        cost.is_cold |=
            rebuilt->coldness > 0 && rebuilt->cost_fraction < 1 && rebuilt->reference_ratio > 1;
    }
    return cost;
}

struct amount recorder_cost_us(double ns)
{
    return amount_time((int64_t)llround(fmin(ns, 9e15)), UNIT_US, 2);
}

/* With records of 10^15 calls the number is too large to be shown. */
static struct amount said(double ns)
{
    return amount_said((int64_t)fmin(round(ns), 9e18));
}

/* Why nothing was subtracted: the end of a sentence about the cost. */
static const char *kept_reason(const struct profile *profile)
{
    if (profile->recordings.count == 0)
        return "is not subtracted: small functions look many times too slow";
    return profile->rebuild.keeps_costs ? "is not subtracted (--overhead=off)"
                                        : "is not known: it was not calibrated";
}

/* The subtracted overhead; in parentheses that of each call, and the part that could not be. */
static void put_subtracted(struct text *text, const struct recorder_cost *cost)
{
    text_printf(text,
                "%s subtracted (%s + %s us per Lua call",
                said(cost->removed_ns).at,
                recorder_cost_us(cost->in_ns).at,
                recorder_cost_us(cost->out_ns).at);
    if (cost->clamped_ns >= 50000)
        text_printf(text, "; %s could not be", said(cost->clamped_ns).at);
    if (cost->unknown_count > 0)
        text_printf(text,
                    "; %s not calibrated",
                    amount_things(cost->unknown_count, "recording", "recordings").at);
    text_put_string(text, ")");
}

/* Appends how many functions are no reference, between two texts; or nothing. */
static void put_unlike(struct text *text, const struct recorder_cost *cost, const char *before,
                       const char *after)
{
    if (cost->unlike_count > 0)
        text_printf(text,
                    "%s of %s took over twice as long before the recording as after it, or the"
                    " reverse%s",
                    before,
                    amount_things(cost->unlike_count, "function", "functions").at,
                    after);
}

/* Appends that times can be far too large, after `before`; or nothing. */
static void put_untimed(struct text *text, const struct recorder_cost *cost, const char *before)
{
    if (!(cost->most_times > 0))
        return;
    text_printf(text,
                "%s%s unrecorded runs of threads could be used",
                before,
                cost->has_few_timed ? "few" : "no");
    if (cost->untimed_count < cost->known_count)
        text_printf(text,
                    " in %zu of %s",
                    cost->untimed_count,
                    amount_things(cost->known_count, "recording", "recordings").at);
    if (!(cost->reference_ratio > 0))
        put_unlike(text, cost, ", since those", "");
    text_printf(text, ": times can be up to %.1f times the true ones", cost->most_times);
}

/* Appends what was done about the ratio of times. */
static void put_made_equal(struct text *text, double ratio, double rest)
{
    const double ABOUT_EQUAL = 1.02;
    if (ratio > REFERENCE_SCALE_MAX)
        text_printf(text, ", and made up to %.0f times shorter", REFERENCE_SCALE_MAX);
    else if (ratio > 1 && rest > ABOUT_EQUAL)
        text_printf(text, ", and made %.2f times", rest);
    else if (ratio > 1)
        text_put_string(text, ", and made equal");
}

/* Appends that the computer's speed has changed, after `before`; or nothing. */
static void put_change(struct text *text, const struct recorder_cost *cost, const char *before)
{
    if (cost->reference_change > 0)
        text_printf(text,
                    "%sunrecorded runs took %.2f times as long after the recording as before",
                    before,
                    cost->reference_change);
}

/* Appends "threads", and their part of the time if it is not most of it. */
static void put_threads(struct text *text, const struct recorder_cost *cost)
{
    text_put_string(text, "threads");
    if (cost->reference_covered < 0.5)
        text_printf(text, " with %.1f%% of the time", 100 * cost->reference_covered);
}

/* How times compare with what threads take while nothing is recorded: the beginning of a line. */
static void put_reference(struct text *text, const struct recorder_cost *cost)
{
    if (!(cost->reference_ratio > 0))
        return;
    text_put_string(text, ";\n         the times of ");
    put_threads(text, cost);
    text_printf(text,
                ", without it, were %.2f times those of unrecorded runs%s",
                cost->reference_ratio,
                cost->reference_when);
    if (cost->cost_fraction < 0.995)
        text_printf(text,
                    ",\n         so only %.0f%% of it was subtracted%s",
                    100 * cost->cost_fraction,
                    cost->is_cold ? " (many functions, each rarely)" : "");
    put_made_equal(text, cost->reference_ratio, cost->reference_rest);
    put_change(text, cost, ";\n         ");
    put_unlike(text, cost, ";\n         unrecorded runs", ", and were not used");
}

/* Times of a recording do not contain the recorder's own work, but its hook's cost per call. */
static void put_recorded(struct text *text, const struct profile *profile,
                         const struct recorder_cost *cost, bool has_flags)
{
    if (!settings_have_window(&profile->rebuild))
        text_printf(text, ": %s of its own work, and ", said(cost->lost_ns).at);
    else if (cost->known_count > 0)
        text_put_string(text, ": ");
    if (cost->known_count > 0)
        put_subtracted(text, cost);
    else
        text_printf(text,
                    "%s%s",
                    settings_have_window(&profile->rebuild) ? " " : "the rest ",
                    kept_reason(profile));
    put_reference(text, cost);
    put_untimed(text, cost, ";\n         ");
    text_printf(text,
                ";\n         the clock's step is %s us%s\n",
                recorder_cost_us(cost->step_ns).at,
                has_flags ? "; ~ marks times too short to tell" : "");
}

/* Of the wakes that watches have recorded; of older ones the cost is not known. */
static void put_watched(struct text *text, const struct profile *profile)
{
    double cost_ns = 0, ratio = 0;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        if (!profile_takes_watch(profile, (uint32_t)i) || profile->recordings.all[i].watched == 0)
            continue;
        cost_ns = fmax(cost_ns, rebuilt->costs.in_ns[CALL_OF_LUA]);
        ratio = fmax(ratio, rebuilt->reference_ratio);
    }
    if (!(cost_ns > 0))
        return;
    text_printf(text,
                "Recorder's cost in runs that a watch recorded: %s us for each event subtracted",
                recorder_cost_us(cost_ns).at);
    if (ratio > 0)
        text_printf(text,
                    ";\n         their times, without it, were %.2f times those of unrecorded runs"
                    " in the same minutes%s\n",
                    ratio,
                    ratio > 1 ? "; they were made shorter as far as events explain it" : "");
    else
        text_put_string(text,
                        ";\n         too few were recorded, or too many, to compare them"
                        " with unrecorded ones\n");
}

static void put_all(struct text *text, const struct report *report, bool has_flags)
{
    const struct profile *profile = report->profile;
    struct recorder_cost cost = recorder_cost_sum_up(profile);
    bool is_recorded = cost.known_count + cost.unknown_count > 0; /* not with a watch alone */
    if (profile->recordings.count > 0 ? !is_recorded : profile->counts.records == 0)
        return;
    text_put_string(text, "Recorder's cost");
    if (profile->recordings.count > 0)
        put_recorded(text, profile, &cost, has_flags);
    else if (profile->costs.is_known)
        text_printf(text,
                    ": %s subtracted (--overhead); %s could not be\n",
                    said(cost.removed_ns).at,
                    said(cost.clamped_ns).at);
    else
        text_printf(text, " %s\n", kept_reason(profile));
}

void recorder_cost_put_details(struct text *text, const struct report *report, bool has_flags)
{
    put_all(text, report, has_flags);
    if (report->profile->has_watches)
        put_watched(text, report->profile);
}

bool recorder_cost_put_removed(struct text *text, const struct profile *profile)
{
    struct recorder_cost cost = recorder_cost_sum_up(profile);
    bool is_subtracted = cost.known_count > 0 || profile->costs.is_known;
    bool is_excluded = profile->recordings.count > 0 && !settings_have_window(&profile->rebuild);
    double all_ns = (is_excluded ? cost.lost_ns : 0) + (is_subtracted ? cost.removed_ns : 0);
    if (!is_subtracted && !is_excluded)
        text_put_string(text, kept_reason(profile));
    else
        text_printf(text, "subtracted: %s", said(all_ns).at);
    bool is_compared = is_subtracted && cost.reference_ratio > 0;
    if (is_compared) {
        text_put_string(text, " (");
        put_threads(text, &cost);
        text_printf(text, " were %.2f times unrecorded ones", cost.reference_ratio);
        put_made_equal(text, cost.reference_ratio, cost.reference_rest);
        put_change(text, &cost, "; ");
    }
    put_untimed(text, &cost, is_compared ? "; " : " (");
    if (is_compared || cost.most_times > 0)
        text_put_string(text, ")");
    if (is_excluded && !is_subtracted)
        text_printf(text, "; the rest %s", kept_reason(profile));
    return is_subtracted && !(cost.most_times > 0) && !(cost.reference_change > 0);
}

void recorder_cost_put_note(struct text *lines, const char *times, double most_times)
{
    text_printf(lines,
                "Note: %s can be up to %.1f times the true ones: no or few unrecorded runs of "
                "threads could be used\n",
                times,
                most_times);
}

void recorder_cost_put(struct text *text, const struct report *report)
{
    SCOPED(text) sentence = {0};
    struct wrap wrap = {.width = report->width,
                        .indent = 2,
                        .style = STYLE_DIM,
                        .option = span_of("--verbose"),
                        .is_colored = report->is_colored,
                        .is_marked = report->marks_hints};
    text_put_string(&sentence, "Recorder's cost ");
    recorder_cost_put_removed(&sentence, report->profile);
    wrap_put(text, &wrap, text_span(&sentence));
}
