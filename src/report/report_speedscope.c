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
 * of frames; viewer.h prevents both. For a window of a recording, its time line follows: see
 * speedscope_evented.h.
 */
#include "report/report.h"

#include "base/json.h"
#include "base/mem.h"
#include "report/speedscope_evented.h"
#include "select/viewer.h"
#include "tree/tree_links.h"

#include <stdlib.h>
#include <string.h>

/* The stacks of one profile. */
struct sampled {
    const char *name;
    const char *unit;
    enum report_metric metric;
    uint8_t flags; /* of nodes; 0 for any */
};

struct speedscope {
    const struct report *report;
    struct viewer viewer;
    uint32_t *frames; /* [function count with "(truncated)"]: numbers in the file */
    uint32_t frame_count;
    struct output *out;
};

static void write_text(struct output *out, struct text *text)
{
    output_put(out, text_span(text).at, text->length);
    text->length = 0;
}

static void put_frame(struct text *text, const struct speedscope *file, uint32_t function)
{
    const struct labels *labels = file->report->labels;
    const struct symbols *symbols = &file->report->profile->symbols;
    text_put_string(text, "{\"name\":");
    json_put_string(text, viewer_label(&file->viewer, labels, function));
    if (function < symbols->function_count) {
        text_put_string(text, ",\"file\":");
        json_put_string(text, labels_text(labels, labels->labels[function].file));
        if (symbols_is_lua(symbols, function)) {
            text_put_string(text, ",\"line\":");
            text_put_number(text, symbols->functions[function].line);
        }
    }
    text_put_string(text, "}");
}

/* Numbers a function, if it has no number, and writes it. */
static void write_frame(struct speedscope *file, uint32_t function)
{
    struct text text = {0};
    if (file->frames[function] != UINT32_MAX)
        return;
    file->frames[function] = file->frame_count++;
    text_put_string(&text, file->frame_count > 1 ? ",\n" : "\n");
    put_frame(&text, file, function);
    write_text(file->out, &text);
    text_release(&text);
}

static bool shows_timeline(const struct report *report)
{
    return report->adds_timeline && report->profile->timeline.slice_count > 0;
}

/* Numbers the functions of the tree and the time line, and writes them in that order. */
static void write_frames(struct speedscope *file)
{
    const struct tree *tree = file->report->stacks->tree;
    const struct timeline *timeline = &file->report->profile->timeline;
    uint32_t *depths = mem_zeroed(tree->node_count, sizeof *depths);
    output_put_string(file->out, "\"shared\":{\"frames\":[");
    for (uint32_t node = 1; node < tree->node_count; node++) {
        depths[node] = depths[tree->calls[node].parent] + 1;
        bool is_shown = depths[node] <= VIEWER_DEPTH_MAX;
        write_frame(file, is_shown ? tree->calls[node].function : file->viewer.truncated);
    }
    free(depths);
    for (size_t i = 0; shows_timeline(file->report) && i < timeline->slice_count; i++) {
        uint32_t function = timeline->slices[i].function;
        write_frame(file, function == TIMELINE_TRUNCATED ? file->viewer.truncated : function);
    }
    output_put_string(file->out, "\n]}");
}

/* Unsigned, so that sums do not overflow: a viewer's tree has no values below 0. */
static uint64_t weight_of(const struct speedscope *file, const struct sampled *sampled,
                          uint32_t node)
{
    uint8_t threads = file->viewer.tree.flags[node] & (NODE_MAIN | NODE_COROUTINE);
    if (sampled->flags != 0 && threads != sampled->flags)
        return 0;
    uint64_t value = (uint64_t)report_value(&file->viewer.tree, node, sampled->metric);
    return sampled->metric == METRIC_ALLOC ? value * 1024 : value;
}

/* The frames on the path to the current node, as text. */
struct path {
    struct text text;
    size_t *ends; /* [depth] */
    size_t depth, capacity;
};

static void leave(void *context, uint32_t node)
{
    (void)node;
    struct path *path = context;
    path->text.length = path->ends[--path->depth];
}

static void enter(struct path *path, uint32_t frame)
{
    path->ends = mem_grow(path->ends, &path->capacity, path->depth + 1, sizeof *path->ends);
    path->ends[path->depth] = path->text.length;
    if (path->depth++ > 0)
        text_put(&path->text, ",", 1);
    text_put_count(&path->text, frame);
}

