#include "report/text/report_details.h"

#include "report/text/report_recording.h"
#include "report/text/wrap.h"

#include <string.h>

static int64_t profile_ns(const struct report *report)
{
    return report->tree->total_ns[TREE_ROOT];
}

static void put_share(struct text *text, const struct report *report, int64_t ns, const char *what)
{
    report_put_percent(text, ns, profile_ns(report));
    text_put_string(text, "% ");
    text_put_string(text, what);
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals)
{
    report_put_time(text, ns, unit, decimals);
    text_put_string(text, " ");
    text_put_string(text, report_unit_name(unit));
}

static void put_name(struct text *text, const char *name)
{
    text_put_clean(text, (struct span){name, strlen(name)}, false);
}

/* Slow ticks, and the uncertainty of the numbers. */
static void put_recordings(struct text *text, const struct report *report)
{
    enum { WORST_TICKS = 3, FUNCTIONS = 3 };
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &report->profile->ticks);
    /* A filter needs call stacks, and the list of ticks has none. */
    bool is_filtered = report->selection->filters.count > 0;
    recording_put_ticks(text, report->profile,
                        is_filtered ? "Ticks:   not filtered, " : "Ticks:   ", &statistics);
    for (size_t i = 0; i < WORST_TICKS && i < statistics.count; i++) {
        const struct tick *tick = statistics.worst[i];
        text_put_string(text, "         ");
        recording_put_tick(text, report, tick);
        text_put_string(text, " ");
        recording_put_ms(text, &statistics, tick->time_ns);
        text_put_string(text, " ms: ");
        recording_put_functions(text, report, &statistics, tick, FUNCTIONS, SIZE_MAX);
        text_put_string(text, "\n");
    }
    tick_statistics_release(&statistics);
    recording_put_trust(text, report, true);
}

/* The compared logs, and how their functions were matched. */
static void put_comparison(struct text *text, const struct report *report)
{
    const struct report_old *old = report->old;
    const struct diff_counts *counts = &old->counts;
    struct tick_statistics statistics;
    int64_t old_ns = old->tree->total_ns[TREE_ROOT];
    int64_t difference_ns = profile_ns(report) - old_ns;
    enum report_unit unit = report_unit_for(profile_ns(report));
    text_put_string(text, "Old:     ");
    put_name(text, old->title);
    text_put_string(text, "  ");
    put_time(text, old_ns, unit, 3);
    if (old->scaled != NULL) {
        text_put_string(text, ", ");
        text_put_string(text, old->scaled);
    }
    text_put_string(text, difference_ns > 0 ? "; the difference is +" : "; the difference is ");
    put_time(text, difference_ns, unit, 3);
    if (old_ns > 0) {
        double percent = 100.0 * (double)difference_ns / (double)old_ns;
        text_printf(text, percent == 0 ? " (0.0%%)" : " (%+.1f%%)", percent);
    }
    text_put_string(text, "\n         functions: ");
    text_put_grouped(text, counts->same_place);
    text_put_string(text, " at their lines, ");
    text_put_grouped(text, counts->other_line);
    text_put_string(text, " at other lines of their file, ");
    text_put_grouped(text, counts->other_name);
    text_put_string(text, " by other names; ");
    text_put_grouped(text, counts->only_old);
    text_put_string(text, " gone, ");
    text_put_grouped(text, counts->only_new);
    text_put_string(text, " new\n");
    tick_statistics_init(&statistics, &old->profile->ticks);
    recording_put_ticks(text, old->profile, "         ", &statistics);
    tick_statistics_release(&statistics);
    bool has_noise = report->tree->details != NULL && old->tree->details != NULL;
    text_put_string(text, has_noise
                              ? "         ~ marks differences that the clocks cannot tell from 0; "
                                "two runs of a game differ by more\n"
                              : "         records of delins' profiler do not say how far a "
                                "time may be off\n");
}

/* The lines of details_put(), as long as they are. */
static void put_details(struct text *text, const struct report *report)
{
    const struct report_totals *totals = &report->totals;
    text_put_string(text, "Stacks:  ");
    text_put_grouped(text, totals->stacks);
    text_put_string(text, ", of ");
    report_put_count(text, totals->functions, "function and ", "functions and ");
    report_put_count(text, totals->calls, "call\n         ", "calls\n         ");
    put_share(text, report, totals->main_ns, "on the main thread, ");
    put_share(text, report, totals->coroutine_ns, "in coroutines, ");
    if (totals->both_ns != 0)
        put_share(text, report, totals->both_ns, "on either, ");
    put_share(text, report, totals->c_ns, "in C functions\n");
    if (report->old != NULL)
        put_comparison(text, report);
    put_recordings(text, report);
}

void details_put(struct text *text, const struct report *report)
{
    struct text lines = {0};
    put_details(&lines, report);
    wrap_put_lines(text, report->width, text_span(&lines));
    text_release(&lines);
}
