/*
 * speedscope's own JSON (the schema is file-format-schema.json in the npm package
 * speedscope): profiles that one file holds side by side, and that the viewer offers in
 * a list:
 *
 *     Time; Calls; Time on the main thread; Time in coroutines; Time on either; Errors;
 *     Memory
 *
 * Those after the second are written only if they have data. The profile of --metric comes
 * first, because the viewer shows the first one. Each is "sampled": a list of call stacks,
 * root first, as numbers of frames, and a list of as many weights. A frame is a function.
 * The viewer refuses the whole file for one negative weight or for a stack of some thousands
 * of frames; viewer_tree.h prevents both. For a window of a recording, its time line follows, one
 * "evented" profile for each thread.
 */
#include "base/json.h"
#include "base/mem.h"
#include "report/figures/formats.h"
#include "report/figures/label_texts.h"
#include "report/figures/report.h"
#include "select/viewer_tree.h"

/* The stacks of one profile. */
struct sampled {
    const char *name;
    const char *unit;
    enum report_metric metric;
    uint8_t flags; /* of nodes; 0 for any */
};

struct speedscope {
    const struct report *report;
    struct viewer_tree viewer;
    struct json_writer json;
    uint32_t *frames; /* numbers in the file, from 1 on: [functions], and for TIMELINE_TRUNCATED */
    uint32_t frame_count;
};

/* Numbers a function, if it has no number, and puts it. */
static void put_frame(struct speedscope *file, uint32_t function)
{
    struct json_writer *json = &file->json;
    const struct labels *labels = file->report->labels;
    const struct symbols *symbols = &file->report->profile->symbols;
    if (file->frames[function] != 0)
        return;
    file->frames[function] = ++file->frame_count;
    json_line(json);
    JSON_OBJECT(json, NULL);
    if (function < symbols->function_count) {
        json_text(json, "name", labels_text(labels, labels->of[function].label));
        json_text(json, "file", labels_text(labels, labels->of[function].file));
    } else {
        json_string(json, "name", "(truncated)");
    }
    if (symbols_is_lua(symbols, function))
        json_number(json, "line", symbols->functions[function].line);
}

static bool shows_timeline(const struct report *report)
{
    return report->adds_timeline && report->profile->timeline.slice_count > 0;
}

static uint32_t timeline_function(const struct speedscope *file, uint32_t function)
{
    return function == TIMELINE_TRUNCATED ? file->report->profile->symbols.function_count
                                          : function;
}

/* Numbers the functions of the tree and the time line, and puts them in that order. */
static void put_frames(struct speedscope *file)
{
    const struct tree *tree = file->report->paths;
    const struct timeline *timeline = &file->report->profile->timeline;
    json_line(&file->json);
    JSON_OBJECT(&file->json, "shared");
    JSON_ARRAY(&file->json, "frames");
    for (uint32_t node = 1; node < tree->node_count; node++)
        put_frame(file, tree->calls[node].function);
    for (size_t i = 0; shows_timeline(file->report) && i < timeline->slice_count; i++) {
        put_frame(file, timeline_function(file, timeline->slices[i].function));
    }
    json_line(&file->json);
}

static uint64_t weight_of(const struct speedscope *file, const struct sampled *sampled,
                          uint32_t node)
{
    uint8_t threads = file->viewer.tree.flags[node] & (NODE_MAIN | NODE_COROUTINE);
    if (sampled->flags != 0 && threads != sampled->flags)
        return 0;
    return report_viewer_value(&file->viewer.tree, node, sampled->metric);
}

/* Puts the stacks with a weight, and then the weights. */
static void put_samples(struct speedscope *file, const struct sampled *sampled)
{
    struct json_writer *json = &file->json;
    const struct tree *tree = &file->viewer.tree;
    struct json_writer weights = {.is_compact = true};
    SCOPED(stack_path) path = {0};
    bool is_first = true;
    json_array(&weights, NULL);
    json_array(json, "samples");
    for (uint32_t node = 1; node < tree->node_count && !output_has_failed(json->out); node++) {
        stack_path_enter(&path, tree, node, ",");
        text_put_count(&path.text, file->frames[tree->calls[node].function] - 1);
        uint64_t weight = weight_of(file, sampled, node);
        if (weight == 0)
            continue;
        if (!is_first)
            json_line(json);
        is_first = false;
        struct text *text = json_value(json, NULL);
        text_put_string(text, "[");
        text_put_span(text, text_span(&path.text));
        text_put_string(text, "]");
        json_count(&weights, NULL, weight);
    }
    json_end(json);
    json_end(&weights);
    json_line(json);
    text_put_span(json_value(json, "weights"), text_span(&weights.text));
    text_release(&weights.text);
}

static void put_profile(struct speedscope *file, const struct sampled *sampled, uint64_t sum)
{
    struct json_writer *json = &file->json;
    json_line(json);
    JSON_OBJECT(json, NULL);
    json_string(json, "type", "sampled");
    json_string(json, "name", sampled->name);
    json_string(json, "unit", sampled->unit);
    json_number(json, "startValue", 0);
    json_count(json, "endValue", sum);
    put_samples(file, sampled);
}

