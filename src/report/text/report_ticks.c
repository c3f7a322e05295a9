/*
 * The ticks of recordings against their budget: their distribution, and the slowest
 * ones with the functions that have the most self time.
 *
 *     loud.log: 61.842 s of Lua in 600 ticks (1:00.0 to 1:59.9), ...
 *     Slow ticks: ...                                                see headline.h
 *     121.3 ms over 100 ms in all; 95% of the ticks took up to 81.4 ms, 99% up to 111.2 ms
 *
 *         ms in a tick    ticks
 *         0 -      10       123  ############
 *     ...
 *     add to see it   time     ms   calls  most time in (self ms)
 *     --tick 910    1:31.0  143.2  33,012  (garbage collection) 12.1 next [C], ...
 *
 * On a terminal, there are as many ticks as fit, and as many functions of each.
 *
 * The CSV has a line for each tick, in the order of the recording.
 */
#include "report/report.h"

#include "report/findings.h"
#include "report/text/headline.h"
#include "report/text/next_option.h"
#include "report/text/report_recording.h"
#include "report/text/report_summary.h"
#include "report/text/ticks_compared.h"
#include "report/text/wrap.h"

#include <math.h>
#include <string.h>

enum { BAR_WIDTH = 50, SHOWN_FUNCTIONS = 5, GAP = 2 };

/* Ticks of a comparison. */
enum { COMPARED_MAX = 8 };

/* Of columns of the slowest ticks. */
enum { TIME_WIDTH = 9, MS_WIDTH = 9 };

static void write_text(struct output *out, struct text *text)
{
    struct span span = text_span(text);
    output_put(out, span.at, span.length);
    text->length = 0;
}

/* A histogram of the ticks. */
struct histogram {
    size_t counts[12];     /* [bin_count] */
    size_t old_counts[12]; /* of the old profile, if there is one */
    bool is_compared;
    size_t bin_count, largest;
    int64_t width_ns; /* of a bin */
    size_t bar_width; /* of the largest bin, in columns */
};

/* The width of a bin: the smallest of 1, 2, 5, 10 ... with which the bins hold all ticks. */
static int64_t bin_width_ns(int64_t longest_ns, size_t bin_count)
{
    static const int64_t factors[] = {2, 5, 10};
    for (int64_t unit_ns = 1000;; unit_ns *= 10)
        for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
            if (longest_ns / (unit_ns * factors[i]) < (int64_t)bin_count)
                return unit_ns * factors[i];
}

static void put_right(struct text *text, struct text *value, size_t width)
{
    struct span span = text_span(value);
    for (size_t i = span.length; i < width; i++)
        text_put_string(text, " ");
    text_put(text, span.at, span.length);
    value->length = 0;
}

static void put_bin(struct text *text, const struct histogram *histogram, size_t bin)
{
    struct text value = {0};
    int decimals = histogram->width_ns % 1000000 == 0 ? 0 : 3;
    int64_t from_ns = (int64_t)bin * histogram->width_ns;
    size_t count = histogram->counts[bin];
    report_put_time(&value, from_ns, UNIT_MS, decimals);
    put_right(text, &value, 8);
    text_put_string(text, " - ");
    report_put_time(&value, from_ns + histogram->width_ns, UNIT_MS, decimals);
    put_right(text, &value, 7);
    if (histogram->is_compared) {
        text_put_grouped(&value, histogram->old_counts[bin]);
        put_right(text, &value, 9);
    }
    text_put_grouped(&value, count);
    put_right(text, &value, 9);
    /* A bin with a tick in it has a bar. */
    size_t bar = count == 0 ? 0 : 1 + count * (histogram->bar_width - 1) / histogram->largest;
    text_put_string(text, bar > 0 ? "  " : "");
    for (size_t i = 0; i < bar; i++)
        text_put_string(text, from_ns >= TICK_BUDGET_NS ? "!" : "#");
    text_put_string(text, "\n");
    text_release(&value);
}

