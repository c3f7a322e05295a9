/*
 * Chrome's trace events, for Perfetto (ui.perfetto.dev) and chrome://tracing: a JSON
 * object whose "traceEvents" are
 *
 *     ph M   the name of a process (a run) or a thread, and where to show it
 *     ph X   a slice: where it begins and how long it takes, in microseconds with three
 *            decimals, which is all there is
 *
 * Source: "Trace Event Format" of the Chromium project. Slices stand parents first, which
 * is how the viewers tell a call without length from its caller. Ticks are a thread of
 * their own. The numbers of threads are not those of the run, so that none is 0: that is
 * the idle thread of an operating system.
 */
#include "report.h"

#include "json.h"
#include "report_recording.h"
#include "report_timeline.h"

enum { TICKS_THREAD = 1, FIRST_THREAD = 2 };

/* A trace while it is written. */
struct trace {
    const struct report *report;
    const struct timeline *timeline;
    FILE *out;
    struct text event;
    bool has_events;
};

static void write_event(struct trace *trace)
{
    fwrite(trace->event.at, 1, trace->event.length, trace->out);
    trace->event.length = 0;
}

/* Begins an event of a kind ("X") and a thread. */
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

static void put_times(struct text *event, int64_t begin_ns, int64_t end_ns)
{
    text_put_string(event, ",\"ts\":");
    report_put_time(event, begin_ns, UNIT_US, 3);
    text_put_string(event, ",\"dur\":");
    report_put_time(event, end_ns - begin_ns, UNIT_US, 3);
    text_put_string(event, ",\"name\":");
}

/* Begins an event that gives a process or thread a name; it ends in that and "}}". */
static void begin_name(struct trace *trace, const char *what, uint32_t run, uint64_t thread)
{
    begin_event(trace, "M", run, thread);
    text_put_string(&trace->event, ",\"name\":\"");
    text_put_string(&trace->event, what);
    text_put_string(&trace->event, "\",\"args\":{\"name\":");
}

/* Says where a thread is to be shown among those of its run. */
static void put_position(struct trace *trace, uint32_t run, uint64_t thread, size_t position)
{
    begin_event(trace, "M", run, thread);
    text_put_string(&trace->event, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":");
    text_put_count(&trace->event, position);
    text_put_string(&trace->event, "}}");
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
        put_times(&trace->event, from->begin_ns, from->end_ns);
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

static void write_track(struct trace *trace, size_t number)
{
    const struct timeline_track *track = &trace->timeline->tracks[number];
    uint64_t thread = (uint64_t)FIRST_THREAD + track->thread;
    begin_name(trace, "thread_name", track->run, thread);
    timeline_put_track(&trace->event, trace->report, track, false);
    text_put_string(&trace->event, "}}");
    put_position(trace, track->run, thread, number + 1);
    for (size_t i = 0; i < track->slices; i++) {
        const struct slice *slice = &trace->timeline->slices[track->first_slice + i];
        begin_event(trace, "X", track->run, thread);
        put_times(&trace->event, slice->begin_ns, slice->end_ns);
        timeline_put_function(&trace->event, trace->report, slice->function);
        put_arguments(&trace->event, slice);
        text_put_string(&trace->event, "}");
        write_event(trace);
    }
}

static void write_trace(struct report *report, FILE *out)
{
    const struct timeline *timeline = &report->profile->timeline;
    struct trace trace = {.report = report, .timeline = timeline, .out = out};
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", out);
    write_runs(&trace);
    write_ticks(&trace);
    for (size_t i = 0; i < timeline->track_count; i++)
        write_track(&trace, i);
    fputs("\n]}\n", out);
    report->truncated_count = timeline->truncated_count;
    text_release(&trace.event);
}

const struct report_format report_trace = {
    .name = "trace",
    .summary = "a time line, for Perfetto and chrome://tracing",
    .suffixes = {".trace.json", NULL},
    .uses_timeline = true,
    .write = write_trace,
};
