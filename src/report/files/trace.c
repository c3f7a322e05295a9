/*
 * Chrome's trace events, for Perfetto (ui.perfetto.dev) and chrome://tracing: a JSON
 * object whose "traceEvents" are
 *
 *     ph M      the name of a process (a run) or a thread, and where to show it
 *     ph B, E   where a slice or tick begins and ends, in microseconds with three decimals,
 *               which is exact; three more count the events of one nanosecond
 *
 * Source: "Trace Event Format" of the Chromium project. Slices are pairs of events, not
 * single events with a length, because with a coarse clock many calls have length 0:
 * Perfetto would then guess which of two called the other, but pairs are nested by their
 * order. speedscope does not keep the order of equal times: so none are equal. Ticks are a separate
 * thread. The numbers of threads are not those of the run, so that 0 is not used: it is the idle
 * thread of an operating system.
 */
#include "base/json.h"
#include "report/figures/formats.h"
#include "report/figures/label_texts.h"
#include "report/figures/report.h"
#include "report/sentences/amounts.h"

enum { TICKS_THREAD = 1, FIRST_THREAD = 2 };

/* Perfetto drops slices with 512 below them (kMaxDepth in its slice_tracker.h). */
enum { DEPTH_MAX = 511 };

/* A trace while it is written. */
struct trace {
    const struct report *report;
    const struct timeline *timeline;
    int64_t zero_ns; /* of its times: the first of them */
    int64_t last_ns; /* time of the last event, and how many were before it at that time */
    unsigned same_count;
    struct json_writer json;
    struct text name; /* buffer */
};

/* Begins an event of a kind, as a JSON string, and a thread; it ends with json_end(). */
static void begin_event(struct trace *trace, const char *kind, uint32_t run, uint64_t thread)
{
    json_line(&trace->json);
    json_object(&trace->json, NULL);
    text_put_string(json_value(&trace->json, "ph"), kind);
    json_count(&trace->json, "pid", trace->report->profile->recordings.all[run].run);
    json_count(&trace->json, "tid", thread);
}

/* A viewer reads times as binary fractions: near 0, times that are equal stay so. */
static void put_moment(struct trace *trace, int64_t ns)
{
    enum { COUNT_MAX = 999 };
    struct text *value = json_value(&trace->json, "ts");
    trace->same_count =
        ns != trace->last_ns ? 0 : trace->same_count + (trace->same_count < COUNT_MAX);
    trace->last_ns = ns;
    amount_put_time(value, ns - trace->zero_ns, UNIT_US, 3);
    if (trace->same_count > 0)
        text_printf(value, "%03u", trace->same_count);
}

static int64_t first_moment(const struct timeline *timeline)
{
    int64_t first_ns = INT64_MAX;
    for (size_t i = 0; i < timeline->tick_count; i++)
        if (timeline->ticks[i].begin_ns < first_ns)
            first_ns = timeline->ticks[i].begin_ns;
    for (size_t i = 0; i < timeline->slice_count; i++)
        if (timeline->slices[i].begin_ns < first_ns)
            first_ns = timeline->slices[i].begin_ns;
    return first_ns == INT64_MAX ? 0 : first_ns;
}

/* Puts the name that was appended to the buffer, and empties that. */
static void put_name(struct trace *trace)
{
    json_text(&trace->json, "name", text_span(&trace->name));
    text_cut(&trace->name, 0);
}

/* Gives a process or thread the name in the buffer. */
static void put_naming(struct trace *trace, const char *what, uint32_t run, uint64_t thread)
{
    begin_event(trace, "\"M\"", run, thread);
    json_text(&trace->json, "name", span_of(what));
    json_object(&trace->json, "args");
    put_name(trace);
    json_end(&trace->json);
    json_end(&trace->json);
}

/* Names a thread, and says where it is to be shown among those of its run. */
static void put_thread(struct trace *trace, uint32_t run, uint64_t thread, size_t position)
{
    put_naming(trace, "thread_name", run, thread);
    begin_event(trace, "\"M\"", run, thread);
    json_text(&trace->json, "name", span_of("thread_sort_index"));
    json_object(&trace->json, "args");
    json_count(&trace->json, "sort_index", position);
    json_end(&trace->json);
    json_end(&trace->json);
}