static void put_histogram(struct text *text, const struct report *report,
                          const struct tick_statistics *statistics)
{
    enum { OTHER_COLUMNS = 29, OLD_COLUMN = 9, LOW_HEIGHT = 30, LOW_BINS = 6, BINS = 12 };
    bool is_low = report->height != 0 && report->height < LOW_HEIGHT;
    struct histogram histogram = {.bin_count = is_low ? LOW_BINS : BINS, .bar_width = BAR_WIDTH};
    size_t width = report->width;
    size_t others = OTHER_COLUMNS + (report->old != NULL ? (size_t)OLD_COLUMN : 0);
    if (width != 0 && width < others + BAR_WIDTH)
        histogram.bar_width = width > others ? width - others : 1;
    const struct tick_list *old = report->old != NULL ? &report->old->profile->ticks : NULL;
    int64_t longest_ns = statistics->longest_ns;
    for (size_t i = 0; old != NULL && i < old->count; i++)
        longest_ns = old->ticks[i].time_ns > longest_ns ? old->ticks[i].time_ns : longest_ns;
    histogram.is_compared = old != NULL;
    histogram.width_ns = bin_width_ns(longest_ns, histogram.bin_count);
    for (size_t i = 0; old != NULL && i < old->count; i++)
        histogram.old_counts[old->ticks[i].time_ns / histogram.width_ns]++;
    for (size_t i = 0; i < statistics->count; i++) {
        size_t *count = &histogram.counts[statistics->worst[i]->time_ns / histogram.width_ns];
        if (++*count > histogram.largest)
            histogram.largest = *count;
    }
    size_t last = (size_t)(longest_ns / histogram.width_ns);
    text_put_string(text, histogram.is_compared ? "\n     ms in a tick      old      new\n"
                                                : "\n     ms in a tick    ticks\n");
    for (size_t i = 0; i <= last; i++)
        put_bin(text, &histogram, i);
}

static bool is_collection(const struct tick *tick)
{
    return tick->number % TICKS_A_COLLECTION == 0;
}

/* Appends the log, whether garbage is collected, and functions, in at most `room` columns. */
static void put_contents(struct text *text, const struct report *report,
                         const struct tick_statistics *statistics, const struct tick *tick,
                         size_t room)
{
    struct text contents = {0}, log = {0};
    headline_put_log(&log, report, tick, "", "");
    if (log.length > 0) {
        text_put_cut(&contents, text_span(&log), room == SIZE_MAX ? room : 1 + room / 3);
        text_put_string(&contents, ": ");
    }
    text_release(&log);
    if (is_collection(tick))
        text_put_string(&contents, "(garbage collection) ");
    size_t used = text_width(text_span(&contents));
    if (room != SIZE_MAX)
        room = room > used ? room - used : 1;
    recording_put_functions(&contents, report, statistics, tick, SHOWN_FUNCTIONS, room);
    text_put(text, contents.at, contents.length);
    text_release(&contents);
}

/* The columns of calls; 0 if the terminal is too narrow for them and the name of the log. */
static size_t width_of_calls(const struct report *report)
{
    enum { CALLS_WIDTH = 11, WIDTH_MIN = 100 };
    bool has_log = report->profile->recordings.count > 1;
    return has_log && report->width != 0 && report->width < WIDTH_MIN ? 0 : CALLS_WIDTH;
}

/* Puts one of the slowest ticks. */
static void put_tick(struct text *text, const struct report *report,
                     const struct tick_statistics *statistics, const struct tick *tick,
                     size_t option_width)
{
    size_t calls_width = width_of_calls(report);
    size_t used = option_width + TIME_WIDTH + MS_WIDTH + calls_width + GAP;
    struct text value = {0};
    next_option_put_tick(&value, report, tick);
    text_put(text, value.at, value.length);
    text_put_blanks(text, option_width - value.length);
    value.length = 0;
    recording_put_tick_time(&value, report, tick);
    put_right(text, &value, TIME_WIDTH);
    recording_put_ms(&value, statistics, tick->time_ns);
    put_right(text, &value, MS_WIDTH);
    text_put_grouped(&value, tick->calls);
    if (calls_width > 0)
        put_right(text, &value, calls_width);
    text_put_blanks(text, GAP);
    put_contents(text, report, statistics, tick,
                 report->width == 0     ? SIZE_MAX
                 : report->width > used ? report->width - used
                                        : 1);
    text_put_string(text, "\n");
    text_release(&value);
}