/* The time line ---------------------------------------------------------------------------- */

/* Piece by piece, because a time line can have millions of events. */
static bool put_event(void *context, const struct timeline_track *track, const struct slice *slice,
                      bool is_begin)
{
    struct speedscope *file = context;
    json_line(&file->json);
    struct text *text = json_value(&file->json, NULL);
    text_put_string(text, is_begin ? "{\"type\":\"O\",\"at\":" : "{\"type\":\"C\",\"at\":");
    text_put_number(text, is_begin ? slice->begin_ns : slice->end_ns);
    text_put_string(text, ",\"frame\":");
    text_put_count(text, file->frames[timeline_function(file, slice->function)] - 1);
    text_put_string(text, "}");
    (void)track;
    return !output_has_failed(file->json.out);
}

/*
 * Puts a profile for each track of the time line: an event when a frame is opened (O) or closed
 * (C). speedscope does not load a file whose events go back in time or are not nested.
 */
static void put_evented(struct speedscope *file)
{
    struct json_writer *json = &file->json;
    const struct timeline *timeline = &file->report->profile->timeline;
    const struct timeline_window *window = timeline->windows;
    SCOPED(text) name = {0};
    for (size_t i = 0; i < timeline->track_count; i++) {
        const struct timeline_track *track = &timeline->tracks[i];
        while (window->recording != track->recording)
            window++;
        json_line(json);
        JSON_OBJECT(json, NULL);
        json_string(json, "type", "evented");
        timeline_put_track(&name, file->report, track, true);
        json_text(json, "name", text_span(&name));
        text_cut(&name, 0);
        json_string(json, "unit", "nanoseconds");
        json_number(json, "startValue", window->begin_ns);
        json_number(json, "endValue", window->end_ns);
        JSON_ARRAY(json, "events");
        timeline_walk(timeline, track, TIMELINE_DEPTH_MAX, put_event, file);
    }
}

/* The file --------------------------------------------------------------------------------- */

static void put_profiles(struct speedscope *file)
{
    static const struct sampled profiles[] = {
        {"Time", "nanoseconds", METRIC_TIME, 0},
        {"Calls", "none", METRIC_CALLS, 0},
        {"Time on the main thread", "nanoseconds", METRIC_TIME, NODE_MAIN},
        {"Time in coroutines", "nanoseconds", METRIC_TIME, NODE_COROUTINE},
        {"Time on either", "nanoseconds", METRIC_TIME, NODE_MAIN | NODE_COROUTINE},
        {"Errors", "none", METRIC_ERRORS, 0},
        {"Memory", "bytes", METRIC_ALLOC, 0},
    };
    enum { COUNT = sizeof profiles / sizeof profiles[0] };
    uint64_t sums[COUNT] = {0};
    size_t first = 0;
    for (uint32_t node = 1; node < file->viewer.tree.node_count; node++)
        for (size_t i = 0; i < COUNT; i++)
            sums[i] += weight_of(file, &profiles[i], node);
    while (profiles[first].metric != file->report->show.metric)
        first++;
    json_line(&file->json);
    JSON_ARRAY(&file->json, "profiles");
    put_profile(file, &profiles[first], sums[first]);
    for (size_t i = 0; i < COUNT; i++)
        if (i != first && sums[i] > 0)
            put_profile(file, &profiles[i], sums[i]);
    if (shows_timeline(file->report))
        put_evented(file);
    json_line(&file->json);
}

static struct report_result write_speedscope(const struct report *report, struct output *out)
{
    struct speedscope file = {.report = report, .json = {.out = out, .is_compact = true}};
    struct json_writer *json = &file.json;
    uint32_t function_count = report->profile->symbols.function_count;
    viewer_tree_init(&file.viewer, report->paths, report->labels);
    file.frames = mem_zeroed((size_t)function_count + 1, sizeof *file.frames);
    json_object(json, NULL);
    json_string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
    json_line(json);
    json_string(json, "exporter", "supprof " SUPPROF_VERSION);
    json_number(json, "activeProfileIndex", 0);
    json_string(json, "name", report->title);
    put_frames(&file);
    put_profiles(&file);
    json_end(json);
    struct report_result result = report_viewer_result(report, &file.viewer);
    result.has_timeline = shows_timeline(report);
    result.lacks_timeline = report->adds_timeline && report->profile->timeline.is_too_long;
    viewer_tree_release(&file.viewer);
    free(file.frames);
    return result;
}

const struct report_format report_speedscope = {
    .name = "speedscope",
    .summary = "for speedscope.app",
    .uses = USES_METRIC | USES_PROFILE | USES_PATHS | ADDS_TIMELINE,
    .suffixes = {".speedscope.json", NULL},
    .write = write_speedscope,
};
