/*
 * V8's CPU profile, for VS Code and for the performance panel of Chrome's DevTools: JSON
 * with a tree of nodes, and samples that give a node and how long it ran. A node is a
 * function on a call stack, called from one line.
 *
 * - Readers do not agree on whether a sample ends or begins with its delta: DevTools and
 *   speedscope give samples[i] timeDeltas[i + 1], VS Code gives it timeDeltas[i - 1]. So each
 *   node has three samples in a row, and of their deltas only the middle one is not 0: then all
 *   agree.
 * - VS Code expects nodes to be numbered level by level, starting at 1.
 * - Deltas are whole microseconds; the remainder of rounding is carried into the next one, as in
 *   folded stacks.
 * - hitCount is the self time of the node in microseconds, so a tick in DevTools is a
 *   microsecond. The ticks of a line are the total time of the calls made from it, and at
 * the line of the definition the self time: lines are numbered from 1 there, but from 0 in
 * callFrame.
 */
#include "base/json.h"
#include "base/mem.h"
#include "report/figures/formats.h"
#include "report/figures/report.h"
#include "select/viewer_tree.h"
#include "tree/stacks.h"

enum { TICK_NS = 1000, SAMPLES_A_NODE = 3 };

/* The time of a line of a function. */
struct line_ticks {
    int64_t line, ns;
};

struct cpuprofile {
    const struct report *report;
    struct viewer_tree viewer;
    struct json_writer json;
    uint32_t *order;          /* [node_count] nodes of the viewer's tree, level by level */
    uint32_t *numbers;        /* [node_count] by node, from 1 on */
    uint64_t *weights;        /* [node_count] by node: self time in ticks */
    uint64_t weight_sum;      /* of all */
    struct text *frames;      /* [functions]: made when first needed */
    struct line_ticks *ticks; /* buffer */
    size_t tick_capacity;
};

static void number_nodes(struct cpuprofile *file)
{
    const uint32_t *sizes = file->viewer.sizes;
    uint32_t count = 1;
    file->numbers[TREE_ROOT] = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = file->order[i], end = node + sizes[node];
        for (uint32_t child = node + 1; child < end; child += sizes[child]) {
            file->order[count++] = child;
            file->numbers[child] = count;
        }
    }
}

/* In the order of the samples, so that the sum of any range of them is exact to one tick. */
static void weigh_nodes(struct cpuprofile *file)
{
    const struct tree *tree = &file->viewer.tree;
    int64_t carry_ns = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        int64_t exact_ns = tree->self_ns[node] + carry_ns;
        int64_t weight = exact_ns < 0 ? 0 : (exact_ns + TICK_NS / 2) / TICK_NS;
        carry_ns = exact_ns - weight * TICK_NS;
        file->weights[node] = (uint64_t)weight;
        file->weight_sum += (uint64_t)weight;
    }
}

static void put_call_frame(struct json_writer *json, const char *key, struct span name,
                           struct span url, int64_t line, int64_t column)
{
    JSON_OBJECT(json, key);
    json_text(json, "functionName", name);
    json_string(json, "scriptId", "0");
    json_text(json, "url", url);
    json_number(json, "lineNumber", line);
    json_number(json, "columnNumber", column);
}

/* The text is made once for a function, which can have many nodes. */
static struct span call_frame(struct cpuprofile *file, uint32_t function)
{
    const struct labels *labels = file->report->labels;
    const struct symbols *symbols = &file->report->profile->symbols;
    struct text *frame = &file->frames[function];
    if (frame->length > 0)
        return text_span(frame);
    struct json_writer json = {.is_compact = true};
    if (symbols_is_lua(symbols, function)) {
        int32_t line = symbols->functions[function].line;
        put_call_frame(&json,
                       NULL,
                       labels_text(labels, labels->of[function].name),
                       report_path(file->report, function),
                       line > 0 ? line - 1 : 0,
                       0);
    } else {
        /* C functions are distinguished by their labels, Lua functions by their places. */
        put_call_frame(
            &json, NULL, labels_text(labels, labels->of[function].label), span_of(""), -1, -1);
    }
    *frame = json.text;
    return text_span(frame);
}

static void put_children(struct cpuprofile *file, uint32_t node)
{
    const uint32_t *sizes = file->viewer.sizes;
    if (sizes[node] == 1)
        return;
    struct text *text = json_value(&file->json, "children");
    for (uint32_t child = node + 1; child < node + sizes[node]; child += sizes[child]) {
        text_put_string(text, child == node + 1 ? "[" : ",");
        text_put_count(text, file->numbers[child]);
    }
    text_put_string(text, "]");
}

COMPARES(compare_lines, struct line_ticks, ORDER(a->line, b->line, 0))

