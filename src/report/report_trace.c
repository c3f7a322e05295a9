/*
 * Chrome's trace events, for Perfetto (ui.perfetto.dev) and chrome://tracing: a JSON
 * object whose "traceEvents" are
 *
 *     ph M      the name of a process (a run) or a thread, and where to show it
 *     ph B, E   where a slice begins and ends, in microseconds with three decimals, which
 *               is exact
 *     ph X      a tick, with its length
 *
 * Source: "Trace Event Format" of the Chromium project. Slices are pairs of events, not
 * single events with a length, because with a coarse clock many calls have length 0:
 * Perfetto would then guess which of two called the other, but pairs are nested by their
 * order. Ticks are a separate thread. The numbers of threads are not those of the run, so
 * that 0 is not used: it is the idle thread of an operating system.
 */
#include "report/report.h"

#include "base/json.h"
#include "report/report_timeline.h"
#include "report/text/report_recording.h"

enum { TICKS_THREAD = 1, FIRST_THREAD = 2 };

/* Perfetto drops slices with 512 below them (kMaxDepth in its slice_tracker.h). */
enum { DEPTH_MAX = 511 };

/* A trace while it is written. */
struct trace {
    const struct report *report;
    const struct timeline *timeline;
    struct output *out;
    struct text event;
    bool has_events;
};

static void write_event(struct trace *trace)
{
    output_put(trace->out, trace->event.at, trace->event.length);
    trace->event.length = 0;
}

/* Begins an event of a kind ("B") and a thread. */
static void begin_event(struct trace *trace, const char *kind, uint32_t run, uint64_t thread)
{
    struct text *event = &trace->event;
    text_put_string(event, trace->has_events ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    text_put_string(event, kind);
    text_put_string(event, "\",\"pid\":");
    text_put_count(event, trace->report->profile->recordings.all[run].run);
    text_put_string(event, ",\"tid\":");
    text_put_count(event, thread);
    trace->has_events = true;
}

static void put_time(struct text *event, const char *what, int64_t ns)
{
    text_put_string(event, what);
    report_put_time(event, ns, UNIT_US, 3);
}

/* Begins an event that gives a process or thread a name; it ends in that and "}}". */
static void begin_name(struct trace *trace, const char *what, uint32_t run, uint64_t thread)
{
    begin_event(trace, "M", run, thread);
    text_printf(&trace->event, ",\"name\":\"%s\",\"args\":{\"name\":", what);
}

/* Says where a thread is to be shown among those of its run. */
static void put_position(struct trace *trace, uint32_t run, uint64_t thread, size_t position)
{
    begin_event(trace, "M", run, thread);
    text_printf(&trace->event, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%zu}}",
                position);
}

static void write_runs(struct trace *trace)
{
    for (size_t i = 0; i < trace->timeline->window_count; i++) {
        uint32_t run = trace->timeline->windows[i].run;
        begin_name(trace, "process_name", run, TICKS_THREAD);
        timeline_put_run(&trace->event, trace->report, run);
        text_put_string(&trace->event, "}}");
        begin_name(trace, "thread_name", run, TICKS_THREAD);
        text_put_string(&trace->event, "\"ticks\"}}");
        put_position(trace, run, TICKS_THREAD, 0);
        write_event(trace);
    }
}

static void write_ticks(struct trace *trace)
{
    struct text name = {0};
    for (size_t i = 0; i < trace->timeline->tick_count; i++) {
        const struct timeline_tick *from = &trace->timeline->ticks[i];
        struct tick tick = {.number = from->number, .run = from->run};
        recording_put_tick(&name, trace->report, &tick);
        begin_event(trace, "X", from->run, TICKS_THREAD);
        put_time(&trace->event, ",\"ts\":", from->begin_ns);
        put_time(&trace->event, ",\"dur\":", from->end_ns - from->begin_ns);
        text_put_string(&trace->event, ",\"name\":");
        json_put_string(&trace->event, text_span(&name));
        text_put_string(&trace->event, "}");
        write_event(trace);
        name.length = 0;
    }
    text_release(&name);
}

static void put_argument(struct text *event, bool *is_first, const char *argument)
{
    text_put_string(event, *is_first ? ",\"args\":{" : ",");
    text_put_string(event, argument);
    *is_first = false;
}