static uint64_t sum_of(const struct speedscope *file, const struct sampled *sampled)
{
    uint64_t sum = 0;
    for (uint32_t node = 1; node < file->viewer.tree.node_count; node++)
        sum += weight_of(file, sampled, node);
    return sum;
}

static void write_samples(const struct speedscope *file, const struct sampled *sampled,
                          struct text *weights)
{
    const struct tree *tree = &file->viewer.tree;
    struct path path = {0};
    bool is_first = true;
    uint32_t node = TREE_ROOT;
    while (!output_has_failed(file->out) &&
           (node = tree_next(tree, &file->viewer.links, node, leave, &path)) != TREE_NONE) {
        enter(&path, file->frames[tree->calls[node].function]);
        uint64_t weight = weight_of(file, sampled, node);
        if (weight == 0)
            continue;
        output_put_string(file->out, is_first ? "[" : ",\n[");
        output_put(file->out, path.text.at, path.text.length);
        output_put_string(file->out, "]");
        if (!is_first)
            text_put(weights, ",", 1);
        text_put_count(weights, weight);
        is_first = false;
    }
    text_release(&path.text);
    free(path.ends);
}

static void write_profile(const struct speedscope *file, const struct sampled *sampled,
                          bool is_first)
{
    uint64_t sum = sum_of(file, sampled);
    struct text weights = {0};
    if (!is_first && sum == 0)
        return;
    output_printf(file->out,
                  "%s\n{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",\"startValue\":0,"
                  "\"endValue\":%llu,\"samples\":[",
                  is_first ? "" : ",", sampled->name, sampled->unit, (unsigned long long)sum);
    write_samples(file, sampled, &weights);
    output_put_string(file->out, "],\n\"weights\":[");
    write_text(file->out, &weights);
    output_put_string(file->out, "]}");
    text_release(&weights);
}

static void write_profiles(const struct speedscope *file)
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
    size_t first = 0;
    while (profiles[first].metric != file->report->metric)
        first++;
    output_put_string(file->out, "\"profiles\":[");
    write_profile(file, &profiles[first], true);
    for (size_t i = 0; i < COUNT; i++)
        if (i != first)
            write_profile(file, &profiles[i], false);
    if (shows_timeline(file->report))
        speedscope_put_evented(file->out, file->report, file->frames);
    output_put_string(file->out, "\n]");
}

static struct report_result write_speedscope(const struct report *report, struct output *out)
{
    struct speedscope file = {.report = report, .out = out};
    uint32_t function_count = report->profile->symbols.function_count;
    viewer_init(&file.viewer, report->stacks->tree, report->labels, function_count,
                VIEWER_DEPTH_MAX);
    file.frames = mem_zeroed((size_t)function_count + 1, sizeof *file.frames);
    memset(file.frames, 0xff, ((size_t)function_count + 1) * sizeof *file.frames);

    struct text title = {0}, name = {0};
    text_put_clean(&title, (struct span){report->title, strlen(report->title)}, false);
    json_put_string(&name, text_span(&title));
    output_put_string(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                           "\"exporter\":\"supprof " SUPPROF_VERSION
                           "\",\"activeProfileIndex\":0,\"name\":");
    write_text(out, &name);
    output_put_string(out, ",\n");
    write_frames(&file);
    output_put_string(out, ",\n");
    write_profiles(&file);
    output_put_string(out, "}\n");
    struct report_result result = report_viewer_result(report, &file.viewer);
    result.listed = report->stacks;
    result.has_timeline = shows_timeline(report);
    result.lacks_timeline = report->adds_timeline && report->profile->timeline.is_too_long;
    text_release(&title);
    text_release(&name);
    viewer_release(&file.viewer);
    free(file.frames);
    return result;
}

const struct report_format report_speedscope = {
    .name = "speedscope",
    .summary = "for speedscope.app",
    .manual = "The native format of {Lk https://www.speedscope.app}, JSON. A file has several "
              "profiles, and the viewer can switch between them: time, calls, and time by the "
              "thread on which it was spent; of recordings also errors and memory, if there are "
              "any. The viewer opens with the profile of {--metric}. With a window of a recording "
              "({--from}, {--to}), each thread has one profile more, its time line, unless "
              "something is filtered or folded; see {Sx TIME LINES}.",
    .uses = USES_METRIC | USES_PROFILE,
    .suffixes = {".speedscope.json", NULL},
    .uses_paths = true,
    .adds_timeline = true,
    .write = write_speedscope,
};