/* The names of the logs, and the number of the run if there are several. */
static void put_recordings(struct trace *trace)
{
    const struct recordings *recordings = &trace->report->profile->recordings;
    for (size_t i = 0; i < trace->timeline->window_count; i++) {
        uint32_t run = trace->timeline->windows[i].recording;
        text_put_clean(&trace->name, span_of(trace->report->title), false);
        if (recordings->count > 1)
            text_printf(&trace->name, ", run %lu", (unsigned long)recordings->all[run].run);
        put_naming(trace, "process_name", run, TICKS_THREAD);
        text_put_string(&trace->name, tick_kinds[trace->report->profile->rebuild.state].many);
        put_thread(trace, run, TICKS_THREAD, 0);
    }
}

static void put_ticks(struct trace *trace)
{
    for (size_t i = 0; i < 2 * trace->timeline->tick_count; i++) {
        const struct timeline_tick *from = &trace->timeline->ticks[i / 2];
        struct tick tick = {.number = from->number, .recording = from->recording};
        begin_event(trace, i % 2 == 0 ? "\"B\"" : "\"E\"", from->recording, TICKS_THREAD);
        put_moment(trace, i % 2 == 0 ? from->begin_ns : from->end_ns);
        json_text(&trace->json, "name", span_of(tick_name(trace->report, &tick).at));
        json_end(&trace->json);
    }
}

/* The calling line is the category, not one of the args: for speedscope, calls with other args are
   of another function, and it fails on thousands of them. */
static void put_line(struct json_writer *json, const struct slice *slice)
{
    if (slice->line > 0)
        json_string(json, "cat", amount_make("line %ld", (long)slice->line).at);
    if (slice->line < 0)
        json_string(json, "cat", "tail call");
}

static void put_arguments(struct json_writer *json, const struct slice *slice)
{
    enum { SHOWN_FLAGS = SLICE_CONTINUED | SLICE_UNFINISHED | SLICE_FAILED };
    if ((slice->flags & SHOWN_FLAGS) == 0)
        return;
    JSON_OBJECT(json, "args");
    if (slice->flags & SLICE_CONTINUED)
        json_bool(json, "continued", true);
    if (slice->flags & SLICE_UNFINISHED)
        json_bool(json, "unfinished", true);
    if (slice->flags & SLICE_FAILED)
        json_bool(json, "error", true);
}

/* Puts a beginning or an end. speedscope knows by name and args which of them belong together. */
static bool put_border(void *context, const struct timeline_track *track, const struct slice *slice,
                       bool is_begin)
{
    struct trace *trace = context;
    bool is_truncated = slice->depth == DEPTH_MAX;
    begin_event(trace,
                is_begin ? "\"B\"" : "\"E\"",
                track->recording,
                (uint64_t)FIRST_THREAD + track->thread);
    put_moment(trace, is_begin ? slice->begin_ns : slice->end_ns);
    timeline_put_function(
        &trace->name, trace->report, is_truncated ? TIMELINE_TRUNCATED : slice->function);
    put_name(trace);
    if (is_begin)
        put_line(&trace->json, slice);
    put_arguments(&trace->json, slice);
    json_end(&trace->json);
    return !output_has_failed(trace->json.out);
}

static struct report_result write_trace(const struct report *report, struct output *out)
{
    const struct timeline *timeline = &report->profile->timeline;
    struct trace trace = {.report = report,
                          .timeline = timeline,
                          .zero_ns = first_moment(timeline),
                          .json = {.out = out, .is_compact = true}};
    struct report_result result = {.count = timeline->slice_count,
                                   .one = "slice",
                                   .many = "slices",
                                   .has_timeline = true,
                                   .truncated_count = timeline->truncated_count};
    json_object(&trace.json, NULL);
    json_text(&trace.json, "displayTimeUnit", span_of("ms"));
    json_array(&trace.json, "traceEvents");
    put_recordings(&trace);
    put_ticks(&trace);
    for (size_t i = 0; i < timeline->track_count; i++) {
        const struct timeline_track *track = &timeline->tracks[i];
        timeline_put_track(&trace.name, report, track, false);
        put_thread(&trace, track->recording, (uint64_t)FIRST_THREAD + track->thread, i + 1);
        result.truncated_count += timeline_walk(timeline, track, DEPTH_MAX, put_border, &trace);
    }
    json_line(&trace.json);
    json_end(&trace.json);
    json_end(&trace.json);
    text_release(&trace.name);
    return result;
}

const struct report_format report_trace = {
    .name = "trace",
    .summary = "a time line, for Perfetto and chrome://tracing",
    .uses = USES_TIMELINE,
    .suffixes = {".trace.json", NULL},
    .write = write_trace,
};
