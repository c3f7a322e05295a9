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
#include "report/report.h"

#include "base/json.h"
#include "base/mem.h"
#include "select/viewer.h"
#include "tree/stacks.h"

#include <stdlib.h>

enum { TICK_NS = 1000 };

/* The time of a line of a function. */
struct line_ticks {
    uint32_t line;
    int64_t ns;
};

struct cpuprofile {
    const struct report *report;
    struct viewer viewer;
    uint32_t *order;     /* [node_count] nodes of the viewer's tree, level by level */
    uint32_t *numbers;   /* [node_count] by node, from 1 on */
    uint64_t *weights;   /* [node_count] by node: self time in ticks */
    uint64_t weight_sum; /* of all */
    struct text frames;  /* the call frames of functions, one after the other */
    struct frame_text {
        size_t start, length; /* in `frames`; length 0: not made yet */
    } * frame_texts;          /* [functions with "(truncated)"] */
    struct line_ticks *ticks; /* buffer */
    size_t tick_capacity;
    struct text text; /* buffer of text that is not written yet */
    struct output *out;
};

static void flush(struct cpuprofile *file, bool is_last)
{
    enum { FLUSH_BYTES = 64 * 1024 };
    if (!is_last && file->text.length < FLUSH_BYTES)
        return;
    output_put(file->out, text_span(&file->text).at, file->text.length);
    file->text.length = 0;
}

static void number_nodes(struct cpuprofile *file)
{
    const struct tree_links *links = &file->viewer.links;
    uint32_t count = 1;
    file->order[0] = TREE_ROOT;
    file->numbers[TREE_ROOT] = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = links->first_child[file->order[i]];
        for (; child != TREE_NONE; child = links->next_sibling[child]) {
            file->order[count++] = child;
            file->numbers[child] = count;
        }
    }
}

static void leave_nothing(void *context, uint32_t node)
{
    (void)context;
    (void)node;
}

/* In the order of the samples, so that the sum of any range of them is exact to one tick. */
static void weigh_nodes(struct cpuprofile *file)
{
    const struct tree *tree = &file->viewer.tree;
    int64_t carry_ns = 0;
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &file->viewer.links, node, leave_nothing, NULL)) != TREE_NONE) {
        int64_t exact_ns = tree->self_ns[node] + carry_ns;
        int64_t weight = exact_ns < 0 ? 0 : (exact_ns + TICK_NS / 2) / TICK_NS;
        carry_ns = exact_ns - weight * TICK_NS;
        file->weights[node] = (uint64_t)weight;
        file->weight_sum += (uint64_t)weight;
    }
}

static void make_call_frame(struct text *text, const struct cpuprofile *file, uint32_t function)
{
    const struct labels *labels = file->report->labels;
    const struct symbols *symbols = &file->report->profile->symbols;
    bool is_lua = function < symbols->function_count && symbols_is_lua(symbols, function);
    text_put_string(text, "\"callFrame\":{\"functionName\":");
    /* C functions are distinguished by their labels, Lua functions by their places. */
    json_put_string(text, is_lua ? labels_text(labels, labels->labels[function].name)
                                 : viewer_label(&file->viewer, labels, function));
    text_put_string(text, ",\"scriptId\":\"0\",\"url\":");
    json_put_string(text, is_lua ? labels_text(labels, labels->labels[function].file)
                                 : (struct span){"", 0});
    text_put_string(text, ",\"lineNumber\":");
    text_put_number(text, is_lua && symbols->functions[function].line > 0
                              ? symbols->functions[function].line - 1
                              : (is_lua ? 0 : -1));
    text_put_string(text, is_lua ? ",\"columnNumber\":0}" : ",\"columnNumber\":-1}");
}

/* The text is made once for a function, which can have many nodes. */
static void put_call_frame(struct cpuprofile *file, uint32_t node)
{
    if (node == TREE_ROOT) {
        text_put_string(&file->text,
                        "\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\",\"url\":"
                        "\"\",\"lineNumber\":-1,\"columnNumber\":-1}");
        return;
    }
    uint32_t function = file->viewer.tree.calls[node].function;
    struct frame_text *frame = &file->frame_texts[function];
    if (frame->length == 0) {
        frame->start = file->frames.length;
        make_call_frame(&file->frames, file, function);
        frame->length = file->frames.length - frame->start;
    }
    text_put(&file->text, file->frames.at + frame->start, frame->length);
}

static void put_children(struct cpuprofile *file, uint32_t node)
{
    const struct tree_links *links = &file->viewer.links;
    uint32_t child = links->first_child[node];
    if (child == TREE_NONE)
        return;
    text_put_string(&file->text, ",\"children\":[");
    for (; child != TREE_NONE; child = links->next_sibling[child]) {
        text_put_count(&file->text, file->numbers[child]);
        text_put_string(&file->text, links->next_sibling[child] != TREE_NONE ? "," : "]");
    }
}