/* Puts the slowest ticks; `others` is the number of the report's other lines. */
static void put_worst(struct text *text, const struct report *report,
                      const struct tick_statistics *statistics, size_t others)
{
    enum { SHOWN_MIN = 3, SHOWN_MAX = 32, MORE_LINES = 3 };
    static const char title[] = "add to see it", contents[] = "most time in (self ms)";
    size_t shown = statistics->count, option_width = strlen(title);
    size_t limit = report->tick_limit != 0 ? report->tick_limit : SIZE_MAX;
    if (report->height != 0)
        limit = report->height > others + MORE_LINES + SHOWN_MIN
                    ? report->height - others - MORE_LINES
                    : SHOWN_MIN;
    if (report->height != 0 && limit > SHOWN_MAX)
        limit = SHOWN_MAX;
    shown = shown > limit ? limit : shown;
    struct text value = {0};
    size_t calls_width = width_of_calls(report);
    for (size_t i = 0; i < shown; i++) {
        value.length = 0;
        next_option_put_tick(&value, report, statistics->worst[i]);
        option_width = value.length > option_width ? value.length : option_width;
    }
    text_release(&value);
    text_printf(text, "\n%-*s%*s%*s%*s%*s%s\n", (int)option_width, title, (int)TIME_WIDTH, "time",
                (int)MS_WIDTH, "ms", (int)calls_width, calls_width > 0 ? "calls" : "", (int)GAP, "",
                contents);
    for (size_t i = 0; i < shown; i++)
        put_tick(text, report, statistics, statistics->worst[i], option_width);
}

static void put_distribution(struct text *text, const struct report *report,
                             const struct tick_statistics *statistics)
{
    struct text line = {0};
    const struct wrap wrap = {.width = report->width, .indent = 2};
    if (statistics->over_count > 0) {
        recording_put_ms(&line, statistics, statistics->over_ns);
        text_put_string(&line, " ms over 100 ms in all; ");
    }
    text_put_string(&line, "95% of the ticks took up to ");
    recording_put_ms(&line, statistics, statistics->percentile_95_ns);
    text_put_string(&line, " ms, 99% up to ");
    recording_put_ms(&line, statistics, statistics->percentile_99_ns);
    text_put_string(&line, " ms");
    wrap_put(text, &wrap, text_span(&line));
    text_release(&line);
}

/* Appends a line if slow ticks come at a regular distance. */
static void put_distance(struct text *text, const struct report *report)
{
    struct tick_distance distance = tick_distance_find(&report->profile->ticks);
    struct text line = {0};
    const struct wrap wrap = {.width = report->width, .indent = 2};
    if (distance.ticks == 0)
        return;
    finding_put_distance(&line, &distance);
    wrap_put(text, &wrap, text_span(&line));
    text_release(&line);
}

static void put_ticks(struct text *text, const struct report *report,
                      const struct tick_statistics *statistics)
{
    struct text foot = {0};
    bool is_one = report->old == NULL && statistics->count == 1;
    if (report->old == NULL && !is_one)
        put_distribution(text, report, statistics);
    put_distance(text, report);
    if (report->old != NULL)
        ticks_put_compared(text, report, COMPARED_MAX);
    if (!is_one)
        put_histogram(text, report, statistics);
    recording_put_overhead(&foot, report, false);
    recording_put_losses(&foot, report, report->width);
    if (statistics->count > 0)
        put_worst(text, report, statistics, wrap_count_lines(text) + wrap_count_lines(&foot));
    text_put(text, foot.at, foot.length);
    text_release(&foot);
}