/* Sorts file->ticks, [count], by line, adds up the ticks of each line, and puts the sums. */
static void put_ticks(struct cpuprofile *file, size_t count)
{
    struct line_ticks *ticks = file->ticks;
    struct text *text = NULL;
    if (count > 1)
        qsort(ticks, count, sizeof *ticks, compare_lines);
    for (size_t from = 0, to; from < count; from = to) {
        int64_t ns = 0;
        for (to = from; to < count && ticks[to].line == ticks[from].line; to++)
            ns += ticks[to].ns;
        if (ns < TICK_NS / 2)
            continue;
        bool is_first = text == NULL;
        if (is_first)
            text = json_value(&file->json, "positionTicks");
        text_put_string(text, is_first ? "[{\"line\":" : ",{\"line\":");
        text_put_number(text, ticks[from].line);
        text_put_string(text, ",\"ticks\":");
        text_put_number(text, (ns + TICK_NS / 2) / TICK_NS);
        text_put_string(text, "}");
    }
    if (text != NULL)
        text_put_string(text, "]");
}

static void add_ticks(struct cpuprofile *file, size_t *count, int64_t line, int64_t ns)
{
    const struct line_ticks ticks = {line, ns};
    MEM_APPEND(file->ticks, *count, file->tick_capacity, ticks);
}

/* Puts the calling lines of a Lua function, and the line of its definition. */
static void put_lines(struct cpuprofile *file, uint32_t node)
{
    const struct tree *tree = &file->viewer.tree;
    const struct symbols *symbols = &file->report->profile->symbols;
    const uint32_t *sizes = file->viewer.sizes;
    uint32_t function = tree->calls[node].function;
    size_t count = 0;
    if (!symbols_is_lua(symbols, function))
        return;
    int32_t defined = symbols->functions[function].line;
    add_ticks(file, &count, defined > 0 ? defined : 1, tree->self_ns[node]);
    for (uint32_t child = node + 1; child < node + sizes[node]; child += sizes[child]) {
        int32_t line = line_number(tree->calls[child].line);
        if (line > 0)
            add_ticks(file, &count, line, tree->total_ns[child]);
    }
    put_ticks(file, count);
}

static void put_nodes(struct cpuprofile *file)
{
    struct json_writer *json = &file->json;
    JSON_ARRAY(json, "nodes");
    for (uint32_t i = 0; i < file->viewer.tree.node_count && !output_has_failed(json->out); i++) {
        uint32_t node = file->order[i];
        json_line(json);
        JSON_OBJECT(json, NULL);
        json_count(json, "id", file->numbers[node]);
        if (node == TREE_ROOT)
            put_call_frame(json, "callFrame", span_of("(root)"), span_of(""), -1, -1);
        else
            text_put_span(json_value(json, "callFrame"),
                          call_frame(file, file->viewer.tree.calls[node].function));
        json_count(json, "hitCount", file->weights[node]);
        put_children(file, node);
        put_lines(file, node);
    }
}

/* Puts samples, or their deltas, for each node that has time of its own. */
static void put_samples(struct cpuprofile *file, const char *key, bool are_deltas)
{
    struct json_writer *json = &file->json;
    json_line(json);
    JSON_ARRAY(json, key);
    for (uint32_t node = 1; node < file->viewer.tree.node_count; node++) {
        if (file->weights[node] == 0)
            continue;
        struct text *text = json_value(json, NULL);
        for (int i = 0; i < SAMPLES_A_NODE; i++) {
            if (i > 0)
                text_put_string(text, ",");
            text_put_count(text,
                           !are_deltas ? file->numbers[node]
                           : i == 1    ? file->weights[node]
                                       : 0);
        }
    }
}

static struct report_result write_cpuprofile(const struct report *report, struct output *out)
{
    struct cpuprofile file = {.report = report, .json = {.out = out, .is_compact = true}};
    uint32_t function_count = report->profile->symbols.function_count;
    viewer_tree_init(&file.viewer, report->tree, report->labels);
    uint32_t count = file.viewer.tree.node_count;
    file.order = mem_zeroed(count, sizeof *file.order);
    file.numbers = mem_zeroed(count, sizeof *file.numbers);
    file.weights = mem_zeroed(count, sizeof *file.weights);
    file.frames = mem_zeroed(function_count, sizeof *file.frames);
    number_nodes(&file);
    weigh_nodes(&file);
    json_object(&file.json, NULL);
    put_nodes(&file);
    json_line(&file.json);
    json_number(&file.json, "startTime", 0);
    json_count(&file.json, "endTime", file.weight_sum);
    put_samples(&file, "samples", false);
    put_samples(&file, "timeDeltas", true);
    json_end(&file.json);
    struct report_result result = report_viewer_result(report, &file.viewer);
    for (size_t i = 0; i < function_count; i++)
        text_release(&file.frames[i]);
    MEM_FREE(file.frames, file.order, file.numbers, file.weights, file.ticks);
    viewer_tree_release(&file.viewer);
    return result;
}

const struct report_format report_cpuprofile = {
    .name = "cpuprofile",
    .summary = "for VS Code and Chrome's DevTools",
    .uses = USES_PROFILE | USES_LINES | USES_SOURCES | SHOWS_SUMS,
    .suffixes = {".cpuprofile", NULL},
    .write = write_cpuprofile,
};