static void put_arguments(struct text *event, const struct slice *slice)
{
    bool is_first = true;
    if (slice->line > 0) {
        put_argument(event, &is_first, "\"line\":");
        text_put_number(event, slice->line);
    }
    if (slice->line < 0)
        put_argument(event, &is_first, "\"tail_call\":true");
    if (slice->flags & SLICE_CONTINUED)
        put_argument(event, &is_first, "\"continued\":true");
    if (slice->flags & SLICE_UNFINISHED)
        put_argument(event, &is_first, "\"unfinished\":true");
    if (slice->flags & SLICE_FAILED)
        put_argument(event, &is_first, "\"error\":true");
    if (!is_first)
        text_put_string(event, "}");
}

static void write_begin(struct trace *trace, const struct timeline_track *track,
                        const struct slice *slice)
{
    bool is_truncated = slice->depth == DEPTH_MAX;
    begin_event(trace, "B", track->run, (uint64_t)FIRST_THREAD + track->thread);
    put_time(&trace->event, ",\"ts\":", slice->begin_ns);
    text_put_string(&trace->event, ",\"name\":");
    timeline_put_function(&trace->event, trace->report,
                          is_truncated ? TIMELINE_TRUNCATED : slice->function);
    put_arguments(&trace->event, slice);
    text_put_string(&trace->event, "}");
    write_event(trace);
}

static void write_end(struct trace *trace, const struct timeline_track *track, int64_t end_ns)
{
    begin_event(trace, "E", track->run, (uint64_t)FIRST_THREAD + track->thread);
    put_time(&trace->event, ",\"ts\":", end_ns);
    text_put_string(&trace->event, "}");
    write_event(trace);
}

/* Callers come before their callees, so a slice ends open slices that do not contain it. */
static uint64_t write_slices(struct trace *trace, const struct timeline_track *track)
{
    int64_t ends_ns[DEPTH_MAX + 1];
    size_t depth = 0;
    uint64_t truncated_count = 0;
    for (size_t i = 0; i < track->slices && !output_has_failed(trace->out); i++) {
        const struct slice *slice = &trace->timeline->slices[track->first_slice + i];
        if (slice->depth > DEPTH_MAX) {
            truncated_count += !(slice->flags & SLICE_CONTINUED);
            continue;
        }
        while (depth > slice->depth)
            write_end(trace, track, ends_ns[--depth]);
        write_begin(trace, track, slice);
        ends_ns[depth++] = slice->end_ns;
    }
    while (depth > 0)
        write_end(trace, track, ends_ns[--depth]);
    return truncated_count;
}

/* Returns the number of calls that were too deep to be shown. */
static uint64_t write_track(struct trace *trace, size_t number)
{
    const struct timeline_track *track = &trace->timeline->tracks[number];
    uint64_t thread = (uint64_t)FIRST_THREAD + track->thread;
    begin_name(trace, "thread_name", track->run, thread);
    timeline_put_track(&trace->event, trace->report, track, false);
    text_put_string(&trace->event, "}}");
    put_position(trace, track->run, thread, number + 1);
    return write_slices(trace, track);
}

static struct report_result write_trace(const struct report *report, struct output *out)
{
    const struct timeline *timeline = &report->profile->timeline;
    struct trace trace = {.report = report, .timeline = timeline, .out = out};
    output_put_string(out, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    write_runs(&trace);
    write_ticks(&trace);
    struct report_result result = {.count = timeline->slice_count,
                                   .one = "slice",
                                   .many = "slices",
                                   .has_timeline = true,
                                   .truncated_count = timeline->truncated_count};
    for (size_t i = 0; i < timeline->track_count; i++)
        result.truncated_count += write_track(&trace, i);
    output_put_string(out, "\n]}\n");
    text_release(&trace.event);
    return result;
}

const struct report_format report_trace = {
    .name = "trace",
    .summary = "a time line, for Perfetto and chrome://tracing",
    .manual =
        "The time line of recordings, as Chrome's trace events, for {Lk https://ui.perfetto.dev "
        "Perfetto} and {Li chrome://tracing}: when each call began and how long it took. See {Sx "
        "TIME LINES}.",
    .suffixes = {".trace.json", NULL},
    .uses_timeline = true,
    .write = write_trace,
};