static struct report_result write_ticks(const struct report *report, struct output *out)
{
    struct text text = {0};
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &report->profile->ticks);
    summary_put_start(&text, report);
    headline_put_ticks(&text, report);
    bool has_old = report->old != NULL && report->old->profile->ticks.count > 0;
    if (statistics.count > 0 || has_old) {
        put_ticks(&text, report, &statistics);
    } else {
        text_put_string(&text, "There are no ticks: only recordings of profiler.lua in a sim have "
                               "them.\n");
        recording_put_losses(&text, report, report->width);
    }
    write_text(out, &text);
    text_release(&text);
    tick_statistics_release(&statistics);
    return (struct report_result){
        .count = report->profile->ticks.count, .one = "tick", .many = "ticks"};
}

const struct report_format report_ticks = {
    .name = "ticks",
    .summary = "the ticks against their 100 ms",
    .manual = "How long the ticks of recordings took, compared with their budget of 100 ms: a "
              "histogram, in which '!' marks ticks over the budget, and the longest ticks with "
              "their most expensive functions. '(garbage collection)' marks each 70th tick, in "
              "which the game collects the garbage of its Lua. If slow ticks come at a regular "
              "distance, it is named. With {--diff} the old and the new ticks stand side by side, "
              "and the largest changes of ticks that both recordings have.",
    .uses = USES_COSTS,
    .suffixes = {".ticks", NULL},
    .compares = true,
    .write = write_ticks,
};

static struct report_result write_ticks_csv(const struct report *report, struct output *out)
{
    const struct tick_list *list = &report->profile->ticks;
    struct text line = {0};
    struct report_result result = {.count = list->count, .one = "tick", .many = "ticks"};
    if (report->old != NULL) {
        ticks_write_compared_csv(report, out);
        return result;
    }
    output_put_string(out, "run,tick,game_seconds,time_us,measured_us,calls,over_us,collection\n");
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        const struct profile *profile = report->profile;
        double seconds = profile->runs[tick->run].zero_seconds + (double)tick->number / 10;
        text_put_count(&line, profile->recordings.all[tick->run].run);
        text_put_string(&line, ",");
        text_put_number(&line, tick->number);
        text_put_string(&line, ",");
        report_put_time(&line, (int64_t)llround(seconds * 1e9), UNIT_S, 1);
        text_put_string(&line, ",");
        report_put_time(&line, tick->time_ns, UNIT_US, 3);
        text_put_string(&line, ",");
        report_put_time(&line, tick->measured_ns, UNIT_US, 3);
        text_put_string(&line, ",");
        text_put_count(&line, tick->calls);
        text_put_string(&line, ",");
        int64_t over_ns = tick->time_ns - TICK_BUDGET_NS;
        report_put_time(&line, over_ns > 0 ? over_ns : 0, UNIT_US, 3);
        text_put_string(&line, is_collection(tick) ? ",1\n" : ",0\n");
        write_text(out, &line);
    }
    text_release(&line);
    return result;
}

const struct report_format report_ticks_csv = {
    .name = "ticks-csv",
    .summary = "a line for each tick, for spreadsheets",
    .manual = "A line for each tick: {Li "
              "run,tick,game_seconds,time_us,measured_us,calls,over_us,collection}. {Li "
              "measured_us} is the time before the cost of recording was subtracted. With {--diff} "
              "it is a line for each tick that either recording has: {Li tick,game_seconds,old_run,"
              "new_run,old_time_us,new_time_us,diff_time_us,old_measured_us,new_measured_us,"
              "old_calls,new_calls,old_over_us,new_over_us,collection}.",
    .uses = USES_COSTS,
    .suffixes = {".ticks.csv", NULL},
    .compares = true,
    .write = write_ticks_csv,
};
