/*
 * The ticks of recordings against their budget: their distribution, and the slowest
 * ones with the functions that have the most self time.
 *
 *     Ticks:   600 ticks from #600 to #1199 (1:00.0 to 1:59.9)
 *              3 of 600 ticks over 100 ms, 121.3 ms over budget in total; median 21.2, ...
 *         ms  ticks
 *     0 -  10    123  ############
 *     ...
 *     worst tick          ms  calls  most expensive functions (self ms)
 *     #910 (1:31.0)    143.2  33012  12.1 next [C], ...  (garbage collection)
 *
 * The CSV has a line for each tick, in the order of the recording.
 */
#include "report/report.h"

#include "report/report_recording.h"

#include <math.h>
#include <string.h>

enum { BAR_WIDTH = 50, BIN_COUNT = 12, SHOWN_FUNCTIONS = 5, TICK_WIDTH = 20 };

static void write_text(struct output *out, struct text *text)
{
    struct span span = text_span(text);
    output_put(out, span.at, span.length);
    text->length = 0;
}

/* The width of a bin: the smallest of 1, 2, 5, 10 ... with which the bins hold all ticks. */
static int64_t bin_width_ns(int64_t longest_ns)
{
    static const int64_t factors[] = {2, 5, 10};
    for (int64_t unit_ns = 1000;; unit_ns *= 10)
        for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
            if (longest_ns / (unit_ns * factors[i]) < BIN_COUNT)
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

static void put_bin(struct text *text, int64_t from_ns, int64_t width_ns, size_t count,
                    size_t largest)
{
    struct text value = {0};
    int decimals = width_ns % 1000000 == 0 ? 0 : 3;
    report_put_time(&value, from_ns, UNIT_MS, decimals);
    put_right(text, &value, 8);
    text_put_string(text, " - ");
    report_put_time(&value, from_ns + width_ns, UNIT_MS, decimals);
    put_right(text, &value, 7);
    text_put_grouped(&value, count);
    put_right(text, &value, 9);
    /* A bin with a tick in it has a bar. */
    size_t bar = count == 0 ? 0 : 1 + count * (BAR_WIDTH - 1) / largest;
    text_put_string(text, bar > 0 ? "  " : "");
    for (size_t i = 0; i < bar; i++)
        text_put_string(text, from_ns >= TICK_BUDGET_NS ? "!" : "#");
    text_put_string(text, "\n");
    text_release(&value);
}

static void put_histogram(struct text *text, const struct tick_statistics *statistics)
{
    size_t counts[BIN_COUNT] = {0};
    size_t largest = 0;
    int64_t width_ns = bin_width_ns(statistics->longest_ns);
    for (size_t i = 0; i < statistics->count; i++) {
        size_t *count = &counts[statistics->worst[i]->time_ns / width_ns];
        if (++*count > largest)
            largest = *count;
    }
    int64_t last = statistics->longest_ns / width_ns;
    text_put_string(text, "\n     ms in a tick    ticks\n");
    for (int64_t i = 0; i <= last; i++)
        put_bin(text, i * width_ns, width_ns, counts[i], largest);
}

static bool is_collection(const struct tick *tick)
{
    return tick->number % TICKS_A_COLLECTION == 0;
}

static void put_worst(struct text *text, const struct report *report,
                      const struct tick_statistics *statistics)
{
    struct text value = {0};
    size_t shown = statistics->count;
    if (report->tick_limit != 0 && shown > report->tick_limit)
        shown = report->tick_limit;
    text_put_string(
        text, "\n          worst tick       ms      calls  most expensive functions (self ms)\n");
    for (size_t i = 0; i < shown; i++) {
        const struct tick *tick = statistics->worst[i];
        recording_put_tick(&value, report, tick);
        put_right(text, &value, TICK_WIDTH);
        recording_put_ms(&value, statistics, tick->time_ns);
        put_right(text, &value, 9);
        text_put_grouped(&value, tick->calls);
        put_right(text, &value, 11);
        text_put_string(text, "  ");
        if (is_collection(tick))
            text_put_string(text, "(garbage collection) ");
        recording_put_functions(text, report, statistics, tick, SHOWN_FUNCTIONS);
        text_put_string(text, "\n");
    }
    if (shown > 0)
        text_printf(text, "--tick %lld shows the first of them alone, in all formats.\n",
                    (long long)statistics->worst[0]->number);
    text_release(&value);
}

static struct report_result write_ticks(const struct report *report, struct output *out)
{
    struct text text = {0};
    struct tick_statistics statistics;
    tick_statistics_init(&statistics, &report->profile->ticks);
    text_put_string(&text, "Profile: ");
    text_put_clean(&text, (struct span){report->title, strlen(report->title)}, false);
    text_put_string(&text, "\n");
    recording_put_ticks(&text, report->profile, "Ticks:   ", &statistics);
    recording_put_trust(&text, report);
    if (statistics.count > 0) {
        put_histogram(&text, &statistics);
        put_worst(&text, report, &statistics);
        text_put_string(&text,
                        "A tick's time is that of the Lua that was recorded; what the engine "
                        "does itself is not in it.\n");
    } else {
        text_put_string(&text, "There are no ticks: only recordings of profiler.lua in a sim have "
                               "them.\n");
    }
    recording_put_losses(&text, report);
    write_text(out, &text);
    text_release(&text);
    tick_statistics_release(&statistics);
    return (struct report_result){
        .count = report->profile->ticks.count, .one = "tick", .many = "ticks"};
}

const struct report_format report_ticks = {
    .name = "ticks",
    .summary = "the ticks against their 100 ms",
    .manual =
        "How the ticks of recordings lie against the 100 ms that each has: a histogram, in which "
        "'!' is a bar of ticks that are too long, and the worst of them with their most expensive "
        "functions. '(garbage collection)' marks a tick whose number 70 divides, in which the game "
        "collects the garbage of its Lua.",
    .uses = USES_COSTS,
    .suffixes = {".ticks", NULL},
    .write = write_ticks,
};

static struct report_result write_ticks_csv(const struct report *report, struct output *out)
{
    const struct tick_list *list = &report->profile->ticks;
    struct text line = {0};
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
    return (struct report_result){
        .count = report->profile->ticks.count, .one = "tick", .many = "ticks"};
}

const struct report_format report_ticks_csv = {
    .name = "ticks-csv",
    .summary = "a line for each tick, for spreadsheets",
    .manual = "A line for each tick: {Li "
              "run,tick,game_seconds,time_us,measured_us,calls,over_us,collection}. "
              "{Li measured_us} is the time before the cost of recording was subtracted.",
    .uses = USES_COSTS,
    .suffixes = {".ticks.csv", NULL},
    .write = write_ticks_csv,
};
