#include "report/sentences/parts.h"

#include "report/sentences/amounts.h"
#include "report/sentences/recorder_cost.h"
#include "report/sentences/tick_text.h"
#include "report/sentences/wrap.h"

#include <math.h>

/* Appends from which tick to which one the runs go. */
static void put_ranges(struct text *text, const struct profile *profile)
{
    enum { SHOWN_MAX = 4 };
    size_t shown = 0;
    for (size_t i = 0; i < profile->recordings.count && shown < SHOWN_MAX; i++) {
        const struct rebuilt_run *run = &profile->runs[i];
        if (!run->has_ticks || run->is_outside)
            continue;
        text_printf(text, "%s %s to %s", shown++ > 0 ? "," : " from",
                    tick_name_in(profile, run, run->first_tick).at,
                    tick_name_in(profile, run, run->last_tick).at);
    }
    text_put_string(text, shown == SHOWN_MAX ? " ..." : "");
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
    text_printf(text, "\n         %s of %s over %s", amount_count(ticks->over_count).at, count.at,
                tick_limit(list).at);
    if (ticks->over_count > 0)
        text_printf(text, ", overrun %s ms", tick_ms(report, ticks->over_ns).at);
    text_printf(text, "; median %s, 95%% %s, 99%% %s, longest %s ms\n",
                tick_ms(report, ticks->median_ns).at, tick_ms(report, ticks->percentile_95_ns).at,
                tick_ms(report, ticks->percentile_99_ns).at, tick_ms(report, ticks->longest_ns).at);
}

/* Slow ticks, and the uncertainty of the numbers. */
static void put_recordings(struct text *text, const struct report *report)
{
    enum { WORST_TICKS = 3, FUNCTIONS = 3 };
    /* A filter needs call stacks, and the list of ticks has none. */
    bool is_filtered = report->selection->filters.count > 0;
    bool is_ui = report->profile->ticks.state == LUA_STATE_UI;
    struct amount title = amount_make("%ss:%*s%s", tick_kinds[report->profile->ticks.state].title,
                                      is_ui ? 2 : 3, "", is_filtered ? "not filtered, " : "");
    put_ticks(text, report, title.at, report->profile, &report->ticks);
    for (size_t i = 0; i < WORST_TICKS && i < report->ticks.count; i++) {
        const struct tick *tick = report->ticks.worst[i];
        text_printf(text, "         %s %s ms: ", tick_name(report, tick).at,
                    tick_ms(report, tick->time_ns).at);
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
        text_printf(text, "%s %s + %s us of %s", kind > 0 ? "," : "",
                    recorder_cost_us(costs->in_ns[kind]).at,
                    recorder_cost_us(costs->out_ns[kind]).at, names[kind]);
}

/* How a run was recorded. */
static void put_run(struct text *text, const struct profile *profile, size_t run)
{
    const struct recording *recording = &profile->recordings.all[run];
    struct span clock = intern_get(&profile->symbols.strings, recording->clock);
    double events = (double)recording->events;
    text_printf(text, "Recorded: %s", amount_things(recording->events, "event", "events").at);
    if (recording->events > 0)
        text_printf(text, ", %s us each in the recorder",
                    recorder_cost_us(recording->lost_ns / events).at);
    if (recording->events > 0 && recording->slow_events > 0)
        text_printf(text, ", %.1f%% of them by its slower path",
                    100 * fmin((double)recording->slow_events / events, 1));
    text_put_string(text, "; by the clock ");
    text_put_clean(text, clock, false);
    if (recording->hook_losses > 0)
        text_printf(text, "; the hook was lost %s",
                    amount_things(recording->hook_losses, "time", "times").at);
    if (profile->runs[run].costs.is_known)
        put_call_costs(text, &profile->runs[run].costs);
    text_put_string(text, "\n");
}

void details_put_runs(struct text *text, const struct profile *profile)
{
    enum { SHOWN_MAX = 4 };
    for (size_t i = 0; i < profile->recordings.count && i < SHOWN_MAX; i++)
        if (profile->recordings.all[i].has_begin && !profile->runs[i].is_outside)
            put_run(text, profile, i);
}

static void put_times(struct text *text, const struct report *report)
{
    const struct report_old *old = report->old;
    int64_t old_ns = old->tree->total_ns[TREE_ROOT];
    int64_t difference_ns = report_total_ns(report) - old_ns;
    enum report_unit unit = amount_unit_for(report_total_ns(report));
    text_put_string(text, "Old:     ");
    text_put_clean(text, span_of(old->title), false);
    text_printf(text, "  %s", amount_with_unit(old_ns, unit, 3).at);
    if (old->scaled != NULL)
        text_printf(text, ", %s", old->scaled);
    text_printf(text, "; the difference is %s%s", difference_ns > 0 ? "+" : "",
                amount_with_unit(difference_ns, unit, 3).at);
    if (old_ns > 0) {
        double percent = 100.0 * (double)difference_ns / (double)old_ns;
        text_printf(text, percent == 0 ? " (0.0%%)" : " (%+.1f%%)", percent);
    }
    text_put_string(text, "\n");
}

/* The compared logs, and how their functions were matched. */
static void put_comparison(struct text *text, const struct report *report)
{
    const struct report_old *old = report->old;
    const struct diff_counts *counts = &old->counts;
    put_times(text, report);
    text_printf(text,
                "         functions: %s at the same line, %s at another line of the file, "
                "%s by another name; %s gone, %s new\n",
                amount_count(counts->same_place).at, amount_count(counts->other_line).at,
                amount_count(counts->other_name).at, amount_count(counts->only_old).at,
                amount_count(counts->only_new).at);
    put_ticks(text, report, "         ", old->profile, &old->ticks);
    bool has_noise = report->tree->details != NULL && old->tree->details != NULL;
    text_put_string(text, has_noise
                              ? "         ~ marks differences that are too small for the clocks; "
                                "two runs of a game differ by more\n"
                              : "         delins' profiler does not record how uncertain its times "
                                "are\n");
}

void details_put(struct text *text, const struct report *report)
{
    const struct report_totals *totals = &report->totals;
    int64_t all_ns = report_total_ns(report);
    struct text lines = {0};
    text_printf(&lines, "Stacks:  %s, of %s and %s\n", amount_count(totals->stacks).at,
                amount_things(totals->functions, "function", "functions").at,
                amount_things(totals->calls, "call", "calls").at);
    text_printf(&lines, "         %s%% on the main thread, %s%% in coroutines, ",
                amount_percent(totals->main_ns, all_ns).at,
                amount_percent(totals->coroutine_ns, all_ns).at);
    if (totals->both_ns != 0)
        text_printf(&lines, "%s%% on both, ", amount_percent(totals->both_ns, all_ns).at);
    text_printf(&lines, "%s%% in C functions\n", amount_percent(totals->c_ns, all_ns).at);
    if (report->old != NULL)
        put_comparison(&lines, report);
    put_recordings(&lines, report);
    details_put_runs(&lines, report->profile);
    wrap_put_lines(text, report->width, 2, &lines);
}