static int compare_lines(const void *left, const void *right)
{
    const struct line_ticks *a = left;
    const struct line_ticks *b = right;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Appends `ticks`, [count], by line; those of one line are added up. */
static void put_ticks(struct text *text, struct line_ticks *ticks, size_t count)
{
    bool is_first = true;
    if (count > 1)
        qsort(ticks, count, sizeof *ticks, compare_lines);
    for (size_t from = 0, to; from < count; from = to) {
        int64_t ns = 0;
        for (to = from; to < count && ticks[to].line == ticks[from].line; to++)
            ns += ticks[to].ns;
        if (ns < TICK_NS / 2)
            continue;
        text_put_string(text, is_first ? ",\"positionTicks\":[{\"line\":" : ",{\"line\":");
        text_put_count(text, ticks[from].line);
        text_put_string(text, ",\"ticks\":");
        text_put_number(text, (ns + TICK_NS / 2) / TICK_NS);
        text_put_string(text, "}");
        is_first = false;
    }
    if (!is_first)
        text_put_string(text, "]");
}

/* The lines of a Lua function: those that it called from, and the one where it is defined. */
static void put_lines(struct cpuprofile *file, uint32_t node)
{
    const struct tree *tree = &file->viewer.tree;
    const struct symbols *symbols = &file->report->profile->symbols;
    uint32_t function = tree->calls[node].function;
    size_t count = 0;
    if (node == TREE_ROOT || function >= symbols->function_count ||
        !symbols_is_lua(symbols, function))
        return;
    int32_t defined = symbols->functions[function].line;
    file->ticks = mem_grow(file->ticks, &file->tick_capacity, 1, sizeof *file->ticks);
    file->ticks[count++] =
        (struct line_ticks){defined > 0 ? (uint32_t)defined : 1, tree->self_ns[node]};
    uint32_t child = file->viewer.links.first_child[node];
    for (; child != TREE_NONE; child = file->viewer.links.next_sibling[child]) {
        int32_t line = tree->calls[child].line;
        if (line == LINE_UNKNOWN || line == LINE_TAIL_CALL)
            continue;
        file->ticks = mem_grow(file->ticks, &file->tick_capacity, count + 1, sizeof *file->ticks);
        /* A negative line is a tail call near that line. */
        file->ticks[count++] =
            (struct line_ticks){(uint32_t)llabs((long long)line), tree->total_ns[child]};
    }
    put_ticks(&file->text, file->ticks, count);
}

static void put_nodes(struct cpuprofile *file)
{
    text_put_string(&file->text, "{\"nodes\":[");
    for (uint32_t i = 0; i < file->viewer.tree.node_count; i++) {
        uint32_t node = file->order[i];
        text_put_string(&file->text, i > 0 ? ",\n{\"id\":" : "\n{\"id\":");
        text_put_count(&file->text, file->numbers[node]);
        text_put_string(&file->text, ",");
        put_call_frame(file, node);
        text_put_string(&file->text, ",\"hitCount\":");
        text_put_count(&file->text, file->weights[node]);
        put_children(file, node);
        put_lines(file, node);
        text_put_string(&file->text, "}");
        flush(file, false);
        if (output_has_failed(file->out))
            return;
    }
}

/* Appends three samples, or three deltas, for each node that has time of its own. */
static void put_samples(struct cpuprofile *file, bool is_deltas)
{
    const struct tree *tree = &file->viewer.tree;
    bool is_first = true;
    uint32_t node = TREE_ROOT;
    while ((node = tree_next(tree, &file->viewer.links, node, leave_nothing, NULL)) != TREE_NONE) {
        if (file->weights[node] == 0)
            continue;
        if (!is_first)
            text_put_string(&file->text, ",");
        is_first = false;
        for (int i = 0; i < 3; i++) {
            text_put_string(&file->text, i > 0 ? "," : "");
            if (!is_deltas)
                text_put_count(&file->text, file->numbers[node]);
            else
                text_put_count(&file->text, i == 1 ? file->weights[node] : 0);
        }
        flush(file, false);
        if (output_has_failed(file->out))
            return;
    }
}

static struct report_result write_cpuprofile(const struct report *report, struct output *out)
{
    struct cpuprofile file = {.report = report, .out = out};
    uint32_t function_count = report->profile->symbols.function_count;
    viewer_init(&file.viewer, report->tree, report->labels, function_count, VIEWER_DEPTH_MAX);
    uint32_t count = file.viewer.tree.node_count;
    file.order = mem_zeroed(count, sizeof *file.order);
    file.numbers = mem_zeroed(count, sizeof *file.numbers);
    file.weights = mem_zeroed(count, sizeof *file.weights);
    file.frame_texts = mem_zeroed((size_t)function_count + 1, sizeof *file.frame_texts);
    number_nodes(&file);
    weigh_nodes(&file);
    put_nodes(&file);
    text_printf(&file.text, "],\n\"startTime\":0,\"endTime\":%llu,\n\"samples\":[",
                (unsigned long long)file.weight_sum);
    put_samples(&file, false);
    text_put_string(&file.text, "],\n\"timeDeltas\":[");
    put_samples(&file, true);
    text_put_string(&file.text, "]}\n");
    flush(&file, true);
    struct report_result result = report_viewer_result(report, &file.viewer);
    free(file.order);
    free(file.numbers);
    free(file.weights);
    free(file.frame_texts);
    free(file.ticks);
    text_release(&file.frames);
    text_release(&file.text);
    viewer_release(&file.viewer);
    return result;
}

const struct report_format report_cpuprofile = {
    .name = "cpuprofile",
    .summary = "for VS Code and Chrome's DevTools",
    .manual =
        "The CPU profile of V8, for Visual Studio Code, which shows such a file as a table and as "
        "a flame graph, and for the DevTools of Chrome. Open the folder with the sources, and use "
        "{--paths=full} if the paths in the log are those of this computer: a click on a function "
        "then opens its source. A node is a function on a call stack and the line of its call. "
        "Times are whole microseconds; the remainder of each rounding is carried into the next "
        "node. The ticks of a line are the total time, in microseconds, of the calls from that "
        "line; the self time of a function is at the line of its definition.",
    .uses = USES_PROFILE,
    .suffixes = {".cpuprofile", NULL},
    .uses_lines = true,
    .write = write_cpuprofile,
};
